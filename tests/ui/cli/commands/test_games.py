"""`playout games`."""

from playout.games.registry import GAMES
from tests.ui.support import output_of


def test_games():
    shown = output_of("games")
    for name in GAMES:
        assert f"\n{name} " in f"\n{shown}"
    assert "forbidden=-1/-1" in shown
    assert "file.py:ClassName" in shown
    assert max(map(len, shown.splitlines())) <= 80
