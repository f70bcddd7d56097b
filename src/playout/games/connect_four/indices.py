"""Connect Four's open columns by index: each has a bit where a stone would land.

Methods of the game; boards of several words are listed. See `contract.indices`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import nth, popcount
from ..contract.game import Actions, State
from ..contract.indices import index_in

__all__ = ["count_legal", "index_of", "nth_legal"]

_ONE = np.uint64(1)


def count_legal(self: Any, state: State, actions: Actions) -> int:
    """How many columns are open."""
    if self.words > 1:
        return int(self.legal_actions(state, actions))
    return popcount(self.landing(state, 0)) if state.winner < 0 else 0


def nth_legal(self: Any, state: State, actions: Actions, n: int) -> int:
    """The n-th open column."""
    if self.words > 1:
        return int(actions[n])
    return int(nth(self.landing(state, 0), n) // self.height)


def index_of(self: Any, state: State, actions: Actions, count: int, action: int) -> int:
    """How many open columns are to the left of one."""
    if self.words > 1:
        return index_in(actions, count, action)
    before = (_ONE << np.uint64(action * self.height)) - _ONE
    return popcount(self.landing(state, 0) & before)
