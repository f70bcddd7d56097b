"""Words of the contract: types, and numbers with a meaning.

What `settle` says of a state are two bounds on its value for the player to move, the
same bits as those of the search's nodes (see `search.solver.bounds`):

| outcome                 | the value is         | bits 0, 1 | bits 2, 3 |
|-------------------------|----------------------|-----------|-----------|
| `UNSETTLED`             | not known            | 0         | 0         |
| `SETTLED_WIN`           | the highest return   | 2         | 0         |
| `SETTLED_DRAW`          | halfway              | 1         | 1         |
| `SETTLED_LOSS`          | the lowest return    | 0         | 2         |
| `SETTLED_AT_LEAST_DRAW` | halfway or better    | 1         | 0         |
| `SETTLED_AT_MOST_DRAW`  | halfway or worse     | 0         | 1         |
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "SETTLED_AT_LEAST_DRAW",
    "SETTLED_AT_MOST_DRAW",
    "SETTLED_DRAW",
    "SETTLED_LOSS",
    "SETTLED_WIN",
    "UNSETTLED",
    "Actions",
    "Parts",
    "Planes",
    "State",
    "decided",
    "for_opponent",
    "leader_of",
]

#: What `settle` says of a state, for the player to move there.
UNSETTLED = 0
SETTLED_WIN, SETTLED_DRAW, SETTLED_LOSS = 2, 5, 8
SETTLED_AT_LEAST_DRAW, SETTLED_AT_MOST_DRAW = 1, 4

#: A row of the game's `state_dtype`, read and written by attribute.
State: TypeAlias = Any
#: `[num_actions]` int32: the buffer that `legal_actions` fills.
Actions: TypeAlias = NDArray[np.int32]
#: `observation_shape` float32: what `observe` fills.
Planes: TypeAlias = NDArray[np.float32]
#: `[parts]` int32: what `observe_parts` fills.
Parts: TypeAlias = NDArray[np.int32]


def for_opponent(outcome: int) -> int:
    """The same outcome of `settle`, said for the other player.

    >>> for_opponent(SETTLED_WIN) == SETTLED_LOSS
    True
    >>> for_opponent(SETTLED_AT_MOST_DRAW) == SETTLED_AT_LEAST_DRAW
    True
    """
    return (outcome & 3) << 2 | outcome >> 2


def decided(winner: int, player: int) -> float:
    """The return for `player` in a game of two that `winner` won; -1 is nobody.

    >>> decided(0, 0), decided(0, 1), decided(-1, 1)
    (1.0, -1.0, 0.0)
    """
    if winner < 0:
        return 0.0
    return 1.0 if winner == player else -1.0


def leader_of(lead: float) -> int:
    """Who has more, by the lead of player 0 over player 1; -1 is nobody.

    >>> leader_of(2), leader_of(-0.5), leader_of(0)
    (0, 1, -1)
    """
    if lead == 0:
        return -1
    return 0 if lead > 0 else 1
