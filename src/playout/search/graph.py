"""Search of a graph: positions that are reached in several ways are one node.

    David J. Wu, "Monte-Carlo Graph Search from First Principles" (KataGo's
    GraphSearch.md), for why edges and nodes must be counted apart; Saffidine, Cazenave,
    Méhat, "UCD: Upper Confidence Bound for Rooted Directed Acyclic Graphs", 2012.

The tree's array holds two kinds of rows. A *node* is a state; its children, as in a
tree, are *edges*, and an edge leads to a node (`target`). An edge's visits are
simulations that took this action here; a node's, N, are those of all its edges and its
own rollouts. Its value Q follows from those of the nodes that its edges lead to,

    N Q = U + (sum over edges of the edge's visits times the Q of its node)

with U the sum of the node's own rollouts. What is learned in one way counts in all, and
nothing counts twice. An edge shows the chooser's value of its node (`value_sum` is
visits times Q) and what is proven of it, so that selection, choice and the solver's
bounds work as in a tree. It is brought up to date whenever it is taken, and with all
others at every eighth visit of its node: to look at all of them every time is what
makes a graph slow.

The value and the bounds of a node are for player `frame`, who is not to move there.
Nodes are found by a hash of 64 bits: two states that share one would be taken for one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.compiled import static
from ..core.hashing import row_hash
from ..core.native import kernel
from ..games.game import Game, has_own
from .kernel import Policies, evaluate
from .plain import expect_plain
from .policy import AT_ROOT, CURRENT
from .proofs import bounds, is_proven, lower_of, plies_to_end, upper_of
from .table import TableTree, enter, find_key, table_for
from .tree import (
    CLOSED,
    NO_NODE,
    ROOM,
    ROOT,
    STUCK,
    Tree,
    all_closed,
    allocate,
    has_room,
    list_children,
)

__all__ = ["Graph", "check_graph", "simulate_graph"]


#: After so many visits a node looks at all its edges again.
REFRESH_EVERY = 8


@dataclass(frozen=True)
class Graph(TableTree):
    """A tree's array in which edges lead to nodes, and a table that finds them.

    Attributes:
        hashes: whether the game has a `hash` of its own.
    """

    hashes: bool = static(False)

    @classmethod
    def for_game(cls, game: Game, capacity: int, dtype: np.dtype[Any]) -> Graph:
        """An empty graph with room for so many rows."""
        plain = Tree.reserve(capacity, dtype)
        hashes = has_own(game, "hash")
        return cls(plain.nodes, plain.info, plain.blank, table_for(capacity), hashes)

    def entry(self, node: int) -> int:
        target = int(self.nodes.array["target"][node])
        return target - 1 if target > 0 else node


def check_graph(policies: Policies) -> None:
    """Complain about what cannot be searched as a graph.

    Raises:
        UsageError: the game is of another kind, or a policy is.
    """
    if policies.transpositions:
        expect_plain(policies, "with transpositions", of_two=True)


# -- compiled --------------------------------------------------------------------------


@kernel
def simulate_graph(
    policies: Any, tree: Any, work: Any, until: int, at_most: int
) -> None:
    """Run simulations until the root has `until` visits. Modified in place."""
    root = tree.nodes[ROOT]
    work.path[0].node = ROOT
    if root.visits == 0:
        root.frame = 1 - policies.game.current_player(work.states[AT_ROOT])
        enter(tree, ROOT, state_hash(policies.game, tree, work.states[AT_ROOT]))
    tree.info[0].root_mover = root.frame
    while root.visits < until and not is_proven(root.proven):
        simulation(policies, tree, work)


def simulation(policies: Any, tree: Any, work: Any) -> None:
    """One pass: walk to a leaf, play it out if it is new, back up."""
    work.states[CURRENT] = work.states[AT_ROOT]
    depth = walk(policies, tree, work)
    if depth > tree.info[0].max_depth:
        tree.info[0].max_depth = depth
    settle(policies, tree, work, work.path[depth].node, depth)
    for index in range(depth - 1, -1, -1):
        edge = work.path[index + 1].action
        update_edge(tree, work, work.path[index].node, edge)


def walk(policies: Any, tree: Any, work: Any) -> int:
    """Selection and expansion; the depth of the leaf, whose state is the current one.

    `work.path` tells the nodes, and as `action` the edge that led to each.
    """
    depth = 0
    node = ROOT
    while depth + 1 < len(work.path) and not is_proven(tree.nodes[node].proven):
        edge = take_edge(policies, tree, work, node, depth)
        if edge == NO_NODE:
            break
        policies.game.apply(work.states[CURRENT], tree.nodes[edge].action)
        if tree.nodes[edge].target == 0:
            tree.nodes[edge].target = 1 + find_node(policies.game, tree, work)
        depth += 1
        node = tree.nodes[edge].target - 1
        work.path[depth].node = node
        work.path[depth].action = edge
        if tree.nodes[node].visits == 0:
            break
    return depth


def take_edge(policies: Any, tree: Any, work: Any, node: int, depth: int) -> int:
    """A new edge of a node that is to have more, or the one that selection takes."""
    if tree.info[0].full == ROOM and policies.expansion.is_due(tree, node):
        if has_room(tree, len(work.actions) + 1):  # for edges, and a node
            first, count = policies.expansion.expand(
                policies.game, work.states[CURRENT], tree, node, work
            )
            if count > 0:
                return int(first)
        else:
            tree.info[0].full = STUCK
    if tree.nodes[node].num_children == 0:
        return NO_NODE
    if tree.info[0].full == STUCK and all_closed(tree, node):
        return NO_NODE  # only a rollout tells of the actions that have no edge
    return int(policies.selection.select(policies.game, tree, node, work, depth))


def state_hash(game: Any, tree: Any, state: Any) -> Any:
    """64 bits that stand for a state: the game's own hash, or one of its bytes."""
    if tree.hashes:
        return np.uint64(game.hash(state))
    return row_hash(state)


