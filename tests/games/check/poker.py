"""A correct game of chance and hidden cards, whose rules are easily spoiled."""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Game

UNKNOWN = 4
PASS, BET = 3, 4
#: What a pass or a bet makes of the betting so far; 4 and above is the end.
NEXT = ((1, 2), (4, 3), (5, 6), (7, 8))


@dataclass(frozen=True)
class Kuhn(Game):
    """Kuhn poker: of three cards each player has one; pass or bet.

    Kuhn, "A simplified two-person poker", Contributions to the Theory of Games I, 1950.
    """

    has_chance = True
    has_hidden = True

    def num_actions(self):
        return 5

    def max_game_length(self):
        return 5

    def state_dtype(self):
        return np.dtype([("cards", "i1", (2,)), ("dealt", "i1"), ("bets", "i1")])

    def initial_state(self, state):
        state.bets = 0

    def current_player(self, state):
        if state.dealt < 2:
            return CHANCE
        return 0 if state.bets == 0 or state.bets == 3 else 1

    def legal_actions(self, state, actions):
        if state.bets >= 4:
            return 0
        if state.dealt == 2:
            actions[0], actions[1] = PASS, BET
            return 2
        count = 0
        for card in range(3):
            if state.dealt == 0 or state.cards[0] != card + 1:
                actions[count] = card
                count += 1
        return count

    def apply(self, state, action):
        if state.dealt < 2:
            state.cards[state.dealt] = action + 1
            state.dealt += 1
        else:
            state.bets = NEXT[state.bets][action - PASS]

    def is_terminal(self, state):
        return state.bets >= 4

    def returns(self, state, player):
        if state.bets == 5 or state.bets == 7:
            winner, chips = (0 if state.bets == 5 else 1), 0.5
        else:
            winner = 0 if state.cards[0] > state.cards[1] else 1
            chips = 0.5 if state.bets == 4 else 1.0
        return chips if winner == player else -chips

    def chance_probability(self, state, action):
        return 1.0 / 3.0 if state.dealt == 0 or state.cards[0] == UNKNOWN else 0.5

    def hide(self, state, player):
        if state.bets < 4 and state.cards[1 - player] != 0:
            state.cards[1 - player] = UNKNOWN

    def determinize(self, state, player, rng):
        if state.cards[1 - player] != 0:
            own = state.cards[player]
            state.cards[1 - player] = self.draw_card(own, rng)

    def draw_card(self, own, rng):
        if own == 0:
            return rng.below(3) + 1
        card = rng.below(2) + 1
        return card if card < own else card + 1


@dataclass(frozen=True)
class Race(Game):
    """Throw a die (1 to 3) in turn; whoever is first at `goal` has won.

    Before a throw the player says whether it counts twice, and whoever lands beyond
    the goal has lost.
    """

    goal: int = 7
    has_chance = True

    def num_actions(self):
        return 5

    def max_game_length(self):
        return 4 * self.goal

    def state_dtype(self):
        return np.dtype([("at", "i2", (2,)), ("player", "i1"), ("times", "i1")])

    def initial_state(self, state):
        state.player = 0

    def current_player(self, state):
        return CHANCE if state.times > 0 else state.player

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        first, count = (2, 3) if state.times > 0 else (0, 2)
        for i in range(count):
            actions[i] = first + i
        return count

    def apply(self, state, action):
        if state.times == 0:
            state.times = action + 1
        else:
            state.at[state.player] += state.times * (action - 1)
            state.times = 0
            state.player = 1 - state.player

    def is_terminal(self, state):
        return state.at[0] >= self.goal or state.at[1] >= self.goal

    def returns(self, state, player):
        last = 1 - state.player
        winner = last if state.at[last] == self.goal else 1 - last
        return 1.0 if winner == player else -1.0

    def chance_probability(self, state, action):
        return 0.5 if action == 2 else 0.25

    def sample_chance(self, state, actions, rng):
        face = rng.below(4)
        return 2 + max(0, face - 1)
