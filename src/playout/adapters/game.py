"""`ObjectGame`: an object's rules as a compiled `Game`, which asks Python for little.

A state is the moves that led to it, and a handle under which the store knows it. All
that is known there is read by compiled code, and a search's tree is as native as any
other. Python plays an action the first time that one is played in a state, and
random games from where nothing is known any more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PositionError, quote
from ..core.jit.asking import address_of, ask
from ..core.jit.atomics import load
from ..games.contract.game import Actions, Game, State
from ..games.contract.names import action_named
from .actions import writes_itself
from .foreign import FACTOR, MASK, SHIFT, TERM
from .references import refer
from .store import OFFSET, PLIES_BITS, UNIT, StateStore
from .store_game import StoreGame
from .trial import MOST_PLIES

__all__ = ["ObjectGame"]

_PLIES = (1 << PLIES_BITS) - 1
#: For how many moves a state has room: few sizes, as each is compiled for itself.
_ROOM = (256, 2048, MOST_PLIES)
_FACTOR, _TERM, _MASK = np.uint64(FACTOR), np.uint64(TERM), np.uint64(MASK)
#: What Python writes around the items of a tuple or a list, and their names do not.
_BRACKETS = str.maketrans("", "", "()[]")
_SHIFT, _32 = np.uint64(SHIFT), np.uint64(32)


@dataclass(frozen=True, eq=False, init=False)
class ObjectGame(StoreGame):
    """See the module's docstring; made by `from_object`.

    Args:
        store: the states.

    Attributes:
        order: of the store, as are the other arrays.
    """

    order: NDArray[np.int16] = field(init=False)

    numbers_as_met = True
    #: What was found out about the object: whose names it has, whose result it gives
    #: (a key of `VIEWS`, or "each"), and both in a sentence.
    convention: ClassVar[str] = ""
    reward: ClassVar[str] = ""
    reading: ClassVar[str] = ""
    if TYPE_CHECKING:  # no fields: compiled rules know nothing of them
        store: ClassVar[StateStore]
        again: ClassVar[Any]

    interpreted_methods = Game.interpreted_methods | {
        "action_of",
        "convention",
        "object_of",
        "reading",
        "reward",
        "store",
    }

    def __init__(self, store: StateStore) -> None:
        apply, roll_out = store.apply, store.roll_out
        vars(self).update(
            store=store,
            called=(apply, roll_out),  # as long as their addresses are used
            facts=store.facts,
            actions=store.actions,
            successors=store.successors,
            order=store.order,
            stamp=store.stamp,
            apply_address=address_of(apply),
            rollout_address=address_of(roll_out),
            most_actions=store.numbers.most,
            most_plies=store.plan.most_plies,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return self.again, ()

    # -- the rules ---------------------------------------------------------------------

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stamp", "i8"),
                ("value", "f8"),
                ("handle", "i4"),
                ("ply", "i4"),
                ("mover", "i2"),
                ("over", "i2"),
                ("moves", "i2", next(n for n in _ROOM if n >= self.most_plies)),
            ],
            align=True,
        )

    def returns(self, state: State, player: int) -> float:
        return state.value if player == 0 else -state.value

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play at random: among known states here, from the first unknown in Python."""
        plies = 0
        answer = 0
        bits = rng.next() & _MASK
        while answer == 0 and state.over == 0 and plies < self.most_plies:
            stamp = load(self.stamp, 0)
            if state.stamp != stamp:
                plies = 0  # it begins anew
            handle = self.find(state, stamp)
            fact = self.facts[handle]
            bits = (bits * _FACTOR + _TERM) & _MASK
            drawn = ((bits >> _SHIFT) * np.uint64(fact.listed)) >> _32
            index = self.order[fact.first + np.int64(drawn)]
            known = self.successors[fact.first + index]
            if load(self.stamp, 0) != stamp:
                continue
            if known == 0:
                asked, given = refer(stamp, handle, index), np.int64(bits)
                answer = ask(self.rollout_address, asked, given, 0)  # type: ignore[arg-type]
                if answer > 0:
                    continue
                known = -answer
                answer = 0
                if load(self.stamp, 0) != stamp:
                    continue
            self.enter(state, known)
            plies += 1
            if load(self.stamp, 0) != stamp:
                state.over = 0
        if answer != 0:
            plies += answer & _PLIES
            total = answer >> PLIES_BITS
            if total != 0:
                state.value = (total - OFFSET) * UNIT
                state.over = 1
        if plies > 0:  # the game is over; its moves are not written down
            state.handle = state.stamp = state.mover = 0
        return plies

    # -- states ------------------------------------------------------------------------

    def enter(self, state: State, handle: int) -> None:
        """Write what is known of a state."""
        fact = self.facts[handle]
        state.handle = handle
        state.value = fact.value
        state.mover = fact.mover
        state.over = fact.over

    # -- for people, and for players and evaluators that know the class ----------------

    def object_of(self, state: State) -> Any:
        """The object in a state: to be looked at now, not to be changed or kept."""
        return self.store.state(self.store.find(self.moves_of(state)))

    def action_of(self, action: int) -> Any:
        """The object's own action that a number stands for."""
        return self.store.numbers.objects[action]

    def action_name(self, action: int) -> str:
        names = self.store.numbers.names
        return names[action] if 0 <= action < len(names) else str(action)

    def parse_action(self, text: str) -> int:
        names, name = self.store.numbers.by_name, "".join(text.split())
        bare = name.translate(_BRACKETS)  # as in (0, 1), which is called 0,1
        return action_named(
            bare if bare in names and name not in names else name, names
        )

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """The object as it writes itself, or what it is made of."""
        found = self.object_of(state)
        if writes_itself(found):
            return str(found)
        return "\n".join(f"{name}: {value}" for name, value in vars(found).items())

    def state_to_text(self, state: State) -> str:
        """The moves that led here; `-` at the start."""
        names = [self.action_name(action) for action in self.moves_of(state)]
        return " ".join(names) or "-"

    def state_from_text(self, text: str, state: State) -> None:
        """Play the moves of `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: one of them cannot be played.
        """
        self.initial_state(state)
        buffer = np.zeros(self.most_actions, np.int32)
        for name in text.split() if text.strip() != "-" else []:
            action = self.store.numbers.by_name.get(name)
            count = self.legal_actions(state, buffer)
            if action is None or action not in buffer[:count]:
                raise PositionError(f"{quote(name)} cannot be played in {quote(text)}")
            self.apply(state, action)
