"""Othello, with the board as a 2-D array and lists of the stones that turn.

What was hard: nothing, once `not moves` and helpers that return lists compiled; a
list that a helper returns at once must be the one it goes on to fill.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, UsageError, static

DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def flips(board, row, col, me):
    """The stones that turn over if `me` puts one here."""
    found = []
    if board[row, col] != 0:
        return found
    n = len(board)
    for dr, dc in DIRECTIONS:
        line = []
        r, c = row + dr, col + dc
        while 0 <= r < n and 0 <= c < n and board[r, c] == -me:
            line.append((r, c))
            r += dr
            c += dc
        if 0 <= r < n and 0 <= c < n and board[r, c] == me:
            found.extend(line)
    return found


def moves_of(board, me):
    n = len(board)
    return [r * n + c for r in range(n) for c in range(n) if flips(board, r, c, me)]


@dataclass(frozen=True)
class MyOthello(Game):
    """Most stones in the end win; who cannot move passes."""

    title = "My Othello"
    player_names = ("Black", "White")

    size: int = static(8)

    def num_actions(self):
        return self.size * self.size + 1

    def state_dtype(self):
        return np.dtype([("board", np.int8, (self.size, self.size)), ("turn", np.int8)])

    def initial_state(self, state):
        mid = self.size // 2
        state.board[mid - 1, mid] = state.board[mid, mid - 1] = 1
        state.board[mid - 1, mid - 1] = state.board[mid, mid] = -1
        state.turn = 1

    def current_player(self, state):
        return 0 if state.turn == 1 else 1

    def legal_actions(self, state, actions):
        moves = moves_of(state.board, state.turn)
        if not moves:
            if not moves_of(state.board, -state.turn):
                return 0
            moves = [self.size * self.size]
        actions[: len(moves)] = moves
        return len(moves)

    def apply(self, state, action):
        if action != self.size * self.size:
            row, col = divmod(action, self.size)
            for r, c in flips(state.board, row, col, state.turn):
                state.board[r, c] = state.turn
            state.board[row, col] = state.turn
        state.turn *= -1

    def is_terminal(self, state):
        return not moves_of(state.board, 1) and not moves_of(state.board, -1)

    def returns(self, state, player):
        score = np.sign(state.board.sum())
        return score if player == 0 else -score

    def action_name(self, action):
        if action == self.size**2:
            return "pass"
        row, col = divmod(action, self.size)
        return "abcdefgh"[col] + str(row + 1)

    def parse_action(self, text):
        for action in range(self.num_actions()):
            if self.action_name(action) == text:
                return action
        raise UsageError(f"{text!r} is no move")

    def cell(self, action):
        return divmod(action, self.size) if action < self.size**2 else None

    def board(self, state, last_action=None):
        return Board(
            cells=tuple("".join(".XO"[v] for v in row) for row in state.board),
            row_labels=tuple(str(i + 1) for i in range(self.size)),
            column_labels=tuple("abcdefgh"[: self.size]),
            last=None if last_action is None else self.cell(last_action),
            style="counters",
        )
