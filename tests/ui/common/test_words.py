"""What faces say of results."""

import pytest

from playout.ui.common.words import result_of
from tests.toys import Nim


class Together(Nim):
    """Both win, or both lose."""

    zero_sum = False


class Points(Together):
    return_range = (0, 30)


@pytest.mark.parametrize(
    ("game", "returns", "said"),
    [
        (Together(), (1.0, 1.0), "Everybody wins."),
        (Together(), (-1.0, -1.0), "Everybody loses."),
        (Together(), (0.5, 0.5), "Result: +0.50 for everybody."),
        (Together(), (0.5, 1.0), "Result: X +0.50, O +1.00."),
        (Together(), (0.0, 0.0), "Draw."),
        (Points(), (12.0, 12.0), "Result: 12 for everybody."),
        (Points(), (12.0, 8.5), "Result: X +12, O +8.5."),
    ],
)
def test_what_was_reached_together(game, returns, said):
    assert result_of(game, returns, people=[0]) == said
