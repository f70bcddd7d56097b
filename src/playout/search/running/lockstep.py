"""`Lockstep`: many positions searched side by side, one evaluator call per step.

Every position has a tree of its own and random numbers of its own. A step finishes the
leaves of all trees and finds the next; several threads divide the trees among them.
What a call needs that does not depend on its positions is kept for the next call.
"""

from __future__ import annotations

import itertools
import math
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import EvaluatorError, UsageError
from ...core.jit.rows import Rows
from ...core.jit.structs import Structs
from ...core.jit.wide_rows import WideRows
from ...core.rng import make_rng
from ...games.contract.units import POINTS, Units
from ..arguments import expect_choice
from ..evaluation.evaluator import Evaluation
from ..kernels.lockstep import HAS_CHOICE, plant, read_roots, step, take_back
from ..kernels.policies import Policies, make_work
from ..kernels.settling import NoSettling
from ..kernels.stepwise import GOOD, Pending, StepWork, make_pending
from ..limit import Limit
from ..result.many import ManyResults
from ..scale import scale_for
from ..selection.leads import NoLeads
from ..solver.bounds import is_settled
from ..tree.nodes import FULL, MAX_VISITS, ROOT
from ..tree.recycle import recycle
from ..tree.tree import Tree
from .parallel_calls import ParallelCalls
from .starts import Starts
from .stepwise import seen_of, write

__all__ = ["Lockstep"]

