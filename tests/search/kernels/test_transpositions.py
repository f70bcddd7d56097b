"""Transpositions: one node for a position, whichever way it was reached.

Also of `search/kernels/structure.py`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from playout import (
    MAST,
    MCTS,
    MNK,
    NST,
    PUCT,
    RAVE,
    Limit,
    MaxMix,
    Mean,
    Position,
    ProgressiveHistory,
    ProgressiveWidening,
    TicTacToe,
    UsageError,
)
from playout.games.contract.game import Game
from playout.games.more.line_three import LineThree
from playout.games.more.pig import Pig
from playout.search.expansion.all_children import AllChildren
from playout.search.kernels.transpositions import Graph
from playout.search.selection.ucb1_tuned import UCB1Tuned
from playout.search.selection.uct import UCT
from playout.search.solver.base import Unsolved
from playout.search.solver.bounds import lower_of, upper_of
from playout.search.tree.nodes import ROOT
from tests.toys import Nim, PassNim, TwiceNim


@dataclass(frozen=True)
class Diamond(Game):
    """Left or right lead to one place and half a win, the third way to a draw."""

    def num_actions(self):
        return 3

    def max_game_length(self):
        return 3

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("way", "i1")])

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        if state.ply == 3:
            return 0
        actions[0] = 0
        if state.ply > 0:
            return 1
        actions[1] = 1
        actions[2] = 2
        return 3

    def apply(self, state, action):
        if state.ply == 0:
            state.way = action // 2  # 0 for left and right alike
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 3

    def returns(self, state, player):
        value = 0.5 if state.way == 0 else 0.0
        return value if player == 0 else -value


@dataclass(frozen=True)
class Junction(Diamond):
    """Two ways, each of which may go on alone or to a place that both lead to.

    Then one of three ends is taken. They bring 0.5 on average where the ways have met,
    -0.5 on the left and 0.2 on the right.
    """

    def initial_state(self, state):
        state.ply = 0
        state.way = -1

    def state_dtype(self):
        return np.dtype([("ply", "i1"), ("way", "i1"), ("end", "i1")])

    def legal_actions(self, state, actions):
        if state.ply == 3:
            return 0
        count = 3 if state.ply == 2 else 2
        for action in range(count):
            actions[action] = action
        return count

    def apply(self, state, action):
        if state.ply == 0:
            state.way = action
        elif state.ply == 1:
            state.way = 2 if action == 1 else state.way
        else:
            state.end = action
        state.ply += 1

    def returns(self, state, player):
        value = 0.2 + 0.1 * (state.end - 1)
        if state.way == 0:
            value = -0.5 + 0.5 * (state.end - 1)
        elif state.way == 2:
            value = 0.5 + 0.5 * (state.end - 1)
        return value if player == 0 else -value


def rows(search: MCTS) -> Any:
    return search.tree.nodes.array[: search.tree.num_nodes]


def nodes_of(search: MCTS) -> list[int]:
    """The rows that are nodes: the root, and what an edge leads to."""
    targets = rows(search)["target"]
    return sorted({ROOT, *(int(t) - 1 for t in targets if t > 0)})


def targets(search: MCTS, node: int, actions: tuple[int, ...]) -> list[int]:
    edges = rows(search)[search.tree.children(node)]
    found = {int(edge["action"]): int(edge["target"]) for edge in edges}
    return [found[action] for action in actions]


def test_a_diamond_is_one_node_with_its_known_value() -> None:
    """Left and right lead to one node; its value is exact, and counted once."""
    search = MCTS(Diamond(), seed=1, interpreted=True, transpositions=True)
    result = search.search(limit=Limit(simulations=60))
    assert {row.move: row.mean for row in result.actions} == {
        "0": 0.5,
        "1": 0.5,
        "2": 0.0,
    }
    left, right = targets(search, ROOT, (0, 1))
    assert left == right
    node = rows(search)[left - 1]
    edges = {int(r["action"]): r for r in rows(search)[search.tree.children(ROOT)]}
    below = rows(search)[search.tree.children(left - 1)]
    assert node["visits"] == node["own_visits"] + below["visits"].sum()
    assert node["visits"] <= edges[0]["visits"] + edges[1]["visits"]
    assert len(nodes_of(search)) == 7  # the start, and three times two instead of three


def test_what_two_ways_lead_to_counts_once_in_each() -> None:
    """Exploration alone takes all actions alike: the exact means are half the sums.

    To count what came the other way, too, would make 0.17 and 0.4 of 0 and 0.35.
    """
    search = MCTS(
        Junction(),
        seed=1,
        interpreted=True,
        transpositions=True,
        selection=UCT(c_uct=1e6),
        solver=Unsolved(),
    )
    result = search.search(limit=Limit(simulations=1000))
    means = {row.move: row.mean for row in result.actions}
    assert means["0"] == pytest.approx((-0.5 + 0.5) / 2, abs=0.02)
    assert means["1"] == pytest.approx((0.2 + 0.5) / 2, abs=0.02)
    assert result.actions[0].visits == result.actions[1].visits == 500
    left, right = targets(search, ROOT, (0, 1))
    assert targets(search, left - 1, (1,)) == targets(search, right - 1, (1,))
    check_counts(search)


def check_counts(search: MCTS) -> None:
    """N is one's own and the edges' visits; N Q what the edges say, and one's own."""
    table = rows(search)
    for node in nodes_of(search):
        row, edges = table[node], table[search.tree.children(node)]
        assert row["visits"] == row["own_visits"] + edges["visits"].sum()
        total = row["own_sum"] - edges["value_sum"].sum()
        assert row["value_sum"] == pytest.approx(total, abs=1e-9)
        assert abs(row["value_sum"]) <= row["visits"] + 1e-9


