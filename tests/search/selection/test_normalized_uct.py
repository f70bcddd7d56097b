"""`NormalizedUCT`: the scale of the returns does not matter (one player)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import MCTS, Limit
from playout.core.jit.rows import Rows
from playout.games.contract.game import Game
from playout.games.more.game_2048 import Game2048
from playout.search.selection.normalized_uct import NormalizedUCT
from playout.search.solver.base import Unsolved
from playout.search.tree.nodes import ROOT


@dataclass(frozen=True)
class Steps(Game):
    """Five times left or right; each right is worth a point, on some scale."""

    zero_sum = False

    scale: float = 1.0
    offset: float = 0.0

    def num_actions(self):
        return 2

    def num_players(self):
        return 1

    def max_game_length(self):
        return 5

    def state_dtype(self):
        return np.dtype([("plies", "i1"), ("points", "i1")])

    def initial_state(self, state):
        state.plies = 0

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 2 if state.plies < 5 else 0

    def apply(self, state, action):
        state.plies += 1
        state.points += action

    def is_terminal(self, state):
        return state.plies == 5

    def returns(self, state, player):
        return self.offset + self.scale * (2 * state.points / 5 - 1)


def grown(game: Game, **policies: Any) -> Any:
    search = MCTS(game, seed=4, interpreted=True, solver=Unsolved(), **policies)
    search.search(limit=Limit(simulations=200))
    return search.tree.nodes.array[: search.tree.num_nodes]


def test_the_scale_does_not_matter() -> None:
    """The same tree for returns in [-1, 1] and in [0.5, 0.5 + 1/64]."""
    wide, narrow = grown(Steps()), grown(Steps(scale=1 / 128, offset=0.5 + 1 / 128))
    for column in ("visits", "action", "num_children"):
        assert wide[column].tolist() == narrow[column].tolist()


def test_the_spread_is_that_of_the_results() -> None:
    nodes = grown(Steps(), selection=NormalizedUCT(c_uct=1.0))
    root = nodes[ROOT]
    assert root["above"] - 1 == 1.0  # five times right was found
    assert 1 - root["below"] < root["value_sum"] / root["visits"]
    policy = NormalizedUCT(c_uct=2.0)
    row = np.zeros(1, dtype=[("visits", "u4"), ("below", "f8"), ("above", "f8")])
    row[0] = (50, 1 - 0.25, 1 + 0.75)  # seen were 0.25 to 0.75
    term = policy.parent_term(Rows(row)[0])
    assert term == pytest.approx(2.0 * 0.25 * np.sqrt(np.log(50)), rel=1e-9)


def test_nothing_seen_yet_and_equal_results() -> None:
    """The term is never 0, or the first of equal children would always be taken."""
    row = np.zeros(1, dtype=[("visits", "u4"), ("below", "f8"), ("above", "f8")])
    row["visits"] = 9
    assert NormalizedUCT().parent_term(Rows(row)[0]) > 0
    nodes = grown(Steps(scale=0.0, offset=-0.5))
    children = nodes["visits"][1:3]
    assert children.min() > 0.4 * nodes["visits"][ROOT]


def test_it_is_the_default_for_one_player_and_agrees_with_its_slow_twin() -> None:
    game = Game2048(size=2, goal=32)
    trees = []
    for interpreted in (True, False):
        search = MCTS(game, seed=3, interpreted=interpreted)
        assert search.policies.selection == NormalizedUCT()
        position = search.position
        position.play("a1=2").play("b1=2")
        search.search(position, Limit(simulations=150))
        trees.append(search.tree.nodes.array[: search.tree.num_nodes].tolist())
    assert trees[0] == trees[1]
