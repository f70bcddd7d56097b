"""`Forest`: the trees of a search, and the threads that they grow by."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.native import NotCompiledError, may_only_load, only_loading
from ...core.rng import make_rng
from ...games.contract.game import CHANCE, Game
from ...games.contract.units import POINTS, Units, declared_range, units_of
from ...games.positions.position import Position
from ..best_line import WholeGame, best_of
from ..evaluation.evaluator import Evaluation
from ..kernels.policies import Policies
from ..kernels.seen_range import RANGE_STREAM, compile_range, seen_range
from ..limit import Limit, default_memory
from ..tree.nodes import FULL, STUCK
from ..tree.recycle import recycle, recycling_seconds
from ..tree.tree import Tree
from .background import Awaited, begin_compiling
from .kept_tree import fit, new_tree, part_below, root_mover_of
from .parallel_calls import ParallelCalls
from .stepwise import StepTeam
from .workers import Call, ThreadTeam

__all__ = ["Forest", "streams_for"]

#: The random numbers of a search's second tree or thread; the first one's stream is 0,
#: and choices draw from 1 and 2.
FIRST_STREAM = 16
#: How long a chunk of simulations should take between two looks at the clock.
CHUNK_SECONDS = 0.01
#: The same where threads share a tree and have to be brought together at its end.
SHARED_CHUNK_SECONDS = 0.016
#: One thread searches a tree alone until a chunk takes so long: waking others takes a
#: part of that time, and in so small a tree they would wait for each other.
ALONE_SECONDS = 0.0006
#: A full tree makes room if so many times as much time is left.
HURRY = 4


class Forest:
    """One tree, or several of the same position that grow independently.

    Within `with`, the trees can grow: there are threads for them.

    Args:
        policies: what they are searched by.
        seed: of the random numbers.
        streams: for each tree, the streams of its threads' random numbers.
        virtual_loss: the return that a simulation under way is assumed to lose.
        interpreted: whether it is searched as plain Python.
        evaluation: what judges leaves, where no rollouts do.

    Attributes:
        trees: as many as were asked for, or none before there is room for them.
        teams: who searches each of them.
        native: what the teams run; None before it is compiled.
        awaited: who compiles it, while the teams run it interpreted.
        units: what the returns are measured by.
        pace: simulations per second of the last chunk; 0.0 before there was one.
        delay: seconds that the last chunk took besides searching: to ask and to answer.
    """

    delay = pace = 0.0
    #: How many times as long a chunk may take where nobody waits for its end. What the
    #: look at the limits needs has left the caches: it takes a tenth of a millisecond.
    patience = 4

    def __init__(
        self,
        policies: Policies,
        seed: int,
        streams: list[list[int]],
        virtual_loss: float,
        interpreted: bool,
        evaluation: Evaluation | None = None,
    ) -> None:
        self.policies, self.interpreted = policies, interpreted
        self.seed, self.units = seed, POINTS
        bounded = declared_range(policies.game) is not None
        self.range = units_of(policies.game) if bounded else None
        self.trees: list[Tree] = []
        self.streams = streams
        self.threads = len(streams[0])
        self.default_memory: int | None = None  # before it is first needed
        self.teams = []
        for row in streams:
            rngs = [make_rng(seed, stream) for stream in row]
            if evaluation is None:
                team = ThreadTeam(policies, rngs, virtual_loss)
            else:
                team = StepTeam(policies, rngs, virtual_loss, evaluation)
            self.teams.append(team)
        self.native: Callable[..., Any] | None = None
        self.awaited: Awaited | None = None
        self.alone = False  # whether one thread does all for the others

    def play_by(self, game: Game) -> None:
        """Search by another game with the same rules, such as one that asks Python."""
        own = self.policies = dataclasses.replace(self.policies, game=game)
        loss = self.teams[0].virtual_loss
        self.teams = [ThreadTeam(own, team.rngs, loss) for team in self.teams]

    @property
    def chunk_seconds(self) -> float:
        """How long it should grow at a time."""
        return CHUNK_SECONDS if self.threads == 1 else SHARED_CHUNK_SECONDS

    def __enter__(self) -> Forest:
        self._parallel = ParallelCalls(self.interpreted)
        self.alone = len(self.teams) == 1 and not self._parallel.in_turn
        return self

    def __exit__(self, *error: object) -> None:
        self._parallel.__exit__(*error)
        self.return_unused()  # all threads have ended, even after an interrupt

    @property
    def num_unused(self) -> int:
        """Nodes that threads took and have not used yet."""
        return sum(team.num_unused for team in self.teams)

    def compile(self, checked: bool = False) -> float:
        """Compile or load what a search runs; the seconds that compiling took.

        Args:
            checked: test every index against its array's bounds.
        """
        team = self.teams[0]
        if self.interpreted:
            self.native = team.kernel.function
            return 0.0
        if self.range is None:
            compile_range(self.policies.game)
        tree = new_tree(self.policies, 1)
        call = team.calls(tree, 0, 0, in_turn=False)[0]
        native = team.kernel.compile(*call, checked=checked)
        self.native = native
        return native.compile_seconds

    def begin(self) -> bool:
        """Load what a search runs, or run it interpreted while another compiles it.

        Returns:
            Whether a search can begin; else it has to be compiled here.
        """
        if len(self.teams) * self.threads > 1:
            return False
        try:
            with only_loading():
                self.compile()
        except NotCompiledError:
            self.awaited = begin_compiling(self.policies, may_only_load())
            if self.awaited is None:
                return False
            self.native, self.interpreted = self.teams[0].kernel.function, True
            self.teams[0].pause(True)  # exact searches take long in Python
        return True

    def take_over(self, wait: bool = False) -> float:
        """Go on natively once the awaited code is there; returns the seconds taken."""
        started = time.perf_counter()
        if self.awaited is not None and wait:
            self.awaited.wait()
        if self.awaited is None or not self.awaited.is_over:
            return 0.0
        over, self.awaited = self.awaited, None
        self.native, self.interpreted = None, False
        self.teams[0].pause(False)
        with over.loading():
            self.compile()
        return time.perf_counter() - started

    def clear(self, position: Position) -> None:
        """Begin anew in a position."""
        self.restart(root_mover_of(position))

    def advance(self, position: Position, mover: int) -> None:
        """Keep what is below the last move to a position; a player's, or chance's."""
        if self.trees:
            if mover == CHANCE:
                mover = int(self.trees[0].info[0].root_mover)
            self.keep(position.actions[-1], root_mover_of(position, mover))

    def make_room(self, limit: Limit, position: Position) -> None:
        """Have trees for a position, as large as the limit allows; they divide it."""
        game, policies = position.game, self.policies
        structure = policies.structure
        moves = game.num_actions() * structure.rows_per_child
        if self.default_memory is None:
            self.default_memory = default_memory()
        node_bytes = policies.node_dtype.itemsize + structure.bytes_per_row
        capacity = limit.node_capacity(
            node_bytes, moves, self.default_memory, len(self.streams)
        )
        seen = position
        if game.has_hidden:
            seen = position.seen_by(position.current_player)
        is_new = not any(tree.visits for tree in self.trees)
        if is_new and self.best_line() is None:  # else it is compared by these
            self.units = self.units_at(seen)
        self.plant(capacity, root_mover_of(position), seen.array, self.units)
        self.plan(limit.simulations)

    def plan(self, simulations: int | None) -> None:
        """Tell the selection how many simulations all trees are to have together."""
        each = None if simulations is None else max(1, simulations // len(self.teams))
        for team in self.teams:
            for work in (*team.works, *team.trunks):
                self.policies.selection.plan(work.selection_tables, each)

    def units_at(self, seen: Position) -> Units:
        """What the returns of games from a position are measured by."""
        if self.range is not None:
            return self.range
        game, rng = self.policies.game, make_rng(self.seed, RANGE_STREAM)
        return units_of(game, seen_range(seen, rng, self.interpreted))

    def best_line(self) -> WholeGame | None:
        """The best game of a puzzle that was seen from here on."""
        return best_of([team.line.line() for team in self.teams])

    def deepen(self, tree: Tree, node: int) -> tuple[Tree, int]:
        """The tree and the number under which a node has all its descendants."""
        return tree, node

    # What each tree is told; it needs no position for it.

    def reseed(self, seed: int) -> None:
        """Begin the random numbers of a seed."""
        self.seed = seed
        for team, streams in zip(self.teams, self.streams, strict=True):
            team.reseed(seed, streams)

    def forget(self) -> None:
        """Give up the trees, with their memory, and what policies keep in tables."""
        self.trees = []
        for team in self.teams:
            team.forget()

    def restart(self, root_mover: int) -> None:
        """Begin anew; the root's own value is for a player."""
        for tree in self.trees:
            tree.clear(root_mover)
        for team in self.teams:
            team.line.forget()

    def keep(self, action: int, root_mover: int) -> None:
        """Keep what is below an action of the root, and no more."""
        for index, tree in enumerate(self.trees):
            below = part_below(tree, action, self.policies, self.interpreted)
            below.info[0].root_mover = root_mover
            self.trees[index] = below
        for team in self.teams:
            team.line.follow(action)

    def plant(
        self, capacity: int, root_mover: int, seen: NDArray[np.void], units: Units
    ) -> None:
        """Have trees with room for so many nodes each, to be searched from a state.

        Args:
            capacity: of each tree.
            root_mover: whom the root's own value is for, where a tree is new.
            seen: `[1]` the state, as the player to move knows it.
            units: what the returns are measured by.
        """
        trees: list[Any] = self.trees or [None] * len(self.teams)
        for index, tree in enumerate(trees):  # the old ones are freed one by one
            trees[index] = fit(tree, capacity, self.policies, root_mover)
        self.trees = trees
        for team, tree in zip(self.teams, self.trees, strict=True):
            team.go_to(seen)
            team.scale.set(units)
            tree.count_in(units)

    def grow(
        self, untils: Sequence[int], ends: Sequence[int], seconds: float | None
    ) -> None:
        """Run simulations; a tree that is full then makes room.

        Args:
            untils: the visits that each tree's root is to have.
            ends: the visits that it must not pass.
            seconds: how much time is left; making room must take a part of it only;
                None to make none.
        """
        each = zip(self.teams, self.trees, untils, ends, strict=True)
        calls = [
            (self.teams, self.native, call)
            for team, tree, until, end in each
            for call in team.calls(tree, until, end, self._parallel.in_turn)
        ]
        started = time.perf_counter()
        with np.errstate(over="ignore"):
            self._parallel.run(_search, calls[:1] if self.alone else calls)
            if time.perf_counter() - started >= ALONE_SECONDS:
                self.alone = False
            for team, tree in zip(self.teams, self.trees, strict=True):
                if tree.info.array["full"][0] == FULL and seconds is not None:
                    self._recycle(team, tree, seconds)

    def return_unused(self) -> None:
        """Give back what the threads have no use for any more."""
        for team, tree in zip(self.teams, self.trees, strict=False):
            team.return_unused(tree)

    def _recycle(self, team: ThreadTeam, tree: Tree, seconds: float) -> None:
        """Make room in a tree, if that takes a part of the seconds left only."""
        if HURRY * recycling_seconds(tree) < seconds:
            team.return_unused(tree)
            recycle(tree, self.interpreted)
        else:
            tree.info[0].full = STUCK


def streams_for(trees: int, threads: int) -> list[list[int]]:
    """The streams of random numbers for each thread of each tree.

    >>> streams_for(2, 2)
    [[0, 16], [17, 18]]
    """
    streams = [0, *range(FIRST_STREAM, FIRST_STREAM + trees * threads - 1)]
    return [
        streams[first : first + threads] for first in range(0, len(streams), threads)
    ]


def _search(teams: Sequence[ThreadTeam], native: Any, call: Call) -> None:
    """What a thread runs; a failure ends the others, too."""
    try:
        native(*call)
    except Exception:
        for team in teams:
            team.fail()
        raise
