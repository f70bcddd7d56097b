"""`ForeignGame`: foreign rules as a compiled `Game`, which asks Python for little."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import PositionError, quote
from ..core.jit.asking import address_of, ask, start_of
from ..core.jit.atomics import load
from ..games.contract.game import CHANCE, Actions, Game, State
from ..games.contract.names import action_named
from .foreign import FACTOR, MASK, SHIFT, TERM, UNIT, Foreign
from .foreign_states import LATE, PLAYER_BITS, ForeignStates
from .references import HANDLE_BITS, refer
from .store_game import StoreGame

__all__ = ["ForeignGame"]

#: For how many actions a state has room: few sizes, as each is compiled for itself.
_ROOM = (256, 2048, 16384)
#: Seeds are shorter than random numbers, so that more fits beside them.
_SEED_BITS = np.uint64(16)
_FACTOR, _TERM, _MASK = np.uint64(FACTOR), np.uint64(TERM), np.uint64(MASK)
_SHIFT = np.uint64(SHIFT)


@dataclass(frozen=True, eq=False, init=False)
class ForeignGame(StoreGame):
    """See the module's docstring; made by `game_of`.

    A state is the actions that led to it, and a handle under which its facts stand in
    the arrays.

    Attributes:
        values: of the store, as are the other arrays.
        resample_address: where the store's `resample` is; likewise the others.
        players: as the foreign rules say.
    """

    values: NDArray[np.float64] = field(init=False)
    brought: NDArray[np.float64] = field(init=False)
    odds: NDArray[np.float64] = field(init=False)
    resample_address: int = field(init=False)
    hide_address: int = field(init=False)
    sum_address: int = field(init=False)
    players: int = field(init=False)

    #: What was found out about them, in a sentence; "" if nothing was.
    reading: ClassVar[str] = ""
    if TYPE_CHECKING:  # no fields: compiled rules know nothing of them
        store: ClassVar[ForeignStates]
        foreign: ClassVar[Foreign]
        again: ClassVar[Any]

    interpreted_methods = Game.interpreted_methods | {"reading", "store", "foreign"}

    def __init__(self, foreign: Foreign) -> None:
        store = ForeignStates(foreign)
        called = (
            *(store.apply, store.roll_out, store.resample, store.hide),
            store.sum_rewards,
        )
        apply, roll_out, resample, hide, sum_rewards = map(address_of, called)
        vars(self).update(
            foreign=foreign,
            store=store,
            called=called,  # as long as their addresses are used
            facts=store.facts,
            values=store.values,
            brought=store.rewards,
            actions=store.actions,
            odds=store.odds,
            successors=store.successors,
            stamp=store.stamp,
            apply_address=apply,
            rollout_address=roll_out,
            resample_address=resample,
            hide_address=hide,
            sum_address=sum_rewards,
            most_actions=foreign.num_actions,
            most_plies=foreign.most_plies,
            players=foreign.players,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return self.again

    # -- the rules ---------------------------------------------------------------------

    def num_players(self) -> int:
        return self.players

    def state_dtype(self) -> np.dtype[Any]:
        room = next(n for n in _ROOM if n >= self.most_plies)
        return np.dtype(
            [
                ("stamp", "i8"),
                ("returns", "f8", self.players),
                ("handle", "i4"),
                ("ply", "i4"),
                ("mover", "i2"),
                ("over", "i2"),
                ("viewer", "i4"),  # 1 and up: who knows all that is not hidden
                ("moves", "i4", room),
            ],
            align=True,
        )

    def returns(self, state: State, player: int) -> float:
        return state.returns[player]

    def rewards(self, state: State, player: int) -> float:
        while True:
            stamp = load(self.stamp, 0)
            reward = self.brought[self.find(state, stamp) * self.players + player]
            if load(self.stamp, 0) == stamp:
                return reward

    def chance_probability(self, state: State, action: int) -> float:
        while True:
            stamp = load(self.stamp, 0)
            odds = self.odds[self.place_of(self.find(state, stamp), action)]
            if load(self.stamp, 0) == stamp:
                return odds

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        drawn = rng.uniform()
        while True:
            stamp = load(self.stamp, 0)
            handle = self.find(state, stamp)
            action = self.actions[self.facts[handle].first + self.draw(handle, drawn)]
            if load(self.stamp, 0) == stamp:
                return action

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play at random: among known states here, from the first unknown in Python.

        What is drawn does not depend on which states are known.
        """
        plies = 0
        answer = 0
        bits = rng.next() & _MASK
        while answer == 0 and state.over == 0:
            stamp = load(self.stamp, 0)
            if state.stamp != stamp:
                plies = 0  # it begins anew
            handle = self.find(state, stamp)
            bits = (bits * _FACTOR + _TERM) & _MASK
            index = self.draw(handle, float(bits >> _SHIFT) * UNIT)
            known = self.successors[self.facts[handle].first + index]
            if load(self.stamp, 0) != stamp:
                continue
            if known == 0:
                asked, given = refer(stamp, handle, index), np.int64(bits)
                place = start_of(state.returns)
                answer = ask(self.rollout_address, asked, given, place)  # type: ignore[arg-type]
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
            plies += answer
            state.over = 1
        if plies > 0:  # the game is over; its moves are not written down
            state.handle = state.stamp = state.mover = state.viewer = 0
        return plies

    def sum_rewards(self, state: State, rng: Any, gamma: float, sums: Any) -> None:
        bits = np.int64(rng.next() & _MASK)
        sums[:] = 0.0
        if state.over != 0:
            return
        while True:
            stamp = load(self.stamp, 0)
            handle = self.find(state, stamp)
            sums[0] = gamma  # handed over where the answer will stand
            ask(self.sum_address, refer(stamp, handle, 0), bits, start_of(sums))  # type: ignore[arg-type]
            if load(self.stamp, 0) == stamp:
                return

    def hide(self, state: State, player: int) -> None:
        if state.over != 0:
            return
        found = LATE
        while found == LATE:
            stamp = load(self.stamp, 0)
            asked = refer(stamp, self.find(state, stamp), 0)
            found = ask(self.hide_address, asked, player, start_of(state.moves))
        self.shorten(state, found >> HANDLE_BITS)
        state.viewer = player + 1
        state.handle = state.stamp = 0

    def determinize(self, state: State, player: int, rng: Any) -> None:
        seed = np.int64(rng.next() >> _SEED_BITS) >> PLAYER_BITS
        both = (seed << PLAYER_BITS) | np.int64(player)
        while True:
            stamp = load(self.stamp, 0)
            asked = refer(stamp, self.find(state, stamp), 0)
            start = start_of(state.moves)
            found = ask(self.resample_address, asked, both, start)  # type: ignore[arg-type]
            if found == LATE:
                continue
            self.shorten(state, found >> HANDLE_BITS)
            self.enter(state, found & ((1 << HANDLE_BITS) - 1))
            if load(self.stamp, 0) == stamp:
                break
            state.stamp = 0
        state.stamp = stamp

    # -- states ------------------------------------------------------------------------

    def note(self, state: State, stamp: int, handle: int) -> None:
        if state.viewer == 0:  # else it would no longer look like others
            state.handle = handle
            state.stamp = stamp

    def draw(self, handle: int, drawn: float) -> int:
        """The index of an action for a number from 0 to 1: chance's by their odds."""
        fact = self.facts[handle]
        if fact.mover != CHANCE:
            return int(drawn * fact.count)
        for index in range(fact.count - 1):
            drawn -= self.odds[fact.first + index]
            if drawn < 0:
                return index
        return fact.count - 1

    def shorten(self, state: State, plies: int) -> None:
        """Have a state so many moves, and no trace of more."""
        for index in range(plies, state.ply):
            state.moves[index] = 0
        state.ply = plies

    def enter(self, state: State, handle: int) -> None:
        """Write what is known of a state."""
        fact = self.facts[handle]
        state.handle = handle
        state.mover = fact.mover
        state.over = fact.over
        state.viewer = 0
        for player in range(self.players):
            state.returns[player] = self.values[handle * self.players + player]

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        return self.foreign.action_name(int(action))

    def parse_action(self, text: str) -> int:
        return action_named("".join(text.split()), self._numbers())

    def _numbers(self) -> dict[str, int]:
        known: dict[str, int] | None = vars(self).get("numbers")
        if known is None:
            known = {self.action_name(a): a for a in range(self.most_actions)}
            vars(self)["numbers"] = known
        return known

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """Their own text, or what the player knows to whom it is shown."""
        found = self.store.state(self.store.find(self.moves_of(state)))
        if state.viewer > 0:
            return self.foreign.known(found, int(state.viewer) - 1)
        return self.foreign.text(found)

    def state_to_text(self, state: State) -> str:
        """The moves that led here; `-` at the start."""
        names = [self.action_name(action) for action in self.moves_of(state)]
        shown = " ".join(names) or "-"
        return f"{shown} ?{state.viewer}" if state.viewer else shown

    def state_from_text(self, text: str, state: State) -> None:
        """Play the moves of `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: one of them cannot be played.
        """
        self.initial_state(state)
        words = [word for word in text.split() if word != "-"]
        viewer = words.pop() if words and words[-1].startswith("?") else ""
        buffer, names = np.zeros(self.most_actions, np.int32), self._numbers()
        for name in words:
            action = names.get(name)
            count = self.legal_actions(state, buffer)
            if action is None or action not in buffer[:count]:
                raise PositionError(f"{quote(name)} cannot be played in {quote(text)}")
            self.apply(state, action)
        if viewer:
            if not viewer[1:].isdigit() or not 1 <= int(viewer[1:]) <= self.players:
                raise PositionError(f"{quote(viewer)} is no player in {quote(text)}")
            self.hide(state, int(viewer[1:]) - 1)
