"""Kalah: seeds are sown round the board; the last in one's store moves again.

What was hard: seeds as `u1`, whose differences are never below 0 where they are
compiled; a cell of a board is one character, so numbers of two digits are `pieces`.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, UsageError

# a cell of a Board is one character: one for each number of seeds
SIGNS = "0123456789" + "".join(chr(ord("A") + i) for i in range(60))


@dataclass(frozen=True)
class Kalah(Game):
    """Most seeds in the store win; an own empty house catches those across."""

    title = "Kalah"
    player_names = ("South", "North")

    houses: int = 6
    seeds: int = 4

    def num_actions(self):
        return 2 * self.houses

    def max_game_length(self):
        return 4 * self.houses * self.seeds * self.houses

    def state_dtype(self):
        # round the board: South's houses, South's store, North's, North's store
        pits = ("pits", np.int8, 2 * self.houses + 2)
        return np.dtype([pits, ("player", np.int8)])

    def initial_state(self, state):
        state.pits[:] = self.seeds
        state.pits[self.houses :: self.houses + 1] = 0

    def current_player(self, state):
        return state.player

    def own(self, state, player):
        """The houses of a player: a part of the board."""
        start = player * (self.houses + 1)
        return state.pits[start : start + self.houses]

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        found = np.flatnonzero(self.own(state, state.player))
        actions[: len(found)] = found + state.player * self.houses
        return len(found)

    def apply(self, state, action):
        player = state.player
        store = self.houses + player * (self.houses + 1)
        skipped = self.houses + (1 - player) * (self.houses + 1)
        at = action + player
        seeds = state.pits[at]
        state.pits[at] = 0
        while seeds > 0:
            at = (at + 1) % len(state.pits)
            if at != skipped:
                state.pits[at] += 1
                seeds -= 1
        if store - self.houses <= at < store and state.pits[at] == 1:
            across = 2 * self.houses - at
            if state.pits[across] > 0:
                state.pits[store] += state.pits[across] + 1
                state.pits[at] = state.pits[across] = 0
        if at != store:
            state.player = 1 - player
        if self.is_terminal(state):
            for side in range(2):  # what is left is its owner's
                left = self.own(state, side)
                state.pits[self.houses + side * (self.houses + 1)] += left.sum()
                left[:] = 0

    def is_terminal(self, state):
        return not self.own(state, 0).any() or not self.own(state, 1).any()

    def returns(self, state, player):
        lead = state.pits[self.houses] - state.pits[-1]
        return float(np.sign(lead if player == 0 else -lead))

    # for people

    def action_name(self, action):
        letters = "abcdefghijklmnopqrstuvwxyz"[: self.houses]
        return (letters + letters.upper())[action]

    def parse_action(self, text):
        for action in range(self.num_actions()):
            if self.action_name(action) == text:
                return action
        raise UsageError(f"{text!r} is no house")

    def action_cells(self, action):
        if action < self.houses:
            return ((1, 1 + action),)
        return ((0, 2 * self.houses - action),)

    def board(self, state, last_action=None):
        """North's houses run leftwards; the stores stand at the ends."""
        signs = "".join(SIGNS[seeds] for seeds in state.pits)
        south, north = signs[: self.houses + 1], signs[self.houses + 1 :]
        return Board(
            cells=(north[::-1] + " ", " " + south),
            pieces={sign: str(seeds) for seeds, sign in enumerate(SIGNS)},
            last=None if last_action is None else self.action_cells(last_action)[0],
        )
