"""What is learnt and played, next to the paper's formulas for one search at a time."""

import math

import numpy as np
import pytest

from playout.games.positions.position import Position
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.roots import Roots
from playout.learning.selfplay import SIGMA
from playout.search.limit import Limit
from playout.search.mcts import MCTS
from playout.search.selection.gumbel import Gumbel, mixed_value

SELECTION = Gumbel(16, **SIGMA)
OPENINGS = ["", "b2", "b2 a1 c3", "b2 a1 a2", "a1 b2 c3 a3", "a1 b2 c3 a3 c1"]
EXACT = {"win": 1.0, "draw": 0.0, "loss": -1.0}


def judge(planes):
    """Values and priors that depend on the state, as a network's do."""
    sums = planes.reshape(len(planes), -1) @ np.linspace(-1, 1, 18)
    return np.tanh(sums / 5), np.exp(np.outer(np.cos(3 * sums), np.arange(9) / 9))


@pytest.fixture(scope="module", params=[8, 64])
def searched(request):
    positions = [Position.from_moves(TicTacToe(), o.split()) for o in OPENINGS]
    search = MCTS(TicTacToe(), evaluator=judge, selection=SELECTION, seed=3)
    results = search.search_many(positions, Limit(simulations=request.param))
    return results, Roots(results, SELECTION)


def test_the_improved_policy_is_the_papers(searched):
    results, roots = searched
    policies = roots.policies()
    for index, result in enumerate(results):
        own = float(results.roots[index]["own_value"])
        assert policies[index] == pytest.approx(improved(result, own, results, index))
        assert policies[index].sum() == pytest.approx(1, abs=1e-5)


def improved(result, own, results, index):
    """softmax(logit + sigma(completed q)) of one search, action by action."""
    priors = {
        int(row["action"]): float(row["prior"])
        for row in results.children[index][results.has_child[index]]
    }
    tried = [row for row in result.actions if row.visits]
    q = {row.action: EXACT.get(row.proven, row.mean) for row in tried}
    weight = sum(priors[action] for action in q)
    total = sum(priors[action] * value for action, value in q.items())
    mixed = mixed_value(own, sum(row.visits for row in tried), weight, total)
    scale = (SIGMA["c_visit"] + max(row.visits for row in tried)) * SIGMA["c_scale"]
    weights = np.zeros(9)
    for row in result.actions:
        unknown = EXACT.get(row.proven, mixed)
        value = q.get(row.action, unknown)
        weights[row.action] = priors[row.action] * math.exp(scale * value)
    return weights / weights.sum()


def test_what_is_played_is_as_good_as_what_the_search_chooses(searched):
    """Of equal scores either may be chosen; proven wins come first."""
    results, roots = searched
    for result, action, value in zip(
        results, roots.choices(), roots.values(), strict=True
    ):
        row = next(row for row in result.actions if row.action == action)
        if result.proven == "win":
            assert (row.proven, value) == ("win", 1)
        elif result.proven is None:
            assert action == result.action
            assert value == pytest.approx(EXACT.get(row.proven, result.score))
        assert -1 <= value <= 1
