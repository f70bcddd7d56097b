"""What holds for every selection policy."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Gomoku, Limit, Position, Truncated, UsageError
from playout.core.jit.rows import Row
from playout.games.more.pig import Pig
from playout.search.expansion.all_children import AllChildren
from playout.search.selection.progressive_bias import ProgressiveBias
from playout.search.selection.progressive_history import ProgressiveHistory
from playout.search.selection.puct import PUCT
from playout.search.selection.rave import GRAVE, RAVE
from playout.search.selection.ucb1_tuned import UCB1Tuned
from playout.search.selection.uct import UCT
from playout.search.solver.base import Unsolved
from playout.search.tree.nodes import ROOT
from tests.search.support import reached
from tests.search.trees import SINGLE, search_of
from tests.toys import Knowing, Nim, ThreeWays

ANY_GAME = [UCB1Tuned(), PUCT(), RAVE(), GRAVE(ref=5), ProgressiveHistory()]


@pytest.mark.parametrize("policy", ANY_GAME, ids=lambda p: type(p).__name__)
def test_three_players_and_chance(policy: Any) -> None:
    position = Position.from_moves(ThreeWays(), ["1", "1"])
    search = MCTS(ThreeWays(), selection=policy, seed=1, interpreted=True)
    assert search.search(position, Limit(simulations=60)).move == "0"
    pig = MCTS(Pig(target=10), selection=policy, seed=1, interpreted=True)
    assert pig.search(limit=Limit(simulations=60)).visits == 60


@dataclass(frozen=True)
class LowNumbers(UCT):
    """Likes low numbers, first of actions and then of visits."""

    def first_score(self, child: Row, parent_term: float) -> float:
        return 1000.0 - child.action

    def score(self, child: Row, parent_term: float) -> float:
        return -child.action + -child.visits


def test_a_policy_may_negate_the_numbers_of_a_node() -> None:
    """They are kept without a sign in Gomoku's 225 actions."""
    shapes = []
    for interpreted in (False, True):
        search = MCTS(
            Gomoku(),
            selection=LowNumbers(),
            expansion=AllChildren(visit_all=False),
            rollout=Truncated(rollout_plies=0),
            solver=Unsolved(),
            seed=1,
            interpreted=interpreted,
        )
        search.search(limit=Limit(simulations=300))
        nodes = search.tree.nodes.array[: search.tree.num_nodes]
        assert nodes.dtype["action"] == np.uint8
        children = nodes[search.tree.children(ROOT)]
        visited = children["visits"][np.argsort(children["action"])]
        assert visited.tolist() == sorted(visited, reverse=True)
        assert visited[0] > visited[-1] > 0
        shapes.append(nodes[["action", "visits", "value_sum"]].tolist())
    assert shapes[0] == shapes[1]


def test_all_decide_by_what_they_know_unless_a_policy_says_otherwise() -> None:
    assert not UCT().single_observer()


def test_what_a_policy_needs_is_asked_for() -> None:
    with pytest.raises(UsageError, match="ProgressiveBias needs a game that has eval"):
        MCTS(Nim(), selection=ProgressiveBias())
    with pytest.raises(UsageError, match="ProgressiveBias needs a game that has prior"):
        MCTS(Nim(), selection=ProgressiveBias(knowledge="prior"))


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (UCT, {"first_play": math.nan}),
        (UCB1Tuned, {"c_tuned": -1}),
        (PUCT, {"c_puct": -1}),
        (PUCT, {"first_play": 2}),
        (PUCT, {"noise": 1.5}),
        (PUCT, {"concentration": 0}),
        (ProgressiveBias, {"bias": -1}),
        (ProgressiveBias, {"knowledge": "wisdom"}),
        (PUCT, {"first_play": -1.5}),
        (PUCT, {"noise": -0.5}),
        (ProgressiveHistory, {"history": math.inf}),
        (ProgressiveHistory, {"history": -0.5}),
        (ProgressiveHistory, {"c_uct": -0.5}),
        (RAVE, {"rave_bias": -0.1}),
        (GRAVE, {"ref": -1}),
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(make: Any, wrong: Any) -> None:
    with pytest.raises(UsageError):
        make(**wrong)


def test_columns_are_zero_in_nodes_that_are_made_again() -> None:
    """Tried in a tree that was cleared, and in one whose blocks were used before."""
    search = search_of(SINGLE["rave"], interpreted=True)
    search.search(limit=Limit(simulations=60))
    search.go_to(Position.from_moves(Knowing(), ["a1"]).copy())
    search.search(Position(Knowing(), "X.O/.../... X"), Limit(simulations=1))
    nodes = search.tree.nodes.array[reached(search)]
    assert nodes["visits"].sum() == 2
    assert nodes["amaf_visits"].max() == 1
    assert (nodes["num_legal"][1:] == search.tree.blank[0].num_legal).all()
