"""Each phase against numbers worked out by hand, and the users' own policies."""

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    UCT,
    AllChildren,
    ConnectFour,
    Decisive,
    HighestMean,
    Limit,
    Mean,
    MostVisits,
    Position,
    RandomChild,
    Selection,
    TicTacToe,
    Tree,
    Uniform,
    Unsolved,
    UsageError,
)
from playout.core.jit.native import kernel
from playout.core.rng import make_rng
from playout.search.selection.logarithms import _TABLE, root_of_log
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT

from ..toys import Nim


def row(visits: int, value_sum: float = 0.0) -> Any:
    return SimpleNamespace(visits=visits, value_sum=value_sum)


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


def test_tables_and_formulas_meet() -> None:
    uct = UCT(c_uct=1.0)
    for n in (1, 2, 1023, 1024, _TABLE - 1, _TABLE, _TABLE + 1, 10**6, 2**32 - 1):
        assert uct.parent_term(row(n)) == pytest.approx(math.sqrt(math.log(n)))
        assert uct.score(row(n, 0.5 * n), 1.0) == pytest.approx(0.5 + 1 / math.sqrt(n))


@kernel
def roots_of_logs(counts: Any, out: Any) -> None:
    for index in range(len(counts)):
        out[index] = root_of_log(counts[index])


def test_roots_of_logs_to_eleven_digits() -> None:
    """Around every power of two, where parts meet, and all over; both ways alike."""
    powers = 2 ** np.arange(1, 33)[:, None] + np.arange(-1, 2)
    spread = np.geomspace(2, 2**32 - 1, 20_000).astype(np.int64)
    counts = np.unique(np.concatenate([powers.ravel(), spread]))
    counts = counts[counts < 2**32]
    plain, native = np.zeros(len(counts)), np.zeros(len(counts))
    roots_of_logs(counts, plain)
    roots_of_logs.compile(counts, native)(counts, native)
    assert (plain == native).all()
    assert plain == pytest.approx(np.sqrt(np.log(counts)), rel=1e-11)
    assert (np.diff(plain) > 0).all()


def synthetic_root(*children: tuple[int, float]) -> Tree:
    """A root whose children have these visits and means."""
    tree = Tree.reserve(100)
    tree.nodes[ROOT].num_legal = len(children)
    for action, (visits, mean) in enumerate(children):
        child = tree.nodes[add_child(tree, ROOT, action)]
        child.visits, child.value_sum = visits, visits * mean
    tree.nodes[ROOT].visits = sum(visits for visits, _ in children)
    return tree


def chosen(choice: Any, tree: Tree, seed: int = 0) -> int:
    with np.errstate(over="ignore"):
        return int(tree.nodes[choice.choose(tree, ROOT, make_rng(seed))].action)


def test_the_choice_does_not_trust_a_lucky_single_visit() -> None:
    tree = synthetic_root((900, 0.2), (99, 0.1), (1, 1.0))
    assert chosen(MostVisits(), tree) == 0
    assert chosen(HighestMean(), tree) == 2  # as the sources that use it do
    assert chosen(HighestMean(min_share=0.05), tree) == 0


def test_visits_decide_before_means() -> None:
    assert chosen(MostVisits(), synthetic_root((500, -0.9), (499, 0.9))) == 0
    assert chosen(MostVisits(), synthetic_root((500, -0.1), (500, 0.1))) == 1


@pytest.mark.parametrize("choice", [MostVisits(), HighestMean()])
def test_ties_are_drawn_uniformly(choice: Any) -> None:
    """Chi-squared with 2 degrees; false alarm below 1e-6 (fixed seeds)."""
    tree = synthetic_root((100, 0.5), (100, 0.5), (20, -0.5), (100, 0.5))
    counts = np.bincount(
        [chosen(choice, tree, seed) for seed in range(3000)], minlength=4
    )
    assert counts[2] == 0
    assert ((counts[[0, 1, 3]] - 1000) ** 2 / 1000).sum() < 27.7


def test_an_unvisited_move_is_never_chosen() -> None:
    for choice in (MostVisits(), HighestMean()):
        assert chosen(choice, synthetic_root((0, 0.0), (3, -1.0))) == 1


@pytest.mark.parametrize("simulations", [1, 2, 4])
def test_untried_actions_are_drawn_uniformly(simulations: int) -> None:
    """Fewer simulations than moves: every move is tried equally often.

    Chi-squared with 8 degrees, false alarm below 1e-6 (fixed seed).
    """
    counts = np.zeros(9)
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(2700):
        search.reset()
        result = search.search(limit=Limit(simulations=simulations))
        moves = [row.action for row in result.actions]
        assert len(set(moves)) == simulations
        counts[moves] += 1
    expected = 2700 * simulations / 9
    # drawn without replacement: the variance is smaller than multinomial
    assert ((counts - expected) ** 2 / expected).sum() < 43.0


