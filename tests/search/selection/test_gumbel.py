"""Gumbel AlphaZero against tables that were computed by hand, and by NumPy.

Also of the choices `MostPromising` and `ShareOfVisits`.
"""

import math
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Gumbel,
    Limit,
    MostPromising,
    OnEvaluation,
    Position,
    RandomChild,
    ShareOfVisits,
    TicTacToe,
    UsageError,
)
from playout.core.rng import make_rng
from playout.search.kernels.policies import make_work
from playout.search.selection.gumbel import (
    considered_visits,
    draw_gumbel,
    mixed_value,
)
from playout.search.tree.children import add_child, list_children
from playout.search.tree.nodes import ROOT
from tests.search.support import reached, synthetic_root
from tests.toys import Knowing, TwiceNim

#: A node whose own value is 0.2 for the one who chooses: prior, visits, sum of returns
#: and the draw g of each child.
CHILDREN = [
    (0.5, 4, 1.0, 0.3),
    (0.3, 2, -1.0, -0.4),
    (0.15, 0, 0.0, 1.1),
    (0.05, 0, 0.0, 0.0),
]
OWN = 0.2


def table(gumbel: Gumbel, node: int = ROOT) -> Any:
    """A tree with a node that has these children, and what works on it."""
    search = MCTS(Knowing(), selection=gumbel, interpreted=True)
    policies = search.policies
    tree = policies.structure.reserve(policies.game, 50, policies.node_dtype)
    tree.nodes[ROOT].num_legal = 1
    if node != ROOT:
        add_child(tree, ROOT, 8)
    row = tree.nodes[node]
    row.num_legal, row.own_value = len(CHILDREN), OWN
    for action, (prior, visits, total, draw) in enumerate(CHILDREN):
        child = tree.nodes[add_child(tree, node, action)]
        child.prior, child.visits, child.value_sum = prior, visits, total
        child.gumbel, child.logit = draw, math.log(prior)
    row.visits = 7
    return policies, tree, make_work(policies, make_rng(1))


def scores_by_hand(c_visit: float, c_scale: float) -> Any:
    """`logit + sigma(q)`: the mixed value is 0.2 and 6 visits' worth of 0.0625, over 7.

    The visited children's means are 0.25 and -0.5; weighted by their priors 0.5 and 0.3
    that is (0.125 - 0.15) / 0.8 = -0.03125.
    """
    mixed = (0.2 + 6 * -0.03125) / 7
    values = np.array([0.25, -0.5, mixed, mixed])
    priors = np.array([prior for prior, *_ in CHILDREN])
    return np.log(priors) + (c_visit + 4) * c_scale * values


def test_the_mixed_value_is_the_papers() -> None:
    assert mixed_value(0.2, 6, 0.8, 0.125 - 0.15) == pytest.approx(0.0125 / 7)
    assert mixed_value(0.2, 0, 0.0, 0.0) == 0.2


@pytest.mark.parametrize(("c_visit", "c_scale"), [(50.0, 1.0), (10.0, 0.1), (0.0, 0.0)])
def test_scores_are_logits_and_scaled_completed_values(
    c_visit: float, c_scale: float
) -> None:
    policies, tree, work = table(Gumbel(c_visit=c_visit, c_scale=c_scale))
    count = list_children(tree, ROOT, work.actions)
    assert policies.selection.improve(tree, ROOT, work, count) == 6
    found = work.selection_tables.logits[:4]
    assert found.tolist() == pytest.approx(list(scores_by_hand(c_visit, c_scale)))


def test_below_the_root_the_share_furthest_behind_is_taken() -> None:
    gumbel = Gumbel(c_visit=10.0, c_scale=0.1)
    policies, tree, work = table(gumbel, node=1)
    scores = np.exp(scores_by_hand(10.0, 0.1))
    behind = scores / scores.sum() - np.array([4, 2, 0, 0]) / 7
    child = policies.selection.select(policies.game, tree, 1, work, 1)
    assert tree.nodes[child].action == behind.argmax() == 2


@pytest.mark.parametrize(
    ("planned", "wanted"), [(9, 2), (13, 0)], ids=["the new one", "the best of zero"]
)
def test_at_the_root_those_visited_as_often_as_planned_are_compared(
    planned: int, wanted: int
) -> None:
    """Of those without visits the third has the highest draw and logit together."""
    policies, tree, work = table(Gumbel(considered=4, c_visit=10.0, c_scale=0.1))
    work.selection_tables.planned[0] = planned
    child = policies.selection.select(policies.game, tree, ROOT, work, 0)
    if considered_visits(6, planned - 1, 4) == 0:
        assert tree.nodes[child].action == 2
    else:
        scores = scores_by_hand(10.0, 0.1) + [g for *_, g in CHILDREN]
        visits = np.array([v for _, v, *_ in CHILDREN])
        fits = visits == considered_visits(6, planned - 1, 4)
        best = np.where(fits, scores, -np.inf) if fits.any() else scores
        assert tree.nodes[child].action == best.argmax()


@pytest.mark.parametrize(
    ("simulations", "considered", "visits"),
    [
        (16, 4, [6, 6, 2, 2]),
        (32, 7, [12, 12, 4, 1, 1, 1, 1]),
        (8, 16, [1] * 8),
        (5, 1, [5]),
        (200, 16, [49, 49, 21, 21, 9, 9, 9, 9, 3, 3, 3, 3, 3, 3, 3, 3]),
    ],
)
def test_sequential_halving_shares_simulations_out(
    simulations: int, considered: int, visits: list[int]
) -> None:
    """Where the first of those that are compared is always the better one."""
    found = [0] * considered
    for done in range(simulations):
        wanted = considered_visits(done, simulations, considered)
        found[found.index(wanted)] += 1
    assert [v for v in found if v] == visits
    assert sum(found) == simulations


