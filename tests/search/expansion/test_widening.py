"""Progressive widening against numbers worked out by hand."""

import math

import numpy as np

from playout import MCTS, Limit, TicTacToe, Unsolved
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.tree.nodes import ROOT
from tests.search.trees import search_of


def test_widening_by_hand() -> None:
    """2 * N^0.5 children, at least one, and the likeliest first: centre, corners."""
    policy = ProgressiveWidening(widening=2.0, exponent=0.5, urgent="never")
    search = search_of({"expansion": policy, "solver": Unsolved()}, interpreted=True)
    for simulations, children in ((1, 1), (2, 2), (3, 3), (5, 4), (10, 6), (17, 8)):
        search.reset()
        result = search.search(limit=Limit(simulations=simulations))
        assert len(result.actions) <= math.ceil(2 * math.sqrt(simulations))
        assert abs(len(result.actions) - children) <= 1
        order = search.tree.nodes.array["action"][search.tree.children(ROOT)]
        assert order[0] == 4
        assert set(order[1:5]) <= {0, 2, 6, 8}
        assert set(order[5:]) <= {1, 3, 5, 7}


def test_without_a_prior_widening_draws_uniformly() -> None:
    """Chi-squared with 8 degrees, false alarm below 1e-6 (fixed seed)."""
    counts = np.zeros(9)
    search = MCTS(
        TicTacToe(), expansion=ProgressiveWidening(), seed=1, interpreted=True
    )
    for _ in range(450):
        search.reset()
        counts[search.search(limit=Limit(simulations=1)).action] += 1
    assert ((counts - 50) ** 2 / 50).sum() < 43.0
