"""What a board says of itself, and what is wrong with one."""

import pytest

from playout import Board
from playout.core.errors import RulesError
from playout.games.drawing.board import draw


@pytest.mark.parametrize(
    ("fault", "more"),
    [
        ("which are not texts, one a row", {"cells": ((0, 0), (0, 0))}),
        ("which are not texts, one a row", {"cells": None}),
        ("which are not texts, one a row", {"cells": "..."}),
        ("rows of different lengths", {"cells": ("..", ".")}),
        ("layouts are square, hex, free", {"layout": "round"}),
        ("styles are marks, stones", {"style": "wood"}),
        ("not four marks", {"edges": "XO"}),
        ("inks are colours", {"inks": {"x": "red"}}),
        (r"no cell \(2, 0\)", {"lines": (((0, 0), (2, 0)),)}),
        (r"no cell \(1, 1\)", {"stands_for": {(1, 1): (0, 0)}}),
        (r"no cell \(0, 1\)", {"layout": "free", "points": {(0, 1): (0.5, 0)}}),
        (r"no cell \(1, 0\)", {"layout": "free", "lines": (((0, 0), (1, 0)),)}),
    ],
)
def test_what_is_wrong_is_said(fault, more):
    usual = {"cells": ("x ", ". "), "points": {(0, 0): (0.0, 0.0)}}
    with pytest.raises(RulesError, match=fault):
        Board(**{**usual, **more})


def test_places_and_owners():
    board = Board(("X.", " k"), owners={"k": 1}, points={(0, 0): (1, 1)})
    assert board.places == [(0, 0), (0, 1), (1, 1)]
    assert [board.owner(mark) for mark in "XOk."] == [0, 1, 1, None]
    assert board.name_of((0, 1)) == "row 1, column 2"
    free = Board(("X.", " k"), layout="free", points={(0, 0): (1, 1)})
    assert free.places == [(0, 0)]


def test_a_character_may_have_a_colour_of_its_own_in_terminals():
    board = Board(("RX",), marks=("X",), owners={"R": 0}, inks={"R": "#c8323a"})
    drawn = draw(board, color=True)
    assert "\x1b[38;5;167m\x1b[1m R " in drawn
    assert "\x1b[36m\x1b[1m X " in drawn


def test_a_place_without_a_cell_may_have_a_label():
    board = Board(("X.", "  ", ".O"), names={(1, 1): "24"})
    assert draw(board) == "  X  .\n    24\n  .  O"
