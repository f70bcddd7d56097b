"""What a search with an evaluator can do besides: many positions, and `async`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import UncompilableError, UsageError
from ..core.jit.fallback import is_interpreted, why_interpreted
from ..core.rng import Rng, make_rng
from ..games.check.bounds import check_bounds, expect_bounds
from ..games.contract.game import Game
from ..games.contract.in_python import in_python
from ..games.positions.position import Position
from .arguments import before_compiling, expect, expect_limit
from .choice import Choice
from .evaluation.awaiting import Awaiting
from .evaluation.evaluator import Evaluation
from .exclusive import exclusive
from .kernels.policies import Policies
from .limit import Limit, default_memory
from .result.many import ManyResults
from .result.result import Result
from .result.summary import summarize
from .running.forest import Forest
from .running.lockstep import Lockstep
from .running.run import Progress
from .running.starts import read_starts
from .running.trial import expect_policies
from .running.watched import is_own
from .tree.tree import Tree

__all__ = ["SideBySide"]

T = TypeVar("T")
Positions = Sequence[Position] | NDArray[np.void]


class SideBySide:
    """Base of `MCTS`: positions searched together, and searches that are awaited."""

    game: Game
    policies: Policies
    choice: Choice
    seed: int
    threads: int
    num_trees: int
    virtual_loss: float
    interpreted: bool
    clock: Callable[[], float]
    search: Callable[..., Result]
    _must_compile: bool
    _evaluation: Evaluation | None
    _forest: Forest
    _choice_rng: Rng
    _lockstep: Lockstep | None = None
    _is_at_work = False

    def __getstate__(self) -> NoReturn:
        raise TypeError(
            "a search is neither pickled nor copied, as its trees and compiled code "
            "are this process's: make one there, from its game, and send it a "
            "Position; its Result can be pickled"
        )

    def search_many(
        self,
        positions: Positions,
        limit: Limit | None = None,
        *,
        double_buffered: bool = False,
    ) -> ManyResults:
        """Think about many positions at once, each in a tree of its own.

        In every step each tree has one leaf, or `batch` of them, evaluated, all by one
        call of the evaluator; `threads` divide the trees among them. The trees are
        fresh ones; that of `search` is left alone. Ctrl-C ends it with the best so far.

        Double buffered, the positions are two halves: while the evaluator is asked, on
        the caller's thread, about the leaves of one half, other threads look for those
        of the other. Batches are half as large; if what is said of a state does not
        depend on its batch, every tree is the same.

        Args:
            positions: what to think about, at least one; or `[B]` states of the game's
                dtype, whose positions know no moves that led there.
            limit: when to stop, by simulations or seconds; one second by default.
                Simulations are those of each position, nodes and memory what all share.
            double_buffered: whether trees grow while the evaluator is asked.

        Raises:
            UsageError: there is no evaluator in Python, or nothing to choose in a
                position.
            EvaluatorError: the evaluator failed.
        """
        return self._search_many(positions, limit, double_buffered, lambda: False)

    @exclusive
    def _search_many(
        self,
        positions: Positions,
        limit: Limit | None,
        double_buffered: bool,
        is_told_to_end: Callable[[], bool],
    ) -> ManyResults:
        """`search_many`, until it is told to end."""
        expect("double_buffered", double_buffered, bool, "True or False")
        limit = expect_limit(limit, self.policies.selection, "Limit(simulations=64)")
        if limit.seconds is limit.simulations is None:
            raise UsageError("search_many needs a limit of simulations or seconds")
        if self._evaluation is None:
            raise UsageError(
                "search_many is for searches with an evaluator in Python; of a dense "
                "network inside the search, evaluator=lambda planes: network(planes)"
            )
        if self.num_trees > 1 or self.policies.structure.bytes_per_row > 0:
            raise UsageError(
                "search_many grows a tree for each position: it takes trees=1, no "
                "transpositions, and games in which nothing is hidden"
            )
        starts = read_starts(self.game, positions)
        if self._lockstep is None:
            with before_compiling():
                starts.expect_choice(0)
        lockstep, compiling = self._lockstep_for(len(starts), double_buffered)
        units = self._forest.range  # else a position has to be made
        if units is None:
            units = self._forest.units_at(starts.position(0))
        capacity = self._capacity(limit, len(starts))
        ties = make_rng(self.seed, stream=1)

        def summary(position: Position, tree: Tree, **facts: Any) -> Result:
            return summarize(
                position,
                [tree],
                self.choice,
                compile_seconds=compiling,
                seed=self.seed,
                rng=ties,
                deepen=self._forest.deepen,
                line=None,
                **facts,
            )

        return lockstep.search(
            starts, limit, capacity, units, self.clock, is_told_to_end, summary
        )

    async def search_async(
        self,
        position: Position | None = None,
        limit: Limit | None = None,
        progress: Progress | None = None,
        *,
        forced_too: bool = False,
    ) -> Result:
        """`search`, on a thread of its own: an `async def` evaluator is awaited here.

        If the task is cancelled, so is what it awaits, and the search ends; a plain
        evaluator is waited for.
        """

        def think(is_cancelled: Callable[[], bool]) -> Result:
            def still(result: Result) -> Any:
                return not is_cancelled() and (progress is None or progress(result))

            return self.search(position, limit, still, forced_too=forced_too)

        return await self._awaited(think)

    async def search_many_async(
        self,
        positions: Positions,
        limit: Limit | None = None,
        *,
        double_buffered: bool = False,
    ) -> ManyResults:
        """`search_many`, on a thread of its own, as `search_async` is."""
        return await self._awaited(
            lambda is_cancelled: self._search_many(
                positions, limit, double_buffered, is_cancelled
            )
        )

    async def _awaited(self, think: Callable[[Callable[[], bool]], T]) -> T:
        """What a function returns on a thread, while the evaluator is awaited here.

        Args:
            think: the function, which is given what says whether the task is cancelled.
        """
        import asyncio  # which few need, and takes long

        evaluation, awaiting = self._evaluation, Awaiting(asyncio.get_running_loop())
        if evaluation is not None:
            before, evaluation.awaiting = evaluation.awaiting, awaiting
        thread = asyncio.ensure_future(asyncio.to_thread(think, awaiting.is_cancelled))
        try:
            return await asyncio.shield(thread)
        except asyncio.CancelledError:
            awaiting.cancel()
            await asyncio.wait([thread])
            thread.cancelled() or thread.exception()  # which nobody else asks for
            raise
        finally:
            if evaluation is not None:
                evaluation.awaiting = before  # of a search which was running already

    def _lockstep_for(
        self, count: int, double_buffered: bool
    ) -> tuple[Lockstep, float]:
        """Who searches so many positions, and the seconds that compiling took."""
        assert self._evaluation is not None
        known = self._lockstep
        if known is not None and known.does(count, double_buffered):
            return known, 0.0
        self._expect_rules()
        self._lockstep = Lockstep(
            self.policies,
            self._evaluation,
            count,
            self.seed,
            self.threads,
            self.virtual_loss,
            self.interpreted,
            double_buffered,
        )
        return self._lockstep, self._lockstep.compile_seconds

    def _capacity(self, limit: Limit, count: int) -> int:
        """Nodes of each tree: what the simulations can make, or the memory holds."""
        actions = self.game.num_actions()
        node_bytes = self.policies.node_dtype.itemsize
        most = limit.node_capacity(node_bytes, actions, default_memory(), count)
        if limit.simulations is None:
            return most
        return min(most, (limit.simulations + 1) * max(2, actions) + 2)

    def _expect_rules(self) -> None:
        """See that rules and policies can be compiled and are sound."""
        if self._must_compile and (why := why_interpreted(self.policies)) is not None:
            raise UncompilableError(why)
        if self._must_compile:
            check_bounds(self.game)
        else:
            expect_bounds(self.game, self.interpreted)
        expect_policies(self.policies, self.interpreted, self._must_compile)
        if is_interpreted(self.policies):
            only_rules = all(map(is_own, self.policies.all)) and not self.interpreted
            keeps_tree = type(self._forest) is Forest and self._evaluation is None
            beyond_numba = why_interpreted(self.game) is not None
            if beyond_numba and only_rules and keeps_tree:
                self._forest.play_by(in_python(self.game))
            else:
                self._forest.interpreted = True
            self.interpreted = True
