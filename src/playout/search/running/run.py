"""One search: chunks of simulations, and a look at all limits in between."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import EvaluatorError, PlayoutError, quote
from ...core.garbage import seldom_collecting
from ...core.jit.rows import Rows
from ...core.rng import Rng, make_rng
from ...games.positions.position import Position
from ..best_line import WholeGame
from ..choice import Choice
from ..limit import Limit
from ..result.merged_root import merge_roots
from ..result.result import Result
from ..result.summary import best_seen, summarize
from ..solver.bounds import lower_of, upper_of
from ..tree.nodes import MAX_VISITS, ROOT
from ..tree.tree import Tree
from ..work import CURRENT
from .forest import Forest
from .root_laws import expect_laws
from .schedule import Schedule

__all__ = ["Progress", "Run"]

#: How many times as large as one chunk the next may be.
FASTER = 128
#: The first chunk of a search is as many simulations as took so many seconds before: a
#: part of what later ones take, as those from another position may be slower.
FIRST_SECONDS = 0.001
#: How often a search of counted simulations looks whether it may stop early.
EARLY_LOOKS = 64
#: The part of the time after which the speed of the rest can be estimated.
FIRST_LOOK = 0.1
#: How often the progress callback is called.
PROGRESS_SECONDS = 0.1
#: With a single candidate there is nothing to choose: enough to give it a value.
ONLY_MOVE_SIMULATIONS = 100
#: A tree without a new node in a chunk of so many simulations has stopped growing.
STILL_SIMULATIONS = 1000

Progress = Callable[[Result], Any]


class Run:
    """What a search does between its first and its last simulation.

    Args:
        forest: the trees, with the position at their root.
        position: that position.
        choice: which move is played in the end.
        limit: when to stop.
        ties: the stream that draws among equal moves, once, at the end.
        seed: of the search.
        clock: seconds, from any beginning; monotonic.
        early_stop: whether to end when no other move can catch up.
        forced_too: whether to think on where there is only one move.
        progress: see `MCTS.search`.
    """

    def __init__(
        self,
        forest: Forest,
        position: Position,
        choice: Choice,
        limit: Limit,
        *,
        ties: Rng,
        seed: int,
        clock: Callable[[], float],
        early_stop: bool,
        forced_too: bool,
        progress: Progress | None,
    ) -> None:
        self.forest, self.position, self.choice = forest, position, choice
        self.limit, self.progress = limit, progress
        self.ties, self.seed, self.clock = ties, seed, clock
        self.early_stop, self.forced_too = early_stop, forced_too
        self.trees = forest.trees
        self.compile_seconds = 0.0
        #: Whether it is to end, asked of somebody who then waits for that.
        self.is_told_to_end: Callable[[], bool] | None = None
        self.still = False  # whether the last chunk made no node
        self.speed = 0.0  # of the fastest chunk, in simulations per second
        self.looks = 0  # at whether a move has won, as far as they are counted
        self.started = self.shown = clock()
        #: The best line that was told last, and what a result says of it.
        self.told: tuple[WholeGame | None, dict[str, Any]] = None, {}

    @property
    def elapsed(self) -> float:
        return self.clock() - self.started

    def think(self) -> str:
        """Run until a limit is reached; returns which."""
        self.schedule = Schedule(self.forest, self.limit)
        try:
            with self.forest, self._collecting():
                return self._think()
        except EvaluatorError:
            raise  # the trees are as they were
        except Exception:
            self.forest.forget()  # the threads' simulations are half done
            raise

    def _note_state(self, error: Exception) -> None:
        """Have an exception of rules or policies say where a single thread was."""
        if isinstance(error, PlayoutError) or self.forest.threads * len(self.trees) > 1:
            return
        game, states = self.position.game, self.forest.teams[0].works[0].states
        with contextlib.suppress(Exception):
            state = game.state_to_text(Rows(states.array[CURRENT:][:1].copy())[0])
            root = quote(self.position.to_text())
            error.add_note(f"the state was {quote(state)}, in a search from {root}")

    def _collecting(self) -> contextlib.AbstractContextManager[None]:
        """How garbage is looked for: seldom, where rules keep much in Python."""
        asks_python = bool(self.forest.policies.game.compiled_as)
        return seldom_collecting() if asks_python else contextlib.nullcontext()

    def think_until(self, is_told_to_end: Callable[[], bool]) -> str:
        """Run until a limit is reached or `is_told_to_end` says so; returns which."""
        self.is_told_to_end = is_told_to_end
        return self.think()

    def result(self, stopped_by: str) -> Result:
        """The answer; ties are drawn from the search's stream, once a search.

        A look at it before the end draws its own, so that watching changes nothing.
        """
        line = self.forest.best_line()
        if line != self.told[0]:  # a game is replayed in Python, which takes long
            self.told = line, best_seen(self.position, line)
        return summarize(
            self.position,
            self.trees,
            self.choice,
            line=line,
            **self.told[1],
            simulations=self.schedule.done,
            seconds=self.elapsed,
            compile_seconds=self.compile_seconds,
            stopped_by=stopped_by,
            seed=self.seed,
            rng=self.ties if stopped_by else make_rng(self.seed, stream=2),
            deepen=self.forest.deepen,
        )

    def _think(self) -> str:
        chunk = self._first_chunk()
        trees, rollout = self.trees, self.forest.policies.rollout
        try:
            while (reason := self._why_stop()) is None:
                self.started += self.forest.take_over()
                chunk = min(self._run_chunk(chunk), self._most())
                expect_laws(trees[0], self.position, rollout)
        except KeyboardInterrupt:
            self.schedule.count()
            if self.forest.interpreted:  # it came during a simulation
                self.forest.forget()
            if not any(map(_has_tried, self.trees)):
                raise
            return "interrupted"
        return reason

    def _first_chunk(self) -> int:
        """A single simulation, where nothing is known of how long one takes."""
        if len(self.trees) * self.forest.threads > 1:
            return 1
        seconds = min(FIRST_SECONDS, self._chunk_seconds())
        return max(1, min(int(seconds * self.forest.pace), self._most()))

    def _run_chunk(self, simulations: int) -> int:
        """Run a chunk; returns how large the next should be."""
        schedule = self.schedule
        before, nodes, started = schedule.done, schedule.num_nodes, self.clock()
        try:
            schedule.grow(simulations, self._seconds_left())
        except Exception as error:
            self._note_state(error)
            raise
        took = self.clock() - started - self.forest.delay
        done = schedule.done - before
        self.still = done >= STILL_SIMULATIONS and schedule.num_nodes == nodes
        most = FASTER * simulations
        if took <= 0:
            return most
        self.forest.pace = done / took
        self.speed = max(self.speed, self.forest.pace)
        return max(1, min(most, int(done * self._chunk_seconds() / took)))

    def _most(self) -> int:
        """The largest chunk: up to where the next look may end the search.

        The clock decides how large chunks are, but not where a search of counted
        simulations ends.
        """
        most, done = MAX_VISITS, self.schedule.done
        if done < ONLY_MOVE_SIMULATIONS and not self.forced_too:
            most = ONLY_MOVE_SIMULATIONS - done
        if self.early_stop and self.limit.simulations is not None:
            between = self._between_looks()
            most = min(most, between - done % between)
        return most

    def _between_looks(self) -> int:
        """After how many simulations it is looked again whether one has won."""
        return max(1, (self.limit.simulations or 0) // EARLY_LOOKS)

    def _may_be_decided(self) -> bool:
        """Whether it is time to look whether one has won."""
        if not self.early_stop or not self.schedule.is_even:
            return False
        if self.limit.simulations is None or self.schedule.counted:
            return True
        looks = self.schedule.done // self._between_looks()
        is_due = looks != self.looks
        self.looks = looks
        return is_due

    def _chunk_seconds(self) -> float:
        limit, most = self.limit, self.forest.chunk_seconds
        watched = self.progress is not None or self.is_told_to_end is not None
        if limit.simulations is not None and limit.seconds is None and not watched:
            most *= self.forest.patience
        return min(most, max(0.0, self._seconds_left() - self.forest.delay))

    def _seconds_left(self) -> float:
        if self.limit.seconds is None:
            return math.inf
        return self.limit.seconds - self.elapsed

    def _why_stop(self) -> str | None:
        limit, schedule = self.limit, self.schedule
        done = schedule.done
        if schedule.is_proven:
            return "proven"
        if self.is_told_to_end is not None and self.is_told_to_end():
            return "told to"
        if done == 0 and not (schedule.is_full or schedule.is_finished):
            return None
        if limit.simulations is not None and done >= limit.simulations:
            return "simulations"
        if limit.seconds is not None and self.elapsed >= limit.seconds:
            return "seconds"
        if schedule.is_finished:
            return "visits"
        if done >= ONLY_MOVE_SIMULATIONS and not self.forced_too:
            if self.trees[0].nodes.array["num_legal"][ROOT] == 1:
                return "only move"
        if self._may_be_decided() and self._is_decided():
            return "decided"
        full = self.still or schedule.is_full
        if full and limit.seconds is None and limit.simulations is None:
            return "tree full"
        return self._ask_progress()

    def _is_decided(self) -> bool:
        """Whether no other move can become the most visited in what is left to do."""
        tree = merge_roots(self.trees, self.position.current_player)
        rows = tree.nodes.array[tree.children(ROOT)]
        is_open = upper_of(rows["proven"]) > lower_of(rows["proven"]).max(initial=-1)
        visits = np.sort(rows["visits"][is_open].astype(np.int64))[::-1]
        if len(visits) == 0:
            return False
        second = visits[1] if len(visits) > 1 else 0
        return bool(visits[0] - second > self._simulations_left())

    def _simulations_left(self) -> float:
        """How many more there will be at most, as far as one can tell.

        Of time, it takes the fastest chunk so far for the speed of the rest, and says
        nothing before there were some.
        """
        left, limit = math.inf, self.limit
        if limit.simulations is not None:
            left = limit.simulations - self.schedule.done
        seconds, slow = limit.seconds, self.forest.awaited is not None
        if seconds is not None and self.elapsed >= seconds * FIRST_LOOK and not slow:
            left = min(left, self._seconds_left() * self.speed)
        return left

    def _ask_progress(self) -> str | None:
        if self.progress is None or self.clock() - self.shown < PROGRESS_SECONDS:
            return None
        self.shown = self.clock()
        return "callback" if self.progress(self.result("")) is False else None


def _has_tried(tree: Tree) -> bool:
    """Whether a move of the root has been visited."""
    return bool(tree.nodes.array["visits"][tree.children(ROOT)].any())
