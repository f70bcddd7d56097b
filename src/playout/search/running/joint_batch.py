"""`JointBatch`: searches of which one call of the evaluator judges all leaves."""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import EvaluatorError
from ...core.jit.structs import Structs
from ..evaluation.evaluator import Evaluation
from ..evaluation.judgement import Judgement
from ..kernels.pending import make_pending
from ..kernels.policies import Policies
from .waiting import WaitingLeaves

__all__ = ["JointBatch", "divided"]


def divided(first: int, end: int, parts: int) -> list[tuple[int, int]]:
    """A range in so many parts, or fewer, none of them empty.

    >>> divided(3, 8, 2)
    [(3, 5), (5, 8)]
    >>> divided(0, 2, 5)
    [(0, 1), (1, 2)]
    """
    if parts == 1 and first < end:
        return [(first, end)]
    bounds = [first + (end - first) * part // parts for part in range(parts + 1)]
    return [(a, b) for a, b in itertools.pairwise(bounds) if a < b]


class JointBatch:
    """The leaves of some searches, and what the evaluator says of them.

    Args:
        policies: what they are searched by.
        evaluation: the evaluator.
        searches: their numbers.
        threads: how many at most look for leaves.
        path_length: of a search's path.
        interpreted: whether kernels are run as plain Python.

    Attributes:
        searches: their numbers.
        bounds: `[S, 2]` int64, for each thread its searches, from the first to before
            the second.
        pendings: the leaves of each thread.
        structs: the same, for kernels.
        step_seconds: how long the last step took, all threads together.
        ask_seconds: how long the evaluator was asked then.
    """

    def __init__(
        self,
        policies: Policies,
        evaluation: Evaluation,
        searches: range,
        threads: int,
        path_length: int,
        interpreted: bool,
    ) -> None:
        self.policies, self.evaluation, self.searches = policies, evaluation, searches
        self.bounds = np.array(divided(searches.start, searches.stop, threads))
        self.pendings = [
            make_pending(
                policies,
                evaluation.batch,
                path_length,
                shared=False,
                searches=end - first,
                observes=evaluation.observes,
            )
            for first, end in self.bounds.tolist()
        ]
        self.structs = Structs(self.pendings, interpreted)
        self._leaves = [WaitingLeaves(policies, each) for each in self.pendings]
        self.step_seconds = self.ask_seconds = 0.0
        self._states = self._seen = Gathered([each.states for each in self._leaves])
        if evaluation.observes:
            self._seen = Gathered([each.seen for each in self._leaves])
        self._counts: list[int] = []
        self._said: tuple[Judgement, NDArray[np.void]] | None = None

    def counts(self) -> list[int]:
        """How many leaves of each thread wait."""
        return [leaves.count() for leaves in self._leaves]

    def waiting(self) -> set[int]:
        """The searches of which leaves wait."""
        each = zip(self.pendings, self._rows(self.counts()), strict=True)
        return {int(index) for p, rows in each for index in p.searches[rows]}

    def _rows(self, counts: list[int]) -> list[slice]:
        """Where the leaves of each thread stand."""
        firsts = [leaves.first() for leaves in self._leaves]
        return [slice(a, a + n) for a, n in zip(firsts, counts, strict=True)]

    def has_full_tree(self) -> bool:
        """Whether the last step left a tree without room."""
        return any(leaves.full() for leaves in self._leaves)

    def ask(self) -> bool:
        """Ask the evaluator about all leaves that wait; whether there are any.

        Raises:
            EvaluatorError: it failed; names the state.
        """
        self._counts = self.counts()
        states = self._states.joined(self._rows(self._counts))
        if len(states) == 0:
            return False
        seen = states
        if self._seen is not self._states:
            seen = self._seen.joined([slice(count) for count in self._counts])
        started = time.perf_counter()
        said = self.evaluation.ask(states, seen)
        self.ask_seconds = time.perf_counter() - started
        self._said, done = (said, states), 0
        for leaves, count in zip(self._leaves, self._counts, strict=True):
            part = slice(done, done + count)
            priors = None if said.priors is None else said.priors[part]
            leaves.answer(said.values[part], priors)
            done += count
        return True

    def wrong(self, share: int) -> EvaluatorError:
        """What to raise because of what was said of a thread's leaves."""
        assert self._said is not None
        row = sum(self._counts[:share])
        row += int(self.pendings[share].batch.array["wrong"][0])
        return self.evaluation.wrong(*self._said, row)


class Gathered:
    """Rows of some arrays, as one array.

    Where there are several arrays there is room for all rows once: new memory at every
    step would have to be got from the system, page by page.

    Args:
        arrays: of one dtype, and rows of one shape.
    """

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        self._arrays = arrays
        self._room = arrays[0]
        if len(arrays) > 1:
            rows = sum(map(len, arrays))
            self._room = np.zeros((rows, *arrays[0].shape[1:]), arrays[0].dtype)

    def joined(self, rows: Sequence[slice]) -> NDArray[Any]:
        """These rows of each; they hold until the next call."""
        parts = [array[part] for array, part in zip(self._arrays, rows, strict=True)]
        if len(parts) == 1:
            return parts[0]
        found = self._room[: sum(map(len, parts))]
        np.concatenate(parts, out=found)
        return found
