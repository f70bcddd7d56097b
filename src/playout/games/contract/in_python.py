"""Rules that only Python can run, as a game for compiled code.

Where a search's rules cannot be compiled, its tree still is: this game asks the rules
in Python about the state in memory, by its place, wherever compiled ones would be
called. A whole rollout is asked for at once.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.asking import address_of, ask, ask_number, place_of, start_of
from ...core.jit.rows import Row, Rows
from ...core.rng import Rng
from .cell_by_cell import (
    CellState,
    Listing,
    state_class,
    uniform_rollout_in_python,
)
from .game import Actions, Game, State, has_own

__all__ = ["in_python"]

#: Methods whose default asks nothing: where the rules have none, it is taken.
_OPTIONAL = ("evaluate", "hash", "prior", "urgent_actions")
#: What a class says of its rules.
_SAID = (
    "has_chance",
    "has_hidden",
    "has_rewards",
    "moves_in_a_row",
    "name",
    "player_names",
    "return_range",
    "title",
    "zero_sum",
)
_SIGN = 1 << 63
#: How many places in memory are known at a time.
_MOST_PLACES = 1000


def in_python(rules: Game) -> Game:
    """A game that can be compiled, and plays by rules that cannot."""
    members = {name: getattr(rules, name) for name in _SAID}
    members["compiled_as"] = RulesInPython.__name__
    for name in _OPTIONAL:
        if not has_own(rules, name):
            members[name] = getattr(Game, name)
    own = type(rules)  # whose rules they are, as messages name them
    cls = type(own.__name__, (RulesInPython,), members)
    cls.__qualname__, cls.__module__ = own.__qualname__, own.__module__
    return cls(rules)


@dataclass(frozen=True, eq=False, init=False)
class RulesInPython(Game):
    """See the module's docstring; every field but the sizes is a function's address.

    Args:
        rules: the game that is asked.
    """

    actions_in_all: int = field(init=False)
    players: int = field(init=False)
    longest: int = field(init=False)
    only_fills: bool = field(init=False)
    apply_at: int = field(init=False)
    current_player_at: int = field(init=False)
    is_terminal_at: int = field(init=False)
    legal_actions_at: int = field(init=False)
    urgent_actions_at: int = field(init=False)
    returns_at: int = field(init=False)
    rewards_at: int = field(init=False)
    rollout_at: int = field(init=False)
    chance_probability_at: int = field(init=False)
    sample_chance_at: int = field(init=False)
    hide_at: int = field(init=False)
    determinize_at: int = field(init=False)
    prior_at: int = field(init=False)
    evaluate_at: int = field(init=False)
    hash_at: int = field(init=False)

    interpreted_methods = Game.interpreted_methods | {"__init__"}

    def __init__(self, rules: Game) -> None:
        answers = _Answers(rules)
        called = {
            name: getattr(answers, name.removesuffix("_at"))
            for name in type(self).__dataclass_fields__
            if name.endswith("_at")
        }
        vars(self).update(
            rules=rules,
            called=called,  # as long as their addresses are used
            actions_in_all=rules.num_actions(),
            players=rules.num_players(),
            longest=rules.max_game_length(),
            only_fills=bool(rules.fills()),
            **{name: address_of(function) for name, function in called.items()},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return in_python, (vars(self)["rules"],)

    def state_dtype(self) -> np.dtype[Any]:
        rules: Game = vars(self)["rules"]
        return rules.state_dtype()

    def num_actions(self) -> int:
        return self.actions_in_all

    def num_players(self) -> int:
        return self.players

    def max_game_length(self) -> int:
        return self.longest

    def fills(self) -> bool:
        return self.only_fills

    def current_player(self, state: State) -> int:
        return ask(self.current_player_at, place_of(state), 0, 0)

    def legal_actions(self, state: State, actions: Actions) -> int:
        return ask(self.legal_actions_at, place_of(state), start_of(actions), 0)

    def urgent_actions(self, state: State, actions: Actions) -> int:
        return ask(self.urgent_actions_at, place_of(state), start_of(actions), 0)

    def apply(self, state: State, action: int) -> None:
        ask(self.apply_at, place_of(state), action, 0)

    def is_terminal(self, state: State) -> bool:
        return ask(self.is_terminal_at, place_of(state), 0, 0) != 0

    def returns(self, state: State, player: int) -> float:
        return ask_number(self.returns_at, place_of(state), player, 0)

    def rewards(self, state: State, player: int) -> float:
        return ask_number(self.rewards_at, place_of(state), player, 0)

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        buffer, stream = start_of(actions), start_of(rng.state)
        return ask(self.rollout_at, place_of(state), buffer, stream)

    def chance_probability(self, state: State, action: int) -> float:
        return ask_number(self.chance_probability_at, place_of(state), action, 0)

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        buffer, stream = start_of(actions), start_of(rng.state)
        return ask(self.sample_chance_at, place_of(state), buffer, stream)

    def hide(self, state: State, player: int) -> None:
        ask(self.hide_at, place_of(state), player, 0)

    def determinize(self, state: State, player: int, rng: Any) -> None:
        ask(self.determinize_at, place_of(state), player, start_of(rng.state))

    def prior(self, state: State, action: int) -> float:
        return ask_number(self.prior_at, place_of(state), action, 0)

    def evaluate(self, state: State, player: int) -> float:
        return ask_number(self.evaluate_at, place_of(state), player, 0)

    def hash(self, state: State) -> Any:
        return np.uint64(ask(self.hash_at, place_of(state), 0, 0))


class _Answers:
    """Callbacks in which rules in Python answer about states in memory.

    Whoever runs the compiled code has NumPy let integers overflow, as compiled ones do.
    """

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self._dtype = rules.state_dtype()
        self._by_cell = state_class(self._dtype)
        self._listings: dict[int, Listing] = {}
        self._roll_out: Callable[..., int] = rules.rollout
        if not (has_own(rules, "rollout") or rules.fills()):
            self._roll_out = functools.partial(uniform_rollout_in_python, rules)
        self._arrays: dict[int, NDArray[Any]] = {}
        self._rows: dict[int, Row] = {}
        self._buffers: dict[int, Actions] = {}
        self._streams: dict[int, Rng] = {}

    def apply(self, place: int, action: int, _: int) -> int:
        self.rules.apply(self._row(place), action)
        return 0

    def current_player(self, place: int, *_: int) -> int:
        return int(self.rules.current_player(self._row(place)))

    def is_terminal(self, place: int, *_: int) -> int:
        return 1 if self.rules.is_terminal(self._row(place)) else 0

    def legal_actions(self, place: int, buffer: int, _: int) -> int:
        found = self.rules.legal_actions(self._row(place), self._buffer(buffer))
        return int(found)

    def urgent_actions(self, place: int, buffer: int, _: int) -> int:
        found = self.rules.urgent_actions(self._row(place), self._buffer(buffer))
        return int(found)

    def returns(self, place: int, player: int, _: int) -> float:
        return float(self.rules.returns(self._row(place), player))

    def rewards(self, place: int, player: int, _: int) -> float:
        return float(self.rules.rewards(self._row(place), player))

    def rollout(self, place: int, buffer: int, stream: int) -> int:
        rng = self._stream(stream)
        if self._by_cell is not None:
            listing = _known(self._listings, buffer, self._new_listing)
            plies = self._roll_out_by_cell(self._by_cell, place, listing, rng)
            if plies is not None:
                return plies
        return int(self.rules.rollout(self._row(place), self._buffer(buffer), rng))

    def _new_listing(self) -> Listing:
        return Listing(self.rules.num_actions())

    def _roll_out_by_cell(
        self, kind: type[CellState], place: int, actions: Listing, rng: Rng
    ) -> int | None:
        """Play a rollout on a `CellState`; None where the rules need memory."""
        array, before = self._array(place), rng.state[0]
        state = kind(array)
        try:
            plies = int(self._roll_out(state, actions, rng))
            actions.expect_whole()
        except Exception:  # whatever it is, it shows again in memory
            self._by_cell = None
            rng.state[0] = before
            return None
        state.write(array)
        return plies

    def chance_probability(self, place: int, action: int, _: int) -> float:
        return float(self.rules.chance_probability(self._row(place), action))

    def sample_chance(self, place: int, buffer: int, stream: int) -> int:
        row, rng = self._row(place), self._stream(stream)
        return int(self.rules.sample_chance(row, self._buffer(buffer), rng))

    def hide(self, place: int, player: int, _: int) -> int:
        self.rules.hide(self._row(place), player)
        return 0

    def determinize(self, place: int, player: int, stream: int) -> int:
        self.rules.determinize(self._row(place), player, self._stream(stream))
        return 0

    def prior(self, place: int, action: int, _: int) -> float:
        return float(self.rules.prior(self._row(place), action))

    def evaluate(self, place: int, player: int, _: int) -> float:
        return float(self.rules.evaluate(self._row(place), player))

    def hash(self, place: int, *_: int) -> int:
        bits = int(self.rules.hash(self._row(place)))
        return (bits ^ _SIGN) - _SIGN  # the same 64 bits, with a sign

    def _row(self, place: int) -> Row:
        """The state at a place, as rules see it."""
        return _known(self._rows, place, lambda: Rows(self._array(place))[0])

    def _array(self, place: int) -> NDArray[Any]:
        return _known(self._arrays, place, lambda: _memory(place, self._dtype, 1))

    def _buffer(self, place: int) -> Actions:
        size = max(1, self.rules.num_actions())
        return _known(self._buffers, place, lambda: _memory(place, np.int32, size))

    def _stream(self, place: int) -> Rng:
        return _known(self._streams, place, lambda: Rng(_memory(place, np.uint64, 1)))


def _known(places: dict[int, Any], place: int, make: Callable[[], Any]) -> Any:
    """What stands at a place in memory, looked up once."""
    found = places.get(place)
    if found is None:
        if len(places) == _MOST_PLACES:
            places.clear()
        found = places[place] = make()
    return found


def _memory(place: int, dtype: Any, count: int) -> NDArray[Any]:
    """Memory of somebody else's as an array."""
    size = np.dtype(dtype).itemsize * count
    return np.frombuffer((ctypes.c_char * size).from_address(place), dtype, count)
