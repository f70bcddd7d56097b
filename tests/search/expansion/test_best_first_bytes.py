"""Games of as many actions as a byte counts, and of one more."""

from dataclasses import dataclass

import numpy as np
import pytest

from playout import MCTS, PUCT, Game, LikeliestFirst, Limit, Unsolved
from playout.search.tree.nodes import ROOT


@dataclass(frozen=True)
class OneMove(Game):
    """One player moves once, and then it is over; later actions are worth less."""

    actions: int = 254

    def num_players(self):
        return 1

    def num_actions(self):
        return self.actions

    def max_game_length(self):
        return 1

    @property
    def return_range(self):
        return (0.0, 1.0)

    def state_dtype(self):
        return np.dtype([("played", "i2")])

    def initial_state(self, state):
        state.played = -1

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        for action in range(self.actions):
            actions[action] = action
        return self.actions

    def apply(self, state, action):
        state.played = action

    def is_terminal(self, state):
        return state.played >= 0

    def returns(self, state, player):
        return 1.0 - state.played / 1000

    def prior(self, state, action):
        return 1000.0 + action


@pytest.mark.parametrize("actions", [254, 255])
def test_as_many_actions_as_a_byte_counts(actions: int) -> None:
    """And one more; all children are made, the one with the highest number first."""
    trees = []
    for interpreted in (False, True):
        search = MCTS(
            OneMove(actions=actions),
            selection=PUCT(c_puct=50.0),
            expansion=LikeliestFirst(),
            solver=Unsolved(),
            seed=1,
            interpreted=interpreted,
        )
        search.search(limit=Limit(simulations=actions + 50))
        nodes = search.tree.nodes.array[: search.tree.num_nodes]
        found = nodes[search.tree.children(ROOT)]["action"].tolist()
        assert found == list(range(actions))[::-1]
        assert nodes["num_children"][ROOT] == nodes["num_legal"][ROOT] == actions
        trees.append(nodes.tolist())
    assert trees[0] == trees[1]
