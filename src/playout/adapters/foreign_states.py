"""`ForeignStates`: states of foreign rules, beside a tree that is native.

The same idea as in `store`, for any number of players, chance and hidden information.
Each state that was met has a handle, and what a search wants to know of it stands in
arrays. Compiled rules (`foreign_game`) ask here only for what is missing. When the
arrays are full all is forgotten and the stamp changes; states are then found anew, by
the actions that led to them.
"""

from __future__ import annotations

import array
import bisect
import ctypes
import struct
import threading
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.rows import Rows
from ..games.contract.at_random import CHANCE
from .failures import object_failure
from .foreign import SHIFT, UNIT, Foreign, draw_action, next_bits
from .references import HANDLE_BITS, START, new_stamps, read, refer

__all__ = ["FACTS", "LATE", "PLAYER_BITS", "ForeignStates"]

#: What is known of a state: where its actions begin, how many there are, how many led
#: to it, who moves, whether it is over.
FACTS = np.dtype(
    [("first", "i8"), ("count", "i4"), ("ply", "i4"), ("mover", "i4"), ("over", "i4")]
)
_FACTS = struct.Struct("<qiiii")
#: How two numbers are handed over as one: bits and a player.
PLAYER_BITS = 8
#: The answer to a reference from before all states were forgotten.
LATE = -1
#: The most actions of all states.
MOST_ACTIONS = 1 << 24
_stamps = new_stamps()


