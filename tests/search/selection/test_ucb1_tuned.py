"""UCB1-Tuned against the paper, on both scales (row 17 of docs/checklist.md)."""

import math

import pytest

from playout import Limit
from playout.search.selection.ucb1_tuned import UCB1Tuned
from tests.search.support import reached, row
from tests.search.trees import SINGLE, search_of


@pytest.mark.parametrize(
    ("parent", "visits", "value_sum", "squares", "score"),
    [
        # L = ln N / n; V = S/n - mean^2 + 4 sqrt(2 L); mean + sqrt(L min(1, V))
        (100, 10, 5.0, 10.0, 1.178614042),  # V = 0.75 + 3.8388 > 1
        (10**6, 5 * 10**5, 4e5, 3.3e5, 0.800888),  # V = 0.02 + 0.029734, small
        (2, 1, 1.0, 1.0, 1.832554611),
    ],
)
def test_ucb1_tuned_by_hand(
    parent: int, visits: int, value_sum: float, squares: float, score: float
) -> None:
    policy = UCB1Tuned()
    child = row(visits, value_sum, sum_of_squares=squares)
    found = policy.score(child, policy.parent_term(row(parent)))
    assert found == pytest.approx(score, abs=3e-4 if visits > 100 else 1e-8)


@pytest.mark.parametrize("parent", [2, 10, 1000, 10**5])
@pytest.mark.parametrize("wins", [0, 1, 3, 7])
def test_ucb1_tuned_is_the_papers_formula_on_its_own_scale(
    parent: int, wins: int
) -> None:
    """Auer et al. in [0, 1], then brought to [-1, 1]: 2 score - 1."""
    n = 8
    mean, variance = wins / n, wins / n - (wins / n) ** 2
    spread = math.log(parent) / n
    bound = variance + math.sqrt(2 * spread)
    paper = mean + math.sqrt(spread * min(0.25, bound))
    child = row(n, 2.0 * wins - n, sum_of_squares=float(n))
    policy = UCB1Tuned()
    ours = policy.score(child, policy.parent_term(row(parent)))
    assert ours == pytest.approx(2 * paper - 1)


def test_ucb1_tuned_counts_squares() -> None:
    """Tic-tac-toe's returns are -1, 0 and 1: the squares count what was not drawn."""
    search = search_of(SINGLE["ucb1-tuned"], interpreted=True)
    search.search(limit=Limit(simulations=60))
    nodes = search.tree.nodes.array[reached(search)]
    assert (nodes["sum_of_squares"] <= nodes["visits"]).all()
    assert (nodes["sum_of_squares"] >= abs(nodes["value_sum"])).all()
    assert nodes["sum_of_squares"][0] < 60
