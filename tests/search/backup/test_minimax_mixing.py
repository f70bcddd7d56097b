"""Mixing backups: against a recount, by hand, and with threads."""

from typing import Any

import numpy as np
import pytest

from playout import MCTS, AllChildren, Limit, Tree, Unsolved, UsageError
from playout.games.more.pig import Pig
from playout.search.backup.minimax_mixing import (
    ImplicitMinimax,
    MaxMix,
    Mixing,
    RobustMix,
)
from playout.search.policy import compose_columns
from playout.search.rollout.mast_nst import MAST
from playout.search.selection.rave import RAVE
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from tests.search.support import path_work, reached
from tests.search.trees import SINGLE, search_of
from tests.toys import Nim


@pytest.mark.parametrize("weight", [-0.5, 1.5])
def test_a_weight_is_a_share(weight: float) -> None:
    with pytest.raises(UsageError, match="weight must be 0 to 1, not"):
        MaxMix(weight=weight)


# -- backup ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "policies",
    [
        SINGLE["implicit-minimax"],
        {**SINGLE["implicit-minimax"], "expansion": AllChildren(visit_all=False)},
    ],
)
def test_implicit_minimax_is_what_a_recount_says(policies: dict[str, Any]) -> None:
    """Every visited node's m is minus the best m of its children."""
    search = search_of(policies, interpreted=True)
    search.search(limit=Limit(simulations=80))
    tree, nodes = search.tree, search.tree.nodes.array
    for node in reached(search):
        row = nodes[node]
        children = tree.children(node)
        if row["visits"] and len(children):
            assert row["minimax"] == -nodes["minimax"][children].max()
        if row["visits"]:
            mean = row["return_sum"] / row["visits"]
            expected = 0.6 * mean + 0.4 * row["minimax"]
            assert row["value_sum"] / row["visits"] == pytest.approx(expected, abs=1e-7)


def test_implicit_minimax_values_new_nodes_by_the_game() -> None:
    """b2 is worth 3/30 to X; answers of corner and side leave 1/30 and 2/30."""
    policies = {"backup": ImplicitMinimax(), "expansion": AllChildren()}
    search = search_of(policies, interpreted=True)
    search.search(limit=Limit(simulations=9))
    children = search.tree.nodes.array[search.tree.children(ROOT)]
    by_action = dict(zip(children["action"].tolist(), children["minimax"], strict=True))
    assert by_action[4] == pytest.approx(0.1)
    assert by_action[0] == pytest.approx(2 / 30)
    assert by_action[1] == pytest.approx(1 / 30)


def mixed_root(*children: tuple[int, float]) -> Tree:
    """A root whose children have had these numbers of results, and mixed values."""
    tree = Tree.reserve(100, compose_columns([RobustMix()]))
    tree.nodes[ROOT].num_legal = len(children)
    for action, (count, value) in enumerate(children):
        child = tree.nodes[add_child(tree, ROOT, action)]
        child.visits = child.num_returns = count
        child.value_sum = child.mixed_sum = count * value
    root = tree.nodes[ROOT]
    root.visits = root.num_returns = sum(count for count, _ in children)
    return tree


def column(tree: Tree, name: str) -> list[float]:
    return tree.nodes.array[name][:4].tolist()


@pytest.mark.parametrize(
    ("movers", "returns", "sums", "signs"),
    [
        ([1, 0, 1], [1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]),
        ([0, 0, 1], [0.5, -0.5], [0.5, 0.5, -0.5], [1.0, -1.0, 1.0]),  # one twice
    ],
)
def test_a_result_goes_up_with_the_sign_of_who_moved(
    movers: list[int], returns: list[float], sums: list[float], signs: list[float]
) -> None:
    """The sign is -1 where another chooses among the children; the last has none."""
    asked = []

    class Told(Mixing):
        def mix(self, tree: Any, node: int, mean: float, sign: float) -> float:
            asked.append((node, mean, sign))
            return 0.25 * node

    tree = Tree.reserve(10, compose_columns([RobustMix()]))
    tree.nodes[1].mixed_sum = tree.nodes[1].value_sum = 7.0
    tree.nodes[1].value_sum += 100.0  # another thread's, under way
    for _ in range(2):
        Told().update(tree, path_work(movers, returns), 2, plies=7)
    assert asked == 2 * [(n, sums[n], signs[n]) for n in (2, 1, 0)]
    assert column(tree, "visits") == column(tree, "num_returns") == [2, 2, 2, 0]
    assert column(tree, "return_sum") == [2 * value for value in sums] + [0.0]
    assert column(tree, "mixed_sum") == [0.0, 0.5, 1.0, 0.0]
    assert column(tree, "value_sum") == [0.0, 100.5, 1.0, 0.0]


