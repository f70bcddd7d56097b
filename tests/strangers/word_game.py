"""Ghost: add a letter; who completes a word loses. Strings and sets, not compiled.

What was hard: a state holds no text, so letters are kept as numbers.
"""

import string
from dataclasses import dataclass

import numpy as np

from playout import Game

WORDS = {"ant", "anthem", "bat", "bath", "cat", "cab", "cart", "care", "dog", "dot"}
PREFIXES = {word[:n] for word in WORDS for n in range(len(word) + 1)}


@dataclass(frozen=True)
class Ghost(Game):
    """Add a letter so that some word begins so; who completes a word loses."""

    def num_actions(self):
        return 26

    def max_game_length(self):
        return max(map(len, WORDS))

    def state_dtype(self):
        longest = max(map(len, WORDS))
        return np.dtype([("letters", "u1", longest), ("length", "u1")])

    def word(self, state):
        return "".join(chr(code) for code in state.letters[: state.length])

    def initial_state(self, state):
        state.length = 0

    def current_player(self, state):
        return state.length % 2

    def legal_actions(self, state, actions):
        word = self.word(state)
        if word in WORDS:
            return 0
        n = 0
        for i, letter in enumerate(string.ascii_lowercase):
            if word + letter in PREFIXES:
                actions[n] = i
                n += 1
        return n

    def apply(self, state, action):
        state.letters[state.length] = ord(string.ascii_lowercase[action])
        state.length += 1

    def is_terminal(self, state):
        return self.word(state) in WORDS

    def returns(self, state, player):
        loser = (state.length - 1) % 2
        return -1.0 if player == loser else 1.0

    def action_name(self, action):
        return string.ascii_lowercase[action]

    def parse_action(self, text):
        return string.ascii_lowercase.index(text)

    def render(self, state, last_action=None, color=False):
        return self.word(state) + "..."
