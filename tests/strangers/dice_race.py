"""A race with a die: two runners each, thrown back when somebody lands on them.

What was hard: numbers of dice must not be those of moves, for the same reason as
in Breakthrough; `.all(axis=1)` is not compiled, `any([all(row) ...])` is.
"""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Board, Game

RUNNERS = 2


@dataclass(frozen=True)
class DiceRace(Game):
    """Roll, then move a runner so far; who has both at the end wins."""

    player_names = ("Red", "Blue")
    has_chance = True

    length: int = 10
    sides: int = 3

    def num_actions(self):
        return (
            RUNNERS + 1 + self.sides
        )  # move a runner, stay, or the die shows a number

    def max_game_length(self):
        return 2000

    def state_dtype(self):
        return np.dtype(
            [("places", "i4", (2, RUNNERS)), ("player", "i4"), ("die", "i4")]
        )

    def initial_state(self, state):
        pass  # everybody at 0, the die not yet rolled

    def current_player(self, state):
        return CHANCE if state.die == 0 else state.player

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        if state.die == 0:
            actions[: self.sides] = np.arange(RUNNERS + 1, RUNNERS + 1 + self.sides)
            return self.sides
        count = 0
        for runner in range(RUNNERS):
            if state.places[state.player, runner] + state.die <= self.length:
                actions[count] = runner
                count += 1
        if count == 0:
            actions[0] = RUNNERS
            count = 1
        return count

    def apply(self, state, action):
        if action > RUNNERS:
            state.die = action - RUNNERS
            return
        if action < RUNNERS:
            place = state.places[state.player, action] + state.die
            state.places[state.player, action] = place
            if place < self.length:
                others = state.places[1 - state.player]
                others[others == place] = 0
        state.player = 1 - state.player
        state.die = 0

    def is_terminal(self, state):
        home = state.places == self.length
        return any([all(runners) for runners in home])  # noqa: C419

    def returns(self, state, player):
        return 1.0 if all(state.places[player] == self.length) else -1.0

    def chance_probability(self, state, action):
        return 1 / self.sides

    def action_name(self, action):
        if action > RUNNERS:
            return f"die{action - RUNNERS}"
        return ("first", "second", "stay")[action]

    def parse_action(self, text):
        names = [self.action_name(action) for action in range(self.num_actions())]
        return names.index(text)

    def board(self, state, last_action=None):
        rows = []
        for player, mark in enumerate("XO"):
            for runner in range(RUNNERS):
                row = ["."] * (self.length + 1)
                row[state.places[player, runner]] = mark
                rows.append("".join(row))
        return Board(rows, caption=f"die: {state.die}" if state.die else "roll")
