"""`Lockstep`: many positions searched side by side, one evaluator call per step.

Every position has a tree of its own and random numbers of its own. A step finishes the
leaves of all trees and finds the next; several threads divide the trees among them.
Double buffered, the positions are two halves: while the evaluator is asked about one,
threads take the step of the other. What a call needs that does not depend on its
positions is kept for the next call.
"""

from __future__ import annotations

import functools
import math
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.jit.models import keep_place
from ...core.jit.rows import Rows
from ...core.jit.structs import Structs
from ...core.jit.wide_rows import WideRows
from ...core.rng import make_rng
from ...games.contract.units import POINTS, Units
from ..evaluation.evaluator import Evaluation
from ..kernels.lockstep import HAS_CHOICE, plant, read_roots, step, take_back
from ..kernels.policies import Policies, make_work
from ..kernels.settling import NoSettling
from ..kernels.stepwise import GOOD, StepWork
from ..limit import Limit
from ..result.many import ManyResults
from ..scale import scale_for
from ..selection.leads import NoLeads
from ..solver.bounds import is_settled
from ..tree.nodes import FULL, MAX_VISITS, ROOT
from ..tree.recycle import recycle
from ..tree.tree import Tree
from .joint_batch import JointBatch, divided
from .parallel_calls import ParallelCalls
from .starts import Starts

__all__ = ["Lockstep"]

#: The random numbers of the first search; the next ones have the next streams.
FIRST_STREAM = 1 << 32
#: How long it takes to wake one more thread, and to hear that it is done.
WAKING_SECONDS = 0.0001


def threads_worth(seconds: float, enough: float = 0.0) -> int:
    """How many threads take a step soonest, which takes one thread so many seconds.

    n threads take seconds / n + n * WAKING_SECONDS, which is least at the root of both.
    Fewer do where these take no more than is enough.

    >>> [threads_worth(seconds) for seconds in (0.00001, 0.0009, 0.01)]
    [1, 3, 10]
    >>> [threads_worth(0.01, enough) for enough in (0.001, 0.004, 0.02)]
    [10, 3, 1]
    """
    soonest = max(1, math.isqrt(round(seconds / WAKING_SECONDS)))
    for threads in range(1, soonest):
        if seconds / threads + threads * WAKING_SECONDS <= enough:
            return threads
    return soonest


@dataclass(frozen=True)
class TreeGroup:
    """The trees of one call of `Lockstep.search`; its `ManyResults` keep them."""

    trees: list[Tree]
    structs: Structs

    @classmethod
    def plant(
        cls, policies: Policies, count: int, capacity: int, interpreted: bool
    ) -> TreeGroup:
        """So many trees, with room for so many nodes each."""
        dtype, structure = policies.node_dtype, policies.structure
        trees = [
            structure.reserve(policies.game, capacity, dtype) for _ in range(count)
        ]
        return cls(trees, Structs(trees, interpreted))


