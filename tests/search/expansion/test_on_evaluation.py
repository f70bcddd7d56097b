"""`OnEvaluation`: what is evaluated is the leaf itself, and its children wait."""

import numpy as np
import pytest

from playout import MCTS, PUCT, Limit, OnEvaluation, Truncated
from playout.search.tree.nodes import ROOT
from tests.search.support import reached
from tests.search.trees import ROUNDING
from tests.toys import Knowing


def grown(simulations: int, **keywords: int) -> MCTS:
    search = MCTS(
        Knowing(),
        selection=PUCT(),
        expansion=OnEvaluation(**keywords),
        rollout=Truncated(rollout_plies=0),
        seed=1,
        interpreted=True,
    )
    search.search(limit=Limit(simulations=simulations), forced_too=True)
    return search


def test_the_first_simulation_is_the_roots_own() -> None:
    search = grown(1)
    nodes = search.tree.nodes.array
    children = nodes[search.tree.children(ROOT)]
    assert (nodes["visits"][ROOT], children["visits"].sum()) == (1, 0)
    weights = np.array([2, 1, 2, 1, 3, 1, 2, 1, 2])[children["action"]]
    shares = list(weights / 15)
    assert children["prior"].tolist() == pytest.approx(shares, rel=ROUNDING)


def test_a_node_has_its_own_visit_and_those_of_its_children() -> None:
    search = grown(100)
    nodes = search.tree.nodes.array
    for node in reached(search):
        row, below = nodes[node], nodes[search.tree.children(node)]
        assert (row["num_children"] > 0) == (row["visits"] > 0)
        if row["visits"]:
            assert row["visits"] == 1 + below["visits"].sum()


def test_with_a_threshold_only_a_second_visit_makes_children() -> None:
    search = grown(60, threshold=2)
    nodes = search.tree.nodes.array
    for node in reached(search)[1:]:
        assert (nodes["num_children"][node] > 0) == (nodes["visits"][node] > 1)
