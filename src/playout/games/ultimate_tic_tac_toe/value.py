"""The heuristic value of a position of ultimate tic-tac-toe."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import popcount
from ..contract.game import State
from .cells import HAS_LINE, cells_of

__all__ = ["judge", "move_weight"]

#: The eight lines of three cells.
LINES = np.array([7, 56, 448, 73, 146, 292, 273, 84], dtype=np.int64)
#: What is worth what: a board won, two won boards in an open line, two stones in one.
BOARD, PAIR_OF_BOARDS, PAIR = 0.2, 0.4, 0.04

_ZERO = np.uint64(0)


def judge(state: State, player: int) -> float:
    """The value for a player, between -1 and 1."""
    mine, theirs = np.int64(state.boards[player]), np.int64(state.boards[1 - player])
    lead = BOARD * (popcount(mine) - popcount(theirs))
    lead += PAIR_OF_BOARDS * (open_pairs(mine, theirs) - open_pairs(theirs, mine))
    for board in range(9):
        if (mine | theirs) >> board & 1 == 0:
            own = np.int64(state.stones[player, board])
            other = np.int64(state.stones[1 - player, board])
            lead += PAIR * (open_pairs(own, other) - open_pairs(other, own))
    return float(lead / (1.0 + abs(lead)))


def open_pairs(own: Any, other: Any) -> int:
    """Lines with two of one's own and none of the other's.

    >>> open_pairs(0b000_000_011, 0b000_000_000), open_pairs(0b011, 0b100)
    (1, 0)
    """
    count = 0
    for line in LINES:
        if other & line == 0 and popcount(own & line) == 2:
            count += 1
    return count


def move_weight(state: State, action: int) -> float:
    """The weight of a move: its prior is its share of the sum over all moves."""
    board = action // 9
    cell = action - 9 * board
    weight = 1.0
    for turn in range(2):
        player = state.player if turn == 0 else 1 - state.player
        if HAS_LINE[np.int64(state.stones[player, board]) | 1 << cell]:
            weight += 4.0 - 2.0 * turn
    if cells_of(state.open[0], state.open[1], cell) == _ZERO:
        weight *= 0.3
    return weight
