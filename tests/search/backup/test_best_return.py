"""Max and mixed backups: what a node of a puzzle is worth."""

import numpy as np
import pytest

from playout import MCTS, Limit, TicTacToe, UsageError
from playout.games.more.tsp import Tour
from playout.search.backup.best_return import Max, Mixed

GAME = Tour(cities=5, seed=2)


def tree_of(backup, **options):
    search = MCTS(GAME, backup=backup, seed=1, interpreted=True, **options)
    search.search(limit=Limit(simulations=60))
    nodes = search.tree.nodes.array[: search.tree.num_nodes]
    return search, nodes[nodes["visits"] > 0]


def test_the_value_is_that_of_the_best_return():
    search, nodes = tree_of(Max())
    assert np.allclose(nodes["value_sum"] / nodes["visits"], nodes["best_return"])
    for node in range(search.tree.num_nodes):
        below = search.tree.nodes.array[search.tree.children(node)]
        best = below["best_return"][below["visits"] > 0].max(initial=-1)
        assert search.tree.nodes.array["best_return"][node] >= best


def test_a_mix_lies_between():
    _, nodes = tree_of(Mixed(alpha=0.25))
    mean = nodes["return_sum"] / nodes["num_returns"]
    value = nodes["value_sum"] / nodes["visits"]
    assert np.allclose(value, 0.25 * mean + 0.75 * nodes["best_return"])


def test_it_is_for_puzzles():
    with pytest.raises(UsageError, match="Max is for games of one player"):
        MCTS(TicTacToe(), backup=Max())
    with pytest.raises(UsageError, match="alpha must be 0 to 1"):
        Mixed(alpha=2)