class ForeignStates:
    """See the module's docstring.

    Args:
        foreign: the rules.
        most_states: how many are kept at most.

    Attributes:
        facts: `[S]` of `FACTS`, by handle.
        values: `[S * P]` what every player has got until there.
        rewards: `[S * P]` what the last action has brought.
        actions: `[A]` int32, those of all states, ascending for each.
        odds: `[A]` float64, how likely each is where chance moves.
        successors: `[A]` int32, where each leads to; 0 where that is not known.
        stamp: `[1]` int64, which changes when all is forgotten.
    """

    def __init__(self, foreign: Foreign, most_states: int = 1 << 18) -> None:
        self.foreign, self.most_states = foreign, most_states
        rows = np.zeros(most_states, FACTS)
        self.facts = Rows(rows)
        self.values = np.zeros(most_states * foreign.players)
        self.rewards = np.zeros(most_states * foreign.players)
        self.actions = np.zeros(MOST_ACTIONS, np.int32)
        self.odds = np.zeros(MOST_ACTIONS if foreign.has_chance else 1)
        self.successors = np.zeros(MOST_ACTIONS, np.int32)
        self.stamp = np.zeros(1, np.int64)
        self._facts = memoryview(rows).cast("B")  # type: ignore[arg-type]
        self._lock = threading.RLock()
        self._random = Random()
        self._used = 0
        self.forget()

    def forget(self) -> None:
        """Forget all states but the start."""
        with self._lock:
            self.stamp[0] = next(_stamps)  # whoever is reading begins anew
            self.successors[: self._used] = 0
            self._used = 0
            self._states: list[Any] = [None]
            self._origins: list[tuple[int, int]] = [(0, 0)]
            self._drawn: dict[tuple[int, ...], int] = {}
            self._alike: dict[tuple[int, int, str], int] = {}
            self._views: dict[tuple[int, int], int] = {}
            self._add(self.foreign.start(), (0, 0), 0)
            self.stamp[0] = next(_stamps)  # and so does who has begun meanwhile

    def state(self, handle: int) -> Any:
        """A state to be looked at, not to be played on from."""
        return self._states[handle]

    def find(self, path: Sequence[int]) -> int:
        """The handle of the state that actions lead to from the start."""
        with self._lock:
            while True:
                stamp, handle = int(self.stamp[0]), START
                for action in path:
                    handle = self._after(stamp, handle, action)
                if stamp == self.stamp[0]:
                    return handle

    def path(self, handle: int) -> list[int]:
        """The actions that lead to a state."""
        found = []
        state = handle
        while self._origins[state][0]:
            state, action = self._origins[state]
            found.append(action)
        drawn = [] if state == START else self.foreign.history(self._states[state])
        return [*drawn, *found[::-1]]

    # -- what compiled rules ask for ---------------------------------------------------

    def apply(self, reference: int, _: int, __: int) -> int:
        """Play an action; the new state's handle.

        Where the reference is late, or there is no room for the state and all is
        forgotten, the answer is of no use.
        """
        stamp, handle, index = read(reference)
        with self._lock:
            if stamp != self.stamp[0]:
                return START
            try:
                state, action, place = self._next(handle, index)
                child = self._add(state, (handle, action), self._ply(handle) + 1)
                if not child:
                    self.forget()
                    return START
                self.successors[place] = child
                return child
            except Exception as error:
                raise self._failure(error, handle) from error

    def roll_out(self, reference: int, bits: int, place: int) -> int:
        """Play an action, and from there at random to the end.

        The state after that action is kept.

        Args:
            reference: to the action.
            bits: 63 random ones.
            place: in memory, where to write what every player has got then.

        Returns:
            The plies. Minus a handle where nothing was played, as the action leads to a
            state that is known, or the stamp has changed.
        """
        stamp, handle, index = read(reference)
        with self._lock:
            if stamp != self.stamp[0]:
                return -START
            if known := int(self.successors[self._fact(handle)[0] + index]):
                return -known
            child = self.apply(reference, 0, 0)
            if child == START:
                return -START
            try:
                return self._play_out(child, bits, place)
            except Exception as error:
                raise self._failure(error, child) from error

    def sum_rewards(self, reference: int, bits: int, place: int) -> int:
        """Play a state at random to the end, and write what that brings.

        Args:
            reference: to the state.
            bits: 63 random ones.
            place: in memory, where the discount factor stands, and the sum for every
                player is to.

        Returns:
            `LATE`, or 0.
        """
        stamp, handle, _ = read(reference)
        memory: Any = (ctypes.c_double * self.foreign.players).from_address(place)
        with self._lock:
            if stamp != self.stamp[0]:
                return LATE
            try:
                memory[:] = self._sum_rewards(handle, bits, memory[0])
                return 0
            except Exception as error:
                raise self._failure(error, handle) from error

    def _sum_rewards(self, handle: int, bits: int, gamma: float) -> list[float]:
        foreign, state = self.foreign, self.foreign.copy(self._states[handle])
        sums, turn = [0.0] * foreign.players, foreign.turn(state)
        # The backup multiplies all of it by gamma, which an outcome of chance, and no
        # action, at its beginning takes back: no time has passed.
        weight = 1.0 / gamma
        for _ in range(foreign.most_plies - self._ply(handle)):
            if not turn.actions:
                break
            bits = next_bits(bits)
            weight *= 1.0 if turn.mover == CHANCE else gamma
            foreign.play(state, draw_action(turn, (bits >> SHIFT) * UNIT))
            rewards = foreign.rewards(state)
            sums = [s + weight * r for s, r in zip(sums, rewards, strict=True)]
            turn = foreign.turn(state)
        return sums

    def resample(self, reference: int, both: int, place: int) -> int:
        """Draw a state that looks the same to a player.

        Args:
            reference: to a state.
            both: a seed and the player (`PLAYER_BITS`).
            place: in memory, where to write its actions.

        Returns:
            How many those are, and its handle (`HANDLE_BITS`), 0 where there was no
            room for it; or `LATE`, and nothing was written.
        """
        stamp, handle, _ = read(reference)
        seed, player = both >> PLAYER_BITS, both & (1 << PLAYER_BITS) - 1
        with self._lock:
            if stamp != self.stamp[0]:
                return LATE
            self._random.seed(seed)
            try:
                state = self._states[self._first_alike(handle, player)]
                drawn = self.foreign.resample(state, player, self._random.random)
                history = tuple(self.foreign.history(drawn))
                found = self._drawn.get(history, 0)
                if not found:
                    found = self._add(drawn, (0, 0), len(history))
                    self._drawn[history] = found
                if not found:  # the stamp has changed, and it is looked for again
                    self.forget()
                _write(place, history)
                return len(history) << HANDLE_BITS | found
            except Exception as error:
                raise self._failure(error, handle) from error

    def hide(self, reference: int, player: int, place: int) -> int:
        """One state for all that look the same to a player: the first of them met.

        Its actions are written to a place in memory; the answer is as `resample`'s.
        """
        stamp, handle, _ = read(reference)
        with self._lock:
            if stamp != self.stamp[0]:
                return LATE
            try:
                found = self._first_alike(handle, player)
                if found != handle:
                    _write(place, self.path(found))
                return self._ply(found) << HANDLE_BITS | found
            except Exception as error:
                raise self._failure(error, handle) from error

    # -- states ------------------------------------------------------------------------

    def _fact(self, handle: int) -> tuple[int, ...]:
        return _FACTS.unpack_from(self._facts, handle * FACTS.itemsize)

    def _first_alike(self, handle: int, player: int) -> int:
        """The first state met of those that look the same to a player."""
        found = self._views.get((handle, player))
        if found is None:
            mover = self._fact(handle)[3]
            text = self.foreign.known(self._states[handle], player)
            found = self._alike.setdefault((player, mover, text), handle)
            self._views[handle, player] = found
        return found

    def _ply(self, handle: int) -> int:
        return self._fact(handle)[2]

    def _after(self, stamp: int, handle: int, action: int) -> int:
        first, count, *_ = self._fact(handle)
        index = bisect.bisect_left(self.actions, action, first, first + count) - first
        known = int(self.successors[first + index])
        return known or self.apply(refer(stamp, handle, index), 0, 0)

    def _next(self, handle: int, index: int) -> tuple[Any, int, int]:
        """The state after an action, that action, and its place."""
        place = self._fact(handle)[0] + index
        action = int(self.actions[place])
        state = self.foreign.copy(self._states[handle])
        self.foreign.play(state, action)
        return state, action, place

    def _play_out(self, handle: int, bits: int, place: int) -> int:
        state = self.foreign.copy(self._states[handle])
        most = self.foreign.most_plies - self._ply(handle)
        plies = self.foreign.play_out(state, bits, most)
        returns = self.foreign.returns(state)
        (ctypes.c_double * self.foreign.players).from_address(place)[:] = list(returns)
        return plies + 1

    def _add(self, state: Any, origin: tuple[int, int], ply: int) -> int:
        """Keep a state and what is known of it; its handle, or 0 without room."""
        foreign, handle, first = self.foreign, len(self._states), self._used
        mover, actions, odds = foreign.turn(state)
        count = len(actions)
        if handle == self.most_states or first + count > MOST_ACTIONS:
            return 0
        self.actions[first : first + count] = array.array("i", actions)
        if mover == CHANCE and count:
            self.odds[first : first + count] = odds
        players, over = foreign.players, count == 0 or ply >= foreign.most_plies
        here = slice(handle * players, (handle + 1) * players)
        if over or foreign.has_rewards:
            self.values[here] = foreign.returns(state)
        if foreign.has_rewards:
            self.rewards[here] = foreign.rewards(state) if ply else 0.0
        _FACTS.pack_into(
            self._facts,
            handle * FACTS.itemsize,
            *(first, count, ply, 0 if over else mover, over),
        )
        self._states.append(state)
        self._origins.append(origin)
        self._used = first + count
        return handle

    def _failure(self, error: Exception, handle: int) -> Exception:
        """What to say of an exception in the rules."""
        known = 0 < handle < len(self._states)
        names = (
            [self.foreign.action_name(a) for a in self.path(handle)] if known else []
        )
        return object_failure(self.foreign.name, error, names)


def _write(place: int, moves: Sequence[int]) -> None:
    """Write actions into a state's memory."""
    values: NDArray[np.int32] = np.array(moves, np.int32)
    ctypes.memmove(place, values.ctypes.data, values.nbytes)
