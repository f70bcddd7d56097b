"""`Columns`: single numbers are those that the arrays hold."""

import pickle
from typing import Any

import numpy as np
import pytest

from playout import MCTS, AllChildren, ConnectFour, Limit
from playout.core.jit.rows import Rows
from playout.search.tree.children import link_block, link_parts
from playout.search.tree.columns import Columns
from playout.search.tree.nodes import LATER_PRIOR, NO_NODE, QUARTERS, node_dtype


def test_children_are_in_the_order_in_which_they_were_made() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=3_000))
    nodes, columns = search.tree.nodes.array, search.tree.columns
    for node in range(search.tree.num_nodes):
        children = columns.children(node)
        assert len(children) == nodes["num_children"][node]
        assert len({*children}) == len(children)
        assert NO_NODE not in children
    used = [child for node in range(200) for child in columns.children(node)]
    assert len({*used}) == len(used)  # no node has two parents


@pytest.mark.parametrize("columns", [(), (QUARTERS,), (LATER_PRIOR,)])
def test_a_block_may_stand_far_from_the_one_before(columns: Any) -> None:
    """All bytes of its number differ."""
    nodes = Rows(np.zeros(8, node_dtype(*columns)))
    first = link_parts(nodes)
    nodes[0].first_child, nodes[0].num_children = 1, first + 1
    link_block(nodes, 1, 0x7A5B3C1D)
    children = [*range(1, 1 + first), 0x7A5B3C1D]
    assert Columns(nodes.array).children(0) == children


def test_numbers_are_those_of_the_rows() -> None:
    search = MCTS(ConnectFour(), expansion=AllChildren(), seed=1)
    result = search.search(limit=Limit(simulations=500))
    nodes, columns = search.tree.nodes.array, search.tree.columns
    children = columns.children(0)
    assert sorted(map(columns.action, children)) == list(range(7))
    for child in children:
        assert columns.visits(child) == nodes["visits"][child]
        assert columns.proven(child) == nodes["proven"][child]
    told = {move.action: move.visits for move in result.actions}
    assert told == {columns.action(c): columns.visits(c) for c in children}


def test_a_tree_that_was_looked_at_can_be_copied() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=10, nodes=100))
    copy = pickle.loads(pickle.dumps(search.tree))
    search.search(limit=Limit(simulations=10, nodes=100))
    assert copy.columns.visits(0) == copy.visits == 10
    assert search.tree.columns.visits(0) == search.tree.visits == 20
