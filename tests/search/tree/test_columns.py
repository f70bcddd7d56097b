"""`Columns`: single numbers are those that the arrays hold."""

from playout import MCTS, AllChildren, ConnectFour, Limit
from playout.search.tree.nodes import NO_NODE


def test_children_are_in_the_order_in_which_they_were_made() -> None:
    search = MCTS(ConnectFour(), seed=1)
    search.search(limit=Limit(simulations=3_000))
    nodes, columns = search.tree.nodes.array, search.tree.columns()
    for node in range(search.tree.num_nodes):
        children = columns.children(node)
        assert len(children) == nodes["num_children"][node]
        assert len({*children}) == len(children)
        assert NO_NODE not in children
    used = [child for node in range(200) for child in columns.children(node)]
    assert len({*used}) == len(used)  # no node has two parents


def test_numbers_are_those_of_the_rows() -> None:
    search = MCTS(ConnectFour(), expansion=AllChildren(), seed=1)
    result = search.search(limit=Limit(simulations=500))
    nodes, columns = search.tree.nodes.array, search.tree.columns()
    children = columns.children(0)
    assert sorted(map(columns.action, children)) == list(range(7))
    for child in children:
        assert columns.visits(child) == nodes["visits"][child]
        assert columns.proven(child) == nodes["proven"][child]
    told = {move.action: move.visits for move in result.actions}
    assert told == {columns.action(c): columns.visits(c) for c in children}
