"""A travelling salesman: visit every city once and come home; shorter is better.

What was hard: nothing; NumPy's `int`, `float` and `bool` do as fields, and the range
of a tour's length is a property.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, constant, static


@dataclass(frozen=True)
class Salesman(Game):
    """A tour's length, with a minus, is what it returns."""

    title = "Salesman"
    player_names = ("Salesman",)
    zero_sum = False

    cities: int = static(7)
    seed: int = static(1)

    @constant
    def places(self):
        return np.random.default_rng(self.seed).uniform(0, 10, (self.cities, 2))

    @constant
    def distances(self):
        ways = self.places[:, None] - self.places[None, :]
        return np.sqrt((ways**2).sum(axis=2))

    @property
    def return_range(self):
        return (-float(self.distances.max(axis=1).sum()), 0.0)

    def num_players(self):
        return 1

    def num_actions(self):
        return self.cities

    def max_game_length(self):
        return self.cities - 1

    def state_dtype(self):
        return np.dtype(
            [("visited", bool, self.cities), ("here", int), ("length", float)]
        )

    def initial_state(self, state):
        state.visited[0] = True

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        free = np.flatnonzero(~state.visited)
        actions[: len(free)] = free
        return len(free)

    def apply(self, state, action):
        state.length += self.distances[state.here, action]
        state.here = action
        state.visited[action] = True

    def is_terminal(self, state):
        return all(state.visited)

    def returns(self, state, player):
        return -(state.length + self.distances[state.here, 0])

    def action_name(self, action):
        return chr(ord("A") + action)

    def parse_action(self, text):
        return ord(text) - ord("A")

    def cell(self, action):
        return 0, action

    def board(self, state, last_action=None):
        row = [("o" if seen else ".") for seen in state.visited]
        row[state.here] = "@"
        return Board(
            cells=["".join(row)],
            marks=("@", "o"),
            layout="free",
            points={(0, i): (x, y) for i, (x, y) in enumerate(self.places)},
            playable={(0, i) for i in np.flatnonzero(~state.visited)},
            names={(0, i): self.action_name(i) for i in np.flatnonzero(~state.visited)},
            caption=f"{state.length:.1f} so far",
        )
