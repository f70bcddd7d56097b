"""Law 15: what `settle` may say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.rng import Rng
from ..contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    Game,
    has_own,
)
from ..contract.units import bounds_of
from .laws import Checker
from .shorten import Reached

__all__ = ["SettleCheck", "SettlingChecker", "checker_for"]

#: How many positions it is asked to look at: few, and then more.
FEW, MANY = 20, 200
#: The last positions of each game are asked about.
LAST = 4
#: States that a full search looks at before it gives up.
MOST_STATES = 1500
#: The bounds on the value, for the player to move: -1 a loss, 0 a draw, 1 a win.
BOUNDS = {
    UNSETTLED: (-1, 1),
    SETTLED_WIN: (1, 1),
    SETTLED_DRAW: (0, 0),
    SETTLED_LOSS: (-1, -1),
    SETTLED_AT_LEAST_DRAW: (0, 1),
    SETTLED_AT_MOST_DRAW: (-1, 0),
}


def checker_for(game: Game, rng: Rng) -> Checker:
    """What plays random games and tests the laws."""
    own = has_own(game, "settle")
    return SettlingChecker(game, rng) if own else Checker(game, rng)


class SettlingChecker(Checker):
    """Tests `settle` as well, at the end of each game."""

    def __init__(self, game: Game, rng: Rng) -> None:
        super().__init__(game, rng)
        self.settled = SettleCheck(game)
        self.places: list[Reached] = []

    def compile(self) -> None:
        super().compile()
        self.settled.compile()

    def play_game(self) -> None:
        self.places.clear()
        super().play_game()
        most_states = MOST_STATES
        for place in reversed(self.places[-LAST:]):
            if not self._check_settled(place, most_states):
                most_states = 0  # what came before takes longer still

    def _arrive(self, action: int, earned: tuple[float, ...]) -> Reached:
        place = super()._arrive(action, earned)
        self.places.append(place)
        if self.thorough:
            self._check_settled(place, MOST_STATES)
        return place

    def _check_settled(self, place: Reached, most_states: int) -> bool:
        """Look at one position; whether a full search has found its value."""
        if not place.legal:
            return True
        self.path, self.plain.states[1] = [*place.path], place.state[0]
        self.before = place.state
        try:
            fault = self.settled.fault(place.state, place.legal, most_states)
        except Exception as error:
            self._explain(error)
        if fault is not None:
            self._fail(15, fault)
        return self.settled.left >= 0


@kernel
def ask(game: Any, states: Any, nodes: int, table: Any) -> Any:
    """What `settle` says of a state."""
    return game.settle(states[0], nodes, table)


class SettleCheck:
    """Asks a game about positions, keeps its table, and compares with a full search.

    Args:
        game: that has a `settle` of its own.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.bounds = game, bounds_of(game)
        self.runs: list[Any] = [ask.function]
        self.tables = [np.zeros(int(game.settle_table_size()), dtype=np.uint64)]
        self.values: dict[bytes, float] = {}

    def compile(self) -> None:
        """From now on, ask the compiled rules as well."""
        states = Rows(np.zeros(1, dtype=self.game.state_dtype()))
        self.tables.append(self.tables[0].copy())
        self.runs.append(ask.compile(self.game, states, 1, self.tables[1]))

    def fault(
        self, record: NDArray[np.void], legal: Sequence[int], most_states: int
    ) -> str | None:
        """What is wrong with what is said of a state that is not terminal, in words.

        Args:
            record: `[1]` the state; it is not changed.
            legal: its legal actions.
            most_states: that a full search looks at before it gives up.
        """
        self.left = most_states
        said = []
        for nodes in (FEW, MANY):
            answers = []
            for run, table in zip(self.runs, self.tables, strict=True):
                states = record.copy()
                answers.append(run(self.game, Rows(states), nodes, table))
                if states[0] != record[0]:
                    return "settle changed the state"
            answer = answers[0]
            if not isinstance(answer, tuple) or len(answer) != 3:
                return f"settle said {answer!r}: it must say outcome, action and plies"
            if answers[-1] != answer:
                return f"settle says {answer} interpreted, {answers[-1]} compiled"
            said.append(tuple(map(int, answer)))
            if (fault := self._odd(said[-1], legal)) is not None:
                return fault
        (few, *_), (many, *_) = said
        if not _agree(BOUNDS[few], BOUNDS[many]):
            words = f"{_word(few)} after few positions, {_word(many)} after more"
            return f"settle said {words}"
        value = self._value(record)
        if value is None:
            return None
        return self._untrue(record, said, value)

    def _odd(self, said: tuple[int, ...], legal: Sequence[int]) -> str | None:
        """What is wrong with an answer, whatever the state's value is."""
        outcome, action, plies = said
        if outcome not in BOUNDS:
            return f"settle said {outcome}, which is no outcome"
        if action not in legal and (action != -1 or outcome == SETTLED_WIN):
            return f"settle said {_word(outcome)} by {action}, which is not legal"
        if plies < 0:
            return f"settle said that the game takes {plies} actions"
        return None

    def _untrue(
        self, record: NDArray[np.void], said: list[tuple[int, ...]], value: float
    ) -> str | None:
        """Where an answer contradicts a full search."""
        for outcome, action, _ in said:
            if not self._holds(outcome, value):
                return f"settle said {_word(outcome)}, and the state is worth {value:g}"
            if action >= 0 and BOUNDS[outcome][0] >= 0:
                reached = self._after(record, action)
                if reached is not None and not self._reaches(outcome, reached):
                    return (
                        f"settle said {_word(outcome)} by {action}, which is worth "
                        f"{reached:g}"
                    )
        return None

    def _holds(self, outcome: int, value: float) -> bool:
        """Whether a value of the game lies within the bounds of an outcome."""
        lower, upper = BOUNDS[outcome]
        return self._at(lower) <= value <= self._at(upper)

    def _reaches(self, outcome: int, value: float) -> bool:
        return value >= self._at(BOUNDS[outcome][0])

    def _at(self, bound: int) -> float:
        """A bound in the game's own units."""
        low, high = self.bounds
        return (low + high) / 2 + bound * (high - low) / 2

    def _value(self, record: NDArray[np.void]) -> float | None:
        """The mover's value of a state by minimax; None if that takes too long."""
        key = record.tobytes()
        if key in self.values:
            return self.values[key]
        actions = np.zeros(self.game.num_actions(), dtype=np.int32)
        count = self.game.legal_actions(Rows(record.copy())[0], actions)
        best: float | None = None
        for action in actions[:count].tolist():
            value = self._after(record, action)
            if value is None:
                return None
            best = value if best is None else max(best, value)
            if best >= self.bounds.high:
                break  # no action brings more
        if best is not None:
            self.values[key] = best
        return best

    def _after(self, record: NDArray[np.void], action: int) -> float | None:
        """What an action is worth to the one who plays it."""
        self.left -= 1
        if self.left < 0:
            return None
        states = record.copy()
        state: Any = Rows(states)[0]
        mover = self.game.current_player(state)
        self.game.apply(state, action)
        if self.game.is_terminal(state):
            return float(self.game.returns(state, mover))
        value = self._value(states)
        same = self.game.current_player(state) == mover
        return value if value is None or same else -value


def _agree(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether a value can lie within both bounds."""
    return max(one[0], other[0]) <= min(one[1], other[1])


def _word(outcome: int) -> str:
    """The name of one of the `BOUNDS`."""
    names = {
        SETTLED_WIN: "SETTLED_WIN",
        SETTLED_DRAW: "SETTLED_DRAW",
        SETTLED_LOSS: "SETTLED_LOSS",
        SETTLED_AT_LEAST_DRAW: "SETTLED_AT_LEAST_DRAW",
        SETTLED_AT_MOST_DRAW: "SETTLED_AT_MOST_DRAW",
    }
    return names.get(outcome, "UNSETTLED")
