"""Evaluators: what they are asked, and what is done about their mistakes.

An evaluator is any callable from a batch of states to what they are worth,

    evaluate(states) -> (values, priors)

where `states` is `[B, ...]` float32, as the game's `observe` writes them, or for a game
without it the structured array `[B]` of the states themselves; an evaluator whose
attribute `sees_states` is true is given these in every game. Values are `[B]`, each for
the player who is to move in its state, or `[B, P]`, for every player; they are in the
game's own units, from -1 to 1 where games are won, drawn or lost. Priors are
`[B, A]`, how promising each action looks beside the others; only their shares of the
sum over legal actions count. None says nothing of actions.

No state is terminal or a chance node. The arrays are used again for the next batch:
copy them to keep them.
"""

from __future__ import annotations

import inspect
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import EvaluatorError, UsageError, quote
from ...core.jit.rows import Row, Rows
from ...core.text.fields import expect_whole, is_number
from ...games.contract.game import Game, has_own
from .awaiting import Awaiting
from .judgement import Judgement, read_judgement
from .native import NativeEvaluator

__all__ = ["Evaluation", "Evaluator", "make_evaluation", "one_by_one", "within"]

#: Each state that waits takes memory from the beginning, also for the path to it.
MOST_STATES = 1 << 16
#: From a batch of states to values, and priors or None; or what is awaited for that. Or
#: a `NativeEvaluator`, which need not be called.
Evaluator = Callable[[Any], Any]


@dataclass(frozen=True)
class one_by_one:
    """Makes an evaluator of a function that is told a single state.

    The state comes as the game's rules see it (`state.field`). The function returns the
    value for the player to move, or one for each player, and the priors of all actions,
    or None.

    >>> @one_by_one
    ... def evaluate(state):
    ...     return 0.5, None
    """

    evaluate: Callable[[Any], tuple[Any, Any]]
    sees_states: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _expect_plain("one_by_one", self.evaluate, "have it take all states at once")

    def __call__(self, states: NDArray[Any]) -> tuple[Any, Any]:
        answers = [self.evaluate(Row(state.copy())) for state in states]
        for answer in answers:
            if not isinstance(answer, tuple | list) or len(answer) != 2:
                raise EvaluatorError(
                    "a function for one state must give a pair, a value and priors "
                    f"(or None for no priors), not {quote(answer)}"
                )
        values, priors = zip(*answers, strict=True)
        return values, None if all(p is None for p in priors) else priors


@dataclass(frozen=True)
class within:
    """Makes an evaluator of one that may hang: after some seconds it is given up.

    Every question is asked on a thread of its own, which takes some 50 microseconds;
    one that is given up goes on by itself, as Python cannot end it.

    Attributes:
        seconds: how long an answer may take, above 0.
        evaluate: what is asked.

    Raises:
        UsageError: the seconds are no number above 0, or there is no plain function.

    >>> patient = within(10.0, lambda states: ([0.0] * len(states), None))
    >>> patient([1, 2])
    ([0.0, 0.0], None)
    """

    seconds: float
    evaluate: Evaluator

    def __post_init__(self) -> None:
        if not (is_number(self.seconds) and self.seconds > 0):
            raise UsageError(
                "within takes seconds above 0, and then an evaluator; its seconds are "
                f"{quote(self.seconds)}"
            )
        _expect_plain("within", self.evaluate, "use asyncio.wait_for within it")

    @property
    def sees_states(self) -> bool:
        """Whether what is asked wants states, and no planes."""
        return wants_states(self.evaluate)

    def __call__(self, states: NDArray[Any]) -> Any:
        answer: Future[Any] = Future()
        own = states.copy()  # the search goes on with its own when this is given up

        def ask() -> None:
            try:
                answer.set_result(self.evaluate(own))
            except BaseException as error:
                answer.set_exception(error)

        threading.Thread(target=ask, name="playout evaluator", daemon=True).start()
        try:
            return answer.result(self.seconds)
        except FutureTimeoutError:
            if answer.done():  # just now, or the error was the evaluator's own
                return answer.result()
            raise EvaluatorError(
                f"it has not answered within {self.seconds:g} seconds"
            ) from None


