"""States that only Python knows, beside a tree that is native.

Each state that was met has a number, its handle. What a search wants to know of it
stands in arrays: who moves, whether the game is over, its actions, and for each action
the handle of the state it leads to. Compiled rules read those (`game`), and ask here
only for what is not there yet: the state after an action, and the end of a random game.

Arrays do not move. When they are full, or the states take too much memory, all are
forgotten and the stamp changes: who holds a handle of the old stamp finds the state
anew, by the moves that led to it.
"""

from __future__ import annotations

import array
import bisect
import struct
import sys
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.errors import RulesError
from ..core.jit.rows import Rows
from .actions import ActionNumbers, expect_distinct
from .contents import content_of, is_transparent
from .failures import object_failure
from .foreign import FACTOR, MASK, SHIFT, TERM
from .plan import Plan
from .references import START, new_stamps, read, refer

__all__ = [
    "FACTS",
    "OFFSET",
    "PLIES_BITS",
    "UNIT",
    "StateStore",
]

#: What is known of a state: where its actions begin, the first player's return where
#: the game is over, how many actions there are and how many the object lists (some
#: perhaps twice), who moves.
FACTS = np.dtype(
    [
        ("first", "i8"),
        ("value", "f8"),
        ("count", "i4"),
        ("listed", "i4"),
        ("mover", "i4"),
        ("over", "i4"),
    ]
)
_FACTS = struct.Struct("<qdiiii")
#: How a rollout's answer is put together: its plies in the low bits, above them the
#: first player's return in units of this.
PLIES_BITS, UNIT = 20, 2.0**-40
#: Added to the return, so that an answer is positive; 0 where a game was cut off.
OFFSET = 1 << 41
#: The most states, and the most actions of all of them.
MOST_STATES, MOST_ACTIONS = 1 << 21, 1 << 25
#: Of so many lists of actions the order is known.
MOST_LISTS = 4096
#: The memory that states may take, in bytes, as far as can be told.
STATE_BYTES = 256 << 20
#: Of so many states this part must have been met in another way, too, for it to be
#: worth while to look.
_TRIED, _WORTHWHILE = 4096, 0.02
#: Of which no two stores have the same.
_stamps = new_stamps()