def test_robust_mix_by_hand() -> None:
    """Mean 0.2; the most visited child has -0.5 for its own mover, 0.5 for ours."""
    tree = mixed_root((30, -0.5), (20, 0.9))
    policy = RobustMix(weight=0.25)
    assert policy.mix(tree, ROOT, 0.2, -1.0) == pytest.approx(0.75 * 0.2 + 0.25 * 0.5)
    assert policy.mix(tree, ROOT, 0.2, 1.0) == pytest.approx(0.75 * 0.2 - 0.25 * 0.5)
    few = RobustMix(weight=0.25, robust_visits=51)
    assert few.mix(tree, ROOT, 0.2, -1.0) == 0.2
    ties = mixed_root((25, -0.5), (25, 0.1), (10, 0.9))
    assert policy.mix(ties, ROOT, 0.0, 1.0) == pytest.approx(0.25 * 0.1)


@pytest.mark.parametrize("policy", [RobustMix(), MaxMix()], ids=str)
def test_without_children_the_mean_is_all(policy: Any) -> None:
    """The last row of nodes, which index -1 would read, is not used."""
    tree = mixed_root()
    tree.nodes[ROOT].num_returns = 50
    last = tree.nodes[len(tree.nodes) - 1]
    last.num_returns = last.visits = 40
    last.mixed_sum = last.value_sum = 40.0
    assert policy.mix(tree, ROOT, 0.2, 1.0) == 0.2


@pytest.mark.parametrize(
    ("policy", "fewest"),
    [(RobustMix(weight=0.25, robust_visits=50), 50), (RobustMix(weight=0.25), 16)],
    ids=str,
)
def test_enough_visits_are_exactly_enough(policy: Any, fewest: int) -> None:
    for visits, value in ((fewest - 1, 0.2), (fewest, 0.75 * 0.2 + 0.25 * 0.9)):
        tree = mixed_root((20, 0.9), (5, -0.5))
        tree.nodes[ROOT].num_returns = visits
        assert policy.mix(tree, ROOT, 0.2, 1.0) == pytest.approx(value)


def test_max_mix_by_hand() -> None:
    """Of the children with 20 visits the best has 0.1; the lucky one has too few."""
    tree = mixed_root((30, -0.5), (20, 0.1), (19, 0.9))
    policy = MaxMix(weight=0.25, trusted_visits=20)
    assert policy.mix(tree, ROOT, 0.2, -1.0) == pytest.approx(0.75 * 0.2 - 0.25 * 0.1)
    assert policy.mix(tree, ROOT, 0.2, 1.0) == pytest.approx(0.75 * 0.2 + 0.25 * 0.1)
    few = MaxMix(weight=0.25, trusted_visits=31)
    assert few.mix(tree, ROOT, 0.2, -1.0) == 0.2


def test_robust_mix_keeps_the_true_sums_apart() -> None:
    search = search_of(SINGLE["robust-mix"], interpreted=True)
    search.search(limit=Limit(simulations=60))
    nodes = search.tree.nodes.array[reached(search)]
    visited = nodes[nodes["visits"] > 0]
    assert (abs(visited["return_sum"]) <= visited["visits"]).all()
    assert (visited["return_sum"] == np.round(visited["return_sum"])).all()
    assert (abs(visited["value_sum"]) <= visited["visits"] + 1e-9).all()
    few = visited[visited["visits"] < 4]
    assert (few["return_sum"] == few["value_sum"]).all()


def test_threads_leave_mixed_values_as_they_should_be() -> None:
    """Two on one tree: no virtual loss is left, no result lost, whoever wrote last."""
    policies = {
        "selection": RAVE(),
        "rollout": MAST(),
        "backup": MaxMix(trusted_visits=3),
        "solver": Unsolved(),
    }
    search = search_of(policies, threads=2)
    search.search(limit=Limit(simulations=2000))
    tree, nodes = search.tree, search.tree.nodes.array
    assert nodes["visits"][ROOT] == 2000
    for node in reached(search):
        row, below = nodes[node], nodes[tree.children(node)]
        assert row["visits"] == row["num_returns"]
        assert row["value_sum"] == pytest.approx(row["mixed_sum"], abs=1e-9)
        assert abs(row["return_sum"]) <= row["visits"]
        own = int(row["visits"]) - int(below["visits"].sum())
        assert own >= 0
        value = row["return_sum"] + below["return_sum"].sum()
        assert abs(value) <= own
        assert (row["amaf_visits"] >= row["visits"]) or node == ROOT


@pytest.mark.parametrize("backup", [ImplicitMinimax(), RobustMix(), MaxMix()])
def test_mixing_is_for_two_players_against_each_other(backup: Any) -> None:
    with pytest.raises(UsageError, match="is for games of two players"):
        MCTS(Pig(), backup=backup)
    with pytest.raises(UsageError, match="needs a game that has evaluate"):
        MCTS(Nim(), backup=ImplicitMinimax())
