"""`Squares`: what small games of two on a grid share."""

import numpy as np

from playout import Board, Game, UsageError


class Squares(Game):
    """What games of two on a grid share: cells of 0, 1 for X, 2 for O, a winner."""

    rows = columns = 0

    def state_dtype(self):
        fields = [("cells", "i1", (self.rows * self.columns,))]
        return np.dtype([*fields, ("player", "i1"), ("winner", "i1"), ("over", "i1")])

    def initial_state(self, state):
        state.winner = -1

    def current_player(self, state):
        return state.player

    def is_terminal(self, state):
        return state.over != 0

    def returns(self, state, player):
        return 0.0 if state.winner < 0 else 1.0 if state.winner == player else -1.0

    def legal_actions(self, state, actions):
        legal = [] if self.is_terminal(state) else self.moves(state)
        actions[: len(legal)] = legal
        return len(legal)

    def end(self, state, winner):
        state.over, state.winner = 1, winner

    def at(self, index):
        return index // self.columns, index % self.columns

    def name_at(self, index):
        row, column = self.at(index)
        return f"{'abcdefgh'[column]}{self.rows - row}"

    def parse_action(self, text):
        for action in range(self.num_actions()):
            if self.action_name(action) == text.strip().lower():
                return action
        raise UsageError(f"{text!r} is not a move")

    def drawn(self, state, last_action=None, signs=".XO", **more):
        text = "".join(signs[int(value)] for value in state.cells)
        size = self.columns
        route = () if last_action is None else self.action_cells(last_action)
        return Board(
            cells=tuple(text[i : i + size] for i in range(0, len(text), size)),
            row_labels=tuple(str(self.rows - row) for row in range(self.rows)),
            column_labels=tuple("abcdefgh"[:size]),
            last=route[-1] if route else None,
            **more,
        )

    def board(self, state, last_action=None):
        return self.drawn(state, last_action)