class StateStore:
    """See the module's docstring.

    Args:
        plan: how states are asked.
        numbers: of actions; new ones get theirs here.
        most_states: how many to keep at most; by their size if nothing is said.

    Attributes:
        facts: `[S]` of `FACTS`, by handle.
        actions: `[A]` int16, the actions of all states, ascending for each.
        successors: `[A]` int32, where each leads to; 0 where that is not known.
        order: `[A]` int16, for each that the object lists, its index among those.
        stamp: `[1]` int64, which changes when all is forgotten.
    """

    def __init__(
        self, plan: Plan, numbers: ActionNumbers, most_states: int | None = None
    ) -> None:
        self.plan, self.numbers = plan, numbers
        size = _size_of(plan.moves.start)
        fitting = min(MOST_STATES, max(1 << 14, STATE_BYTES // size))
        self.most_states = most_states or fitting
        rows = np.zeros(self.most_states, FACTS)
        self.facts = Rows(rows)
        self.actions = np.zeros(MOST_ACTIONS, np.int16)
        self.successors = np.zeros(MOST_ACTIONS, np.int32)
        self.order = np.zeros(MOST_ACTIONS, np.int16)
        self.stamp = np.zeros(1, np.int64)
        self._facts = memoryview(rows).cast("B")  # type: ignore[arg-type]
        self._actions = memoryview(self.actions)  # type: ignore[arg-type]
        self._successors = memoryview(self.successors)  # type: ignore[arg-type]
        self._order = memoryview(self.order)  # type: ignore[arg-type]
        self._lock = threading.RLock()
        self._lists: dict[tuple[int, ...], tuple[array.array[int], ...]] = {}
        self._used = 0
        self._states: list[Any] = []
        self._options: list[dict[int, Any] | None] = []
        self._origins: list[tuple[int, int]] = []
        self._movers: list[int] = []
        self._merges = is_transparent(plan.moves.start)
        self.forget()

    def forget(self) -> None:
        """Forget all states but the start."""
        with self._lock:
            self.stamp[0] = next(_stamps)  # whoever is reading begins anew
            self.successors[: self._used] = 0
            self._used = 0
            self._states, self._options, self._origins = [None], [None], [(0, 0)]
            self._movers = [0]
            self._known: dict[tuple[int, bytes], int] = {}
            self._met_again = 0
            start = self.plan.moves.reach(self.plan.moves.start, list)
            self._add(start, (0, 0), 1)
            self.stamp[0] = next(_stamps)  # and so does who has begun meanwhile

    def find(self, path: Sequence[int]) -> int:
        """The handle of the state that actions lead to from the start, by number."""
        with self._lock:
            while True:
                stamp, handle = int(self.stamp[0]), START
                for action in path:
                    handle = self._after(stamp, handle, action)
                if stamp == self.stamp[0]:
                    return handle

    def state(self, handle: int) -> Any:
        """The object itself, to look at."""
        return self.plan.moves.reach(self._states[handle], lambda: self.path(handle))

    def path(self, handle: int) -> list[Any]:
        """The actions that lead to a state."""
        found = []
        while handle > START:
            handle, index = self._origins[handle]
            found.append(self._action(handle, index))
        return found[::-1]

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
                state, last = self._next(handle, index)
                return self._add_after(state, handle, index, last) or self._make_room()
            except Exception as error:
                raise self._failure(error, handle, index) from error

    def roll_out(self, reference: int, bits: int, _: int) -> int:
        """Play an action, and from there at random to the end.

        The state after that action is kept.

        Args:
            reference: to the action.
            bits: 63 random ones.

        Returns:
            The plies and the first player's return, as `PLIES_BITS`, `UNIT` and
            `OFFSET` say. Minus a handle where nothing was played, as the action leads
            to a state that is known, or the stamp has changed.
        """
        stamp, handle, index = read(reference)
        with self._lock:
            if stamp != self.stamp[0]:
                return -START
            try:
                return self._roll_out(handle, index, bits)
            except Exception as error:
                raise self._failure(error, handle, index) from error

    def _roll_out(self, handle: int, index: int, bits: int) -> int:
        rules, step = self.plan.rules, self.plan.moves.step
        legal, over, most = rules.legal, rules.over, self.plan.most_plies
        asks, plies = self.plan.asks_for_last, 1
        state, last = self._next(handle, index)
        known = len(self._states)
        child = self._add_after(state, handle, index, last)
        if 0 < child < known:
            return -child
        while over is None or not over(state):
            actions = legal(state)
            if len(actions) == 0 and over is None:
                break
            if plies >= most:
                return plies
            if asks:
                last = self.plan.mover(state, 0)
            bits = bits * FACTOR + TERM & MASK
            state = step(state, actions[(bits >> SHIFT) * len(actions) >> 32])
            plies += 1
        if not asks:
            last = (last + plies - 1) % 2
        total = round(self.plan.value(state, last) / UNIT) + OFFSET
        return total << PLIES_BITS | plies

    # -- states ------------------------------------------------------------------------

    def _after(self, stamp: int, handle: int, action: int) -> int:
        first, _, count, *_ = _FACTS.unpack_from(self._facts, handle * FACTS.itemsize)
        index = bisect.bisect_left(self._actions, action, first, first + count) - first
        known = self._successors[first + index]
        return known or self.apply(refer(stamp, handle, index), 0, 0)

    def _next(self, handle: int, index: int) -> tuple[Any, int]:
        """The state after an action, to be played on from, and who played that."""
        state, mover = self.state(handle), self._movers[handle]
        return self.plan.moves.step(state, self._action(handle, index)), mover

    def _action(self, handle: int, index: int) -> Any:
        """The action at an index of a state's own."""
        options = self._options[handle]
        if options is not None:
            return options[index]
        first = _FACTS.unpack_from(self._facts, handle * FACTS.itemsize)[0]
        return self.numbers.objects[self._actions[first + index]]

    def _add_after(self, state: Any, handle: int, index: int, last: int) -> int:
        """Keep the state after an action; its handle, or 0 if there is no room."""
        key = (last, content_of(state)) if self._merges else None
        child = self._known.get(key, 0) if key else 0
        if child:
            self._met_again += 1
        else:
            child = self._add(state, (handle, index), last)
            if key and child:
                self._note(key, child)
        if child:
            first = _FACTS.unpack_from(self._facts, handle * FACTS.itemsize)[0]
            self._successors[first + index] = child
        return child

    def _note(self, key: tuple[int, bytes], handle: int) -> None:
        """Know a state again; no more where that hardly ever happens."""
        self._known[key] = handle
        if handle == _TRIED and self._met_again < _WORTHWHILE * _TRIED:
            self._merges = False
            self._known.clear()

    def _add(self, state: Any, origin: tuple[int, int], last: int) -> int:
        """Keep a state and what is known of it; its handle, or 0 without room."""
        rules, handle, first = self.plan.rules, len(self._states), self._used
        over = rules.over is not None and bool(rules.over(state))  # None, np.bool_
        legal = () if over else rules.legal(state)
        if len(legal) == 0:
            self.plan.expect_end(over)
            over = True
        listed = tuple(self.numbers.numbers_of(legal))
        last_place = first + len(listed)
        if handle == self.most_states or last_place > MOST_ACTIONS:
            return 0
        numbers, order = self._lists.get(listed) or self._sort(listed)
        count = len(numbers)
        self._actions[first : first + count] = numbers
        self._order[first:last_place] = order
        options = None
        if not self.numbers.are_plain:
            expect_distinct(legal, listed)
            options = dict(zip(order, legal, strict=True))
        mover = 0 if over else self.plan.mover(state, 1 - last)
        value = self.plan.value(state, last) if over else 0.0
        _FACTS.pack_into(
            self._facts,
            handle * FACTS.itemsize,
            *(first, value, count, len(listed), mover, over),
        )
        self._states.append(self.plan.moves.keep(state))
        self._options.append(options)
        self._origins.append(origin)
        self._movers.append(mover)
        self._used = last_place
        return handle

    def _sort(self, listed: tuple[int, ...]) -> tuple[array.array[int], ...]:
        """The numbers of a list, ascending, and the place of each of the list's there.

        Kept, as most states of a game have the same few lists.
        """
        numbers = sorted(set(listed))
        place_of = {number: place for place, number in enumerate(numbers)}
        order = array.array("h", [place_of[number] for number in listed])
        if len(self._lists) == MOST_LISTS:
            self._lists.clear()
        self._lists[listed] = array.array("h", numbers), order
        return self._lists[listed]

    def _make_room(self) -> int:
        self.forget()
        return START

    def _failure(self, error: Exception, handle: int, index: int) -> RulesError:
        """What to say of an exception in the object's methods."""
        played = self.path(handle) if handle < len(self._states) else []
        if handle < len(self._states):
            played.append(self._action(handle, index))
        return object_failure(self.plan.name, error, played)


def _size_of(value: Any, depth: int = 6) -> int:
    """About how many bytes a state takes, with what is in it."""
    size = sys.getsizeof(value, 64)
    if depth == 0 or isinstance(value, type):
        return size
    inner = list(getattr(value, "__dict__", {}).values())
    if isinstance(value, dict):
        inner += [*value.keys(), *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        inner += value
    shared = (int, str, bool, float, bytes, type(None))  # most exist once for all
    return size + sum(
        8 if isinstance(one, shared) else _size_of(one, depth - 1) for one in inner
    )
