"""Boards and results as the page is told of them."""

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from playout.arena.record import GameRecord
from playout.arena.table import Table
from playout.games.drawing.board import Board
from playout.games.positions.position import Position
from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
from playout.ui.common.words import winner_of
from playout.ui.web.view import board_view, cells_of, outcome, seen_board
from tests.toys import Nim, ThreeWays


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
    """A player has won who alone has a positive return."""
    record = GameRecord("three", ("x",) * len(returns), (), 0, (), (), returns)
    session = SimpleNamespace(record=lambda: record)
    given = {"session": session, "game": ThreeWays(), "people_at_end": []}
    table = SimpleNamespace(over=True, **given)
    found = outcome(table)
    assert found is not None
    assert (found.winner, found.returns) == (winner, list(returns))


@dataclass(frozen=True)
class Costs(Nim):
    """Both pay, and who pays less has won."""

    zero_sum = False
    return_range = (-100.0, 0.0)


def test_who_lost_less_has_won_where_results_are_no_points() -> None:
    assert winner_of(Costs(), (-30.0, -20.0)) == 1
    assert winner_of(Costs(), (-20.0, -20.0)) is None
    assert winner_of(Costs(), (-20.0,)) is None
    assert winner_of(Nim(), (-0.5, -0.25)) is None


@dataclass(frozen=True)
class Unmarked(Nim):
    """A board on which nothing shows what was played."""

    def board(self, state, last_action=None):
        return Board(cells=("....",))


def test_moves_that_show_nowhere_have_no_cells() -> None:
    game = Unmarked(stones=1)
    assert board_view(Position(game)).legal == [("1", ())]
    assert cells_of(game) == {}


def test_nobody_is_to_play_where_a_game_was_given_up() -> None:
    table = Table(UltimateTicTacToe(), ["human", "human"], moves=["ac"])
    assert seen_board(table).caption.endswith("; O plays in c")
    table.resign()
    assert seen_board(table).caption == "boards a to i; won: none"
