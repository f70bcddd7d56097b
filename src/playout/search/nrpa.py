"""`NRPA`: nested rollout policy adaptation, a search without a tree."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable

import numpy as np

from ..core.errors import UsageError
from ..core.rng import make_rng
from ..core.text.fields import is_number
from ..games.check.bounds import expect_bounds
from ..games.check.soundness import expect_game
from ..games.contract.game import Game, has_own
from ..games.contract.units import Units, units_of
from ..games.positions.position import Position
from ..games.registry import game_spec
from .arguments import at_least_one, expect, expect_choice
from .best_line import expect_puzzle
from .kernels.adaptation import make_adaptation, play_levels
from .limit import Limit
from .result.result import Result
from .result.statistics import ActionStatistics

__all__ = ["CONTEXTS", "NRPA"]

#: What a weight may depend on besides the action.
CONTEXTS = ("last", "none", "state")
#: How long a chunk of playouts should take, and how often who watches is told.
CHUNK_SECONDS, PROGRESS_SECONDS = 0.01, 0.1
#: The most levels; more would take too long for any use.
MOST_LEVELS = 8


class NRPA:
    """Nested rollout policy adaptation, for games of one player without chance.

    Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search", IJCAI 2011.
    A playout draws actions by weights. A level calls the one below it so many times,
    each time with weights that were shifted towards the best game it has seen, and
    hands that game up; level 1 calls playouts. When the highest level is done, a new
    run begins from equal weights, and the best game of all runs stays.

    Args:
        game: the rules.
        level: how many levels, 1 to 8. A run takes iterations^level playouts.
        iterations: how often each calls the one below, at least 1; N in the paper.
        alpha: how far weights are shifted, above 0; 1 in the paper.
        context: what a weight depends on besides the action: "last", the action before
            it; "none", nothing; or "state", the whole state.
        bias: how much the game's `prior` p counts, at least 0: an action is drawn by
            p^bias exp(weight), as in Cazenave, "Generalized Nested Rollout Policy
            Adaptation", 2020, section 3. By default 1 where the game has one, else 0.
        table_bits: a level has 2^table_bits weights, of 8 bytes, 4 to 24; two actions
            that share one are weighed alike.
        seed: the same seed and the same calls give the same games, unless time decides.
        interpreted: run as plain Python, with the same result.

    >>> from playout.games.more.tsp import Tour
    >>> search = NRPA(Tour(cities=5), level=2, iterations=10, seed=1, interpreted=True)
    >>> result = search.search(limit=Limit(simulations=100))
    >>> len(result.best_line), result.simulations
    (4, 100)
    """

    def __init__(
        self,
        game: Game,
        *,
        level: int = 2,
        iterations: int = 50,
        alpha: float = 0.5,
        context: str = "last",
        bias: float | None = None,
        table_bits: int = 14,
        seed: int | None = None,
        interpreted: bool = False,
    ) -> None:
        expect_game(game)
        expect_puzzle(game, "nested rollout policy adaptation")
        if at_least_one("level", level) > MOST_LEVELS:
            raise UsageError(f"level must be at most {MOST_LEVELS}, not {level}")
        at_least_one("iterations", iterations)
        if not (is_number(alpha) and 0 < alpha < math.inf):
            raise UsageError(f"alpha must be a number above 0, not {alpha}")
        if context not in CONTEXTS:
            raise UsageError(
                f"context must be one of {', '.join(CONTEXTS)}, not {context!r}"
            )
        bias = _bias_for(game, bias)
        if not 4 <= at_least_one("table_bits", table_bits) <= 24:
            raise UsageError(f"table_bits must be 4 to 24, not {table_bits}")
        self.game, self.interpreted = game, interpreted
        self.seed = secrets.randbits(32) if seed is None else seed
        self.clock: Callable[[], float] = time.perf_counter
        self._search = make_adaptation(
            game,
            level,
            iterations,
            float(alpha),
            context,
            bias,
            table_bits,
            self.seed,
        )
        self._native: Callable[..., None] | None = None
        self._position = Position(game)
        self._compiling = 0.0

    def compile(self) -> float:
        """Compile or load what a search runs; returns the seconds it took.

        Raises:
            CompileError: names the method and line that cannot be compiled.
            RulesError: the rules read or write outside their arrays, or break a law.
        """
        if self._native is not None:
            return 0.0
        started = time.perf_counter()
        expect_bounds(self.game, self.interpreted)
        if self.interpreted:
            self._native = play_levels.function
            return 0.0
        native = play_levels.compile(self._search, 0)
        self._native = native
        self._compiling = native.compile_seconds
        return time.perf_counter() - started

    def reset(self, seed: int | None = None) -> None:
        """Forget all games; with a seed, as a search that was made with it."""
        if seed is not None:
            self.seed = int(seed)
            self._search.rng.state[:] = make_rng(self.seed).state
        self._search.forget()

    def search(
        self,
        position: Position | None = None,
        limit: Limit | None = None,
        progress: Callable[[Result], object] | None = None,
        *,
        forced_too: bool = False,
    ) -> Result:
        """Look for the best game from a position.

        What was seen before is kept where the position follows from the one before by
        moves of the best game; else the search begins anew.

        Args:
            position: where to look from; by default the start.
            limit: when to stop; one second by default. Its nodes and memory say
                nothing here: there is no tree.
            progress: called with the result so far about ten times a second; the
                search ends when it returns False.
            forced_too: search on where there is only one move.

        Raises:
            UsageError: the game is over, or the position is of another one.
        """
        limit = Limit(seconds=1.0) if limit is None else limit
        expect("limit", limit, Limit, "a Limit, such as Limit(seconds=1)")
        position = Position(self.game) if position is None else position
        expect("position", position, Position, "a Position")
        if position.game != self.game:
            raise UsageError(
                f"the position is of {position.game}, the search of {self.game}"
            )
        expect_choice(position)
        self.compile()
        self._go_to(position)
        only = len(position.legal_actions()) == 1 and not forced_too
        run = _Run(self, limit, progress, 1 if only else None)
        return self._result(run, run.think())

    def _go_to(self, position: Position) -> None:
        """Make a position the root; keep the best game where it goes on from there."""
        here = self._position
        played = position.actions[len(here.actions) :]
        goes_on = (
            position.start_text == here.start_text
            and position.actions[: len(here.actions)] == here.actions
        )
        self._position = position.copy()
        self._search.states.array[0] = position.array[0]
        line = self._search.best_line()
        if not (goes_on and line[: len(played)] == played):
            self._search.forget()
        elif played:
            self._search.shorten(len(played))

    def _result(self, run: _Run, stopped_by: str) -> Result:
        search, position = self._search, self._position
        line = search.best_line()
        end = position.copy()
        for action in line:
            end.play(action)
        moves = tuple(end.moves[len(position.actions) :])
        best = float(end.returns(0))
        compiling, self._compiling = self._compiling, 0.0
        return Result(
            game=game_spec(self.game),
            moves=tuple(position.moves),
            action=line[0],
            move=moves[0],
            value=best,
            visits=int(search.counts.sum()),
            simulations=run.done,
            seconds=run.elapsed,
            compile_seconds=compiling,
            stopped_by=stopped_by,
            pv=moves,
            nodes=0,
            depth=len(line),
            tree_bytes=search.weights.nbytes,
            seed=self.seed,
            actions=self._rows(),
            units=self._units(),
            best_line=moves,
            best_return=best,
        )

    def _units(self) -> Units:
        return units_of(self.game, self._seen())

    def _seen(self) -> Units:
        """The lowest and the highest return of all playouts."""
        low, high = self._search.info.array[["lowest", "highest"]][0].tolist()
        return Units(low, high if high > low else low + 1.0)

    def _rows(self) -> tuple[ActionStatistics, ...]:
        """What is known of the first moves, most often played first."""
        search, name = self._search, self.game.action_name
        units, seen = self._units(), self._seen()
        tried = np.flatnonzero(search.counts)
        total = int(search.counts.sum())
        rows = []
        for action in tried[np.argsort(-search.counts[tried], kind="stable")].tolist():
            count = int(search.counts[action])
            mean = float(search.sums[action]) / count
            share = seen.share(mean)
            error = seen.span * math.sqrt(share * (1 - share) / count)
            rows.append(
                ActionStatistics(
                    action,
                    name(action),
                    count,
                    count / total,
                    float(search.sums[action]),
                    mean,
                    error,
                    units=units,
                )
            )
        return tuple(rows)


def _bias_for(game: Game, bias: float | None) -> float:
    """How much the game's prior is to count, where None leaves that to the game.

    Raises:
        UsageError: that is no number of at least 0, or the game has no prior.
    """
    informed = has_own(game, "prior")
    if bias is None:
        return 1.0 if informed else 0.0
    if not (is_number(bias) and 0 <= bias < math.inf):
        raise UsageError(f"bias must be a number of at least 0, not {bias}")
    if bias > 0 and not informed:
        raise UsageError(
            f"bias={bias} is for games with a prior of their own, which "
            f"{game.name or type(game).__name__} has not"
        )
    return float(bias)


class _Run:
    """One search: chunks of playouts, and a look at the limits in between."""

    def __init__(
        self,
        search: NRPA,
        limit: Limit,
        progress: Callable[[Result], object] | None,
        most: int | None,
    ) -> None:
        self.search, self.limit = search, limit
        self.progress, self.most = progress, most
        self.done = 0
        self.started = self.shown = search.clock()

    @property
    def elapsed(self) -> float:
        return self.search.clock() - self.started

    def think(self) -> str:
        chunk = 1
        try:
            while (reason := self._why_stop()) is None:
                began = self.search.clock()
                self._play(min(chunk, self._left()))
                took = max(self.search.clock() - began, 1e-9)
                chunk = max(1, min(4 * chunk, int(chunk * CHUNK_SECONDS / took)))
        except KeyboardInterrupt:
            if self.done == 0:
                raise
            return "interrupted"
        return reason

    def _play(self, playouts: int) -> None:
        assert self.search._native is not None
        with np.errstate(over="ignore"):
            self.search._native(self.search._search, playouts)
        self.done += playouts

    def _left(self) -> int:
        limit = self.limit.simulations
        return 2**40 if limit is None else int(limit) - self.done

    def _why_stop(self) -> str | None:
        if self.done == 0:
            return None
        if self._left() <= 0:
            return "simulations"
        if self.most is not None and self.done >= self.most:
            return "only move"
        seconds = self.limit.seconds
        if seconds is not None and self.elapsed >= seconds:
            return "seconds"
        if seconds is None and self.limit.simulations is None:
            return "tree full"  # there is none to fill
        if self.progress is None:
            return None
        now = self.search.clock()
        if now - self.shown < PROGRESS_SECONDS:
            return None
        self.shown = now
        told = self.progress(self.search._result(self, ""))
        return "callback" if told is False else None