def test_edges_and_nodes_add_up() -> None:
    search = MCTS(TicTacToe(), seed=3, transpositions=True, solver=Unsolved())
    result = search.search(limit=Limit(simulations=3000))
    check_counts(search)
    keys = rows(search)["key"][nodes_of(search)]
    assert len(set(keys.tolist())) == len(keys)  # no position twice
    assert result.visits == 3000
    assert len(nodes_of(search)) < 2000


def test_the_slow_twin_grows_the_same_graph() -> None:
    graphs = []
    for interpreted in (True, False):
        search = MCTS(TicTacToe(), seed=5, interpreted=interpreted, transpositions=True)
        search.search(limit=Limit(simulations=200))
        graphs.append(rows(search).tolist())
    assert graphs[0] == graphs[1]


def test_tic_tac_toe_is_proven_sooner() -> None:
    """2,500 simulations are enough; a tree takes some 4,500. Every node is right."""
    values = minimax()
    for seed in range(10):
        search = MCTS(TicTacToe(), seed=seed, transpositions=True)
        result = search.search(limit=Limit(simulations=2500))
        assert (result.proven, result.stopped_by) == ("draw", "proven")
        check_proofs(search, values)
        assert len(result.pv) > 1


#: Policies that use actions, states, the game's priors or its evaluation, or make
#: several edges at once.
MORE: dict[str, dict[str, Any]] = {
    "PUCT, best first, MAST": {"selection": PUCT(), "rollout": MAST()},
    "RAVE, all children": {"selection": RAVE()},
    "history, widening, NST": {
        "selection": ProgressiveHistory(),
        "expansion": ProgressiveWidening(),
        "rollout": NST(),
    },
}


@pytest.mark.parametrize("policies", MORE.values(), ids=MORE.keys())
def test_policies_that_learn_prove_the_same(policies: dict[str, Any]) -> None:
    """Interpreted, the graph is the same, and its proofs are true."""
    graphs = []
    for interpreted in (True, False):
        search = MCTS(
            TicTacToe(),
            seed=5,
            interpreted=interpreted,
            transpositions=True,
            **policies,
        )
        search.search(limit=Limit(simulations=150))
        check_counts(search)
        graphs.append(rows(search).tolist())
    assert graphs[0] == graphs[1]
    result = search.search(limit=Limit(simulations=20_000))
    assert (result.proven, result.stopped_by) == ("draw", "proven")
    check_proofs(search, minimax())


