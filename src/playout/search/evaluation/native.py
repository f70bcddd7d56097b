"""Evaluators that are compiled into the search: a `Compiled` that judges states.

Nobody is asked outside of the kernel, so there are no batches: a leaf is judged where a
rollout would be played, at the cost of a function call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import apart
from ...core.jit.compiled import Compiled
from ...core.jit.hashing import last_word, num_words, word
from ...core.jit.rows import Row, Rows
from ...games.contract.game import Actions, Game, State
from ..policy import NoTables
from ..rollout.base import Rollout

__all__ = ["Judge", "NativeEvaluator", "NoJudge", "ValueJudge", "judge_of"]


class NativeEvaluator(Compiled):
    """Base of evaluators that are compiled into the search.

    A subclass is a frozen dataclass, as a game is. What it works in are its `tables`,
    as threads share the evaluator itself. Its fields are data: arrays of weights may
    change, and nothing is compiled anew.
    """

    interpreted_methods = frozenset({"check", "has_priors", "tables"})

    #: Whether it says how promising actions look; else the game's own priors count, and
    #: `weigh` and `prior` are not asked.
    has_priors: ClassVar[bool] = True

    def check(self, game: Game) -> None:
        """Complain about a game that it cannot judge.

        Raises:
            UsageError: says why.
        """

    def tables(self, game: Game) -> Compiled:
        """What it works in, for one thread: a `Compiled` of arrays."""
        return NoTables()

    # -- compiled ----------------------------------------------------------------------

    def judge(self, game: Game, state: State, tables: Any) -> None:
        """Look at a state, in which a player is to move; writes to `tables` alone."""
        return

    def value(self, game: Game, state: State, tables: Any, player: int) -> float:
        """What the state judged last is worth for a player, in the game's own units."""
        raise NotImplementedError

    def weigh(self, game: Game, state: State, tables: Any) -> None:
        """Look at the actions of the state judged last, before `prior` is asked."""
        return

    def prior(self, tables: Any, action: int) -> float:
        """How promising a legal action of that state looks beside others: above 0."""
        return 1.0


@dataclass(frozen=True)
class NoJudge(Compiled):
    """What a search without one asks: the game and the rollout. It costs nothing."""

    # -- compiled ----------------------------------------------------------------------

    def look(self, game: Game, state: State) -> None:
        """Get ready to be asked for priors of a state's actions."""
        return

    def prior(self, game: Game, state: State, action: int) -> float:
        """How promising an action of the state looked at looks beside others."""
        return float(game.prior(state, action))

    def priors(
        self,
        game: Game,
        state: State,
        actions: Actions,
        count: int,
        priors: NDArray[np.float64],
    ) -> None:
        """Write `prior` of the first `count` actions."""
        game.priors(state, actions, count, priors)

    def estimate(
        self, rollout: Rollout, game: Game, state: State, player: int
    ) -> float:
        """What a game that was cut off counts for a player."""
        return float(rollout.estimate(game, state, player))


@dataclass(frozen=True)
class ValueJudge(NoJudge):
    """A native evaluator as the search of a thread asks it: once about each state.

    Priors are the game's own.

    Attributes:
        evaluator: what is asked.
        tables: its own.
        states: `[1]` the state that it was asked about last.
        known: `[2]` whether that state was judged, and its actions weighed.
    """

    evaluator: NativeEvaluator
    tables: Any
    states: Rows
    known: NDArray[np.int64]

    # -- compiled ----------------------------------------------------------------------

    def see(self, game: Game, state: State) -> None:
        """Have a state judged, unless it is the one that was judged last."""
        if self.known[0] == 1 and is_same(self.states[0], state):
            return
        self.states[0] = state
        self.evaluator.judge(game, state, self.tables)
        self.known[0], self.known[1] = 1, 0

    def estimate(
        self, rollout: Rollout, game: Game, state: State, player: int
    ) -> float:
        if rollout.asks_evaluator():
            self.see(game, state)
            return float(self.evaluator.value(game, state, self.tables, player))
        return float(rollout.estimate(game, state, player))


@dataclass(frozen=True)
class Judge(ValueJudge):
    """The same, and priors are the evaluator's."""

    # -- compiled ----------------------------------------------------------------------

    def look(self, game: Game, state: State) -> None:
        self.see(game, state)
        if self.known[1] == 0:
            self.evaluator.weigh(game, state, self.tables)
            self.known[1] = 1

    def prior(self, game: Game, state: State, action: int) -> float:
        return float(self.evaluator.prior(self.tables, action))

    def priors(
        self,
        game: Game,
        state: State,
        actions: Actions,
        count: int,
        priors: NDArray[np.float64],
    ) -> None:
        self.look(game, state)
        for index in range(count):
            priors[index] = self.prior(game, state, int(actions[index]))


def judge_of(game: Game, evaluator: NativeEvaluator) -> ValueJudge:
    """What a thread's search asks, of an evaluator."""
    state = np.zeros(1, dtype=game.state_dtype())
    known = np.zeros(2, dtype=np.int64)
    kind = Judge if evaluator.has_priors else ValueJudge
    return kind(evaluator, evaluator.tables(game), Rows(apart(state)), apart(known))


def is_same(one: Row, other: Row) -> bool:
    """Whether two rows have the same bytes."""
    words = num_words(one)
    for index in range(words - 1):
        if word(one, index) != word(other, index):
            return False
    return bool(last_word(one) == last_word(other))