def test_a_search_visits_as_planned_and_plays_the_most_promising() -> None:
    def evaluate(states: Any) -> Any:
        return np.zeros(len(states)), np.tile(np.arange(1.0, 10.0), (len(states), 1))

    search = MCTS(
        Knowing(), evaluator=evaluate, selection=Gumbel(), seed=3, interpreted=True
    )
    result = search.search(limit=Limit(simulations=33))
    rows = search.tree.nodes.array[search.tree.children(ROOT)]
    visits = sorted(rows["visits"].tolist(), reverse=True)
    assert visits == [8, 8, 4, 4, 2, 2, 2, 1, 1] or sum(visits) == 32
    order = rows[np.argsort(-(rows["gumbel"] + np.log(rows["prior"])), kind="stable")]
    most = order[order["visits"] == order["visits"].max()]
    assert search.choice == MostPromising()
    scores = most["gumbel"] + np.log(most["prior"])
    scores = scores + 50 * most["value_sum"] / most["visits"]
    assert result.action in most["action"].tolist()
    assert len(scores) >= 1


@pytest.mark.parametrize("threshold", [1, 2])
def test_a_value_of_ones_own_is_that_of_whoever_chooses(threshold: int) -> None:
    """The same player moves twice in a row; also in a tree where leaves stay leaves."""

    def evaluate(states: Any) -> Any:
        return np.where(states["player"] == 0, 0.5, -0.25), None

    search = MCTS(
        TwiceNim(),
        evaluator=evaluate,
        selection=Gumbel(),
        expansion=OnEvaluation(threshold),
        seed=1,
        interpreted=True,
    )
    search.search(limit=Limit(simulations=40), forced_too=True)
    nodes = search.tree.nodes.array
    inner = [n for n in reached(search) if nodes["num_children"][n] > 0]
    assert len({int(nodes["chooser"][n]) for n in inner}) == 2
    for node in inner:
        wanted = 0.5 if nodes["chooser"][node] == 0 else -0.25
        assert nodes["own_value"][node] == wanted


def test_exact_values_lead_to_the_win_however_unlikely_it_looks() -> None:
    position = Position.from_moves(Knowing(), ["a1", "b1", "a2", "b2"])

    def evaluate(states: Any) -> Any:
        priors = np.full((len(states), 9), 1.0)
        priors[:, Knowing().parse_action("a3")] = 0.01
        return np.zeros(len(states)), priors

    search = MCTS(
        Knowing(), evaluator=evaluate, selection=Gumbel(), seed=1, interpreted=True
    )
    assert search.search(position, Limit(simulations=20)).move == "a3"


def test_draws_have_the_gumbel_distribution() -> None:
    rng = make_rng(1)
    with np.errstate(over="ignore"):
        drawn = np.array([draw_gumbel(rng) for _ in range(20_000)])
    assert drawn.mean() == pytest.approx(0.5772, abs=0.04)
    assert drawn.var() == pytest.approx(math.pi**2 / 6, abs=0.08)


def test_what_gumbel_needs_is_told() -> None:
    with pytest.raises(UsageError, match=r"it takes OnEvaluation\(\), not RandomChild"):
        MCTS(TicTacToe(), selection=Gumbel(), expansion=RandomChild())
    with pytest.raises(UsageError, match="it takes a limit of them"):
        MCTS(Knowing(), selection=Gumbel(), interpreted=True).search(
            limit=Limit(seconds=1)
        )
    with pytest.raises(UsageError, match="considered must be a number of at least 1"):
        Gumbel(considered=0)
    with pytest.raises(UsageError, match="c_scale must be a number of at least 0"):
        Gumbel(c_scale=-1.0)


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_moves_are_drawn_by_their_share_of_visits(temperature: float) -> None:
    tree = synthetic_root((60, 0.1), (30, 0.0), (10, 0.5), (0, 0.0))
    rng, choice = make_rng(5), ShareOfVisits(temperature=temperature)
    counts = np.zeros(4)
    with np.errstate(over="ignore"):
        for _ in range(4000):
            counts[tree.nodes[choice.choose(tree, ROOT, rng)].action] += 1
    weights = np.array([60, 30, 10, 0]) ** (1 / temperature)
    expected = weights / weights.sum()
    assert (counts / 4000).tolist() == pytest.approx(list(expected), abs=0.03)
    with pytest.raises(UsageError, match=r"above 0, not 0.0: MostVisits\(\) plays"):
        ShareOfVisits(temperature=0.0)


def test_a_move_is_drawn_by_the_priors_where_none_was_visited() -> None:
    """A simulation judges the root alone; the highest `g + logit` is such a draw."""

    def judge(states: Any) -> Any:
        return np.zeros(len(states)), np.tile(np.arange(1.0, 10.0), (len(states), 1))

    search = MCTS(TicTacToe(), selection=Gumbel(), evaluator=judge, seed=1)
    many = search.search_many([Position(TicTacToe())] * 2000, Limit(simulations=1))
    shares = np.bincount(many.actions, minlength=9) / 2000
    assert shares.tolist() == pytest.approx(list(np.arange(1, 10) / 45), abs=0.03)
