"""Small games with rewards before the end, whose values are worked out by hand."""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Game, UsageError


@dataclass(frozen=True)
class Fork(Game):
    """Left brings 2 at once; right brings 3, two actions later."""

    has_rewards = True
    zero_sum = False
    return_range = (0.0, 10.0)

    def num_players(self):
        return 1

    def num_actions(self):
        return 2

    def max_game_length(self):
        return 3

    def state_dtype(self):
        fields = [("reward", "f8"), ("total", "f8"), ("ply", "i4"), ("way", "i4")]
        return np.dtype(fields)

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        if state.ply == 3:
            return 0
        return 2 if state.ply == 0 else 1

    def apply(self, state, action):
        state.reward = 0.0
        if state.ply == 0:
            state.way = action
            state.reward = 2.0 - 2.0 * action
        elif state.ply == 2 and state.way == 1:
            state.reward = 3.0
        state.total += state.reward
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 3

    def returns(self, state, player):
        return state.total

    def rewards(self, state, player):
        return state.reward

    def evaluate(self, state, player):
        """What is still to come, without a discount."""
        if state.ply == 0:
            return 3.0
        return 3.0 if state.way == 1 else 0.0


@dataclass(frozen=True)
class Coins(Fork):
    """Twice: action 0 brings 1; action 1 throws a coin, whose head (3) brings 3."""

    has_chance = True

    def num_actions(self):
        return 4

    def max_game_length(self):
        return 4

    def current_player(self, state):
        return CHANCE if state.way == 1 else 0

    def legal_actions(self, state, actions):
        if state.ply == 2:
            return 0
        for index in range(2):
            actions[index] = index + 2 * state.way
        return 2

    def apply(self, state, action):
        state.reward = 0.0
        state.way = 1 if action == 1 else 0
        if action == 0:
            state.reward = 1.0
        elif action == 3:
            state.reward = 3.0
        state.ply += 0 if action == 1 else 1
        state.total += state.reward

    def chance_probability(self, state, action):
        return 0.5

    def is_terminal(self, state):
        return state.ply == 2

    def evaluate(self, state, player):
        return 0.0


@dataclass(frozen=True)
class Gifts(Game):
    """Two players, three actions in turn: each keeps 1, or gives the other 3.

    So it is not zero-sum, and keeping is best for who chooses, whatever follows.
    """

    has_rewards = True
    zero_sum = False
    return_range = (0.0, 7.0)

    def num_actions(self):
        return 2

    def max_game_length(self):
        return 3

    def state_dtype(self):
        fields = [("total", "f8", 2), ("reward", "f8", 2), ("ply", "i4")]
        return np.dtype(fields)

    def initial_state(self, state):
        state.ply = 0

    def current_player(self, state):
        return state.ply % 2

    def legal_actions(self, state, actions):
        actions[0] = 0
        actions[1] = 1
        return 0 if state.ply == 3 else 2

    def apply(self, state, action):
        mover = state.ply % 2
        state.reward[0] = 0.0
        state.reward[1] = 0.0
        if action == 0:
            state.reward[mover] = 1.0
        else:
            state.reward[1 - mover] = 3.0
        for player in range(2):
            state.total[player] += state.reward[player]
        state.ply += 1

    def is_terminal(self, state):
        return state.ply == 3

    def returns(self, state, player):
        return state.total[player]

    def rewards(self, state, player):
        return state.reward[player]


@dataclass(frozen=True)
class Veiled(Fork):
    """What the last action has brought is not seen."""

    has_hidden = True

    def hide(self, state, player):
        state.reward = 0.0

    def determinize(self, state, player, rng):
        state.reward = 0.0


@dataclass(frozen=True)
class Forgetful(Fork):
    """Rewards that do not add up to the returns."""

    def returns(self, state, player):
        return state.total + 1.0


@dataclass(frozen=True)
class Welcomes(Fork):
    """A reward before anything was done."""

    def initial_state(self, state):
        state.reward = 1.0


@dataclass(frozen=True)
class Wordy(Fork):
    """Rules that cannot be compiled."""

    def apply(self, state, action):
        if f"{action}" not in "01":
            raise UsageError("no such action")
        super().apply(state, action)
