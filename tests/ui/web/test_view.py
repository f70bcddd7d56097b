"""Boards as the page is told of them: whose actions are no cells, and no columns."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from playout.arena.record import GameRecord
from playout.games.drawing.board import Board
from playout.games.positions.position import Position
from playout.ui.web.view import board_view, cells_of, outcome
from tests.toys import Nim, ThreeWays


@dataclass(frozen=True)
class Rolling(Nim):
    """Its actions name no cell; the board shows where a piece has come to lie."""

    def board(self, state, last_action=None):
        last = None if last_action is None else (0, last_action)
        return Board(cells=("....",), last=last)


@pytest.mark.parametrize(
    ("returns", "winner"),
    [
        ((1.0, -1.0), 0),
        ((-1.0, 1.0), 1),
        ((0.0, 0.0), None),
        ((0.5, 0.5, -1.0), None),
        ((-0.5,), None),
    ],
)
def test_who_has_won(returns: tuple[float, ...], winner: int | None) -> None:
    """One alone, who has gained by it."""
    record = GameRecord("three", ("x",) * len(returns), (), 0, (), (), returns)
    session = SimpleNamespace(record=lambda: record)
    table = SimpleNamespace(over=True, session=session, game=ThreeWays(), people=[])
    found = outcome(table)
    assert found is not None
    assert (found.winner, found.returns) == (winner, list(returns))


def test_actions_that_are_neither_cells_nor_columns_have_none() -> None:
    assert cells_of(Rolling()) == {}


@dataclass(frozen=True)
class Unmarked(Nim):
    """A board on which nothing shows what was played."""

    def board(self, state, last_action=None):
        return Board(cells=("....",))


def test_a_move_that_shows_nowhere() -> None:
    legal = board_view(Position(Unmarked(stones=1))).legal
    assert legal == [("1", -1, -1)]


def test_a_move_is_shown_where_it_comes_to_lie() -> None:
    position = Position(Rolling())
    assert board_view(position).legal == [("1", 0, 1), ("2", 0, 2), ("3", 0, 3)]
    assert position.actions == []
