"""Mixing backups, learning rollouts, widening, choices by hand; sound proofs."""

import math
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    AllChildren,
    Limit,
    Position,
    TicTacToe,
    Tree,
    Unsolved,
    UsageError,
)
from playout.games.more.pig import Pig
from playout.search.action_table import ActionTable
from playout.search.backup.minimax_mixing import ImplicitMinimax, MaxMix, RobustMix
from playout.search.choice import RobustMax, SecureChild
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.policy import compose_columns
from playout.search.rollout.mast_nst import MAST, NST, gram_key
from playout.search.rollout.truncated import Truncated
from playout.search.rollout.weighted import Weighted
from playout.search.selection.rave import RAVE
from playout.search.solver.bounds import is_proven, lower_of
from playout.search.tree.children import add_child
from playout.search.tree.nodes import ROOT
from tests.search.test_policies import chosen, synthetic_root
from tests.search.test_selections import reached
from tests.search.test_strength import minimax, to_move, winner
from tests.search.trees import SINGLE, TOGETHER, search_of
from tests.toys import PassNim, TwiceNim, solve

SIGN = {"win": 1, "draw": 0, "loss": -1}

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
        MCTS(TicTacToe(), backup=ImplicitMinimax())


@pytest.mark.parametrize("name", TOGETHER)
def test_a_full_tree_goes_on_with_any_policy(name: str) -> None:
    """Two trees, merged, with room for twenty nodes each: all simulations count."""
    policies = {**TOGETHER[name], "solver": Unsolved()}
    search = search_of(policies, interpreted=True, trees=2)
    result = search.search(limit=Limit(simulations=120, nodes=40))
    assert result.visits == 120
    assert sum(tree.num_nodes for tree in search.trees) <= 40
    assert sum(row.visits for row in result.actions) <= 120
    assert result.action in range(9)


# -- rollouts --------------------------------------------------------------------------


def test_mast_means_by_hand() -> None:
    table = ActionTable.of_game(TicTacToe())
    work = Steps([(4, 0), (0, 1), (8, 0)], returns=[1.0, -1.0])
    table.learn(work, 3)
    work.returns = [-1.0, 1.0]
    table.learn(work, 2)
    assert table.mean(work, 0, 4, 0.7) == 0.0
    assert table.mean(work, 0, 8, 0.7) == 1.0
    assert table.mean(work, 1, 0, 0.7) == 0.0
    assert table.mean(work, 1, 8, 0.7) == 0.7  # another player's action


class Steps:
    """As much of `Work` as tables read."""

    def __init__(self, steps: list[tuple[int, int]], returns: list[float]) -> None:
        class Step:
            def __init__(self, action: int, mover: int) -> None:
                self.action, self.mover = action, mover

        self.path = [Step(-9, -9), *(Step(*step) for step in steps)]
        self.returns = returns
        self.actions = np.zeros(9, dtype=np.int32)
        self.rollout_tables: Any = None


def test_grams_by_hand() -> None:
    """Two games begin alike; what ends a pair or triple is worth its own mean."""
    policy = NST(gram_visits=1, table_bits=10)
    work = Steps([(4, 0), (0, 1), (8, 0)], returns=[1.0, -1.0])
    work.rollout_tables = policy.tables(TicTacToe())
    with np.errstate(over="ignore"):
        policy.update(None, work, 0, 3)
        work.path[3].action = 2
        work.returns = [-1.0, 1.0]
        policy.update(None, work, 0, 3)
        # after 4, 0: the single, pair and triple of 8 were won, those of 2 were lost
        assert policy.value(work, 2, 0, 8) == 1.0
        assert policy.value(work, 2, 0, 2) == -1.0
        assert policy.value(work, 0, 0, 4) == 0.0
        assert policy.value(work, 2, 0, 7) == 1.0  # never played: as a win
        work.path[2].action = 3  # after another action, only the single is known
        assert policy.value(work, 2, 0, 2) == -1.0
        assert policy.value(work, 2, 0, 4) == 0.0
        assert NST(gram_visits=3).value(work, 2, 0, 8) == 1.0


def test_keys_of_grams_are_all_different() -> None:
    players = 8
    work = Steps([(a, 0) for a in range(9)], returns=[0.0] * players)
    keys = [
        gram_key(work, ply, player, action, length)
        for ply in range(2, 9)
        for player in range(players)
        for action in range(9)
        for length in (1, 2, 3)
    ]
    singles = players * 9
    assert len(set(keys)) == singles + players * 9 * 7 * 2
    assert min(keys) > 0
    assert gram_key(work, 1, 0, 3, 3) == 0  # two actions before are not there yet


@pytest.mark.parametrize(
    "rollout", [MAST(epsilon=0.0), NST(epsilon=0.0, gram_visits=1, table_bits=10)]
)
def test_what_was_good_is_played_again(rollout: Any) -> None:
    """All nine actions are known; 3 and 5 are the best, and drawn equally often.

    400 draws of two; a difference of 5 standard errors: false alarm below 1e-6.
    """
    search = search_of({"rollout": rollout}, interpreted=True)
    work, counts = search._forest.crews[0].works[0], np.zeros(9)
    search.game.initial_state(work.states[0])
    with np.errstate(over="ignore"):
        for action in range(9):
            work.path[1].action, work.path[1].mover = action, 0
            work.returns[0] = 1.0 if action in (3, 5) else -1.0
            rollout.update(None, work, 0, 1)
        for _ in range(400):
            counts[rollout.choose(search.game, work.states[0], work, 0)] += 1
    assert counts[[3, 5]].sum() == 400
    # among equals the first after a random place is taken: 7 of 9 places before 3
    assert abs(counts[3] - 400 * 7 / 9) < 5 * math.sqrt(400 * 7 / 9 * 2 / 9)