class Lockstep:
    """Searches of a number of positions at a time.

    Args:
        policies: what they are searched by.
        evaluation: the evaluator.
        count: how many positions there are at a time.
        seed: of the random numbers.
        threads: how many threads look for leaves.
        virtual_loss: the return that a waiting leaf is assumed to lose.
        interpreted: whether it is run as plain Python.
        double_buffered: whether half of them are evaluated at a time.
    """

    def __init__(
        self,
        policies: Policies,
        evaluation: Evaluation,
        count: int,
        seed: int,
        threads: int,
        virtual_loss: float,
        interpreted: bool,
        double_buffered: bool = False,
    ) -> None:
        self.policies, self.evaluation = policies, evaluation
        keep_place(policies)
        self.count, self.interpreted = count, interpreted
        self.scale = scale_for(policies.game)
        plain = [
            make_work(
                policies,
                make_rng(seed, FIRST_STREAM + index),
                self.scale,
                exact=NoSettling(),
                leads=NoLeads(),
            )
            for index in range(count)
        ]
        self.batches = [
            JointBatch(
                policies,
                evaluation,
                range(*part),
                threads,
                len(plain[0].path),
                interpreted,
            )
            for part in divided(0, count, 2 if double_buffered else 1)
        ]
        self.works = [
            StepWork.of(plain[index], pending, virtual_loss)
            for batch in self.batches
            for pending, share in zip(batch.pendings, batch.bounds, strict=True)
            for index in range(*share)
        ]
        self.structs = Structs(self.works, interpreted)
        self.groups: list[TreeGroup] = []  # that nobody needs any more
        self.compile_seconds = self._compile()

    def does(self, count: int, double_buffered: bool) -> bool:
        """Whether it searches so many positions, and in so many halves."""
        halves = min(count, 2) if double_buffered else 1
        return self.count == count and len(self.batches) == halves

    def _compile(self) -> float:
        """Compile or load what a search runs; the seconds that compiling took."""
        group = TreeGroup.plant(self.policies, 1, 1, self.interpreted)
        roots = Rows(np.zeros(0, self.policies.game.state_dtype()))
        known = self.policies, group.structs, self.structs
        nodes = WideRows(np.zeros(0, self.policies.node_dtype))
        batch = self.batches[0]
        calls: list[tuple[Any, tuple[Any, ...]]] = [
            (plant, (*known, roots, *POINTS)),
            (step, (*known, batch.structs, batch.bounds, 0, 0, 0)),
            (take_back, (*known, batch.pendings[0])),
            (read_roots, (*known[1:], nodes, nodes)),
        ]
        if self.interpreted:
            run: list[Any] = [kernel.function for kernel, _ in calls]
            seconds = 0.0
        else:
            run = [kernel.compile(*args) for kernel, args in calls]
            seconds = sum(native.compile_seconds for native in run)
        self.plant, self.step, self.take_back, self.read_roots = run
        return float(seconds)

    def search(
        self,
        starts: Starts,
        limit: Limit,
        capacity: int,
        units: Units,
        clock: Callable[[], float],
        is_told_to_end: Callable[[], bool],
        summary: Callable[..., Any],
    ) -> ManyResults:
        """Think about some positions, each from an empty tree.

        Args:
            starts: the positions, as many as there are searches.
            limit: when to stop; simulations are those of each.
            capacity: nodes of each tree.
            units: what returns are measured by.
            clock: seconds, monotonic.
            is_told_to_end: asked after every call of the evaluator.
            summary: makes a `Result` of a position, its tree and what is known besides.

        Raises:
            UsageError: there is nothing to choose in one of them.
            EvaluatorError: the evaluator failed.
        """
        started = clock()
        group = self._group_of(capacity)
        self.scale.set(units)
        until = min(limit.simulations or MAX_VISITS, MAX_VISITS)
        end = math.inf if limit.seconds is None else started + limit.seconds

        def is_over() -> bool:
            return is_told_to_end() or clock() >= end

        with np.errstate(over="ignore"):  # as in compiled code, for random numbers
            self._plant(group, starts, units)
            for work in self.works:
                self.policies.selection.plan(work.selection_tables, limit.simulations)
            why = self._run(group, until, is_over)
        return self._results(group, starts, why, clock() - started, summary)

    def _group_of(self, capacity: int) -> TreeGroup:
        """Trees of this capacity that nobody looks at any more, or new ones."""
        fitting = [g for g in self.groups if len(g.trees[0].nodes) == capacity]
        if fitting:
            self.groups.remove(fitting[0])
            return fitting[0]
        self.groups.clear()
        return TreeGroup.plant(self.policies, self.count, capacity, self.interpreted)

    def _plant(self, group: TreeGroup, starts: Starts, units: Units) -> None:
        roots = Rows(starts.states)
        wrong = self.plant(self.policies, group.structs, self.structs, roots, *units)
        if wrong != HAS_CHOICE:
            starts.expect_choice(wrong)

    def _run(self, group: TreeGroup, until: int, is_over: Callable[[], bool]) -> str:
        """Take steps until all searches are over; returns why.

        The first step finds the roots, the second has their children: before that
        there is nothing to choose.
        """
        with ParallelCalls(self.interpreted) as parallel:
            step = functools.partial(self._step, parallel, group, until)
            try:
                step(self.batches[0])
                for judged in self._calls(step):
                    if is_over():
                        if judged is not None:
                            step(judged)
                        self._give_up(group)
                        return "seconds"
                return "simulations"
            except KeyboardInterrupt:
                self._give_up(group)
                if not all(tree.visits for tree in group.trees):
                    raise
                return "interrupted"
            except BaseException:
                self._give_up(group)
                raise

    def _calls(self, step: Callable[..., Any]) -> Iterator[JointBatch | None]:
        """Call the evaluator, and take as many steps, while any leaf waits.

        Two batches take turns: while one is asked about, the step of the other is
        taken, which finishes what was said of that before.

        Yields:
            After every call, once all roots have children: the batch whose leaves have
            been judged and are not finished; None where all are.
        """
        if len(self.batches) == 1:
            (batch,) = self.batches
            while batch.ask():
                step(batch)
                yield None
            return
        front, back = self.batches
        has_asked = step(back, meanwhile=front.ask)
        while step(front, meanwhile=back.ask) or has_asked:
            yield back
            has_asked = step(back, meanwhile=front.ask)
            if has_asked:
                yield front

    def _step(
        self,
        parallel: ParallelCalls,
        group: TreeGroup,
        until: int,
        batch: JointBatch,
        meanwhile: Callable[[], bool] | None = None,
    ) -> bool:
        """Finish what was evaluated, and find the next leaves; full trees make room.

        Returns:
            What is done meanwhile gives; False where nothing is.
        """
        known = self.policies, group.structs, self.structs
        leaves = batch.structs, batch.bounds
        wrong: list[int] = []
        spent: list[float] = []

        def take(first: int, end: int) -> None:
            started = time.thread_time()
            share = self.step(*known, *leaves, first, end, until)
            if share != GOOD:
                wrong.append(share)
            spent.append(time.thread_time() - started)

        said = False
        if meanwhile is None:
            threads = threads_worth(batch.step_seconds)
            parallel.run(take, divided(0, len(batch.bounds), threads))
        else:
            enough = max(other.ask_seconds for other in self.batches)
            threads = threads_worth(batch.step_seconds, enough)
            calls = divided(0, len(batch.bounds), threads)
            try:
                said = parallel.run_beside(take, calls, meanwhile)
            except Exception as error:
                if wrong:  # what was said before is what is told
                    raise batch.wrong(min(wrong)) from error
                raise
        batch.step_seconds = sum(spent)
        if wrong:
            raise batch.wrong(min(wrong))
        if batch.has_full_tree():
            waiting = batch.waiting()
            for index in batch.searches:
                tree = group.trees[index]
                # Nodes move: a leaf that waits would not be found again.
                if tree.info.array["full"][0] == FULL and index not in waiting:
                    recycle(tree, self.interpreted)
            if not waiting:  # it was all that they were waiting for
                self._step(parallel, group, until, batch)
        return said

    def _give_up(self, group: TreeGroup) -> None:
        """Take the leaves that wait back."""
        for batch in self.batches:
            for pending in batch.pendings:
                self.take_back(self.policies, group.structs, self.structs, pending)

    def _results(
        self,
        group: TreeGroup,
        starts: Starts,
        stopped_by: str,
        seconds: float,
        summary: Callable[..., Any],
    ) -> ManyResults:
        actions = max(1, self.policies.game.num_actions())
        roots = np.zeros(self.count, self.policies.node_dtype)
        children = np.repeat(group.trees[0].blank.array, self.count * actions)
        children["action"] = np.iinfo(children["action"].dtype).max  # of no child
        rows = WideRows(roots), WideRows(children)
        self.read_roots(group.structs, self.structs, *rows)

        def summarize(index: int) -> Any:
            tree = group.trees[index]
            proven = is_settled(tree.nodes[ROOT].proven)
            return summary(
                starts.position(index),
                tree,
                simulations=int(roots["visits"][index]),
                seconds=seconds,
                stopped_by="proven" if proven else stopped_by,
            )

        results = ManyResults(
            summarize, roots, children.reshape(-1, actions), seconds, stopped_by
        )
        weakref.finalize(results, self.groups.append, group)
        return results
