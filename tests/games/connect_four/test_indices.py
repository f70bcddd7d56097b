"""Open columns by index, where some are full and where boards take several words."""

from __future__ import annotations

import numpy as np
import pytest

from playout import Position
from playout.core.jit.rows import Rows
from playout.games.registry import make_game


@pytest.mark.parametrize(
    ("spec", "moves", "columns"),
    [
        ("connect-four", "4 4 4 4 4 4", [0, 1, 2, 4, 5, 6]),
        ("connect-four:rows=2,columns=3", "1 1 3 3", [1]),
        ("connect-four:rows=9,columns=12", "12 12 12", list(range(12))),
    ],
)
def test_full_columns_are_passed_over(
    spec: str, moves: str, columns: list[int]
) -> None:
    position = Position.from_moves(make_game(spec), moves.split())
    game, state = position.game, Rows(position.array)[0]
    buffer = np.zeros(game.num_actions(), dtype=np.int32)
    count = game.count_legal(state, buffer)
    assert [game.nth_legal(state, buffer, n) for n in range(count)] == columns
    found = [game.index_of(state, buffer, count, column) for column in columns]
    assert found == list(range(len(columns)))


def test_nothing_is_legal_when_somebody_has_won() -> None:
    position = Position.from_moves(make_game("connect-four"), list("1212121"))
    buffer = np.zeros(7, dtype=np.int32)
    assert position.game.count_legal(Rows(position.array)[0], buffer) == 0
