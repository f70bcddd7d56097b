"""The heuristic value of a position of Gomoku, by what a stone would make where.

The cells of each level (see `levels`) are counted for the player to move and for the
other. A weighted sum of the counts is the logarithm of the odds that the mover wins,
so a value is twice a probability, less 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.jit.word_vectors import count_bits
from ..contract.game import State
from .levels import find_levels
from .lines import EDGE

__all__ = ["OTHER", "OWN", "TEMPO", "judge"]

#: What a cell of each level, from 1 on, adds to the logarithm of the mover's odds where
#: it is the mover's, and where it is the other's; and what the move does. Fitted to the
#: results of our own games by `benchmarks/strength/gomoku_fit.py`.
OWN = np.array(
    [-.008, -.001, .025, .01, .018, .057, .119, .113, .35, .36, 1.08, 1.2, 5.1]
)  # fmt: skip
OTHER = np.array(
    [.011, .002, -.018, -.006, -.01, -.047, -.084, -.093, -.294, -.3, -.6, -.6, -2.0]
)  # fmt: skip
TEMPO = 0.11


def judge(game: Any, state: State, player: int) -> float:
    """The value for a player, between -1 and 1."""
    mover = state.player
    odds = TEMPO
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        levels = find_levels(game, state, first)
        for level in range(1, 14):
            cells = _of_level(levels, level)
            white = count_bits(cells >> game.lane)
            black = count_bits(cells) - white
            own, other = (black, white) if mover == 0 else (white, black)
            odds += OWN[level - 1] * own + OTHER[level - 1] * other
    value = math.tanh(odds / 2.0)
    return value if player == mover else -value


def _of_level(levels: tuple[Any, Any, Any, Any], level: int) -> Any:
    """The cells that have a level, which is not nothing."""
    cells = levels[0] if level & 1 else ~levels[0]
    cells = cells & (levels[1] if level & 2 else ~levels[1])
    cells = cells & (levels[2] if level & 4 else ~levels[2])
    return cells & (levels[3] if level & 8 else ~levels[3])
