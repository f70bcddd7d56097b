"""The variance term of single-player MCTS, on the range that was seen."""

import math
from types import SimpleNamespace as Row

import pytest

from playout import MCTS, Limit, UsageError
from playout.games.more.tsp import Tour
from playout.search.selection.spuct import SPUCT

RETURNS = [0.2, 0.9, -0.4, 0.5]


def test_the_papers_formula_does_not_depend_on_the_units():
    def score(factor):
        returns = [factor * x for x in RETURNS]
        low, high = min(returns), max(returns)
        parent = Row(visits=30, below=1 - low, above=1 + high)
        child = Row(
            visits=4, value_sum=sum(returns), sum_of_squares=sum(x * x for x in returns)
        )
        spuct = SPUCT(c_uct=0.5, deviation=0.1)
        return spuct.score(child, spuct.parent_term(parent)) / factor

    half = (0.9 + 0.4) / 2
    mean = sum(RETURNS) / 4
    varied = sum(x * x for x in RETURNS) - 4 * mean**2
    expected = (
        mean
        + 0.5 * half * math.sqrt(math.log(30) / 4)
        + math.sqrt((varied + 0.1 * half * half) / 4)
    )
    assert score(1.0) == pytest.approx(expected, rel=1e-6)
    assert score(0.01) == pytest.approx(expected, rel=1e-6)


def test_the_squares_are_those_of_the_simulations():
    search = MCTS(Tour(cities=5), selection=SPUCT(), seed=1, interpreted=True)
    search.search(limit=Limit(simulations=50))
    nodes = search.tree.nodes.array[1 : search.tree.num_nodes]
    once = nodes[nodes["visits"] == 1]
    assert once["sum_of_squares"] == pytest.approx(once["value_sum"] ** 2)
    assert (nodes["sum_of_squares"] <= nodes["visits"]).all()


def test_constants_are_0_or_more():
    with pytest.raises(UsageError):
        SPUCT(deviation=-1)