#: The random numbers of the first search; the next ones have the next streams.
FIRST_STREAM = 1 << 32
#: How long it takes to wake one more thread, and to hear that it is done.
WAKING_SECONDS = 0.0001


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
    ) -> None:
        self.policies, self.evaluation = policies, evaluation
        self.count, self.interpreted = count, interpreted
        self.scale = scale_for(policies.game)
        bounds = [count * part // threads for part in range(threads + 1)]
        self.shares = [(a, b) for a, b in itertools.pairwise(bounds) if a < b]
        self.pendings: list[Pending] = []
        self.works: list[StepWork] = []
        for first, end in self.shares:
            rngs = [make_rng(seed, FIRST_STREAM + i) for i in range(first, end)]
            plain = [
                make_work(
                    policies, rng, self.scale, exact=NoSettling(), leads=NoLeads()
                )
                for rng in rngs
            ]
            length = len(plain[0].path)
            pending = make_pending(
                policies,
                evaluation.batch,
                length,
                shared=False,
                searches=end - first,
                observes=evaluation.observes,
            )
            self.pendings.append(pending)
            self.works += [StepWork.of(work, pending, virtual_loss) for work in plain]
        self.structs = Structs(self.works, interpreted)
        self.groups: list[TreeGroup] = []  # that nobody needs any more
        self.step_seconds = 0.0  # of the last step, all threads together
        self.compile_seconds = self._compile()

    def _compile(self) -> float:
        """Compile or load what a search runs; the seconds that compiling took."""
        group = TreeGroup.plant(self.policies, 1, 1, self.interpreted)
        roots = Rows(np.zeros(0, self.policies.game.state_dtype()))
        known = self.policies, group.structs, self.structs
        nodes = WideRows(np.zeros(0, self.policies.node_dtype))
        calls: list[tuple[Any, tuple[Any, ...]]] = [
            (plant, (*known, roots, *POINTS)),
            (step, (*known, self.pendings[0], 0, 0, 0)),
            (take_back, (*known, self.pendings[0])),
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
            is_told_to_end: asked after every step.
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
            try:
                expect_choice(starts.position(wrong))
            except UsageError as error:
                raise UsageError(f"position {wrong}: {error}") from None

    def _run(self, group: TreeGroup, until: int, is_over: Callable[[], bool]) -> str:
        """Take steps until all searches are over; returns why.

        The first step finds the roots, the second has their children: before that
        there is nothing to choose.
        """
        known = self.policies, group.structs, self.structs
        calls = [
            (*known, pending, first, end, until)
            for pending, (first, end) in zip(self.pendings, self.shares, strict=True)
        ]
        with ParallelCalls(self.interpreted) as parallel:
            try:
                self._step(parallel, calls, group)
                while self._ask():
                    self._step(parallel, calls, group)
                    if is_over():
                        self._give_up(known)
                        return "seconds"
                return "simulations"
            except KeyboardInterrupt:
                self._give_up(known)
                if not all(tree.visits for tree in group.trees):
                    raise
                return "interrupted"
            except BaseException:
                self._give_up(known)
                raise

    def _step(
        self, parallel: ParallelCalls, calls: list[tuple[Any, ...]], group: TreeGroup
    ) -> None:
        """Finish what was evaluated, and find the next leaves; full trees make room."""
        wrong: list[tuple[Pending, int]] = []
        spent: list[float] = []

        def take(some: list[tuple[Any, ...]]) -> None:
            started = time.thread_time()
            for call in some:
                row = self.step(*call)
                if row != GOOD:
                    wrong.append((call[3], row))
            spent.append(time.thread_time() - started)

        # n threads cost seconds / n + n * WAKING_SECONDS: least at the root of both.
        threads = max(1, math.isqrt(int(self.step_seconds / WAKING_SECONDS)))
        each = -(-len(calls) // threads)
        starts = range(0, len(calls), each)
        parallel.run(take, [(calls[start : start + each],) for start in starts])
        self.step_seconds = sum(spent)
        if wrong:
            pending, row = wrong[0]
            raise self._wrong(pending, row)
        if any(pending.batch.array["full"][0] for pending in self.pendings):
            waiting = self._waiting()
            for index, tree in enumerate(group.trees):
                # Nodes move: a leaf that waits would not be found again.
                if tree.info.array["full"][0] == FULL and index not in waiting:
                    recycle(tree, self.interpreted)
            if not waiting:  # it was all that they were waiting for
                self._step(parallel, calls, group)

    def _waiting(self) -> set[int]:
        """The searches of which leaves wait."""
        counts = [int(p.batch.array["count"][0]) for p in self.pendings]
        each = zip(self.pendings, counts, strict=True)
        return {int(index) for p, count in each for index in p.searches[:count]}

    def _ask(self) -> bool:
        """Ask the evaluator about all leaves that wait; whether there are any."""
        counts = [int(pending.batch.array["count"][0]) for pending in self.pendings]
        self.counts = counts
        states = self._concatenated([p.states.array for p in self.pendings], counts)
        if len(states) == 0:
            return False
        seen = states
        if self.pendings[0].observes:
            each = [seen_of(self.policies, p, len(p.depths)) for p in self.pendings]
            seen = self._concatenated(each, counts)
        said = self.evaluation.ask(states, seen)
        game, done = self.policies.game, 0
        self.said = said, states
        for pending, count in zip(self.pendings, counts, strict=True):
            part = slice(done, done + count)
            write(pending.values, said.values[part], game.num_players())
            pending.batch.array["per_player"] = said.per_player
            if said.priors is not None:
                write(pending.priors, said.priors[part], max(1, game.num_actions()))
            pending.batch.array["has_priors"] = said.priors is not None
            done += count
        return True

    def _concatenated(self, arrays: list[Any], counts: list[int]) -> Any:
        """The first so many rows of each array in one; no copy where there is one."""
        parts = [array[:count] for array, count in zip(arrays, counts, strict=True)]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _wrong(self, pending: Pending, row: int) -> EvaluatorError:
        """What to raise because of what was said of a row."""
        place = next(i for i, p in enumerate(self.pendings) if p is pending)
        before = sum(self.counts[:place])
        return self.evaluation.wrong(*self.said, before + row)

    def _give_up(self, known: tuple[Any, ...]) -> None:
        for pending in self.pendings:
            self.take_back(*known, pending)

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
