"""`playout games`."""

from playout.games.registry import GAMES
from tests.ui.support import HEAP, error_of, output_of

#: Objects as games, with a description of their own and without.
CLASSES = f'''
{HEAP}

class Bare(Heap):
    pass


class Told(Bare):
    """A heap of stones.

    Whoever takes the last one wins.
    """


def sized(stones: int):
    """So many."""
    return Told(stones)
'''


def test_games():
    shown = output_of("games")
    for name in GAMES:
        assert f"\n{name} " in f"\n{shown}"
    assert "forbidden=-1/-1" in shown
    assert "file.py:ClassName" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_games_that_are_named(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from tests.toys import Nim\nclass Mine(Nim):\n    title = 'Heap'\n"
    )
    shown = output_of("games", "gomoku:size=9", f"{path}:Mine")
    assert shown.startswith("gomoku:size=9  (Gomoku)\n")
    assert f"{path}:Mine  (Heap)\n" in shown
    assert "connect-four" not in shown
    path.write_text(CLASSES)
    shown = output_of("games", f"{path}:Told", f"{path}:Bare")
    assert f"{path}:Told  (Told)\n    A heap of stones.\n" in shown
    assert f"{path}:Bare  (Bare)\n    Bare: the tutorials' four methods; move" in shown
    assert "\n    left=5\n    reward=... " in shown
    shown = output_of("games", f"{path}:sized", f"{path}:sized:stones=3")
    assert shown.startswith(f"{path}:sized\n    stones=...          must be given\n")
    assert f"{path}:sized:stones=3  (sized:stones=3)\n    So many.\n" in shown
    assert "did you mean gomoku?" in error_of("games", "gomuko")
