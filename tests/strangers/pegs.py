"""Peg solitaire on the English cross: jump over a peg, which is taken; leave one.

What was hard: nothing; a list of jumps, each of three pairs, is read as it stands. On
the page the holes of a board that is no rectangle were not drawn.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game

CROSS = ["  ooo  ", "  ooo  ", "ooooooo", "ooo.ooo", "ooooooo", "  ooo  ", "  ooo  "]
HOLES = [(r, c) for r in range(7) for c in range(7) if CROSS[r][c] != " "]
JUMPS = [
    ((r, c), (r + dr, c + dc), (r + 2 * dr, c + 2 * dc))
    for r, c in HOLES
    for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if (r + 2 * dr, c + 2 * dc) in HOLES
]


@dataclass(frozen=True)
class Pegs(Game):
    title = "Peg solitaire"
    zero_sum = False
    return_range = (-32, -1)  # less the pegs that are left

    def num_players(self):
        return 1

    def num_actions(self):
        return len(JUMPS)

    def max_game_length(self):
        return 31

    def state_dtype(self):
        return np.dtype([("pegs", "?", (7, 7))])

    def initial_state(self, state):
        for r, c in HOLES:
            state.pegs[r, c] = True
        state.pegs[3, 3] = False

    def current_player(self, state):
        return 0

    def legal_actions(self, state, actions):
        count = 0
        for i, (start, over, end) in enumerate(JUMPS):
            if state.pegs[start] and state.pegs[over] and not state.pegs[end]:
                actions[count] = i
                count += 1
        return count

    def is_terminal(self, state):
        for start, over, end in JUMPS:
            if state.pegs[start] and state.pegs[over] and not state.pegs[end]:
                return False
        return True

    def apply(self, state, action):
        start, over, end = JUMPS[action]
        state.pegs[start] = False
        state.pegs[over] = False
        state.pegs[end] = True

    def returns(self, state, player):
        return -state.pegs.sum()

    def action_name(self, action):
        start, _, end = JUMPS[action]
        return "".join("abcdefg"[c] + str(7 - r) for r, c in (start, end))

    def action_cells(self, action):
        start, _, end = JUMPS[action]
        return start, end

    def sign(self, state, r, c):
        if CROSS[r][c] == " ":
            return " "  # no place at all
        return "o" if state.pegs[r, c] else "."

    def board(self, state, last_action=None):
        rows = ["".join(self.sign(state, r, c) for c in range(7)) for r in range(7)]
        return Board(
            cells=tuple(rows),
            marks=("o",),
            row_labels=tuple("7654321"),
            column_labels=tuple("abcdefg"),
            style="discs",
        )
