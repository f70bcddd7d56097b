"""Search of a graph: positions that are reached in several ways are one node.

    David J. Wu, "Monte-Carlo Graph Search from First Principles" (KataGo's
    GraphSearch.md), for why edges and nodes must be counted apart; Saffidine, Cazenave,
    Méhat, "UCD: Upper Confidence Bound for Rooted Directed Acyclic Graphs", 2012.

The tree's array holds two kinds of rows. A *node* is a state; its children, as in a
tree, are *edges*, and an edge leads to a node (`target`). An edge's visits are
simulations that took this action here; a node's, N, are those of all its edges and its
own rollouts. Its value Q follows from those of the nodes that its edges lead to,

    N Q = U + (sum over edges of the edge's visits times the Q of its node)

with U the sum of the node's own rollouts. What is learned by one way to a node counts
for all, and nothing counts twice. An edge shows the chooser's value of its node
(`value_sum` is visits times Q) and what is proven of it, so that selection, choice and
the solver's bounds work as in a tree. It is brought up to date whenever it is taken,
and with all others at every eighth visit of its node: updating all of them every time
is slow.

The value and the bounds of a node are for player `frame`, who is not to move there.
Nodes are found by a hash of 64 bits: two states that share one would be taken for one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.hashing import row_hash
from ...core.jit.rows import Row
from ...games.contract.game import Actions, Game, State, has_own
from ..backup.mean import Mean
from ..expansion.all_children import AllChildren
from ..expansion.on_evaluation import OnEvaluation
from ..policy import Policy
from ..solver.base import Unsolved
from ..solver.bounds import (
    UNKNOWN_PLIES,
    bounds,
    cap_children,
    is_proven,
    lower_of,
    plies_to_end,
    upper_of,
)
from ..solver.score_bounds import ScoreBounds
from ..tree.children import allocate, has_room, list_children
from ..tree.hash_index import TABLE_BYTES, TableTree, enter, find_key
from ..tree.nodes import CLOSED, NO_NODE, ROOT, STUCK, GraphColumns
from ..tree.tree import Tree
from ..work import AT_ROOT, CURRENT, Work
from .simulate import expand, max_depth
from .structure import Phases, Structure, take_child

__all__ = ["Graph", "Transpositions"]


#: After so many visits a node looks at all its edges again.
REFRESH_EVERY = 8


@dataclass(frozen=True)
class Graph(TableTree):
    """A tree's array in which edges lead to nodes, and a table that finds them.

    Attributes:
        hashes: whether the game has a `hash` of its own.
    """

    hashes: bool = static(False)

    def entry(self, node: int) -> int:
        target = int(self.nodes.array["target"][node])
        return target - 1 if target > 0 else node


@dataclass(frozen=True)
class Transpositions(Structure[Graph]):
    """A graph: an edge's place is the node of the state that it leads to."""

    columns: ClassVar[tuple[tuple[str, str], ...]] = GraphColumns.columns
    rows_per_child: ClassVar[int] = 3  # an edge, a node, and to spare
    bytes_per_row: ClassVar[int] = TABLE_BYTES
    keeps_subtrees: ClassVar[bool] = False

    def check(self, policies: Phases) -> None:
        game = policies.game
        two = game.num_players() == 2 and game.zero_sum
        if not two or game.has_chance or game.has_hidden:
            raise UsageError(
                f"{game.name or type(game).__name__} cannot be searched with "
                "transpositions: that is for games of two players without chance or "
                "hidden information whose returns add up to 0"
            )
        expansion = policies.expansion
        if policies.backup != Mean():
            _refuse(policies.backup, "a graph's node is worth what its edges lead to")
        if not isinstance(policies.solver, ScoreBounds | Unsolved):
            _refuse(policies.solver, "a graph proves by score bounds")
        if policies.selection.counts_own_results:
            _refuse(
                policies.selection,
                "it counts an edge's own results, and its value "
                "comes from those of others as well",
            )
        if isinstance(expansion, OnEvaluation):
            _refuse(expansion, "a graph's edges are made on the way to a leaf")
        if isinstance(expansion, AllChildren) and expansion.visit_all:
            _refuse(
                expansion,
                "what it would play out may be known already; take visit_all=False",
            )

    def reserve(self, game: Game, capacity: int, dtype: np.dtype[Any]) -> Tree:
        return Graph.with_table(capacity, dtype, hashes=has_own(game, "hash"))

    # -- compiled ----------------------------------------------------------------------

    def start(self, policies: Phases, tree: Graph, work: Work) -> None:
        root = tree.nodes[ROOT]
        if root.visits == 0:
            state = work.states[AT_ROOT]
            root.frame = 1 - policies.game.current_player(state)
            enter(tree, ROOT, state_hash(policies.game, tree, state))
        tree.info[0].root_mover = root.frame
        step = work.path[0]
        step.node = ROOT
        step.place = ROOT
        step.mover = root.frame

    def take_child(
        self,
        policies: Phases,
        tree: Graph,
        work: Work,
        depth: int,
        node: int,
        stuck: bool,
    ) -> int:
        """A new edge of a node that is to have more, or the one that selection takes.

        Edges are made on the way, as a new one may lead to a node that is known.
        """
        if depth >= max_depth(policies, work):
            return NO_NODE
        stuck = tree.info[0].full == STUCK
        edge = take_child(policies, tree, work, depth, node, stuck)
        if edge != NO_NODE or stuck:
            return edge
        if has_room(tree, len(work.actions) + 1):  # for edges, and a node
            first, count = expand(policies, tree, work, depth)
            return first if count > 0 else NO_NODE
        tree.info[0].full = STUCK
        return take_child(policies, tree, work, depth, node, True)

    def arrive(
        self, policies: Phases, tree: Graph, work: Work, depth: int, child: int
    ) -> int:
        """The node that an edge leads to; the way ends at one that is new or proven."""
        if tree.nodes[child].target == 0:
            tree.nodes[child].target = 1 + find_node(policies.game, tree, work)
        node = int(tree.nodes[child].target - 1)
        work.path[depth].place = node
        row = tree.nodes[node]
        return NO_NODE if row.visits == 0 or is_proven(row.proven) else node

    def expands_leaves(self) -> bool:
        return False

    def knows(self, policies: Phases, tree: Graph, place: int) -> bool:
        return is_proven(tree.nodes[place].proven)

    def recall(self, policies: Phases, tree: Graph, work: Work, depth: int) -> None:
        row = tree.nodes[work.path[depth].place]
        value = float(lower_of(row.proven))
        work.returns[row.frame] = value
        work.returns[1 - row.frame] = -value

    def viewer(self, tree: Graph, work: Work, depth: int) -> int:
        return int(tree.nodes[work.path[depth].place].frame)

    def propagate(self, policies: Phases, tree: Graph, work: Work, depth: int) -> None:
        return  # edges learn from their nodes when they are brought up to date

    def back_up(
        self,
        policies: Phases,
        tree: Graph,
        work: Work,
        depth: int,
        plies: int,
        ended: bool,
    ) -> None:
        """Count the result at the leaf, and bring the edges that led there up to date.

        What the end of a game proves is exact.
        """
        row = tree.nodes[work.path[depth].place]
        value = work.returns[row.frame]
        add_own(row, value)
        if ended:
            row.proven = bounds(max(-1, math.floor(value)), min(1, math.ceil(value)))
            row.proof_plies = work.exact.leaf_plies()
        for index in range(depth - 1, -1, -1):
            edge = work.path[index + 1].node
            update_edge(tree, work, work.path[index].place, edge)


