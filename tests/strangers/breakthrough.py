"""Breakthrough, with moves as an array (row, column, direction).

What was hard: a move's number must say by itself which way the pawn goes, for its
name and its cells are asked for without a state; and who begins is drawn in black.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, UsageError, static

EMPTY, BLACK, WHITE = 0, 1, 2


@dataclass(frozen=True)
class MyBreakthrough(Game):
    """Whoever gets a piece to the other side wins, or takes all."""

    title = "My Breakthrough"
    player_names = ("Black", "White")  # who begins has black pieces

    rows: int = static(8)
    columns: int = static(8)

    def num_actions(self):
        return self.rows * self.columns * 6  # a cell, up or down, one of three

    def max_game_length(self):
        return 2 * self.rows * 2 * self.columns + 1

    def state_dtype(self):
        return np.dtype([("grid", "i1", (self.rows, self.columns)), ("player", "i1")])

    def initial_state(self, state):
        state.grid[:2] = WHITE
        state.grid[-2:] = BLACK

    def current_player(self, state):
        return state.player

    def path(self, action):
        """Where a move starts and ends: row, column, row, column."""
        cell, way = divmod(action, 6)
        row, col = divmod(cell, self.columns)
        down, side = divmod(way, 3)
        return row, col, row + (1 if down else -1), col + side - 1

    def is_legal(self, state, action):
        mine = BLACK if state.player == 0 else WHITE
        row, col, to_row, to_col = self.path(action)
        if state.grid[row, col] != mine or (to_row > row) != (mine == WHITE):
            return False
        if not (0 <= to_row < self.rows and 0 <= to_col < self.columns):
            return False
        there = state.grid[to_row, to_col]
        return there == EMPTY if to_col == col else there != mine

    def legal_actions(self, state, actions):
        if self.is_terminal(state):
            return 0
        n = 0
        for action in range(self.num_actions()):
            if self.is_legal(state, action):
                actions[n] = action
                n += 1
        return n

    def apply(self, state, action):
        row, col, to_row, to_col = self.path(action)
        state.grid[to_row, to_col] = state.grid[row, col]
        state.grid[row, col] = EMPTY
        state.player = 1 - state.player

    def winner(self, state):
        if BLACK in state.grid[0] or WHITE not in state.grid:
            return 0
        if WHITE in state.grid[-1] or BLACK not in state.grid:
            return 1
        return None

    def is_terminal(self, state):
        return self.winner(state) is not None

    def returns(self, state, player):
        return 1.0 if self.winner(state) == player else -1.0

    def square(self, row, col):
        return f"{'abcdefgh'[col]}{self.rows - row}"

    def action_name(self, action):
        row, col, to_row, to_col = self.path(action)
        return self.square(row, col) + self.square(to_row, to_col)

    def parse_action(self, text):
        for action in range(self.num_actions()):
            if self.action_name(action) == text:
                return action
        raise UsageError(f"{text!r} is no move; b2b3 is one")

    def action_cells(self, action):
        row, col, to_row, to_col = self.path(action)
        return (row, col), (to_row, to_col)

    def board(self, state, last_action=None):
        return Board(
            cells=tuple("".join(".XO"[v] for v in row) for row in state.grid),
            row_labels=tuple(str(self.rows - r) for r in range(self.rows)),
            column_labels=tuple("abcdefgh"[: self.columns]),
            style="checkers",
        )
