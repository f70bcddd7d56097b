"""What networks see of a game, from either player's side.

Also of `games/connect_four/planes.py`, `games/ultimate_tic_tac_toe/planes.py`,
`games/gomoku/planes.py` and `games/contract/observing.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playout import ConnectFour, Gomoku, Position, TicTacToe, UltimateTicTacToe
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows


def planes_of(game: Any, moves: list[str]) -> np.ndarray:
    planes = np.zeros(game.observation_shape(), dtype=np.float32)
    game.observe(Position.from_moves(game, moves).state, planes)
    return planes


def cells(plane: np.ndarray) -> list[tuple[int, int]]:
    return [(int(row), int(column)) for row, column in np.argwhere(plane == 1)]


def test_tic_tac_toe_shows_the_movers_stones_first() -> None:
    planes = planes_of(TicTacToe(), ["b2", "a1", "c3"])
    assert [cells(plane) for plane in planes] == [[(2, 0)], [(0, 2), (1, 1)]]


@pytest.mark.parametrize("columns", [7, 12])
def test_connect_four_shows_rows_from_the_top_and_the_cell_of_nobody(
    columns: int,
) -> None:
    game = ConnectFour(columns=columns, forbidden=(5, 1))
    planes = planes_of(game, ["4", "2", str(columns)])
    own, other, nobody = map(cells, planes)
    assert (own, other) == ([(4, 1)], [(5, 3), (5, columns - 1)])
    assert nobody == [(5, 1)]
    assert not planes_of(ConnectFour(), ["4"])[2].any()


def test_ultimate_tic_tac_toe_shows_where_one_may_play_and_what_is_won() -> None:
    planes = planes_of(UltimateTicTacToe(), [])
    assert planes.sum(axis=(1, 2)).tolist() == [0, 0, 81, 0, 0]
    moves = ["aa", "ae", "ea", "ab", "ba", "ah", "ha"]
    planes = planes_of(UltimateTicTacToe(), moves)
    # O has b, e and h of the board a, which is won, so X's move to it frees O.
    assert cells(planes[0]) == [(0, 1), (1, 1), (2, 1)]
    assert len(cells(planes[1])) == 4
    assert len(cells(planes[2])) == 81 - 9 - 3
    block = [(row, column) for row in range(3) for column in range(3)]
    assert cells(planes[3]) == block
    assert not planes[4].any()
    aimed = planes_of(UltimateTicTacToe(), ["ef"])
    assert cells(aimed[1]) == [(4, 5)]
    assert cells(aimed[2]) == [(r, c) for r in (3, 4, 5) for c in (6, 7, 8)]


def parts_of(moves: list[str]) -> list[int]:
    parts = np.zeros(9, dtype=np.int32)
    game = UltimateTicTacToe()
    game.observe_parts(Position.from_moves(game, moves).state, parts)
    return parts.tolist()


def test_ultimate_tic_tac_toe_is_seen_as_nine_boards() -> None:
    """A board's stones are digits in base three; one may play where 3**9 is added."""
    count, kinds = UltimateTicTacToe().parts_shape()
    assert parts_of([]) == count * [3**9]
    assert parts_of(["ef"]) == [0, 0, 0, 0, 2 * 3**5, 3**9, 0, 0, 0]
    assert parts_of(["ef", "fa"])[4:6] == [3**5, 2]
    moves = ["aa", "ae", "ea", "ab", "ba", "ah", "ha"]  # O, to move, has won board a
    won, *rest = parts_of(moves)
    assert won == kinds - 3
    assert rest == [3**9 + 2 * (board in "beh") for board in "bcdefghi"]
    assert parts_of([*moves, "ee"])[0] == kinds - 2


@pytest.mark.parametrize("size", [9, 19])
def test_gomoku_shows_both_players_stones_and_who_is_to_move(size: int) -> None:
    game = Gomoku(size=size)
    planes = planes_of(game, [f"A{size}", "B1", f"{'ABCDEFGHJ'[2]}{size}"])
    own, other, black = planes
    assert cells(own) == [(size - 1, 1)]
    assert cells(other) == [(0, 0), (0, 2)]
    assert not black.any()
    assert planes_of(game, [])[2].all()


@kernel
def write_planes(game: Any, states: Any, planes: Any) -> None:
    game.observe(states[0], planes.reshape(game.observation_shape()))


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(forbidden=(2, 3)), UltimateTicTacToe(), Gomoku()]
)
def test_compiled_it_sees_the_same(game: Any) -> None:
    rng = np.random.default_rng(1)
    position = Position(game)
    flat = np.zeros(int(np.prod(game.observation_shape())), dtype=np.float32)
    native = write_planes.compile(game, Rows(position.array), flat)
    while not position.is_terminal:
        position.play(int(rng.choice(position.legal_actions())))
        plain = np.zeros(game.observation_shape(), dtype=np.float32)
        game.observe(position.state, plain)
        flat[:] = 0
        native(game, Rows(position.array), flat)
        assert flat.tolist() == plain.reshape(-1).tolist()
