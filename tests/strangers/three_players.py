"""Three players take coins from either end of a row; the richest wins.

What was hard: returns add up to 0 unless `zero_sum` is False; the winners of a tie
share.
"""

from dataclasses import dataclass

import numpy as np

from playout import Game

COINS = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]


@dataclass(frozen=True)
class CoinRow(Game):
    """Left or right end; most coins in the end win."""

    coins: int = 9

    def num_players(self):
        return 3

    def num_actions(self):
        return 2

    def state_dtype(self):
        return np.dtype([("left", "i4"), ("right", "i4"), ("purses", "i4", 3)])

    def initial_state(self, state):
        state.right = self.coins

    def current_player(self, state):
        return (self.coins - (state.right - state.left)) % 3

    def legal_actions(self, state, actions):
        left_over = state.right - state.left
        actions[:2] = [0, 1]
        return min(left_over, 2)

    def apply(self, state, action):
        me = self.current_player(state)
        if action == 0:
            state.purses[me] += COINS[state.left]
            state.left += 1
        else:
            state.right -= 1
            state.purses[me] += COINS[state.right]

    def is_terminal(self, state):
        return state.left == state.right

    def returns(self, state, player):
        winners = np.flatnonzero(state.purses == max(state.purses))
        if len(winners) == 3:
            return 0.0
        return 1.0 / len(winners) if player in winners else -1.0 / (3 - len(winners))

    def action_name(self, action):
        return ["left", "right"][action]

    def parse_action(self, text):
        return {"left": 0, "right": 1}[text]

    def render(self, state, last_action=None, color=False):
        row = " ".join(str(c) for c in COINS[state.left : state.right])
        return f"{row}\n{' '.join(map(str, state.purses))}"