def test_truncated_rollouts_return_what_the_game_says() -> None:
    policies = {"rollout": Truncated(rollout_plies=0), "solver": Unsolved()}
    search = search_of(policies, interpreted=True)
    result = search.search(limit=Limit(simulations=9))
    means = {stats.action: stats.mean for stats in result.actions}
    assert means[4] == pytest.approx(0.1)
    assert means[0] == pytest.approx(2 / 30)
    assert means[1] == pytest.approx(1 / 30)


def test_weighted_rollouts_draw_by_the_prior() -> None:
    """First actions of 3,000 rollouts; chi-squared, 8 degrees, false alarm < 1e-6."""
    search = search_of(SINGLE["weighted"], interpreted=True)
    work, counts = search._forest.crews[0].works[0], np.zeros(9)
    state = work.states[0]
    search.game.initial_state(state)
    with np.errstate(over="ignore"):
        for _ in range(3000):
            counts[search.policies.rollout.choose(search.game, state, work, 0)] += 1
    expected = 200.0 * np.array([2, 1, 2, 1, 3, 1, 2, 1, 2])
    assert ((counts - expected) ** 2 / expected).sum() < 43.0


def test_rollouts_ask_for_what_they_need() -> None:
    with pytest.raises(UsageError, match="Truncated needs a game that has evaluate"):
        MCTS(TicTacToe(), rollout=Truncated())
    with pytest.raises(UsageError, match="Weighted needs a game that has prior"):
        MCTS(TicTacToe(), rollout=Weighted())


# -- progressive widening --------------------------------------------------------------


def test_widening_by_hand() -> None:
    """2 * N^0.5 children, at least one, and the likeliest first: centre, corners."""
    policy = ProgressiveWidening(widening=2.0, exponent=0.5, urgent="never")
    search = search_of({"expansion": policy, "solver": Unsolved()}, interpreted=True)
    for simulations, children in ((1, 1), (2, 2), (3, 3), (5, 4), (10, 6), (17, 8)):
        search.reset()
        result = search.search(limit=Limit(simulations=simulations))
        assert len(result.actions) <= math.ceil(2 * math.sqrt(simulations))
        assert abs(len(result.actions) - children) <= 1
        order = search.tree.nodes.array["action"][search.tree.children(ROOT)]
        assert order[0] == 4
        assert set(order[1:5]) <= {0, 2, 6, 8}
        assert set(order[5:]) <= {1, 3, 5, 7}


def test_without_a_prior_widening_draws_uniformly() -> None:
    """Chi-squared with 8 degrees, false alarm below 1e-6 (fixed seed)."""
    counts = np.zeros(9)
    search = MCTS(
        TicTacToe(), expansion=ProgressiveWidening(), seed=1, interpreted=True
    )
    for _ in range(450):
        search.reset()
        counts[search.search(limit=Limit(simulations=1)).action] += 1
    assert ((counts - 50) ** 2 / 50).sum() < 43.0


# -- choice ----------------------------------------------------------------------------


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


# -- the solver stays sound ------------------------------------------------------------


@pytest.mark.parametrize("name", TOGETHER)
def test_proofs_stay_right_and_are_found(name: str) -> None:
    """The start is drawn, and every proof in the tree is that of minimax."""
    search = search_of(TOGETHER[name])
    result = search.search(limit=Limit(simulations=30_000))
    assert result.proven == "draw"
    nodes = search.tree.nodes.array
    stack = [(ROOT, ".........")]
    proofs = 0
    while stack:
        node, cells = stack.pop()
        row = nodes[node]
        if is_proven(row["proven"]):
            proofs += 1
            assert lower_of(row["proven"]) == -value_of(cells)
        for child in search.tree.children(node):
            action, mark = int(nodes["action"][child]), to_move(cells)
            after = cells[:action] + mark + cells[action + 1 :]
            stack.append((int(child), after))
    assert proofs > 50


def value_of(cells: str) -> float:
    """The exact value for the player to move."""
    if winner(cells):
        return -1
    return minimax(cells) if "." in cells else 0


@pytest.mark.parametrize("game", [TwiceNim(), PassNim()], ids=["twice", "pass"])
@pytest.mark.parametrize(
    "policies",
    [
        {"expansion": ProgressiveWidening(widening=1.0, exponent=0.2)},
        {"expansion": AllChildren(visit_all=False)},
        SINGLE["rave"],
        SINGLE["progressive-history"],
        SINGLE["robust-mix"],
    ],
    ids=lambda p: type(next(iter(p.values()))).__name__,
)
def test_double_moves_and_passes_are_proven(game: Any, policies: Any) -> None:
    search = MCTS(game, seed=3, interpreted=True, **policies)
    result = search.search(limit=Limit(simulations=3000), forced_too=True)
    assert result.proven is not None
    assert SIGN[result.proven] == solve(Position(game))
