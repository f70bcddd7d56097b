"""Bounds and plies as the column `proven` and its neighbour hold them."""

from itertools import product

import numpy as np
import pytest

from playout import MCTS, Limit, Position, RandomChild, TicTacToe
from playout.core.jit.rows import Rows
from playout.search.solver.bounds import (
    bounds,
    is_proven,
    lower_of,
    plies_to_end,
    upper_of,
)
from playout.search.tree.nodes import CLOSED


def test_every_pair_of_bounds_is_read_back() -> None:
    for lower, upper in product((-1, 0, 1), repeat=2):
        for flag in (0, CLOSED):
            proven = bounds(lower, upper) | flag
            assert (lower_of(proven), upper_of(proven)) == (lower, upper)
            assert is_proven(proven) == (lower == upper)


class Children:
    """Proven children with these values and plies to the end."""

    def __init__(self, *rows: tuple[int, int]) -> None:
        dtype = [("proven", "i1"), ("proof_plies", "i2")]
        self.nodes = Rows(np.zeros(1 + len(rows), dtype=dtype))
        self.numbers = np.arange(1, 1 + len(rows))
        for number, (value, plies) in zip(self.numbers, rows, strict=True):
            row = self.nodes[number]
            row.proven, row.proof_plies = bounds(value, value), plies

    def plies(self, value: int) -> int:
        return plies_to_end(self, self.numbers, len(self.numbers), value)


@pytest.mark.parametrize(
    ("value", "plies"),
    [
        (1, 3),  # the shortest win, of 2 and 6
        (0, 9),  # the longest draw, of 4 and 8
        (-1, 8),  # the longest loss, of 5 and 7
    ],
)
def test_a_win_is_short_and_all_else_is_long(value: int, plies: int) -> None:
    rows = [(1, 6), (0, 4), (-1, 5), (1, 2), (0, 8), (-1, 7)]
    assert Children(*rows).plies(value) == plies
    assert Children(*rows[::-1]).plies(value) == plies


def test_plies_are_counted_as_far_as_their_column_goes() -> None:
    for value in (1, 0, -1):
        assert Children((value, 0)).plies(value) == 1
        assert Children((value, 2**15 - 3)).plies(value) == 2**15 - 2
        assert Children((value, 2**15 - 1)).plies(value) == 2**15 - 1


@pytest.mark.parametrize("moves", ["b2 a1 c1", "b2 a1 c1 a3"])
def test_a_drawn_game_is_as_long_as_there_are_cells(moves: str) -> None:
    """Wherever tic-tac-toe is drawn, it is filled."""
    position = Position.from_moves(TicTacToe(), moves.split())
    expansion = RandomChild(urgent="never")
    search = MCTS(TicTacToe(), seed=1, expansion=expansion, interpreted=True)
    result = search.search(position, Limit(simulations=600))
    left = 9 - len(position.actions)
    drawn = [row.proof_plies for row in result.actions if row.proven == "draw"]
    assert drawn
    assert {*drawn} == {left}
    assert result.proven == "draw"
