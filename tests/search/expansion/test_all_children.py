"""`AllChildren`: made together, and counted one by one."""

from playout import MCTS, AllChildren, Limit, TicTacToe
from playout.search.tree.nodes import ROOT


def test_all_children_are_made_together_after_the_threshold() -> None:
    search = MCTS(
        TicTacToe(), expansion=AllChildren(threshold=30, urgent="never"), seed=1
    )
    search.search(limit=Limit(simulations=9))
    assert (
        sorted(row.visits for row in search.search(limit=Limit(simulations=1)).actions)[
            0
        ]
        == 1
    )
    search.search(limit=Limit(simulations=3000))
    nodes, tree = search.tree.nodes.array, search.tree
    for child in tree.children(ROOT):
        expanded = len(tree.children(int(child))) > 0
        assert expanded == (nodes["visits"][child] > 30)


def test_simulations_are_counted_exactly_even_when_children_come_in_batches() -> None:
    for wanted in (1, 5, 9, 10, 14, 100, 333):
        batches = AllChildren(threshold=2)
        search = MCTS(TicTacToe(), expansion=batches, seed=3, interpreted=True)
        result = search.search(limit=Limit(simulations=wanted))
        assert result.simulations == result.visits == wanted
