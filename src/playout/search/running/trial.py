"""The first use of policies that are not Playout's: a search with every index checked.

As rules are (see `games.check.bounds`): a policy that gives an illegal action, or NaN,
would be followed silently, and one that reads outside its arrays would crash Python.
"""

from __future__ import annotations

import linecache
import os
import time
import traceback
import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ...core.errors import RulesError, UncompilableError, quote
from ...core.interrupt import interruptible
from ...core.jit.checked import RuleFault
from ...core.jit.fallback import InterpretedWarning, is_interpreted, run_interpreted
from ...core.rng import make_rng
from ...games.check.failures import place_of_fault
from ...games.check.randomness import place_of_draw
from ...games.positions.position import Position
from ..expansion.one_child import RandomChild
from ..kernels.policies import Policies
from ..limit import Limit
from ..policy import Policy
from ..solver.base import Unsolved
from ..work import CURRENT
from .forest import Forest
from .watched import PolicyFault, StateFault, is_own, watched

__all__ = ["expect_policies"]

#: The visits that the tree has after each chunk. No chunk begins after so many seconds,
#: which is for rollouts that take milliseconds.
CHUNKS, MOST_SECONDS = (1, 8, 64, 512), 0.25
#: The nodes of the tree.
NODES = 2**14
SEED = 1
#: Code that is passed over in an error's trace.
_BELOW = (str(Path(__file__).parents[2]), str(Path(np.__file__).parent))
#: What went well: classes, and the values of all fields.
_tried: set[tuple[Any, ...]] = set()


def expect_policies(policies: Policies, interpreted: bool, must_compile: bool) -> None:
    """Search a little by the policies of others, if there are any among these.

    Those that are good Python but beyond Numba run interpreted from then on, which an
    `InterpretedWarning` says, as it does of rules.

    Args:
        policies: of all phases.
        interpreted: whether they are to run as plain Python.
        must_compile: whether to complain about what is beyond Numba.

    Raises:
        CompileError: one cannot be compiled.
        RulesError: one does not do what it should; names it, its answer and the
            position, or its line; or one draws random numbers of its own.
    """
    others = [policy for policy in policies.all if not is_own(policy)]
    known = (*map(type, policies.all), repr(policies))
    if not others or known in _tried:
        return
    for policy in others:
        _expect_no_randomness(policy)
    interpreted = interpreted or is_interpreted(policies)
    trial = _Trial(policies, interpreted)
    try:
        trial.run()
    except UncompilableError as error:
        if must_compile:
            raise
        _try_interpreted(policies, others, error)
    _tried.add(known)


def _expect_no_randomness(policy: Policy) -> None:
    """See that a policy of others draws no random numbers but by `work.rng`."""
    cls = type(getattr(policy, "evaluator", policy))
    others = [
        base for base in cls.__mro__ if not base.__module__.startswith("playout.")
    ]
    free = {*getattr(cls, "interpreted_methods", ()), "__init__", "__post_init__"}
    place = place_of_draw(others, free)
    if place is not None:
        raise RulesError(
            f"{place}: a policy draws no random numbers of its own, or the same seed "
            "would not give the same tree: draw by `work.rng`, as `work.rng.below(n)` "
            "or `work.rng.uniform()`"
        )


def _try_interpreted(
    policies: Policies, others: list[Policy], error: UncompilableError
) -> None:
    """Have policies run interpreted, if they get through a little search that way."""
    try:
        _Trial(policies, interpreted=True).run()
    except RulesError as found:
        raise (found if isinstance(found.__cause__, PolicyFault) else error) from None
    named = [p for p in others if error.short.startswith(f"{type(p).__qualname__}.")]
    for policy in named or others:
        run_interpreted(type(policy), f"{error}")
    warnings.warn(
        f"{_names(named or others)} runs as plain Python, and so does the search, some "
        f"thousand times slower, for it cannot be compiled: {error.short}",
        InterpretedWarning,
        stacklevel=4,
    )


def _names(policies: Iterable[Policy]) -> str:
    return " and ".join(type(policy).__qualname__ for policy in policies)


