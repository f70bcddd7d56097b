"""A game for any number of players, as a file that commands and pages can name."""

from dataclasses import dataclass

import numpy as np

from playout import Game


@dataclass(frozen=True)
class Ring(Game):
    """Players in a ring take one to three stones; whoever takes the last one wins."""

    zero_sum = False

    stones: int = 10
    players: int = 3

    def num_players(self):
        return self.players

    def num_actions(self):
        return 4

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("player", "i1")])

    def initial_state(self, state):
        state.left = self.stones

    def current_player(self, state):
        return state.player

    def legal_actions(self, state, actions):
        count = min(3, state.left)
        for i in range(count):
            actions[i] = i + 1
        return count

    def apply(self, state, action):
        state.left -= action
        if state.left > 0:
            state.player = (state.player + 1) % self.players

    def is_terminal(self, state):
        return state.left == 0

    def returns(self, state, player):
        return 1.0 if state.player == player else -1.0
