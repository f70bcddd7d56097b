"""Networks that see a state in parts: what they say, and the searches that ask them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import (
    MCTS,
    Limit,
    Position,
    RulesError,
    TicTacToe,
    UltimateTicTacToe,
    UsageError,
    check_game,
)
from playout.search.evaluation.parts import PartsNetwork
from playout.search.expansion.best_first import LikeliestFirst
from playout.search.rollout.truncated import Truncated
from tests.networks import parts_arrays

GAME = UltimateTicTacToe()
MOVES = [
    *["ee", "ea", "ab", "bb", "be", "eg", "gd", "db", "bd"],
    *["df", "fe", "ec", "ci", "ib", "bf", "fc", "ca", "aa"],
]


def value_of(network: PartsNetwork, position: Position) -> float:
    game, state = position.game, position.state
    tables = network.tables(game)
    network.judge(game, state, tables)
    mover = position.current_player
    value = network.value(game, state, tables, mover)
    assert network.value(game, state, tables, 1 - mover) == -value
    return value


def test_it_says_what_the_textbook_says() -> None:
    """A row of the table for each part, side by side, through the layers."""
    given, position = parts_arrays(GAME), Position(GAME)
    network, values = PartsNetwork.of(given, GAME), []
    for move in MOVES:
        position.play(move)
        parts = np.zeros(9, np.int32)
        GAME.observe_parts(position.state, parts)
        rows = given["parts"][parts].reshape(-1)
        hidden = np.clip(rows @ given["w1"] + given["b1"], 0, 1)
        values.append(float(np.tanh(hidden @ given["wv"] + given["bv"])[0]))
        assert value_of(network, position) == pytest.approx(values[-1], abs=1e-5)
    assert np.std(values) > 0.05


def test_the_games_own_priors_and_policies_go_with_it() -> None:
    """As it says nothing of actions, a search differs from the default in leaves."""
    usual, search = MCTS(GAME, seed=1), MCTS(GAME, evaluator=network(), seed=1)
    assert search.policies.selection == usual.policies.selection
    assert isinstance(search.policies.expansion, LikeliestFirst)
    assert isinstance(usual.policies.rollout, Truncated)
    priors = []
    for each in (search, usual):
        each.search(limit=Limit(simulations=400))
        first = each.tree.nodes.array[each.tree.children(0)]
        priors.append(dict(zip(first["action"], first["prior"], strict=True)))
    shared = set(priors[0]) & set(priors[1])
    assert len(shared) > 3
    assert all(priors[0][action] == priors[1][action] for action in shared)


def network() -> PartsNetwork:
    return PartsNetwork.of(parts_arrays(GAME), GAME)


def test_what_is_kept_of_parts_changes_nothing() -> None:
    """A value is the same, bit for bit, whatever was judged before."""
    net = network()
    position, tables, found = Position(GAME), net.tables(GAME), []
    for move in [*MOVES, None]:
        net.judge(GAME, position.state, tables)
        found.append(net.value(GAME, position.state, tables, 0))
        fresh = net.tables(GAME)
        net.judge(GAME, position.state, fresh)
        assert net.value(GAME, position.state, fresh, 0) == found[-1]
        if move is not None:
            position.play(move)
    assert len(set(found)) == len(found)
    assert (tables.keys >= 0).sum() > 20


def test_compiled_and_interpreted_grow_the_same_tree() -> None:
    trees = []
    for interpreted in (False, True):
        search = MCTS(GAME, evaluator=network(), seed=1, interpreted=interpreted)
        search.search(Position.from_moves(GAME, MOVES), Limit(simulations=60))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"parts": np.zeros((5, 3))},
            "parts is of shape \\[5, 3\\]; here it must have",
        ),
        (
            {"w1": np.zeros((4, 8))},
            "w1 is of shape \\[4, 8\\]; here it must have 27 row",
        ),
        ({"wv": None}, "there is no array 'wv'"),
    ],
)
def test_arrays_that_make_no_network(changes: Any, said: str) -> None:
    given = {**parts_arrays(GAME), **changes}
    given = {name: each for name, each in given.items() if each is not None}
    with pytest.raises(UsageError, match=said):
        PartsNetwork.of(given, GAME)


def test_a_game_without_parts() -> None:
    with pytest.raises(UsageError, match="needs a game that has observe_parts"):
        PartsNetwork.of(parts_arrays(GAME), TicTacToe())
    with pytest.raises(UsageError, match="needs a game that has observe_parts"):
        MCTS(TicTacToe(), evaluator=network())


@dataclass(frozen=True)
class Beyond(UltimateTicTacToe):
    """Rules that break law 16 once somebody has won a board."""

    def observe_parts(self, state: Any, parts: Any) -> None:
        for part in range(9):
            parts[part] = 40_000 if state.boards[0] != 0 else 0


def test_a_kind_that_there_is_not() -> None:
    with pytest.raises(RulesError, match="law 16: observe_parts writes other kinds"):
        check_game(Beyond())
    tables = network().tables(GAME)
    boards = ["XXX......", *8 * ["........."]]
    position = Position(Beyond(), "/".join(boards) + " - O")
    network().judge(position.game, position.state, tables)
    assert np.isfinite(tables.sums).all()
