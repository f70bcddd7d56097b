"""`MCTS`: what people call."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.errors import UsageError, quote
from ..core.rng import make_rng
from ..games.bounds import check_bounds
from ..games.game import CHANCE, Game
from ..games.position import Position
from ..games.soundness import expect_game
from .arguments import at_least_one, expect, policy
from .backup import Backup, Mean
from .choice import Choice, MostVisits
from .expansion import Expansion
from .graph import Graph, check_graph, graph_dtype, simulate_graph
from .hidden import check_hidden, default_selection, simulate_hidden
from .kernel import Policies, Work, simulate
from .limit import Limit
from .policy import AT_ROOT
from .recycle import compile_recycler
from .result import Result
from .rollout import Rollout, Uniform
from .run import Progress, Run
from .selection import Selection
from .solver import Solver, default_solver
from .tree import ROOM, ROOT, Tree
from .view import TreeView

__all__ = ["MCTS"]

#: What a node's counters of children can hold.
MAX_ACTIONS = 2**15 - 1
#: The random numbers of the second tree; the first one's stream is 0.
FIRST_STREAM = 16


class MCTS:
    """Monte Carlo Tree Search over a game, with a policy for each phase.

    Browne et al., "A Survey of Monte Carlo Tree Search Methods", IEEE TCIAIG 4 (2012).

    Args:
        game: the rules.
        selection: which child a simulation goes on to; by default `UCT()`, for one
            player `NormalizedUCT()`, where information is hidden `ISUCT()`.
        expansion: which children a leaf is given; by default what suits the selection,
            mostly `RandomChild()`.
        rollout: how games are played to their end; `Uniform()` by default.
        backup: what nodes learn from a result; `Mean()` by default.
        solver: what is proven from the ends of games; by default `ScoreBounds()` where
            two players play for returns that add up to 0, else `Unsolved()`.
        choice: which move is played in the end; `MostVisits()` by default.
        trees: how many trees are searched apart, each on a thread of its own, and
            merged at the root; at least 1. They divide simulations and memory.
        transpositions: take positions that are reached in several ways for one, in
            games of two players without chance or hidden information; a node then
            takes about three times the memory, and nothing is kept after a move.
        seed: the same seed and the same calls give the same tree, unless time decides;
            drawn at random where none is given.
        interpreted: run as plain Python instead of compiled, some thousand times
            slower, with the same result: for debugging rules and policies.

    >>> from playout.games.mnk import TicTacToe
    >>> position = Position.from_moves(TicTacToe(), ["b2", "a1", "a2"])
    >>> MCTS(TicTacToe(), seed=1).search(position, Limit(simulations=2000)).move
    'c2'
    """

    def __init__(
        self,
        game: Game,
        *,
        selection: Selection | None = None,
        expansion: Expansion | None = None,
        rollout: Rollout | None = None,
        backup: Backup | None = None,
        solver: Solver | None = None,
        choice: Choice | None = None,
        trees: int = 1,
        transpositions: bool = False,
        seed: int | None = None,
        interpreted: bool = False,
    ) -> None:
        expect_game(game)
        if game.num_actions() > MAX_ACTIONS:
            raise UsageError(
                f"num_actions is {game.num_actions()}; a search can tell at most "
                f"{MAX_ACTIONS} apart"
            )
        self.game = game
        chosen = policy("selection", selection, Selection, default_selection(game))
        self.policies = Policies(
            game,
            chosen,
            policy("expansion", expansion, Expansion, chosen.usual_expansion()),
            policy("rollout", rollout, Rollout, Uniform()),
            policy("backup", backup, Backup, Mean()),
            policy("solver", solver, Solver, default_solver(game)),
        )
        for one in self.policies.all:
            one.check(game)
        check_hidden(self.policies)
        self.choice = policy("choice", choice, Choice, MostVisits())
        self.num_trees = at_least_one("trees", trees)
        self.seed = secrets.randbits(32) if seed is None else seed
        self.interpreted = interpreted
        self.clock: Callable[[], float] = time.perf_counter
        self._position = Position(game)
        self.transpositions = bool(transpositions)
        self._node_dtype = self.policies.node_dtype
        if transpositions:
            check_graph(self.policies)
            self._node_dtype = graph_dtype(self.policies)
        self._works = [
            Work.for_policies(self.policies, make_rng(self.seed, stream=stream))
            for stream in self._streams()
        ]
        self._choice_rng = make_rng(self.seed, stream=1)
        self._trees: list[Tree] = []
        self._native: Callable[..., Any] | None = None
        self._driver = simulate_hidden if game.has_hidden else simulate
        if transpositions:
            self._driver = simulate_graph
        self._compiling = 0.0  # seconds, which the next result tells

    def compile(self) -> float:
        """Compile or load what a search runs; returns the seconds it took.

        A search does it by itself the first time. The first use of rules that are not
        Playout's own also plays some games with every index checked.

        Raises:
            CompileError: names the method and line that cannot be compiled.
            RulesError: the rules read or write outside their arrays.
        """
        if self._native is not None:
            return 0.0
        if self.interpreted:
            self._native = self._driver.function
            return 0.0
        started = time.perf_counter()
        if not type(self.game).__module__.startswith("playout."):
            check_bounds(self.game)
        tree = self._reserve(1)
        native = self._driver.compile(self.policies, tree, self._works[0], 0, 0)
        self._native = native
        seconds = time.perf_counter() - started
        self._compiling = seconds if native.compile_seconds > 0 else 0.0
        return seconds

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
        any other starts a fresh one. Ctrl-C ends the search with the best so far.

        Args:
            position: what to think about; by default where `advance` has led, at first
                the start.
            limit: when to stop; one second by default.
            progress: called with the result so far about ten times a second; the
                search ends when it returns False.
            forced_too: think on where there is only one move to choose, for its value
                or for a proof.

        Raises:
            UsageError: the game is over in this position, chance moves there, or it is
                of another game.
        """
        limit = Limit(seconds=1.0) if limit is None else limit
        expect("limit", limit, Limit, "a Limit, such as Limit(seconds=1)")
        if not (progress is None or callable(progress)):
            raise UsageError(f"progress must be a function, not {quote(progress)}")
        position = self._position if position is None else position
        expect("position", position, Position, "a Position")
        self.compile()
        compile_seconds, self._compiling = self._compiling, 0.0
        self.go_to(position)
        if not self._position.legal_actions():
            raise UsageError("there is no move to search for: the game is over")
        if self._position.is_chance:
            raise UsageError(f"chance moves here: {_outcomes(self._position)}")
        self._make_room(limit)
        if not (self.interpreted or limit.nodes is limit.memory is None):
            compile_recycler(self.tree.nodes.array.dtype)
        run = Run(self, limit, progress, compile_seconds, forced_too)
        with np.errstate(over="ignore"):
            return run.result(run.think())

    def go_to(self, position: Position) -> None:
        """Make a position the root; `search` does it by itself.

        The tree is kept where the position is at its root or follows from it.
        """
        here = self._position
        expect("position", position, Position, "a Position")
        if position.game != self.game:
            raise UsageError(
                f"the position is of {position.game}, the search of {self.game}"
            )
        if position.array[0] == here.array[0]:
            if position is not here:
                self._position = position.copy()
        elif self._trees and _follows(position, here):
            for action in position.actions[len(here.actions) :]:
                self.advance(action)
        else:
            self._position = position.copy()
            for tree in self._trees:
                tree.clear(self._root_mover())

    def advance(self, action: int | str) -> None:
        """Play a move at the root and keep the part of the tree below it.

        The part is copied, and the old tree then freed; for a moment both are there.

        Raises:
            IllegalMoveError: the move is not legal there.
        """
        mover = self._position.current_player
        self._position.play(action)
        for index, tree in enumerate(self._trees):
            last = tree.info[0].root_mover if mover == CHANCE else mover
            below = self._below(tree, self._position.actions[-1])
            below.info[0].root_mover = self._root_mover(last)
            self._trees[index] = below

    def reset(self, seed: int | None = None) -> None:
        """Forget the tree; the next search starts afresh, from the same position.

        With a seed, the random numbers are those of a search made with it.
        """
        self._trees = []
        self._works = [Work.for_policies(self.policies, w.rng) for w in self._works]
        if seed is not None:
            for work, stream in zip(self._works, self._streams(), strict=True):
                work.rng.state[:] = make_rng(seed, stream=stream).state
            self.seed = int(seed)
            self._choice_rng = make_rng(seed, stream=1)

    @property
    def position(self) -> Position:
        """A copy of the position at the root."""
        return self._position.copy()

    @property
    def tree(self) -> Tree:
        """The tree of the last search; the first one, of several.

        Raises:
            UsageError: nothing has been searched yet.
        """
        return self.trees[0]

    def view(self) -> TreeView:
        """The tree of the last search, to look at; the first one, of several.

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
        if not self._trees:
            raise UsageError("there is no tree yet: search first")
        return tuple(self._trees)

    def _streams(self) -> list[int]:
        """Which streams of the seed the trees draw from; choices draw from 1 and 2."""
        return [0, *range(FIRST_STREAM, FIRST_STREAM + self.num_trees - 1)]

    def _below(self, tree: Tree, action: int) -> Tree:
        """What is kept of a tree when a move is played."""
        children = tree.children(ROOT)
        kept = children[tree.nodes.array["action"][children] == action]
        if len(kept) and self._keeps_trees:
            below = tree.subtree(int(kept[0]), len(tree.nodes))
            row = below.nodes[ROOT]
            if row.num_children > 0 or row.proven == 0:  # else its proof was recycled
                self.policies.solver.reroot(below)
                return below
        tree.clear(0)
        return tree

    @property
    def _keeps_trees(self) -> bool:
        """Whether a part of a tree can be copied to be a tree of its own."""
        others = self.game.has_hidden or self.transpositions
        return not (others or self.policies.root_is_special)

    def _reserve(self, capacity: int) -> Tree:
        """An empty tree, or graph, with room for so many nodes."""
        if self.transpositions:
            return Graph.for_game(self.game, capacity, self._node_dtype)
        return Tree.reserve(capacity, self._node_dtype)

    def _root_mover(self, last: int | None = None) -> int:
        """Whom the root's own value is for: of two opponents, the last who moved.

        Where that says nothing of the one who is to move, it is that one.
        """
        player = self._position.current_player
        if self.game.num_players() == 2 and self.game.zero_sum:
            return (player - 1) % 2 if last is None else last
        return max(player, 0) if last is None or player != CHANCE else last

    def _make_room(self, limit: Limit) -> None:
        """Trees as large as the limit allows, which they divide."""
        dtype = self._node_dtype
        moves = self.game.num_actions()
        capacity = limit.node_capacity(dtype.itemsize, moves, self.num_trees)
        trees: list[Any] = self._trees or [None] * self.num_trees
        self._trees = [self._fit(tree, capacity, dtype) for tree in trees]
        seen = self._position.seen_by(self._position.current_player)
        for work in self._works:
            work.states.array[AT_ROOT] = seen.array[0]

    def _fit(self, tree: Tree | None, capacity: int, dtype: np.dtype[Any]) -> Tree:
        """A tree of this capacity; the one there is where it will do.

        One with more nodes than that is given up, its memory with it, and so is a
        larger one in which nothing is left to keep.
        """
        if tree is not None and len(tree.nodes) > capacity:
            if not 1 < tree.num_nodes <= capacity:
                tree = None
        elif tree is not None and len(tree.nodes) < capacity:
            if self.game.has_hidden or self.transpositions:
                tree = None
        if tree is None:
            tree = self._reserve(capacity)
            tree.clear(self._root_mover())
        elif capacity > len(tree.nodes):
            tree = tree.subtree(ROOT, capacity)
        tree.info[0].capacity = max(capacity, tree.num_nodes)
        tree.info[0].full = ROOM
        return tree


def _outcomes(position: Position) -> str:
    """What to play before there is anything to choose."""
    names = [position.game.action_name(action) for action in position.legal_actions()]
    shown = " ".join(names[:12]) + (" ..." if len(names) > 12 else "")
    return f"play one of its outcomes first ({shown})"


def _follows(position: Position, earlier: Position) -> bool:
    """Whether a position was reached from an earlier one by its last moves."""
    known = len(earlier.actions)
    return (
        position.start_text == earlier.start_text
        and len(position.actions) > known
        and position.actions[:known] == earlier.actions
    )
