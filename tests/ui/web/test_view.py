"""Boards as the page is told of them: whose actions are no cells, and no columns."""

from dataclasses import dataclass

from playout.games.drawing.board import Board
from playout.games.positions.position import Position
from playout.ui.web.view import board_view, cells_of
from tests.toys import Nim


@dataclass(frozen=True)
class Rolling(Nim):
    """Its actions name no cell; the board shows where a piece has come to lie."""

    def board(self, state, last_action=None):
        last = None if last_action is None else (0, last_action)
        return Board(cells=("....",), last=last)


def test_actions_that_are_neither_cells_nor_columns_have_none() -> None:
    assert cells_of(Rolling()) == {}


def test_a_move_is_shown_where_it_comes_to_lie() -> None:
    position = Position(Rolling())
    assert board_view(position).legal == [("1", 0, 1), ("2", 0, 2), ("3", 0, 3)]
    assert position.actions == []
