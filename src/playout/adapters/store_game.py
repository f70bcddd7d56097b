"""`StoreGame`: compiled rules whose states a store in Python keeps beside the tree.

A state is the actions that led to it, and a handle under which the store's arrays tell
of it. They are read without a lock: whoever reads looks at the stamp before and after,
and reads again where it has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.asking import ask
from ..core.jit.atomics import load
from ..core.jit.rows import Rows
from ..games.contract.game import Actions, Game, State
from .references import START, refer

__all__ = ["StoreGame"]


@dataclass(frozen=True, eq=False, init=False)
class StoreGame(Game):
    """See the module's docstring; a subclass says what else its states hold.

    Attributes:
        facts: of the store, by handle; so are the other arrays.
        actions: of all states, ascending for each.
        successors: where each action leads to; 0 where that is not known.
        stamp: `[1]` int64, which changes when all is forgotten.
        apply_address: where the store's `apply` is.
        rollout_address: where its `roll_out` is.
        most_actions: how many numbers there are for actions.
        most_plies: how long a game may be.
    """

    facts: Rows = field(init=False)
    actions: NDArray[Any] = field(init=False)
    successors: NDArray[np.int32] = field(init=False)
    stamp: NDArray[np.int64] = field(init=False)
    apply_address: int = field(init=False)
    rollout_address: int = field(init=False)
    most_actions: int = field(init=False)
    most_plies: int = field(init=False)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.most_actions

    def max_game_length(self) -> int:
        return self.most_plies

    def initial_state(self, state: State) -> None:
        state.ply = 0
        while True:
            stamp = load(self.stamp, 0)
            self.enter(state, START)
            state.stamp = stamp
            if load(self.stamp, 0) == stamp:
                return

    def current_player(self, state: State) -> int:
        return state.mover

    def is_terminal(self, state: State) -> bool:
        return state.over != 0

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.over != 0:
            return 0
        while True:
            stamp = load(self.stamp, 0)
            fact = self.facts[self.find(state, stamp)]
            first, count = fact.first, fact.count
            for index in range(count):
                actions[index] = self.actions[first + index]
            if load(self.stamp, 0) == stamp:
                return count

    def apply(self, state: State, action: int) -> None:
        while True:
            stamp = load(self.stamp, 0)
            handle = self.after(stamp, self.find(state, stamp), action)
            self.enter(state, handle)
            if load(self.stamp, 0) == stamp:
                break
        state.stamp = stamp
        state.moves[state.ply] = action
        state.ply += 1
        if state.ply >= self.most_plies:
            state.over = 1

    # -- states ------------------------------------------------------------------------

    def find(self, state: State, stamp: int) -> int:
        """The handle of a state, by its actions if all was forgotten since."""
        if state.stamp == stamp:
            return state.handle
        handle = START
        for ply in range(state.ply):
            handle = self.after(stamp, handle, state.moves[ply])
        self.note(state, stamp, handle)
        return handle

    def note(self, state: State, stamp: int, handle: int) -> None:
        """Write down the handle that was found."""
        state.handle = handle
        state.stamp = stamp

    def place_of(self, handle: int, action: int) -> int:
        """Where an action of a state stands in the arrays."""
        fact = self.facts[handle]
        place, above = fact.first, fact.first + fact.count
        while place < above:
            middle = (place + above) // 2
            if self.actions[middle] < action:
                place = middle + 1
            else:
                above = middle
        return place

    def after(self, stamp: int, handle: int, action: int) -> int:
        """The handle of the state that an action leads to."""
        place = self.place_of(handle, action)
        known = self.successors[place]
        if known != 0:
            return known
        index = place - self.facts[handle].first
        return ask(self.apply_address, refer(stamp, handle, index), 0, 0)

    def enter(self, state: State, handle: int) -> None:
        """Write what is known of a state."""
        raise NotImplementedError

    # -- for people --------------------------------------------------------------------

    def moves_of(self, state: State) -> list[int]:
        """The actions that led to a state."""
        return [int(state.moves[ply]) for ply in range(int(state.ply))]
