"""What is left of a tree after a move: its statistics and its depth."""

import pytest

from playout import MCTS, Limit, TicTacToe, Tree, Unsolved
from playout.search.tree.nodes import ROOT
from playout.search.tree.recycle import keep_below, recycle


def depth_of(tree: Tree) -> int:
    """Of the deepest node, one level after another."""
    level, depth = [ROOT], -1
    while level:
        level = [int(child) for node in level for child in tree.children(node)]
        depth += 1
    return depth


@pytest.fixture
def grown() -> Tree:
    search = MCTS(TicTacToe(), seed=1, solver=Unsolved(), interpreted=True)
    search.search(limit=Limit(simulations=400))
    tree = search.tree
    assert tree.info[0].max_depth == depth_of(tree) >= 5
    return tree


@pytest.mark.parametrize("has_room", [True, False])
def test_a_kept_tree_is_as_deep_as_its_deepest_node(
    grown: Tree, has_room: bool
) -> None:
    """Tried as a copy and in the old memory, below children of several depths."""
    depths = set()
    for child in grown.children(ROOT):
        tree = grown.subtree(ROOT, 2 * grown.num_nodes)
        tree.info[0].capacity = (1 + has_room) * tree.num_nodes
        kept = keep_below(tree, int(child), interpreted=True)
        assert (kept is not tree) == has_room
        assert kept.info[0].max_depth == depth_of(kept) < grown.info[0].max_depth
        depths.add(depth_of(kept))
    assert len(depths) > 1


def test_a_recycled_tree_is_as_deep_as_its_deepest_node(grown: Tree) -> None:
    grown.info[0].capacity = grown.num_nodes
    before = depth_of(grown)
    recycle(grown, interpreted=True)
    assert grown.info[0].max_depth == depth_of(grown) < before
