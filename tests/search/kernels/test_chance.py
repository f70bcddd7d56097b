"""Chance in the search: drawn by its probability, averaged, never proven by hope."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Decisive,
    Game,
    Limit,
    Position,
    RandomChild,
    RulesError,
    UsageError,
    check_game,
)
from playout.games.more.pig import Pig
from playout.games.positions.dice import roll
from playout.search.result.statistics import verdict
from playout.search.result.view import TreeView
from playout.search.tree.nodes import ROOT
from tests.toys import Coins


def grown(search: MCTS) -> Any:
    return search.tree.nodes.array[: search.tree.num_nodes]


def child(search: MCTS, node: int, action: int) -> int:
    """The node that an action leads to."""
    children = search.tree.children(node)
    actions = search.tree.nodes.array["action"][children].tolist()
    return int(children[actions.index(action)])


# -- drawn, not chosen (row 21 of docs/checklist.md) -----------------------------------


def test_outcomes_are_drawn_by_their_probability() -> None:
    """No player chooses them: counts are binomial, 5 standard deviations (6e-7)."""
    search = MCTS(Coins(heads=0.3), seed=1)
    search.search(limit=Limit(simulations=50_000))
    thrown = child(search, ROOT, 2)
    nodes = search.tree.nodes.array
    total = int(nodes["visits"][thrown]) - 1  # the first visit was a rollout
    heads = int(nodes["visits"][child(search, thrown, 1)])
    assert abs(heads - 0.7 * total) < 5 * np.sqrt(total * 0.7 * 0.3)


def test_the_value_is_the_expectation() -> None:
    """Bet 2 wins with 0.7: worth 0.4 to who bets it, -0.4 to who passes it on."""
    result = MCTS(Coins(heads=0.3), seed=2).search(limit=Limit(simulations=50_000))
    assert result.move == "2"
    assert result.value == pytest.approx(0.4, abs=0.02)  # 5 standard errors
    worth = {row.move: row.mean for row in result.actions}
    assert worth["1"] == pytest.approx(-0.4, abs=0.3)
    one_turn = Coins(heads=0.8, turns=1)
    result = MCTS(one_turn, seed=2).search(limit=Limit(simulations=20_000))
    assert (result.move, result.value) == ("1", pytest.approx(0.6, abs=0.03))


@pytest.mark.parametrize("game", [Coins(), Pig(target=4)], ids=str)
def test_the_slow_twin_grows_the_same_tree(game: Game) -> None:
    trees = []
    for interpreted in (True, False):
        search = MCTS(game, seed=5, interpreted=interpreted, rollout=Decisive())
        search.search(limit=Limit(simulations=200), forced_too=True)
        trees.append(grown(search).tolist())
    assert trees[0] == trees[1]


def test_visits_add_up() -> None:
    """Every node was visited once as a leaf, then once for each visit of a child."""
    search = MCTS(Pig(target=10), seed=1, expansion=RandomChild(urgent="never"))
    search.search(limit=Limit(simulations=5000), forced_too=True)
    nodes = grown(search)
    for node in range(1, 2000):
        children = search.tree.children(node)
        if nodes["visits"][node] and len(children) and not nodes["proven"][node]:
            assert nodes["visits"][node] == 1 + nodes["visits"][children].sum()


# -- proofs ----------------------------------------------------------------------------


@dataclass(frozen=True)
class TwoHeads(Coins):
    """Both sides of the coin that is thrown for bet 1 win."""

    def apply(self, state, action):
        if state.bet == 0:
            state.bet = action
            state.turn += 1 if action == 0 else 0
        else:
            mover = state.turn % 2
            won = action == 1 or state.bet == 1
            state.winner = mover if won else 1 - mover
            state.bet = 0


def test_no_proof_through_chance() -> None:
    result = MCTS(Coins(heads=0.999), seed=1).search(limit=Limit(simulations=20_000))
    assert result.proven is None
    proven = {row.move: row.proven for row in result.actions}
    assert proven == {"0": None, "1": None, "2": None}


@pytest.mark.parametrize("nodes", [1, 6, 7, 9, 12])
def test_no_proof_by_an_outcome_that_has_no_node(nodes: int) -> None:
    """In a full tree the game may end right behind a node of chance."""
    for seed in range(5):
        search = MCTS(Coins(heads=0.5), seed=seed, interpreted=True)
        result = search.search(limit=Limit(simulations=150, nodes=nodes))
        assert result.proven is None
        assert {row.proven for row in result.actions} == {None}


def test_a_proof_where_all_outcomes_agree() -> None:
    search = MCTS(TwoHeads(heads=0.9), seed=1, interpreted=True)
    result = search.search(limit=Limit(simulations=20_000))
    assert (result.move, result.proven, result.stopped_by) == ("1", "win", "proven")
    row = next(row for row in result.actions if row.move == "1")
    assert row.proof_plies == 2


def test_proven_outcomes_still_count_by_their_probability() -> None:
    """A coin that falls to a sure win or to a sure loss is worth its average."""
    game = Coins(heads=0.3)
    search = MCTS(game, seed=4)
    result = search.search(limit=Limit(simulations=20_000))
    nodes = search.tree.nodes.array
    thrown = search.tree.children(child(search, ROOT, 2))
    assert sorted(verdict(int(p)) or "" for p in nodes["proven"][thrown]) == [
        "loss",
        "win",
    ]
    assert result.value == pytest.approx(0.4, abs=0.03)


# -- the search and the real dice ------------------------------------------------------


def test_there_is_no_advice_for_chance() -> None:
    search = MCTS(Pig(), seed=1)
    position = Position.from_moves(Pig(), ["roll"])
    with pytest.raises(UsageError, match=r"one of its outcomes first \(1 2 3 4 5 6\)"):
        search.search(position)


def test_the_tree_is_kept_through_chance() -> None:
    search = MCTS(Pig(target=10), seed=1)
    start = Position(Pig(target=10), "0,0 4 A")
    search.search(start, Limit(simulations=5000))
    thrown = child(search, ROOT, 0)
    known = int(search.tree.nodes[child(search, thrown, 2 + 4)].visits)
    search.go_to(start.copy().play("roll").play("5"))
    assert int(search.tree.nodes[ROOT].visits) == known > 100
    assert search.tree.info[0].root_mover == 0
    assert search.search(limit=Limit(simulations=100)).simulations == 100


def test_the_line_ends_where_chance_moves() -> None:
    result = MCTS(Pig(target=10), seed=1).search(limit=Limit(simulations=2000))
    assert result.pv == ("roll",)


def test_exports_show_chance() -> None:
    search = MCTS(Pig(target=10), seed=1)
    position = Position(Pig(target=10), "0,0 4 A")
    search.search(position, Limit(simulations=2000))
    nodes = json.loads(TreeView(search.tree, position).readable().to_json())["nodes"]
    assert {node["player"] for node in nodes} >= {None, -1, 0}
    assert "chance 6" in TreeView(search.tree, position).readable().to_dot()


# -- the laws --------------------------------------------------------------------------


@dataclass(frozen=True)
class Unsure(Coins):
    def chance_probability(self, state, action):
        return 0.6


@dataclass(frozen=True)
class Never(Coins):
    def chance_probability(self, state, action):
        return float(action)


@dataclass(frozen=True)
class Edge(Coins):
    def sample_chance(self, state, actions, rng):
        return 2


@dataclass(frozen=True)
class Secret(Coins):
    has_chance = False


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Unsure(), r"law 10: probabilities \[0.6, 0.6\] do not add up to 1"),
        (Never(), r"law 10: the outcomes \[0, 1\] have probabilities \[0.0, 1.0\]"),
        (Edge(), r"law 10: sample_chance drew 2; the outcomes are \[0, 1\]"),
        (Secret(), "law 5: current_player is -1 with 2 players"),
    ],
    ids=["sum", "zero", "sample", "undeclared"],
)
def test_broken_laws_are_found(game: Game, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        check_game(game, compiled=False)


@pytest.mark.first_look
@pytest.mark.parametrize("game", [Unsure(), Edge()], ids=["sum", "sample"])
def test_the_first_use_finds_them_too(game: Game) -> None:
    with pytest.raises(RulesError, match="law 10"):
        MCTS(game).compile()


def test_probabilities_must_be_written() -> None:
    @dataclass(frozen=True)
    class Silent(Game):
        has_chance = True

    with pytest.raises(RulesError, match="chance_probability"):
        Position(Silent())


def test_random_games_draw_by_probability() -> None:
    """Heads against 0.3, within 5 standard deviations."""
    game, heads, throws = Coins(heads=0.3), 0, 2000
    for seed in range(throws):
        position = Position.from_moves(game, ["1"])
        heads += roll(position, seed)[0]
    assert abs(heads - 0.3 * throws) < 5 * np.sqrt(throws * 0.21)


def test_a_full_tree_stays_fair() -> None:
    """Without room for all outcomes, those without a node count by their chance too."""
    game = Pig(target=10)
    exact = 0.709424  # see tests/oracles/pig_oracle.py
    search = MCTS(game, seed=5)
    position = Position(game, "0,0 0 A")
    limit = Limit(simulations=100_000, nodes=4000)
    result = search.search(position, limit, forced_too=True)
    assert result.nodes <= 4000
    assert result.win_rate == pytest.approx(exact, abs=0.04)
