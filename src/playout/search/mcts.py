"""`MCTS`: what people call."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable

from ..core.errors import UsageError, quote
from ..core.rng import make_rng
from ..games.check.soundness import expect_game
from ..games.contract.game import Game
from ..games.positions.position import Position
from .arguments import (
    at_least_one,
    at_least_zero,
    before_compiling,
    expect,
    expect_actions,
    expect_choice,
    expect_early_stop,
    expect_limit,
    expect_position,
    expect_threads,
    expect_workers,
)
from .assemble import assemble
from .backup.base import Backup
from .choice import Choice
from .evaluation.evaluator import Evaluator, make_evaluation
from .exclusive import exclusive
from .expansion.base import Expansion
from .limit import Limit
from .result.result import Result
from .result.view import TreeView
from .rollout.base import Rollout
from .running.executor import make_forest
from .running.forest import streams_for
from .running.kept_tree import follows
from .running.pondering import Pondering
from .running.run import Progress, Run
from .selection.base import Selection
from .side_by_side import SideBySide
from .solver.base import Solver
from .tree.recycle import compile_recycler
from .tree.tree import Tree

__all__ = ["MCTS"]

#: More nodes than memory has room for.
MOST_NODES = 2**31 - 1


class MCTS(SideBySide):
    """Monte Carlo Tree Search over a game, with a policy for each phase.

    Browne et al., "A Survey of Monte Carlo Tree Search Methods", IEEE TCIAIG 4 (2012).

    Args:
        game: the rules.
        evaluator: judges leaves instead of rollouts: a function from a batch of states
            to values and priors (see `evaluation.evaluator`), or `one_by_one` of one
            for a single state; or a `NativeEvaluator`, which is compiled into it. The
            selection is then `PUCT()` by default, the expansion `OnEvaluation()`.
        batch: how many leaves of a tree the evaluator is asked about at a time, at
            least 1. With more than one, virtual losses keep them apart.
        selection: which child a simulation goes on to; by default `UCT()`, in Connect
            Four, Gomoku and ultimate tic-tac-toe `PUCT()`, in SameGame `SPUCT()`,
            `ISUCT()` where information is hidden, or `NormalizedUCT()` for one player
            and for returns without bounds.
        expansion: which children a leaf is given; by default what suits the selection,
            mostly `RandomChild()`.
        rollout: how games are played to their end; by default `Uniform()`, in Connect
            Four `Decisive()`, in Gomoku and ultimate tic-tac-toe `Truncated()`, in
            SameGame `Weighted()`.
        backup: what nodes learn from a result; `Mean()` by default, or `RewardSum()`
            in games with rewards.
        solver: what is proven from the ends of games; by default `Exhaustion()` in
            puzzles (one player, nothing hidden, no chance), `Unsolved()` with hidden
            information, rewards or returns without bounds, `ScoreBounds()` in other
            zero-sum games of two, `MaxNBounds()` in the rest of up to eight players.
        choice: which move is played in the end; `BestSeen()` by default in puzzles,
            `MostVisits()` elsewhere.
        early_stop: end as soon as no other move can catch up with the most visited one
            before the limit, counted in simulations or estimated from the time.
        trees: how many trees are searched apart and merged at the root, at least 1;
            they divide simulations and memory.
        executor: where trees are, each on a thread (`"local"`), in a process of its own
            (`"processes"`) or in an actor of a Ray cluster (`"ray"`, `"ray:ADDRESS"`).
        transpositions: take positions that are reached in several ways for one, in
            games of two players without chance or hidden information; on one thread. A
            node then takes about three times the memory, and none is kept after a move.
        threads: how many threads search each tree, at least 1. With more than one, the
            tree depends on their timing.
        virtual_loss: the return that a simulation under way is assumed to lose while
            threads share a tree, at least 0. Large values spread the threads more.
        seed: the same seed and the same calls give the same tree, unless time decides;
            drawn at random where none is given.
        interpreted: run as plain Python instead of compiled, some thousand times
            slower, with the same result: for debugging rules and policies. By default
            what cannot be compiled runs in this way, with a warning; where that is the
            rules alone, the tree is still compiled. With False it is an error.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> position = Position.from_moves(TicTacToe(), ["b2", "a1", "a2"])
    >>> MCTS(TicTacToe(), seed=1).search(position, Limit(simulations=2000)).move
    'c2'
    """

    def __init__(
        self,
        game: Game,
        *,
        evaluator: Evaluator | None = None,
        batch: int = 1,
        selection: Selection | None = None,
        expansion: Expansion | None = None,
        rollout: Rollout | None = None,
        backup: Backup | None = None,
        solver: Solver | None = None,
        choice: Choice | None = None,
        early_stop: bool = False,
        trees: int = 1,
        executor: str = "local",
        transpositions: bool = False,
        threads: int = 1,
        virtual_loss: float = 1.0,
        seed: int | None = None,
        interpreted: bool | None = None,
    ) -> None:
        expect_game(game)
        expect_actions(game)
        self.game = game
        self._evaluation = make_evaluation(game, evaluator, batch)
        given = {
            "selection": selection,
            "expansion": expansion,
            "rollout": rollout,
            "backup": backup,
            "solver": solver,
            "choice": choice,
        }
        self.policies, self.choice = assemble(
            game, given, bool(transpositions), self._evaluation, evaluator
        )
        self.early_stop = expect_early_stop(early_stop, self.choice)
        self.num_trees = at_least_one("trees", trees)
        self.threads = expect_threads(threads, game, bool(transpositions))
        tables = sum(one.table_bytes for one in self.policies.all)
        expect_workers(self.num_trees, self.threads, tables)
        self.seed = secrets.randbits(32) if seed is None else seed
        self.interpreted = bool(interpreted)
        self._must_compile = interpreted is False
        said = seed, self._evaluation, interpreted
        self._can_begin = all(each is None for each in said)
        self.clock: Callable[[], float] = time.perf_counter
        self._position = Position(game)
        self.virtual_loss = at_least_zero("virtual_loss", virtual_loss)
        self._forest = make_forest(
            executor,
            self.policies,
            self.seed,
            streams_for(self.num_trees, self.threads),
            self.virtual_loss,
            self.interpreted,
            evaluation=self._evaluation,
        )
        self._choice_rng = make_rng(self.seed, stream=1)
        self._pondering: Pondering | None = None
        self._compiling = 0.0  # seconds, which the next result tells

    def compile(self, wait: bool = True) -> float:
        """Compile or load what a search runs; returns the seconds it took.

        The first use of rules or policies of one's own also plays some games with every
        index checked. A search does it by itself the first time, without waiting.

        Args:
            wait: else another process compiles, and searches begin interpreted and go
                on natively in the same tree; not with a seed, an evaluator, threads,
                several trees, parts that are not Playout's own, a disk that keeps
                nothing, or PLAYOUT_COMPILE=first in the environment.

        Raises:
            CompileError: names the method and line that cannot be compiled.
            RulesError: rules or policies read or write outside their arrays, or break
                a law.
        """
        if self._forest.native is not None:
            return self._forest.take_over(wait)
        started = time.perf_counter()
        self._expect_rules()
        at_once = self._can_begin and not (wait or self.interpreted)
        if at_once and self._forest.begin():
            return time.perf_counter() - started
        compiled = self._forest.compile() > 0
        seconds = 0.0 if self.interpreted else time.perf_counter() - started
        self._compiling = seconds if compiled else 0.0
        return seconds

    @property
    def is_compiling(self) -> bool:
        """Whether another process compiles, and searches run interpreted till then."""
        return self._forest.awaited is not None

    @exclusive
    def search(
        self,
        position: Position | None = None,
        limit: Limit | None = None,
        progress: Progress | None = None,
        *,
        forced_too: bool = False,
    ) -> Result:
        """Think about a position and choose a move.

        The tree is kept where the position is the one searched last or follows from it;
        any other starts a fresh one. Ctrl-C ends the search with the best so far; the
        tree of an interpreted one is then forgotten.

        Args:
            position: what to think about; by default where `advance` has led, at first
                the start.
            limit: when to stop; one second by default.
            progress: told the result so far ten times a second; its False ends it.
            forced_too: think on where there is only one move, for its value or proof.

        Raises:
            UsageError: the game is over in this position, chance moves there, it is of
                another game, or this search is at work already.
        """
        limit = expect_limit(limit, self.policies.selection, "Limit(seconds=1)")
        if not (progress is None or callable(progress)):
            raise UsageError(f"progress must be a function, not {quote(progress)}")
        self.stop_pondering()
        position = self._expect_position(position)
        if self._forest.native is None:
            with before_compiling():
                expect_choice(position)
        self.compile(wait=False)
        compile_seconds, self._compiling = self._compiling, 0.0
        self._go_to(position)
        expect_choice(self._position)
        run = self._run(limit, progress, forced_too=forced_too)
        run.compile_seconds = compile_seconds
        return run.result(run.think())

    @exclusive
    def ponder(
        self, position: Position | None = None, limit: Limit | None = None
    ) -> None:
        """Think about a position in the background, while somebody else chooses a move.

        Whatever is called next ends it, such as `search` with the position after that
        move, which finds a part of the tree there already. Where there is nothing to
        choose, no part of the tree could be kept, or it is being compiled, nothing
        happens.

        Args:
            position: what to think about, as in `search`.
            limit: when to stop by itself; by default when the memory is full.
        """
        if limit is not None:
            expect("limit", limit, Limit, "a Limit, such as Limit(seconds=1)")
        self.stop_pondering()
        there = self._expect_position(position).copy()
        self.compile(wait=False)
        useless = self.policies.root_is_special or self.is_compiling
        if useless or there.is_chance or not there.legal_actions():
            return

        def think(is_told_to_end: Callable[[], bool]) -> None:
            self._go_to(there)
            run = self._run(limit or Limit(nodes=MOST_NODES), None, forced_too=True)
            run.think_until(is_told_to_end)

        self._pondering = Pondering(think)

    def stop_pondering(self) -> None:
        """End the thinking in the background, if there is any.

        Raises:
            Exception: what has ended it before, such as an error of the game's rules.
        """
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.end()

    def _run(self, limit: Limit, progress: Progress | None, forced_too: bool) -> Run:
        """A search of the position at the root that has not begun."""
        self._forest.make_room(limit, self._position)
        if not (self._forest.interpreted or limit.nodes is limit.memory is None):
            compile_recycler(self._forest.trees[0].nodes.array.dtype)
        return Run(
            self._forest,
            self._position,
            self.choice,
            limit,
            ties=self._choice_rng,
            seed=self.seed,
            clock=self.clock,
            early_stop=self.early_stop,
            forced_too=forced_too,
            progress=progress,
        )

    @exclusive
    def go_to(self, position: Position) -> None:
        """Make a position the root, as `search` does; what leads there is kept."""
        self.stop_pondering()
        self._go_to(self._expect_position(position))

    def _expect_position(self, position: Position | None) -> Position:
        """A position of the same game; by default the one at the root."""
        if position is None:
            return self._position
        return expect_position(position, self.game)

    def _go_to(self, position: Position) -> None:
        here = self._position
        if position.array.tobytes() == here.array.tobytes():
            self._position = position if position is here else position.copy()
        elif self._forest.trees and follows(position, here):
            for action in position.actions[len(here.actions) :]:
                self._advance(action)
        else:
            self._position = position.copy()
            self._forest.clear(self._position)

    @exclusive
    def advance(self, action: int | str) -> None:
        """Play a move at the root and keep the part of the tree below it.

        The part is copied and the old tree then freed, if the limit of the last search
        has room for both; else the rest is taken out of the tree.

        Raises:
            IllegalMoveError: the move is not legal there.
        """
        self.stop_pondering()
        self._advance(action)

    def _advance(self, action: int | str) -> None:
        mover = self._position.current_player
        self._position.play(action)
        self._forest.advance(self._position, mover)

    @exclusive
    def reset(self, seed: int | None = None) -> None:
        """Forget the tree; the next search starts afresh, from the same position.

        With a seed, the random numbers are those of a search made with it.
        """
        self.stop_pondering()
        self._forest.forget()
        self._lockstep = None
        if seed is not None:
            self._forest.reseed(seed)
            self.seed = int(seed)
            self._choice_rng = make_rng(seed, stream=1)

    @property
    def position(self) -> Position:
        """A copy of the position at the root."""
        self.stop_pondering()
        return self._position.copy()

    @property
    def tree(self) -> Tree:
        """The tree of the last search; the first one, of several.

        It holds until the next search or move. Of trees in other processes there are
        the root and its children.

        Raises:
            UsageError: nothing has been searched yet.
        """
        return self.trees[0]

    def view(self) -> TreeView:
        """The tree of the last search, to look at; the first one, of several.

        It holds until the next search or move.

        Raises:
            UsageError: nothing has been searched yet.
        """
        return TreeView(self.tree, self.position)

    @property
    def trees(self) -> tuple[Tree, ...]:
        """All trees of the last search.

        Raises:
            UsageError: nothing has been searched yet.
        """
        self.stop_pondering()
        if not self._forest.trees:
            raise UsageError("there is no tree yet: search first")
        return tuple(self._forest.trees)
