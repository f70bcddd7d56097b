"""One search: chunks of simulations, and a look at all limits in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.rng import make_rng
from .limit import Limit
from .result import Result, summarize
from .solver import is_proven
from .tree import MAX_VISITS, ROOT

if TYPE_CHECKING:
    from .search import MCTS

__all__ = ["Progress", "Run"]

#: How long a chunk of simulations should take between two looks at the clock.
CHUNK_SECONDS = 0.004
#: How often the progress callback is called.
PROGRESS_SECONDS = 0.1
#: With a single candidate there is nothing to choose: enough to give it a value.
ONLY_MOVE_SIMULATIONS = 100
#: A tree that made no node in a chunk of so many simulations has stopped growing.
STILL_SIMULATIONS = 1000

Progress = Callable[[Result], Any]


class Run:
    """What `MCTS.search` does between its first and its last simulation."""

    def __init__(
        self,
        search: MCTS,
        limit: Limit,
        progress: Progress | None,
        compile_seconds: float,
        forced_too: bool,
    ) -> None:
        self.forced_too = forced_too
        self.search, self.limit, self.progress = search, limit, progress
        self.compile_seconds = compile_seconds
        self.tree = search.tree
        self.visits_before = self.visits
        self.still = False  # whether the last chunk made no node
        self.started = self.shown = search.clock()

    @property
    def visits(self) -> int:
        return int(self.tree.nodes[ROOT].visits)

    @property
    def elapsed(self) -> float:
        return self.search.clock() - self.started

    def think(self) -> str:
        """Run until a limit is reached; returns which."""
        chunk = 1
        try:
            while (reason := self._why_stop()) is None:
                chunk = self._run_chunk(chunk)
        except KeyboardInterrupt:
            if not self.tree.nodes.array["visits"][self.tree.children(ROOT)].any():
                raise
            return "interrupted"
        return reason

    def result(self, stopped_by: str) -> Result:
        """The answer; ties are drawn from the search's stream, once a search.

        A look at it before the end draws its own, so that watching changes nothing.
        """
        search = self.search
        rng = search._choice_rng if stopped_by else make_rng(search.seed, stream=2)
        return summarize(
            search._position,
            self.tree,
            search.choice.choose(self.tree, ROOT, rng),
            simulations=self.visits - self.visits_before,
            seconds=self.elapsed,
            compile_seconds=self.compile_seconds,
            stopped_by=stopped_by,
            seed=search.seed,
            rng=rng,
        )

    def _run_chunk(self, simulations: int) -> int:
        """Run a chunk; returns how large the next should be."""
        before, started = self.visits, self.search.clock()
        nodes = self.tree.num_nodes
        at_most = min(before + self._simulations_left(), MAX_VISITS)
        until = min(before + simulations, at_most)
        search = self.search
        assert search._native is not None
        search._native(search.policies, self.tree, search._work, until, at_most)
        took = self.search.clock() - started
        done = self.visits - before
        self.still = done >= STILL_SIMULATIONS and self.tree.num_nodes == nodes
        if took <= 0:
            return 2 * simulations
        return max(1, min(2 * simulations, int(done * self._chunk_seconds() / took)))

    def _chunk_seconds(self) -> float:
        if self.limit.seconds is None:
            return CHUNK_SECONDS
        return min(CHUNK_SECONDS, max(0.0, self.limit.seconds - self.elapsed))

    def _simulations_left(self) -> int:
        if self.limit.simulations is None:
            return MAX_VISITS
        return self.limit.simulations - (self.visits - self.visits_before)

    def _why_stop(self) -> str | None:
        limit, done = self.limit, self.visits - self.visits_before
        root = self.tree.nodes[ROOT]
        if is_proven(root.proven):
            return "proven"
        if done == 0:
            return None
        if limit.simulations is not None and done >= limit.simulations:
            return "simulations"
        if limit.seconds is not None and self.elapsed >= limit.seconds:
            return "seconds"
        if self.visits >= MAX_VISITS:
            return "visits"
        only_one = root.num_legal == 1 and not self.forced_too
        if only_one and done >= ONLY_MOVE_SIMULATIONS:
            return "only move"
        if self._is_full() and limit.seconds is None and limit.simulations is None:
            return "tree full"
        return self._ask_progress()

    def _is_full(self) -> bool:
        return self.still or bool(self.tree.info[0].full)

    def _ask_progress(self) -> str | None:
        if self.progress is None or self.search.clock() - self.shown < PROGRESS_SECONDS:
            return None
        self.shown = self.search.clock()
        return "callback" if self.progress(self.result("")) is False else None
