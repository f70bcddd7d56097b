"""Exact searches inside the tree: the game's `settle` is asked where it may pay.

What it proves is noted like the end of a game, and the solver takes it from there. It
is asked, each time for some positions only,

- of a leaf, in place of a rollout, as long as enough leaves are settled;
- of a node that is visited often, and again whenever its visits are four times as many;
- of the root at once, and again after some simulations each.

A node's own proof is enough for the nodes above it. The root's is not, as somebody is
to play a move: so the root is settled through a child that is proven, and where
`settle` names none the search goes on. A lost root is searched on, too, for the move
that holds out longest.

`proof_plies` of a node that is not proven counts how often the node was asked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import apart, zeros_apart
from ...core.jit.compiled import Compiled
from ...core.jit.rows import Rows
from ...games.contract.by_search import settle_by_search
from ...games.contract.game import (
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_WIN,
    UNSETTLED,
    Game,
    State,
)
from ...games.contract.words import for_opponent
from ..solver.base import Solver
from ..solver.bounds import (
    UNKNOWN_PLIES,
    bounds,
    cap_children,
    is_proven,
    is_settled,
    lower_of,
    upper_of,
)
from ..solver.score_bounds import ScoreBounds
from ..tree.children import add_child, find_child, list_children
from ..tree.nodes import CLOSED, NO_NODE, ROOT, NodeTable
from ..work import AT_ROOT, CURRENT, Work
from .structure import Phases, descend

__all__ = ["NoSettling", "Settling", "settling_for"]

#: The success of leaves is an average over about so many of them.
WINDOW = 64
#: Where too few are settled, one leaf of so many is asked all the same.
SELDOM = 32
#: A visited node is asked so often at most, the root as well.
MOST_ASKED, MOST_ROOT_ASKED = 12, 2**15 - 1

SEEN_DTYPE = np.dtype(
    [
        ("success", "f8"),  # of the leaves that were asked, how many were settled
        ("passed", "i8"),  # leaves that were not asked
        ("plies", "i8"),  # from the last leaf to the end: 0, as asked, or unknown
        ("paused", "i1"),  # 1 while nothing is asked
    ]
)


@dataclass(frozen=True)
class NoSettling(Compiled):
    """Asks nothing, and costs nothing."""

    interpreted_methods = frozenset({"pause"})

    def pause(self, paused: bool) -> None:
        """Ask nothing for a while, or go on."""

    # -- compiled ----------------------------------------------------------------------

    def begin(self, policies: Phases, tree: NodeTable, work: Work) -> int:
        """Ask about the node where a simulation begins; the depth where it ends, or -1.

        The path then leads to a place that is proven.
        """
        return -1

    def settles(
        self, policies: Phases, tree: NodeTable, work: Work, depth: int
    ) -> bool:
        """Ask about a place on the way, if it is due; whether it is proven now."""
        return False

    def knows(self, tree: NodeTable, place: int) -> bool:
        """Whether the place where a simulation has ended is proven."""
        return False

    def proves_leaf(self, game: Game, state: State, work: Work, ended: bool) -> bool:
        """Ask about a leaf that is no end; whether its `work.returns` are exact now."""
        return False

    def leaf_plies(self) -> int:
        """What `proof_plies` of that leaf, or of an end, are to be."""
        return 0

    def is_due(self, tree: NodeTable) -> bool:
        """Whether the root is to be asked about."""
        return False

    def ask_root(self, policies: Phases, work: Work) -> tuple[int, int, int]:
        """What `settle` says of the root."""
        return UNSETTLED, -1, 0

    def note_root(
        self, policies: Phases, tree: NodeTable, work: Work, said: tuple[int, int, int]
    ) -> bool:
        """Note what was said of the root; whether the path leads to a proven child."""
        return False


@dataclass(frozen=True)
class Settling(NoSettling):
    """Asks the game's `settle`.

    Attributes:
        table: `[T]` words that `settle` keeps.
        seen: `[1]` row of `SEEN_DTYPE`.
        leaf_nodes: see `ScoreBounds`, as for all others.
    """

    table: NDArray[np.uint64]
    seen: Rows
    leaf_nodes: int
    least_success: float
    visited_nodes: int
    visited_at: int
    root_nodes: int
    root_every: int

    def pause(self, paused: bool) -> None:
        self.seen[0].paused = paused

    # -- compiled ----------------------------------------------------------------------

    def ask(self, game: Game, state: State, nodes: int) -> tuple[int, int, int]:
        """What `settle` says of a state that is not terminal."""
        if nodes == 0 or self.seen[0].paused == 1:
            return UNSETTLED, -1, 0
        outcome, action, plies = game.settle(state, nodes, self.table)
        return int(outcome), int(action), int(plies)

    def begin(self, policies: Phases, tree: NodeTable, work: Work) -> int:
        if work.path[0].place != ROOT:  # of a branch that a thread owns
            return 0 if self.settles(policies, tree, work, 0) else -1
        return 1 if self.is_due(tree) and self.root_ends(policies, tree, work) else -1

    def is_due(self, tree: NodeTable) -> bool:
        row = tree.nodes[ROOT]
        asked = row.proof_plies
        if is_settled(row.proven) or asked >= MOST_ROOT_ASKED:
            return False
        again = asked == 0 or len(self.table) > 0
        return bool(again and row.visits >= asked * self.root_every)

    def root_ends(self, policies: Phases, tree: NodeTable, work: Work) -> bool:
        """Ask about the root while no other thread works on the nodes below."""
        tree.nodes[ROOT].proof_plies += 1
        said = self.ask_root(policies, work)
        if said[0] == UNSETTLED or not work.begin_proof(0):
            return False
        ends = self.note_root(policies, tree, work, said)
        work.end_proof(0)
        return ends

    def ask_root(self, policies: Phases, work: Work) -> tuple[int, int, int]:
        return self.ask(policies.game, work.states[AT_ROOT], self.root_nodes)

    def note_root(
        self, policies: Phases, tree: NodeTable, work: Work, said: tuple[int, int, int]
    ) -> bool:
        outcome, action, plies = said
        if outcome == SETTLED_WIN or (outcome == SETTLED_DRAW and action >= 0):
            return settle_root(policies, tree, work, outcome, action, plies)
        if upper_of(outcome) <= 0:
            mover = policies.game.current_player(work.states[AT_ROOT])
            note(policies, tree, work, 0, mover, SETTLED_AT_MOST_DRAW, 0)
            cap_root(tree, work)
        return False

    def settles(
        self, policies: Phases, tree: NodeTable, work: Work, depth: int
    ) -> bool:
        row = tree.nodes[work.path[depth].place]
        if row.visits < self.visited_at or is_proven(row.proven):
            return False
        asked = row.proof_plies
        if asked >= MOST_ASKED or row.visits < self.visited_at << 2 * asked:
            return False
        row.proof_plies = asked + 1
        game, state = policies.game, work.states[CURRENT]
        outcome, _, plies = self.ask(game, state, self.visited_nodes)
        if outcome == UNSETTLED or not work.begin_proof(depth):
            return False
        mover = game.current_player(state)
        note(policies, tree, work, depth, mover, outcome, plies)
        policies.structure.propagate(policies, tree, work, depth)
        work.end_proof(depth)
        return is_proven(row.proven)

    def knows(self, tree: NodeTable, place: int) -> bool:
        return is_proven(tree.nodes[place].proven)

    def proves_leaf(self, game: Game, state: State, work: Work, ended: bool) -> bool:
        seen = self.seen[0]
        seen.plies = 0
        if ended or not self.asks_leaf():
            return False
        outcome, _, plies = self.ask(game, state, self.leaf_nodes)
        settled = is_proven(outcome)
        seen.success += ((1.0 if settled else 0.0) - seen.success) / WINDOW
        if settled:
            mover = game.current_player(state)
            work.returns[mover] = float(lower_of(outcome))
            work.returns[1 - mover] = -work.returns[mover]
            seen.plies = plies if plies > 0 else UNKNOWN_PLIES
        return settled

    def asks_leaf(self) -> bool:
        """Whether enough leaves are settled, or this one tells whether they are."""
        seen = self.seen[0]
        if self.leaf_nodes == 0:
            return False
        if seen.success >= self.least_success:
            return True
        seen.passed += 1
        return bool(seen.passed % SELDOM == 0)

    def leaf_plies(self) -> int:
        return int(self.seen[0].plies)


@dataclass(frozen=True)
class SettlingBySearch(Settling):
    """Settles states of a game that has no `settle`, by `settle_by_search`."""

    def ask(self, game: Game, state: State, nodes: int) -> tuple[int, int, int]:
        if nodes == 0 or self.seen[0].paused == 1:
            return UNSETTLED, -1, 0
        return settle_by_search(game, state, nodes, self.table)


def settling_for(game: Game, solver: Solver) -> NoSettling:
    """What settles states of a game, with a table of its own."""
    if not isinstance(solver, ScoreBounds) or solver.settling(game) == "no":
        return NoSettling()
    seen = np.zeros(1, dtype=SEEN_DTYPE)
    seen["success"] = 1.0
    kind = SettlingBySearch if solver.settling(game) == "search" else Settling
    return kind(
        zeros_apart(max(0, int(game.settle_table_size())), np.uint64),
        Rows(apart(seen)),
        solver.leaf_nodes,
        solver.least_success,
        solver.visited_nodes,
        solver.visited_at,
        solver.root_nodes,
        solver.root_every,
    )


# -- compiled --------------------------------------------------------------------------


def note(
    policies: Phases,
    tree: NodeTable,
    work: Work,
    depth: int,
    mover: int,
    outcome: int,
    plies: int,
) -> None:
    """Note an outcome, said for `mover`, at the place `work.path[depth]`."""
    row = tree.nodes[work.path[depth].place]
    if policies.structure.viewer(tree, work, depth) != mover:
        outcome = for_opponent(outcome)
    lower = max(lower_of(outcome), lower_of(row.proven))
    upper = min(upper_of(outcome), upper_of(row.proven))
    if lower > upper:  # against what is proven already
        return
    row.proven = bounds(lower, upper) | (row.proven & CLOSED)
    if lower == upper:
        row.proof_plies = plies if plies > 0 else UNKNOWN_PLIES


def settle_root(
    policies: Phases, tree: NodeTable, work: Work, outcome: int, action: int, plies: int
) -> bool:
    """Have a child of the root proven, and the root by it; whether there is room."""
    game = policies.game
    work.states[CURRENT] = work.states[AT_ROOT]
    mover = game.current_player(work.states[CURRENT])
    child = child_for(policies, tree, work, action)
    if child == NO_NODE:
        return False
    if outcome == SETTLED_DRAW:
        note(policies, tree, work, 0, mover, outcome, plies)
        cap_root(tree, work)
    descend(policies, tree, work, 0, child)
    policies.structure.arrive(policies, tree, work, 1, child)
    note(policies, tree, work, 1, mover, outcome, plies - 1)
    if game.is_terminal(work.states[CURRENT]):
        tree.nodes[work.path[1].place].proof_plies = 0
    policies.structure.propagate(policies, tree, work, 1)
    return True


def child_for(policies: Phases, tree: NodeTable, work: Work, action: int) -> int:
    """The root's child for an action; `NO_NODE` where it has none and can get none.

    A new one stands out of the expansion's order, which harms nothing: it is proven at
    once, and the root by it, so that the expansion makes no more children there.
    """
    child = find_child(tree, ROOT, action)
    row = tree.nodes[ROOT]
    if child != NO_NODE:
        return child
    if row.num_children == 0:
        row.num_legal = policies.expansion.candidates(
            policies.game, work.states[AT_ROOT], ROOT, work
        )
    if row.num_children >= row.num_legal:
        return NO_NODE
    return add_child(tree, ROOT, action)


def cap_root(tree: NodeTable, work: Work) -> None:
    """Note that no child of the root is worth more than a draw to who chooses."""
    cap_children(tree, work.actions, list_children(tree, ROOT, work.actions), 0)