def check_proofs(search: MCTS, values: dict[bytes, float]) -> None:
    """Every bound holds, for `frame`, who is not to move."""
    table = rows(search)
    queue, seen = [(ROOT, Position(search.game))], {ROOT}
    while queue:
        node, position = queue.pop()
        value = -values[position.array.tobytes()]
        if position.is_terminal:
            value = position.returns(int(table["frame"][node]))
        proven = int(table["proven"][node])
        assert lower_of(proven) <= value <= upper_of(proven)
        for edge in table[search.tree.children(node)]:
            if edge["target"] - 1 not in seen and edge["target"] > 0:
                seen.add(int(edge["target"]) - 1)
                below = position.copy().play(int(edge["action"]))
                queue.append((int(edge["target"]) - 1, below))
    assert len(seen) > 100


@cache
def minimax() -> dict[bytes, float]:
    """The value of every position of tic-tac-toe for the player to move."""
    values: dict[bytes, float] = {}

    def value(position: Position) -> float:
        key = position.array.tobytes()
        if key not in values:
            mover = position.current_player
            if position.is_terminal:
                values[key] = position.returns(mover)
            else:
                values[key] = max(
                    -value(position.copy().play(action))
                    for action in position.legal_actions()
                )
        return values[key]

    value(Position(TicTacToe()))
    return values


@pytest.mark.parametrize("game", [Nim(stones=9), PassNim(), TwiceNim()], ids=str)
def test_players_who_move_twice_or_pass(game: Game) -> None:
    """The same proof as in a tree, whose turn it may be."""
    proofs = []
    for transpositions in (False, True):
        search = MCTS(game, seed=1, interpreted=True, transpositions=transpositions)
        result = search.search(limit=Limit(simulations=400), forced_too=True)
        proofs.append(result.proven)
    assert proofs[0] == proofs[1] is not None


def test_a_full_graph_goes_on() -> None:
    search = MCTS(TicTacToe(), seed=2, transpositions=True, solver=Unsolved())
    result = search.search(limit=Limit(simulations=3000, nodes=100))
    assert (result.simulations, result.nodes <= 100) == (3000, True)
    check_counts(search)
    position = Position.from_moves(TicTacToe(), ["b2"])
    search.search(position, Limit(simulations=500, nodes=100))
    assert rows(search)["visits"][ROOT] == 500  # nothing is left of the old graph
    check_counts(search)
    assert isinstance(search.tree, Graph)


def test_a_larger_board_is_proven_with_transpositions() -> None:
    """The first player wins 3,4,3 (docs/games/tic-tac-toe.md)."""
    search = MCTS(MNK(m=3, n=4, k=3), seed=1, transpositions=True)
    result = search.search(limit=Limit(simulations=20_000))
    assert (result.proven, result.stopped_by) == ("win", "proven")


def test_what_is_refused() -> None:
    for game in (Pig(), LineThree()):
        with pytest.raises(UsageError, match="cannot be searched with transpositions"):
            MCTS(game, transpositions=True)
    with pytest.raises(UsageError, match="threads cannot share a graph"):
        MCTS(TicTacToe(), transpositions=True, threads=2)
    refused: list[tuple[dict[str, Any], str]] = [
        ({"expansion": AllChildren()}, "take visit_all=False"),
        ({"selection": UCB1Tuned()}, "an edge's own results"),
        ({"backup": Mean(discount=0.01)}, "what its edges lead to"),
        ({"backup": MaxMix()}, "what its edges lead to"),
    ]
    for policy, why in refused:
        with pytest.raises(UsageError, match=f"not work with transpositions: .*{why}"):
            MCTS(TicTacToe(), transpositions=True, **policy)