def _refuse(policy: Policy, why: str) -> None:
    raise UsageError(f"{policy} does not work with transpositions: {why}")


# -- compiled --------------------------------------------------------------------------


def state_hash(game: Game, tree: Graph, state: State) -> np.uint64:
    """64 bits that stand for a state: the game's own hash, or one of its bytes."""
    if tree.hashes:
        return np.uint64(game.hash(state))
    return row_hash(state)


def find_node(game: Game, tree: Graph, work: Work) -> int:
    """The node of the current state; made where it is new. There is room for it."""
    state = work.states[CURRENT]
    key = state_hash(game, tree, state)
    node = find_key(tree, key)
    if node != NO_NODE:
        return node
    node = allocate(tree, 1)
    over = game.is_terminal(state)
    tree.nodes[node].frame = 0 if over else 1 - game.current_player(state)
    enter(tree, node, key)
    return node


def add_own(row: Row, value: float) -> None:
    """Count a result of a node's own."""
    row.own_visits += 1
    row.own_sum += value
    row.visits += 1
    row.value_sum += value


def update_edge(tree: Graph, work: Work, node: int, edge: int) -> None:
    """Count a simulation that took an edge of a node; learn from where it led."""
    row = tree.nodes[node]
    taken = tree.nodes[edge]
    taken.visits += 1
    if row.visits % REFRESH_EVERY == 0:
        refresh(tree, work, node)
        return
    before = taken.proven
    row.value_sum += taken.value_sum
    look_below(tree, row, taken)
    row.value_sum -= taken.value_sum
    row.visits += 1
    if taken.proven != before:
        prove(tree, work.actions, list_children(tree, node, work.actions), row)


