"""Games are found by where their rules stand, and have a page of their names.

Where a class of one's own cannot be made, what to write is said.
"""

from pathlib import Path

import pytest

from playout.core.errors import UsageError
from playout.games.registry import GAMES, game_class, game_names, make_game

PAGES = Path(__file__).parents[2] / "docs" / "games"


def test_the_four_come_first_and_the_others_by_their_names():
    own = [name for name in game_names() if name in GAMES]
    assert own[:2] == ["tic-tac-toe", "mnk"]
    assert own[4:6] == ["gomoku", "2048"]
    assert own[5:] == sorted(own[5:])


@pytest.mark.parametrize("name", GAMES)
def test_a_game_has_the_name_of_its_file(name):
    assert game_class(name).name == name
    assert (PAGES / f"{name}.md").exists() or name == "mnk"  # that of tic-tac-toe


def test_parameters_are_declared_not_assigned(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom tests import toys\n\n"
        "@dataclass(frozen=True)\nclass Mine(toys.Nim):\n"
        "    def __init__(self, left=9):\n        self.stones = left\n"
    )
    with pytest.raises(UsageError, match="declared in the class body, as in `size: "):
        make_game(f"{path}:Mine")


def test_a_parameter_without_a_value_is_told(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\nfrom playout import Game\n\n"
        "@dataclass(frozen=True)\nclass Mine(Game):\n    heaps: int\n    size: int\n"
    )
    with pytest.raises(UsageError, match=r"Mine needs size: write size=\.\.\. after a"):
        make_game(f"{path}:Mine:heaps=3")