def find_node(game: Any, tree: Any, work: Any) -> int:
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


def settle(policies: Any, tree: Any, work: Any, node: int, depth: int) -> None:
    """Play a leaf out; what the end of a game proves, and what is proven, is exact."""
    game = policies.game
    state = work.states[CURRENT]
    row = tree.nodes[node]
    if is_proven(row.proven):
        add_own(row, float(lower_of(row.proven)))
        return
    ended = policies.solver.ends(game, state)
    policies.rollout.play(game, state, work, depth)
    evaluate(game, policies.rollout, state, work.returns)
    value = work.returns[row.frame]
    add_own(row, value)
    if ended:
        row.proven = bounds(max(-1, math.floor(value)), min(1, math.ceil(value)))


def add_own(row: Any, value: float) -> None:
    """Count a result of a node's own."""
    row.own_visits += 1
    row.own_sum += value
    row.visits += 1
    row.value_sum += value


def update_edge(tree: Any, work: Any, node: int, edge: int) -> None:
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


def refresh(tree: Any, work: Any, node: int) -> None:
    """Recompute a node from all its edges, and them from their nodes."""
    row = tree.nodes[node]
    count = list_children(tree, node, work.actions)
    visits, total = np.int64(row.own_visits), row.own_sum
    for index in range(count):
        edge = tree.nodes[work.actions[index]]
        look_below(tree, row, edge)
        visits += edge.visits
        total -= edge.value_sum
    row.visits = visits
    row.value_sum = total
    prove(tree, work.actions, count, row)


def look_below(tree: Any, row: Any, edge: Any) -> None:
    """Write into an edge of a node what its other end is worth to the one who chooses.

    The other end has been visited. Modified in place.
    """
    below = tree.nodes[edge.target - 1]
    lower, upper = lower_of(below.proven), upper_of(below.proven)
    value = below.value_sum / below.visits
    if below.frame == row.frame:
        value = -value
        lower, upper = -upper, -lower
    edge.value_sum = edge.visits * value
    edge.proven = bounds(lower, upper) | (edge.proven & CLOSED)
    edge.proof_plies = below.proof_plies


def prove(tree: Any, edges: Any, count: int, row: Any) -> None:
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
    if lower == upper:
        row.proof_plies = plies_to_end(tree, edges, count, lower)
    least = max(-upper, lower_of(row.proven))
    most = min(-lower, upper_of(row.proven))
    row.proven = bounds(least, most)
