"""How promising the moves of Gomoku look: by what a stone makes, and what it prevents.

The weight of a cell is `exp(own + other)`, by its levels (see `levels`) for the mover
and for the other player. On an empty board the middle looks best.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import Actions, State
from .levels import find_levels, of_row, row_levels
from .lines import EDGE

__all__ = ["centrality", "weight_of", "write_weights"]

#: What each level adds to the logarithm of a weight; and a cell without any. Fitted to
#: the moves of our own games by `benchmarks/strength/gomoku_fit.py`, but for the last
#: two levels, where moves are forced, and the priors of the others do not matter.
OWN = (0.0, 0.6, 2.5, 4.7, 3.2, 5.4, 5.0, 7.6, 4.1, 7.0, 10.2, 12.2, 14.0, 16.0)
OTHER = (0.0, 0.6, 1.0, 1.6, 1.7, 2.2, 3.6, 4.3, 3.9, 5.5, 6.4, 9.0, 10.0, 12.0)
NEITHER = -2.9

_ZERO, _BYTE = np.uint64(0), np.uint64(255)


def _weights() -> np.ndarray:
    """`[16 * 16]` the weights, at 16 times the mover's level and the other's."""
    logarithms = np.zeros((16, 16))
    logarithms[: len(OWN), : len(OTHER)] = np.add.outer(OWN, OTHER)
    logarithms[0, 0] = NEITHER
    return np.exp(logarithms).ravel()


def _spread() -> np.ndarray:
    """`[256]` the bits of a byte, in a byte each."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1)
    return np.ascontiguousarray(bits[:, ::-1]).view("<u8").ravel()


WEIGHTS, SPREAD = _weights(), _spread()


def centrality(height: int, width: int) -> np.ndarray:
    """`[cells]` the weights of an empty board: halved by each step from the middle.

    >>> centrality(1, 5).tolist()
    [0.25, 0.5, 1.0, 0.5, 0.25]
    """
    rows, columns = np.divmod(np.arange(height * width), width)
    down = np.abs(2 * rows + 1 - height) // 2
    across = np.abs(2 * columns + 1 - width) // 2
    return 0.5 ** np.maximum(down, across)


def weight_of(game: Any, state: State, action: int) -> float:
    """The weight of one empty cell."""
    if state.count == game.num_actions():
        return float(game.centrality[action])
    words = row_levels(game, state, int(game.row_of[action]))
    pairs = _pairs(game, state, words, int(game.column_of[action]))
    return float(WEIGHTS[pairs & _BYTE])


def write_weights(
    game: Any, state: State, actions: Actions, count: int, weights: Any
) -> None:
    """Write the weights of the first `count` cells of a list, which is in order."""
    if state.count == game.num_actions():
        for index in range(count):
            weights[index] = game.centrality[actions[index]]
        return
    index = 0
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        levels = find_levels(game, state, first)
        for row in range(first, min(first + game.rows_at_once, EDGE + game.height)):
            words = of_row(levels, row - first)
            for column in range(0, game.width, 8):
                pairs = _pairs(game, state, words, column)
                cell = (row - EDGE) * game.width + column
                end = cell + min(8, game.width - column)
                while index < count and actions[index] < end:
                    place = np.uint64(8 * (actions[index] - cell))
                    weights[index] = WEIGHTS[pairs >> place & _BYTE]
                    index += 1


def _pairs(game: Any, state: State, words: Any, column: int) -> Any:
    """The levels of eight cells of a row: in a byte each, the mover's in its high half.

    The cells begin at a column; those beyond the board's last one mean nothing.
    """
    own = np.uint64(column + game.lane * state.player)
    other = np.uint64(column + game.lane * (1 - state.player))
    pairs = _ZERO
    for bit in range(4):
        pairs |= SPREAD[words[bit] >> other & _BYTE] << np.uint64(bit)
        pairs |= SPREAD[words[bit] >> own & _BYTE] << np.uint64(bit + 4)
    return pairs
