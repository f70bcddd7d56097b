"""Minesweeper: one player, who does not know where the mines are.

What was hard: the numbers that were seen must be kept in the state, for `determinize`
must not look at the mines to count them; `playout check` found that.
"""

from dataclasses import dataclass

import numpy as np

from playout import CHANCE, Board, Game, static

LETTERS = "abcdefghijklmnop"


@dataclass(frozen=True)
class Mines(Game):
    """Open all cells that hold no mine; a number says how many are around."""

    zero_sum = False
    has_chance = True
    has_hidden = True
    return_range = (0, 1)

    rows: int = static(4)
    columns: int = static(4)
    mines: int = 3

    def num_players(self):
        return 1

    def cells(self):
        return self.rows * self.columns

    def num_actions(self):
        return 2 * self.cells()  # a mine is laid, a cell is opened

    def max_game_length(self):
        return self.cells()

    def state_dtype(self):
        board = (self.rows, self.columns)
        fields = [("mine", "?", board), ("open", "?", board), ("seen", "i1", board)]
        return np.dtype([*fields, ("laid", "i2"), ("opened", "i2"), ("dead", "?")])

    def initial_state(self, state):
        state.laid = 0

    def current_player(self, state):
        return CHANCE if state.laid < self.mines else 0

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        laying = state.laid < self.mines
        taken = state.mine.ravel() if laying else state.open.ravel()
        free = np.flatnonzero(~taken)
        actions[: len(free)] = free if laying else free + self.cells()
        return len(free)

    def chance_probability(self, state, action):
        return 1 / (self.cells() - state.laid)

    def around(self, state, row, column):
        return state.mine[
            max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2
        ].sum()

    def apply(self, state, action):
        row, column = divmod(action % self.cells(), self.columns)
        if action < self.cells():
            state.mine[row, column] = True
            state.laid += 1
        else:
            state.open[row, column] = True
            state.opened += 1
            state.dead = state.mine[row, column]
            state.seen[row, column] = self.around(state, row, column)

    def is_terminal(self, state):
        return state.dead or state.opened == self.cells() - self.mines

    def returns(self, state, player):
        return 0 if state.dead else 1

    def hide(self, state, player):
        if not self.is_terminal(state):
            state.mine[:] = False

    def determinize(self, state, player, rng):
        while not self.is_terminal(state):  # until the mines fit all numbers
            state.mine[:] = False
            laid = 0
            while laid < state.laid:
                row, column = divmod(rng.below(self.cells()), self.columns)
                if not state.open[row, column] and not state.mine[row, column]:
                    state.mine[row, column] = True
                    laid += 1
            if self.fits(state):
                break

    def fits(self, state):
        for row in range(self.rows):
            for column in range(self.columns):
                seen = state.seen[row, column]
                if state.open[row, column] and self.around(state, row, column) != seen:
                    return False
        return True

    # For people:

    def action_name(self, action):
        row, column = self.cell(action)
        name = f"{LETTERS[column]}{self.rows - row}"
        return f"mine-{name}" if action < self.cells() else name

    def cell(self, action):
        return divmod(action % self.cells(), self.columns)

    def sign(self, state, row, column):
        if not state.open[row, column]:
            return "#" if self.is_terminal(state) else "."
        return "*" if state.mine[row, column] else str(state.seen[row, column])

    def board(self, state, last_action=None):
        rows, columns = range(self.rows), range(self.columns)
        return Board(
            tuple("".join(self.sign(state, r, c) for c in columns) for r in rows),
            marks=("*",),
            row_labels=tuple(str(self.rows - row) for row in rows),
            column_labels=tuple(LETTERS[: self.columns]),
        )
