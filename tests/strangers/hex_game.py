"""Hex, with a flood fill over sets of pairs.

What was hard: nothing; sets of pairs and a stack of them compile as they stand.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, static

NEIGHBOURS = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


@dataclass(frozen=True)
class MyHex(Game):
    """X joins top and bottom, O left and right."""

    size: int = static(7)

    def num_actions(self):
        return self.size**2

    def max_game_length(self):
        return self.size**2

    def state_dtype(self):
        return np.dtype(
            [
                ("cells", "u1", (self.size, self.size)),
                ("to_move", "u1"),
                ("winner", "i1"),
            ]
        )

    def initial_state(self, state):
        state.winner = -1

    def current_player(self, state):
        return state.to_move

    def legal_actions(self, state, actions):
        if state.winner >= 0:
            return 0
        free = np.flatnonzero(state.cells == 0)
        actions[: len(free)] = free
        return len(free)

    def apply(self, state, action):
        row, col = divmod(action, self.size)
        state.cells[row, col] = state.to_move + 1
        if self.connected(state, state.to_move):
            state.winner = state.to_move
        state.to_move = 1 - state.to_move

    def connected(self, state, player):
        """Whether a player's stones join its two edges."""
        stone = player + 1
        if player == 0:
            stack = [(0, c) for c in range(self.size) if state.cells[0, c] == stone]
        else:
            stack = [(r, 0) for r in range(self.size) if state.cells[r, 0] == stone]
        seen = set(stack)
        while stack:
            row, col = stack.pop()
            if (row, col)[player] == self.size - 1:
                return True
            for dr, dc in NEIGHBOURS:
                next = (row + dr, col + dc)
                if (
                    0 <= next[0] < self.size
                    and 0 <= next[1] < self.size
                    and state.cells[next] == stone
                    and next not in seen
                ):
                    seen.add(next)
                    stack.append(next)
        return False

    def is_terminal(self, state):
        return state.winner != -1

    def returns(self, state, player):
        return 1 if state.winner == player else -1

    def action_name(self, action):
        row, col = divmod(action, self.size)
        return f"{chr(ord('a') + col)}{row + 1}"

    def parse_action(self, text):
        return (int(text[1:]) - 1) * self.size + ord(text[0]) - ord("a")

    def cell(self, action):
        return divmod(action, self.size)

    def board(self, state, last_action=None):
        return Board(
            cells=["".join(".XO"[v] for v in row) for row in state.cells],
            layout="hex",
            edges="XOXO",
            style="stones",
            last=None if last_action is None else self.cell(last_action),
            row_labels=[str(r + 1) for r in range(self.size)],
            column_labels=[chr(ord("a") + c) for c in range(self.size)],
        )
