"""What is played in the end, on roots that are made by hand."""

import random
from typing import Any

import numpy as np
import pytest

from playout import HighestMean, MostVisits, RulesError
from playout.search.choice import Choice, RobustMax, SecureChild
from playout.search.solver.bounds import UNKNOWN_PLIES, bounds
from playout.search.tree.nodes import ROOT
from tests.search.support import chosen, synthetic_root


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


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, r"shape \(\) for 2 moves"),
        (np.ones(5), r"shape \(5,\) for 2 moves"),
        (np.array([np.nan, 1.0]), "is not a number"),
    ],
)
def test_scores_of_ones_own_that_are_none(given: Any, message: str) -> None:
    class Odd(Choice):
        def scores(self, visits: Any, means: Any) -> Any:
            return given

    with pytest.raises(RulesError, match=f"Odd.scores gives .*{message}"):
        chosen(Odd(), synthetic_root((3, 0.1), (2, 0.2)))


def test_an_unvisited_move_is_never_chosen() -> None:
    for choice in (MostVisits(), HighestMean()):
        assert chosen(choice, synthetic_root((0, 0.0), (3, -1.0))) == 1


def test_secure_child_by_hand() -> None:
    """0.4 - c / 10, 0.5 - c / 4, 0.9 - c; with c = 0.6: 0.34, 0.35, 0.3."""
    tree = synthetic_root((100, 0.4), (16, 0.5), (1, 0.9))
    assert chosen(SecureChild(), tree) == 0
    assert chosen(SecureChild(caution=0.6), tree) == 1
    assert chosen(SecureChild(caution=0.0), tree) == 2


def test_robust_max_by_hand() -> None:
    agreed = synthetic_root((50, 0.4), (30, 0.1), (20, 0.39))
    assert chosen(RobustMax(), agreed) == 0
    differ = synthetic_root((50, 0.1), (45, 0.45), (40, 0.5))
    assert chosen(RobustMax(), differ) == 2  # 0.342, not 0.301 of one that is neither
    lucky = synthetic_root((50, 0.1), (45, 0.05), (1, 1.0))
    assert chosen(RobustMax(), lucky) == 2  # 0.0 beats 0.1 - 0.141
    assert chosen(RobustMax(caution=2.0), lucky) == 0


class ByScores(MostVisits):
    """The same policy, which is asked for scores as any other is."""

    def scores(self, visits: Any, means: Any) -> Any:
        return super().scores(visits, means)


def test_the_most_visited_are_those_with_the_highest_scores() -> None:
    """`MostVisits` finds them without arrays; also where some are proven."""
    draw = random.Random(1)
    proofs = [bounds(low, high) for low in (-1, 0, 1) for high in range(low, 2)]
    unlike = 0
    for _ in range(2000):
        children = [
            (draw.choice([0, 1, 2, 7, 7, 7]), draw.choice([-1.0, 0.0, 0.5]))
            for _ in range(draw.randint(1, 6))
        ]
        tree = synthetic_root(*children)
        for child in tree.children(ROOT):
            row = tree.nodes[int(child)]
            if row.visits and draw.random() < 0.4:
                row.proven = draw.choice(proofs)
                row.proof_plies = draw.choice([1, 2, 3, UNKNOWN_PLIES])
        found = MostVisits().best(tree, ROOT)
        assert found == ByScores().best(tree, ROOT)
        assert bool(found) == any(visits for visits, _ in children)
        unlike += len(found) > 1
    assert unlike > 100  # ties were among them