def test_pairs_of_first_moves_are_uniform_too() -> None:
    pairs = np.zeros((9, 9))
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="never"), seed=1)
    for _ in range(7200):
        search.reset()
        search.search(limit=Limit(simulations=2))
        tree = search.tree
        first, second = tree.nodes.array["action"][tree.children(ROOT)]
        pairs[first, second] += 1
    assert np.trace(pairs) == 0
    chi2 = ((pairs[~np.eye(9, dtype=bool)] - 100) ** 2 / 100).sum()
    assert chi2 < 71 + 5.3 * math.sqrt(2 * 71)  # 71 degrees, below 1e-6


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
        search = MCTS(TicTacToe(), expansion=AllChildren(threshold=2), seed=3)
        result = search.search(limit=Limit(simulations=wanted))
        assert result.simulations == result.visits == wanted


def test_urgent_moves_are_the_only_ones_tried() -> None:
    win_now = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
    for urgent, moves in (("always", {"a3"}), ("root", {"a3"})):
        search = MCTS(
            TicTacToe(),
            expansion=RandomChild(urgent=urgent),
            solver=Unsolved(),
            seed=1,
        )
        result = search.search(win_now, Limit(simulations=500))
        assert {r.move for r in result.actions} == moves
        assert result.value == 1.0
        assert result.stopped_by == "only move"
    free = RandomChild(urgent="never")
    search = MCTS(TicTacToe(), expansion=free, solver=Unsolved(), seed=1)
    assert len(search.search(win_now, Limit(simulations=500)).actions) == 5


def test_urgent_at_the_root_only() -> None:
    search = MCTS(TicTacToe(), expansion=RandomChild(urgent="root"), seed=1)
    block = Position.from_moves(TicTacToe(), ["a1", "c3", "a2"])
    result = search.search(block, Limit(simulations=2000))
    assert [r.move for r in result.actions] == ["a3"]
    reply = search.tree.children(int(search.tree.children(ROOT)[0]))
    assert len(reply) == 5


@pytest.mark.parametrize("rollout", [Uniform(), Uniform(generic=True), Decisive()])
def test_every_rollout_policy_searches(rollout: Any) -> None:
    position = Position.from_moves(ConnectFour(), list("4455"))
    result = MCTS(ConnectFour(), rollout=rollout, seed=1).search(
        position, Limit(simulations=3000)
    )
    assert result.move in "36"  # three in a row with both ends open wins
    assert result.value > 0.5


def test_decisive_rollouts_never_miss_a_win() -> None:
    """From a state with a win at hand, every rollout is won at once."""
    position = Position.from_moves(TicTacToe(), ["a1", "b1", "a2", "b2"])
    search = MCTS(
        TicTacToe(),
        expansion=AllChildren(threshold=1000, urgent="never"),
        rollout=Decisive(),
        seed=1,
    )
    result = search.search(position, Limit(simulations=5))
    lost = [r for r in result.actions if r.mean == -1.0]
    assert len(lost) >= 3  # every other move lets O win with b3


def test_discount_prefers_the_shorter_win() -> None:
    for discount, mean in ((0.0, 1.0), (0.1, 0.9)):
        search = MCTS(
            Nim(stones=1), backup=Mean(discount=discount), solver=Unsolved(), seed=1
        )
        assert search.search(limit=Limit(simulations=50)).value == pytest.approx(mean)


def test_discounted_means_are_those_of_the_formula() -> None:
    """Two stones: taking both wins at the 1st action, taking one loses at the 2nd.

    A result r after p actions counts r * max(0, 1 - discount * p).
    """
    for discount, means in (
        (0.1, {"2": 0.9, "1": -0.8}),
        (0.25, {"2": 0.75, "1": -0.5}),
        (0.6, {"2": 0.4, "1": 0.0}),
        (1.0, {"2": 0.0, "1": 0.0}),
    ):
        search = MCTS(
            Nim(stones=2), backup=Mean(discount=discount), solver=Unsolved(), seed=1
        )
        result = search.search(limit=Limit(simulations=400))
        assert {r.move: r.mean for r in result.actions} == pytest.approx(means)


@dataclass(frozen=True)
class Greedy(Selection):
    """A user's own policy: no exploration but for a bonus on low actions."""

    bonus: float = 0.25

    def score(self, child: Any, parent_term: float) -> float:
        return child.value_sum / child.visits + self.bonus / (child.action + 1)


def test_a_users_own_policy_compiles_and_agrees_with_itself() -> None:
    trees = []
    for interpreted in (True, False):
        search = MCTS(
            Nim(stones=8), selection=Greedy(), seed=4, interpreted=interpreted
        )
        search.search(limit=Limit(simulations=300))
        tree = search.tree
        trees.append(tree.nodes.array[: tree.num_nodes].copy())
    assert (trees[0] == trees[1]).all()


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (UCT, {"c_uct": -1}),
        (UCT, {"c_uct": math.nan}),
        (RandomChild, {"threshold": 0}),
        (RandomChild, {"urgent": "sometimes"}),
        (Mean, {"discount": 2}),
        (Limit, {}),
        (Limit, {"seconds": 0}),
        (Limit, {"seconds": math.inf}),
        (Limit, {"simulations": 0}),
        (Limit, {"simulations": 1.5}),
        (Limit, {"nodes": 0}),
        (Limit, {"memory": -1}),
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(make: Any, wrong: Any) -> None:
    with pytest.raises(UsageError):
        make(**wrong)
