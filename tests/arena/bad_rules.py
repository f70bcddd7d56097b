"""Rules that fail when few stones are left, each in its own way; loaded by file."""

import os
import time
from dataclasses import dataclass

import numpy as np

from playout.core import watchdog
from playout.core.jit.compiled import static
from playout.games.contract.game import Game


@dataclass(frozen=True)
class Fails(Game):
    """Six stones, of which one or two are taken; three are the last that are left."""

    how: str = static("raises")

    def num_actions(self):
        return 3

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1")])

    def initial_state(self, state):
        state.left = 6
        state.player = 0

    def current_player(self, state):
        return state.player

    def legal_actions(self, state, actions):
        count = min(2, state.left)
        for i in range(count):
            actions[i] = i + 1
        return count

    def apply(self, state, action):
        state.left -= action
        state.player = 1 - state.player
        if state.left <= 3:
            fail(self.how)

    def is_terminal(self, state):
        return state.left == 0

    def returns(self, state, player):
        return 1.0 if state.player != player else -1.0


def fail(how):
    if how == "raises":
        raise ZeroDivisionError("so far and no further")
    if how == "leaves":
        raise SystemExit(3)
    if how == "vanishes":
        os._exit(7)
    if how == "hangs":
        watchdog.PATIENCE_SECONDS = 0.5  # of the worker, where this runs
        time.sleep(1000)


@dataclass(frozen=True)
class Deep(Fails):
    """Compiles, and fails where ten moves took one stone each: random games do not."""

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("moves", "i4"), ("player", "i1")])

    def initial_state(self, state):
        state.left = 30
        state.moves = 0
        state.player = 0

    def apply(self, state, action):
        state.left -= action
        state.moves += 1
        state.player = 1 - state.player
        if state.moves == 10 and state.left == 20:
            raise ValueError("too deep")
