"""Planted faults that only compiled rules show."""

import numpy as np

from playout import Game
from tests.games.check.planted import planted
from tests.toys import Nim

__all__ = ["COMPILED"]

COMPILED: list[tuple[Game, str]] = []


@planted(r"law 8: state interpreted .*, compiled .*; after the moves: \d\n", COMPILED)
class Wraps(Nim):
    """A sum of two bytes: it wraps around in Python, and not when compiled."""

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("odd", "i4")])

    def apply(self, state, action):
        state.odd = np.uint8(250) + np.uint8(state.left)
        state.left -= action
        state.player = 1 - state.player


@planted(r"CountsDown.apply, .*`state.seen\[state.left - 3\].*; after .*: \d", COMPILED)
class CountsDown(Nim):
    """An index that is computed and below 0 reads from the end of the array."""

    stones: int = 5

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("seen", "i1", (5,))])

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        state.seen[state.left - 3] = 1


@planted(
    r"Overflows.apply, .*`state.sum \+= 50.*; after the moves: \d \d \d\n", COMPILED
)
class Overflows(Nim):
    """The third move makes 150 of a number that holds up to 127."""

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1"), ("sum", "i1")])

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        state.sum += 50
