"""`playout warm`."""

from playout.search.presets import PRESETS
from tests.ui.support import LINE, output_of


def test_warm_says_what_was_compiled_already():
    output_of("warm", LINE)
    rows = output_of("warm", LINE).splitlines()
    assert len(rows) == 1 + len(PRESETS)  # the game, presets
    assert all(row.endswith("compiled already") for row in rows)