def refresh(tree: Graph, work: Work, node: int) -> None:
    """Recompute a node from all its edges, and them from their nodes."""
    row = tree.nodes[node]
    count = list_children(tree, node, work.actions)
    visits, total = np.int64(row.own_visits), row.own_sum
    for index in range(count):
        edge = tree.nodes[work.actions[index]]
        if edge.visits > 0:
            look_below(tree, row, edge)
        visits += edge.visits
        total -= edge.value_sum
    row.visits = visits
    row.value_sum = total
    prove(tree, work.actions, count, row)


def look_below(tree: Graph, row: Row, edge: Row) -> None:
    """Write into an edge of a node the value of its other end, for the one who chooses.

    The other end has been visited. What the edge knows from its node (`cap_children`)
    stays. Modified in place.
    """
    below = tree.nodes[edge.target - 1]
    lower, upper = lower_of(below.proven), upper_of(below.proven)
    value = below.value_sum / below.visits
    if below.frame == row.frame:
        value = -value
        lower, upper = -upper, -lower
    edge.value_sum = edge.visits * value
    found = bounds(max(lower, lower_of(edge.proven)), min(upper, upper_of(edge.proven)))
    told = is_proven(below.proven) or not is_proven(found)
    edge.proven = found | (edge.proven & CLOSED)
    edge.proof_plies = below.proof_plies if told else UNKNOWN_PLIES


def prove(tree: Graph, edges: Actions, count: int, row: Row) -> None:
    """Take over what the edges of a node prove, as `ScoreBounds` does in a tree."""
    lower, upper = -1, -1 if count == row.num_legal else 1
    for index in range(count):
        proven = tree.nodes[edges[index]].proven
        lower = max(lower, lower_of(proven))
        upper = max(upper, upper_of(proven))
    for index in range(count):
        edge = tree.nodes[edges[index]]
        if upper_of(edge.proven) <= lower:
            edge.proven |= CLOSED
    least = max(-upper, lower_of(row.proven))
    most = min(-lower, upper_of(row.proven))
    found = bounds(least, most)
    if lower == upper:
        row.proof_plies = plies_to_end(tree, edges, count, lower)
    elif is_proven(found) and not is_proven(row.proven):  # by what `settle` said, too
        row.proof_plies = UNKNOWN_PLIES
        cap_children(tree, edges, count, -lower_of(found))
    row.proven = found