class Evaluation:
    """An evaluator as a search asks it.

    Args:
        game: the rules.
        evaluator: what is asked.
        batch: about how many states of a tree at a time, 1 to `MOST_STATES`.

    Attributes:
        awaiting: who awaits an `async def`, while `search_async` is.
        observes: whether it is told what the game's `observe` writes.

    Raises:
        UsageError: it cannot be called, or the batch is too large for any memory.
    """

    def __init__(self, game: Game, evaluator: Evaluator, batch: int = 1) -> None:
        if isinstance(evaluator, type) or not callable(evaluator):
            is_class = isinstance(evaluator, type)
            made = f"; make one, as {evaluator.__name__}(...)" if is_class else ""
            raise UsageError(
                "evaluator must be a function from states to values and priors, not "
                f"{quote(evaluator)}{made}"
            )
        if batch > MOST_STATES:
            raise UsageError(f"batch must be at most {MOST_STATES:,}, not {batch:,}")
        self.game, self.evaluator, self.batch = game, evaluator, batch
        self.awaiting: Awaiting | None = None
        self.observes = has_own(game, "observe") and not wants_states(evaluator)

    def ask(self, states: NDArray[np.void], seen: NDArray[Any]) -> Judgement:
        """What the evaluator says of some states.

        States are the search's own, with which it goes on; so they are not to be
        written to. Planes are written anew each time.

        Args:
            states: `[B]` the states, for messages.
            seen: `[B, ...]` what the evaluator is told of them.

        Raises:
            EvaluatorError: it failed, or gave something else; names the state.
            UsageError: it has to be awaited.
        """
        if not self.observes:
            seen = seen.view()
            seen.flags.writeable = False
        try:
            given = self.evaluator(seen)
            if inspect.iscoroutine(given):
                given = self._await(given)
            return read_judgement(given, len(states), self.game)
        except UsageError:
            raise
        except EvaluatorError as error:
            raise self.error(str(error), states) from error.__cause__
        except Exception as error:
            *_, (frame, line) = walk_tb(error.__traceback__)
            file = os.path.relpath(frame.f_code.co_filename)
            said = f"it raised {type(error).__name__}: {error} ({file} line {line})"
            said += self._cure(error)
            raise self.error(said, states, whole=True) from error

    def _cure(self, error: Exception) -> str:
        """What to write instead, of mistakes that everybody makes."""
        kinds = {kind.__module__ for kind in type(self.evaluator).__mro__}
        if "torch.nn.modules.module" in kinds and isinstance(error, TypeError):
            return (
                ": a module of PyTorch takes and gives tensors: call it within a "
                "function, by torch.from_numpy(...) (docs/evaluators.md)"
            )
        if self.observes:
            return ""
        if "read-only" in str(error):
            return ": the states are the search's own; change a copy of them"
        field = getattr(error, "name", None)
        fields = self.game.state_dtype().names or ()
        if isinstance(error, AttributeError) and field in fields:
            return (
                f": it is given a batch, as states[{field!r}]; a function of one state "
                "is wrapped by one_by_one"
            )
        return ""

    def error(
        self,
        what: str,
        states: NDArray[np.void],
        row: int = 0,
        *,
        whole: bool = False,
    ) -> EvaluatorError:
        """What to raise because of a state of a batch, or of the whole of it."""
        text = quote(self.game.state_to_text(Rows(states)[row]))
        where = f"state {text}"
        if len(states) > 1 and whole:
            where = f"{len(states)} states, the first of them {text}"
        elif len(states) > 1:
            where = f"state {row} of {len(states)}, {text}"
        return EvaluatorError(f"the evaluator failed at {where}: {what}")

    def wrong(
        self, answer: Judgement, states: NDArray[np.void], row: int
    ) -> EvaluatorError:
        """What to raise because of a value, or priors, that cannot be."""
        value = answer.values[row].tolist()
        what = f"its value is {value}; {self._values_are()}"
        if answer.priors is not None:
            priors = answer.priors[row]
            good = (priors >= 0) & (priors <= np.finfo(np.float32).max)
            if not good.all():
                action = int(np.argmin(good))
                what = (
                    f"its prior of action {action} is {priors[action]}; priors are "
                    "finite float32 and at least 0 (probabilities, not logits)"
                )
        return self.error(what, states, row)

    def _values_are(self) -> str:
        span = self.game.return_range
        lie = "values are finite" if span is None else f"values lie in {list(span)}"
        return lie + (", and the players' add up to 0" if self.game.zero_sum else "")

    def _await(self, given: Any) -> Any:
        if self.awaiting is None:
            given.close()
            raise UsageError(
                "the evaluator is an async function: await search.search_async(...), "
                "or search_many_async(...)"
            )
        return self.awaiting.result_of(given)


def make_evaluation(
    game: Game, evaluator: Evaluator | None, batch: int
) -> Evaluation | None:
    """An evaluator as a search asks it; None where it asks none outside of itself.

    Raises:
        UsageError: it cannot be asked, or there is a batch and nobody to ask.
    """
    batch = expect_whole("batch", batch, 1)
    if isinstance(evaluator, NativeEvaluator):
        if batch > 1:
            raise UsageError(
                f"batch is for evaluators in Python: {type(evaluator).__name__} is "
                "compiled into the search, which asks it about a leaf at a time"
            )
        return None
    if evaluator is not None:
        return Evaluation(game, evaluator, batch)
    if batch > 1:
        raise UsageError(
            "batch is how many leaves an evaluator is asked about at a time: name an "
            "evaluator, too"
        )
    return None


def _expect_plain(owner: str, evaluate: Any, instead: str) -> None:
    """Complain of what cannot be called, or would have to be awaited.

    Raises:
        UsageError: says what to do instead.
    """
    if isinstance(evaluate, type) or not callable(evaluate):
        raise UsageError(f"{owner} takes a function, not {quote(evaluate)}")
    if is_async(evaluate):
        raise UsageError(
            f"{owner} cannot await an async function: write it with `def`, or "
            f"{instead} and await search.search_async(...)"
        )


def wants_states(evaluator: Evaluator) -> bool:
    """Whether an evaluator asks for states where a game has planes."""
    return bool(getattr(evaluator, "sees_states", False))


def is_async(evaluator: Evaluator) -> bool:
    """Whether what a callable gives has to be awaited."""
    call = type(evaluator).__call__
    return inspect.iscoroutinefunction(evaluator) or inspect.iscoroutinefunction(call)
