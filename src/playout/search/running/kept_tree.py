"""What is kept of a tree from move to move: a part of it, or its room alone."""

from __future__ import annotations

from ...games.contract.game import CHANCE
from ...games.positions.position import Position
from ..kernels.lockstep import root_mover
from ..kernels.policies import Policies
from ..tree.nodes import ROOT
from ..tree.recycle import keep_below
from ..tree.tree import Tree

__all__ = ["fit", "follows", "new_tree", "part_below", "root_mover_of"]


def part_below(tree: Tree, action: int, policies: Policies, interpreted: bool) -> Tree:
    """What is below an action of the root; else the tree, emptied."""
    children = tree.children(ROOT)
    kept = children[tree.nodes.array["action"][children] == action]
    if len(kept) and not policies.root_is_special:
        below = keep_below(tree, int(kept[0]), interpreted)
        row = below.nodes[ROOT]
        if row.num_children > 0 or row.proven == 0:  # else its proof was recycled
            policies.solver.reroot(below)
            return below
    tree.clear(0)
    return tree


def new_tree(policies: Policies, capacity: int) -> Tree:
    """An empty tree, or graph, with room for so many nodes."""
    return policies.structure.reserve(policies.game, capacity, policies.node_dtype)


def fit(tree: Tree | None, capacity: int, policies: Policies, root_mover: int) -> Tree:
    """A tree of this capacity: the present one where it can be used.

    One with more nodes than that is given up, its memory with it, and so is a larger
    one in which nothing is left to keep.
    """
    if tree is not None and len(tree.nodes) > capacity:
        if not 1 < tree.num_nodes <= capacity:
            tree = None
    elif tree is not None and len(tree.nodes) < capacity:
        if not policies.structure.keeps_subtrees:
            tree = None  # only what is below the root could be copied
    if tree is None:
        tree = new_tree(policies, capacity)
        tree.clear(root_mover)
    elif capacity > len(tree.nodes):
        tree = tree.subtree(ROOT, capacity)
    tree.resize(capacity)
    return tree


def root_mover_of(position: Position, last: int | None = None) -> int:
    """Whom the root's own value is for: of two opponents, the last who moved.

    Where that says nothing of the one who is to move, it is that one.
    """
    player, game = position.current_player, position.game
    if last is None:
        return root_mover(game, player)
    if game.num_players() == 2 and game.zero_sum:
        return last
    return last if player == CHANCE else player


def follows(position: Position, earlier: Position) -> bool:
    """Whether a position was reached from an earlier one by its last moves."""
    known = len(earlier.actions)
    return (
        position.start_text == earlier.start_text
        and len(position.actions) > known
        and position.actions[:known] == earlier.actions
    )
