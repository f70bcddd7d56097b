"""The heuristic value of a position of Connect Four."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import popcount
from ..contract.game import State

__all__ = ["judge"]

#: What an empty cell is worth that completes a line, and a stone for every column that
#: it is nearer to the middle.
CELL, COLUMN = 0.25, 0.03

_ZERO = np.uint64(0)
_ALL = np.uint64(2**64 - 1)


def judge(game: Any, state: State, player: int) -> float:
    """The value for a player, between -1 and 1.

    Lines are looked for on boards of one word only.
    """
    lead = COLUMN * (central(game, state, player) - central(game, state, 1 - player))
    if game.words == 1:
        empty = game.cells[0] & ~state.occupied[0]
        mine = completing(game, state.stones[player, 0]) & empty
        theirs = completing(game, state.stones[1 - player, 0]) & empty
        lead += CELL * (popcount(mine) - popcount(theirs))
    return lead / (1.0 + abs(lead))


def central(game: Any, state: State, player: int) -> int:
    """The sum, over a player's stones, of the columns to the nearer side."""
    total = 0
    for column in range(game.columns):
        word, shift = game.place(column)
        mask = np.uint64((1 << game.height) - 1) << np.uint64(shift)
        stones = popcount(state.stones[player, word] & mask)
        total += stones * min(column, game.columns - 1 - column)
    return total


def completing(game: Any, stones: Any) -> Any:
    """The bits that would complete a line, be they free or not, cells or not.

    No line runs over an empty top bit: it would have to be the one that is missing.
    """
    found = _ZERO
    for shift in (1, game.height - 1, game.height, game.height + 1):
        for missing in range(game.line):
            run = _ALL
            for place in range(game.line):
                if place != missing:
                    run &= stones >> np.uint64(place * shift)
            found |= run << np.uint64(missing * shift)
    return found
