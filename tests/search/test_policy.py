"""What holds for policies of every phase, and for the users' own."""

import math
from dataclasses import dataclass
from typing import Any

import pytest

from playout import MCTS, UCT, Limit, Mean, RandomChild, Selection, UsageError
from tests.toys import Nim


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
