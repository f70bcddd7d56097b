"""How promising the moves of Gomoku look: by what a stone makes, and what it prevents.

The weight of a cell is `exp(own + other)`, by its levels (see `levels`) for the mover
and for the other player. On an empty board the middle looks best.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import Actions, State
from .levels import level_at, row_levels
from .lines import EDGE

__all__ = ["centrality", "weight_of", "write_weights"]

#: What each level adds to the logarithm of a weight; and a cell without any. Fitted to
#: the moves of our own games by `benchmarks/strength/gomoku_fit.py`, but for the last
#: two levels, where moves are forced, and the priors of the others do not matter.
OWN = (0.0, 0.6, 2.5, 4.7, 3.2, 5.4, 5.0, 7.6, 4.1, 7.0, 10.2, 12.2, 14.0, 16.0)
OTHER = (0.0, 0.6, 1.0, 1.6, 1.7, 2.2, 3.6, 4.3, 3.9, 5.5, 6.4, 9.0, 10.0, 12.0)
NEITHER = -2.9

_FOUR = np.uint64(4)


def _weights() -> np.ndarray:
    """`[16 * 16]` the weights, at 16 times the mover's level and the other's."""
    logarithms = np.zeros((16, 16))
    logarithms[: len(OWN), : len(OTHER)] = np.add.outer(OWN, OTHER)
    logarithms[0, 0] = NEITHER
    return np.exp(logarithms).ravel()


WEIGHTS = _weights()


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
    levels = row_levels(game, state, int(game.row_of[action]))
    return _weight(game, state, levels, game.column_of[action])


def write_weights(
    game: Any, state: State, actions: Actions, count: int, weights: Any
) -> None:
    """Write the weights of the first `count` cells of a list.

    The levels of a row are found once for neighbours in the list, which is in order.
    """
    if state.count == game.num_actions():
        for index in range(count):
            weights[index] = game.centrality[actions[index]]
        return
    row = EDGE
    levels = row_levels(game, state, row)
    for index in range(count):
        cell = np.uint64(actions[index])
        if int(game.row_of[cell]) != row:
            row = int(game.row_of[cell])
            levels = row_levels(game, state, row)
        weights[index] = _weight(game, state, levels, game.column_of[cell])


def _weight(game: Any, state: State, levels: Any, column: Any) -> float:
    lane = np.uint64(game.lane)
    own = np.uint64(column) + lane * np.uint64(state.player)
    other = np.uint64(column) + lane * np.uint64(1 - state.player)
    return float(WEIGHTS[level_at(levels, own) << _FOUR | level_at(levels, other)])
