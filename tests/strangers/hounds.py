"""Hare and Hounds: three pieces hunt one along the lines of a small board.

What was hard: nothing now; members of an `IntEnum` beside an array were not compiled,
and the rules ran as plain Python, 300 times slower.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from playout import Board, Game


class Side(IntEnum):
    HOUNDS = 0
    HARE = 1


class What(IntEnum):
    EMPTY = 0
    HOUND = 1
    HARE = 2


PLACES = {
    "a": (0, 1),
    "b": (1, 0),
    "c": (1, 1),
    "d": (1, 2),
    "e": (2, 0),
    "f": (2, 1),
    "g": (2, 2),
    "h": (3, 0),
    "i": (3, 1),
    "j": (3, 2),
    "k": (4, 1),
}
NAMES = "".join(PLACES)
N = len(NAMES)
_LINES = "ab ac ad bc cd be bf cf df dg ef fg eh fh fi fj gj hi ij hk ik jk"
EDGES = [(x, y) for x, y in _LINES.split()]
NEXT = np.zeros((N, N), bool)
for x, y in EDGES:
    NEXT[NAMES.index(x), NAMES.index(y)] = NEXT[NAMES.index(y), NAMES.index(x)] = True
COLUMN = np.array([PLACES[name][0] for name in NAMES])
MOVES = [(i, j) for i in range(N) for j in range(N) if NEXT[i, j]]
FROM = np.array([i for i, j in MOVES])
TO = np.array([j for i, j in MOVES])


def hare_of(state):
    return np.argmax(state.points == What.HARE)


@dataclass(frozen=True)
class Hounds(Game):
    """Three hounds, never backwards, want to trap the hare."""

    title = "Hare and Hounds"
    player_names = ("Hounds", "Hare")
    patience: int = 10

    def num_actions(self):
        return len(MOVES)

    def max_game_length(self):
        return 200

    def state_dtype(self):
        return np.dtype(
            [("points", "i1", N), ("turn", "i1"), ("idle", "i1"), ("length", "i2")]
        )

    def initial_state(self, state):
        for at in (0, 1, 3):
            state.points[at] = What.HOUND
        state.points[N - 1] = What.HARE
        state.turn = Side.HOUNDS

    def current_player(self, state):
        return state.turn

    def may(self, state, action):
        start, end = FROM[action], TO[action]
        if state.points[end] != What.EMPTY:
            return False
        match state.turn:
            case Side.HOUNDS:
                return (
                    state.points[start] == What.HOUND and COLUMN[end] >= COLUMN[start]
                )
            case Side.HARE:
                return state.points[start] == What.HARE
        return False

    def escaped(self, state):
        hounds = [COLUMN[i] for i in range(N) if state.points[i] == What.HOUND]
        return COLUMN[hare_of(state)] <= min(hounds) or state.idle >= self.patience

    def legal_actions(self, state, actions):
        if self.escaped(state) or state.length >= 199:
            return 0
        legal = [a for a in range(len(MOVES)) if self.may(state, a)]
        actions[: len(legal)] = legal
        return len(legal)

    def apply(self, state, action):
        start, end = FROM[action], TO[action]
        state.points[end], state.points[start] = state.points[start], What.EMPTY
        if state.turn == Side.HOUNDS:
            state.idle = state.idle + 1 if COLUMN[start] == COLUMN[end] else 0
        state.turn = Side.HARE if state.turn == Side.HOUNDS else Side.HOUNDS
        state.length += 1

    def is_terminal(self, state):
        if self.escaped(state) or state.length >= 199:
            return True
        return not any([self.may(state, a) for a in range(len(MOVES))])  # noqa: C419

    def returns(self, state, player):
        winner = Side.HARE
        if not self.escaped(state) and state.turn == Side.HARE:
            winner = Side.HOUNDS
        return 1.0 if player == winner else -1.0

    def action_name(self, action):
        i, j = MOVES[action]
        return NAMES[i] + NAMES[j]

    def action_cells(self, action):
        return tuple(PLACES[name][::-1] for name in self.action_name(action))

    def board(self, state, last_action=None):
        rows = [[" "] * 5 for _ in range(3)]
        for name, what in zip(NAMES, state.points, strict=True):
            x, y = PLACES[name]
            rows[y][x] = ".OX"[what]
        return Board(
            cells=tuple("".join(row) for row in rows),
            marks=("O", "X"),
            layout="free",
            points={(y, x): (x * 1.5, y * 1.5) for x, y in PLACES.values()},
            lines=[(PLACES[a][::-1], PLACES[b][::-1]) for a, b in EDGES],
            pieces={"X": "🐇", "O": "🐕"},
            last=None if last_action is None else self.action_cells(last_action)[1],
            caption=f"{state.idle} idle",
        )
