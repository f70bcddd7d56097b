"""UCT against numbers worked out by hand, and first-play urgency."""

import math

import pytest

from playout import MCTS, UCT, AllChildren, Limit, TicTacToe
from tests.search.support import row


@pytest.mark.parametrize(
    ("c", "parent", "visits", "value_sum", "score"),
    [
        # W/n + c sqrt(ln N / n), worked out with 12 digits
        (1.0, 1, 1, 1.0, 1.0),  # ln 1 = 0
        (1.0, 2, 1, -1.0, -0.167445389),  # ln 2 = 0.693147180560
        (1.0, 100, 10, 5.0, 1.178614042),  # ln 100 = 4.605170185988
        (math.sqrt(2), 50, 7, -3.5, 0.557223183),  # ln 50 = 3.912023005428
        (0.1 * math.sqrt(2), 100, 25, 12.5, 0.560697085),
        (2.0, 5000, 4000, 1000.0, 0.342288641),  # ln 5000 = 8.517193191416
        (3.394112549695428, 1_000_000, 500_000, -250_000.0, -0.482158773),
    ],
)
def test_uct_by_hand(
    c: float, parent: int, visits: int, value_sum: float, score: float
) -> None:
    uct = UCT(c_uct=c)
    term = uct.parent_term(row(parent))
    assert uct.score(row(visits, value_sum), term) == pytest.approx(score, abs=1e-8)
    direct = value_sum / visits + c * math.sqrt(math.log(parent) / visits)
    assert score == pytest.approx(direct, abs=1e-8)


ONE = AllChildren(visit_all=False)


def test_first_play_is_the_score_of_an_unvisited_child() -> None:
    """If it is below every mean, only the first child is visited."""
    assert UCT(first_play=0.3).first_score(row(0), 5.0) == 0.3
    assert UCT().first_score(row(0), 5.0) == math.inf
    tried = {}
    for first_play in (math.inf, -2.0):
        search = MCTS(
            TicTacToe(),
            selection=UCT(c_uct=0.0, first_play=first_play),
            expansion=ONE,
            interpreted=True,
            seed=1,
        )
        rows = search.search(limit=Limit(simulations=9)).actions
        tried[first_play] = sum(row.visits > 0 for row in rows)
    assert tried[math.inf] == 9
    assert tried[-2.0] == 1  # no mean is below it, so the first child stays the best
