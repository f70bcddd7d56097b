"""Kuhn poker: three cards, one chip, one bet. Who pays what is told in chips.

What was hard: `determinize` is asked in the true state, too, and must not look at
what is there, and in the middle of dealing; `playout check` found both.
"""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Game

CARDS = ["J", "Q", "K"]
PASS, BET = 3, 4  # 0 to 2 deal a card
NO_CARD, UNKNOWN = -1, -2


@dataclass(frozen=True)
class Kuhn(Game):
    """Pass or bet."""

    title = "My Kuhn poker"
    player_names = ("Alice", "Bob")
    has_chance = True
    has_hidden = True
    return_range = (-2, 2)

    def num_actions(self):
        return 5

    def max_game_length(self):
        return 5

    def state_dtype(self):
        return np.dtype([("cards", "i1", 2), ("bets", "i1", 3), ("turn", "i1")])

    def initial_state(self, state):
        state.cards[:] = NO_CARD

    def current_player(self, state):
        if state.cards[1] == NO_CARD:
            return CHANCE
        return state.turn % 2

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        if state.cards[1] == NO_CARD:
            left = [card for card in range(3) if card != state.cards[0]]
            for i, card in enumerate(left):
                actions[i] = card
            return len(left)
        actions[0], actions[1] = PASS, BET
        return 2

    def chance_probability(self, state, action):
        return 1 / 3 if state.cards[0] == NO_CARD else 1 / 2

    def apply(self, state, action):
        if action < PASS:
            state.cards[0 if state.cards[0] == NO_CARD else 1] = action
        else:
            state.bets[state.turn] = action
            state.turn += 1

    def is_terminal(self, state):
        if state.turn < 2:
            return False
        return state.turn == 3 or state.bets[0] == BET or state.bets[1] == PASS

    def returns(self, state, player):
        first, second, third = state.bets
        last = third if state.turn == 3 else second
        called = last == BET
        showdown = called or (first == PASS and second == PASS)
        if showdown:
            winner = 0 if state.cards[0] > state.cards[1] else 1
        else:
            winner = 1 if state.turn == 3 else 0
        chips = 2 if called else 1
        return chips if winner == player else -chips

    def is_secret(self, state, player):
        """Whether a player's card is known to nobody else."""
        return state.cards[player] != NO_CARD and not self.is_terminal(state)

    def hide(self, state, player):
        if self.is_secret(state, 1 - player):
            state.cards[1 - player] = UNKNOWN

    def determinize(self, state, player, rng):
        if self.is_secret(state, 1 - player):
            mine = state.cards[player]
            if mine == NO_CARD:
                state.cards[1 - player] = rng.below(3)
            else:
                state.cards[1 - player] = (mine + 1 + rng.below(2)) % 3

    def action_name(self, action):
        return [*CARDS, "pass", "bet"][action]

    def parse_action(self, text):
        return [*CARDS, "pass", "bet"].index(text)

    def render(self, state, last_action=None, color=False):
        shown = ["?" if card < 0 else CARDS[card] for card in state.cards]
        bets = [self.action_name(action) for action in state.bets[: state.turn]]
        return f"Alice {shown[0]}   Bob {shown[1]}\n{' '.join(bets) or 'no bets'}"