class _Trial:
    """A little search by policies whose answers are looked at.

    Nothing is proven in it, which saves a third of the compiling, and no evaluator is
    asked.
    """

    def __init__(self, policies: Policies, interpreted: bool) -> None:
        self.original, self.interpreted = policies, interpreted
        expansion = policies.expansion
        self.policies = replace(
            policies,
            selection=watched(policies.selection),
            expansion=watched(
                RandomChild() if expansion.evaluates_leaf() else expansion
            ),
            rollout=watched(policies.rollout),
            backup=watched(policies.backup),
            solver=Unsolved() if is_own(policies.solver) else policies.solver,
        )
        self.start = Position(policies.game).play_chance(make_rng(SEED))
        self.forest = Forest(self.policies, SEED, [[0]], 0.0, interpreted)

    def run(self) -> None:
        """Search.

        Raises:
            CompileError: something cannot be compiled.
            RulesError: something is wrong.
        """
        if self.start.is_terminal:
            return
        self.forest.compile(checked=True)
        try:
            interruptible(self._search)
        except Exception as error:
            self._tell(error)

    def _search(self) -> None:
        began = time.perf_counter()
        self.forest.make_room(Limit(nodes=NODES), self.start)
        with self.forest:
            for visits in CHUNKS:
                self.forest.grow([visits], [visits], None)
                if time.perf_counter() - began > MOST_SECONDS:
                    break

    def _tell(self, error: Exception) -> NoReturn:
        """Say what went wrong, and where."""
        if isinstance(error, StateFault):
            raise RulesError(self._words_of_writing(error.args[0])) from error
        if isinstance(error, PolicyFault):
            raise RulesError(self._words(error.args[0])) from error
        if isinstance(error, RuleFault):
            classes = [
                type(getattr(one, "evaluator", one)) for one in self.original.all
            ]
            place = place_of_fault(error, *classes, type(self.original.game))
            raise RulesError(f"{place}: {error.what}") from error
        names = _names(p for p in self.original.all if not is_own(p))
        if self.interpreted:
            raise RulesError(_place(error, names)) from error
        _Trial(self.original, interpreted=True).run()  # where Python knows the line
        raise RulesError(
            f"{names}: when compiled, though not when interpreted: "
            f"{type(error).__name__}: {error}"
        ) from error

    def _words(self, method: str) -> str:
        """What to say of a method's wrong answer."""
        game, work = self.original.game, self.forest.teams[0].works[0]
        number = int(work.actions[0])
        known = 0 <= number < game.num_actions()
        action = f"the action {number}" + known * f" ({game.action_name(number)})"
        answer, advice = _ANSWERS[method]
        policy = self._policy_of(method)
        text = quote(game.state_to_text(work.states[CURRENT]))
        called = _CALLED.get(method, method)
        return (
            f"{policy}.{called} gives {answer.format(action=action)}, in the position "
            f"{text}; {advice}"
        )

    def _words_of_writing(self, method: str) -> str:
        """What to say of a method that has written to the state."""
        name = f"{self._policy_of(method)}.{method}"
        words = f"{name} writes to the state, which must be left as it is"
        if method == "estimate":  # it has nothing to copy into
            return words
        return (
            f"{words}: look ahead on a copy, `work.states[SCRATCH] = state` (from "
            "playout.search.work import SCRATCH)"
        )

    def _policy_of(self, method: str) -> str:
        """The class whose method it is."""
        phase = next(name for name, methods in _PHASES.items() if method in methods)
        return type(getattr(self.original, phase)).__qualname__


_NO_NUMBER = (
    "NaN, which is no number",
    "look for 0 / 0 and for roots and logarithms of numbers below 0",
)
#: What methods gave that was wrong, and what to do.
_ANSWERS = {
    "choose": (
        "{action}, which is not legal",
        "game.legal_actions(state, work.actions) says how many of the buffer's first "
        "entries are",
    ),
    "play": (
        "a number of actions that cannot be",
        "it is how many were played, from 0 to max_game_length()",
    ),
    "select": ("a node that is no child", "it is one of the node's children"),
    "expand": (
        "nodes that are no children",
        "it is the first new child, and how many there are",
    ),
    "children": (
        "a child for {action}, which is not legal",
        "children are of the legal actions",
    ),
    "visits": (
        "the nodes on the path other visits than one more each",
        "add 1 to `tree.nodes[work.path[index].node].visits`, index from 0 to depth",
    ),
    "value_sum": (
        "a node a value_sum of NaN, which is no number",
        "look for 0 / 0, and for inf - inf",
    ),
    **dict.fromkeys(
        ("estimate", "parent_term", "score", "first_score", "untried_score"),
        _NO_NUMBER,
    ),
}
#: The methods that gave them, where these have other names.
_CALLED = {"children": "expand", "visits": "update", "value_sum": "update"}
_PHASES = {
    "backup": ("visits", "value_sum"),
    "rollout": ("choose", "play", "estimate"),
    "expansion": ("expand", "children"),
    "selection": ("parent_term", "score", "first_score", "untried_score", "select"),
}


def _place(error: Exception, names: str) -> str:
    """`Mine.choose, mine.py line 9: the line itself: what Python says of it`."""
    what = f"{type(error).__name__}: {error}"
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        code = frame.f_code
        if not code.co_filename.startswith(_BELOW):
            source = linecache.getline(code.co_filename, line).strip()
            place = f"{os.path.relpath(code.co_filename)} line {line}"
            return f"{code.co_qualname}, {place}: `{source}`: {what}"
    return f"{names}: {what}"
