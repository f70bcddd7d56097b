"""Nim: a game of your own in fifty lines, checked and searched."""

from dataclasses import dataclass

import numpy as np

from playout import MCTS, Game, Limit, check_game


@dataclass(frozen=True)
class Nim(Game):
    """Take one to three stones; whoever takes the last stone wins."""

    stones: int = 21

    def num_actions(self):  # actions are 0 .. num_actions - 1
        return 4

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1")])

    def initial_state(self, state):  # writes the starting state in place
        state.left = self.stones
        state.player = 0

    def current_player(self, state):
        return state.player

    def legal_actions(self, state, actions):  # fills a buffer, returns how many
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        return count

    def apply(self, state, action):  # in place
        state.left -= action
        state.player = 1 - state.player

    def is_terminal(self, state):
        return state.left == 0

    def returns(self, state, player):  # in [-1, 1], for `player`
        return 1.0 if state.player != player else -1.0


if __name__ == "__main__":
    print(check_game(Nim()))
    print(MCTS(Nim(), seed=1).search(limit=Limit(simulations=100_000)))
