"""Nine Men's Morris: stones on the points of three squares, moved along lines.

What was hard: nothing in the rules; on the page points hid in the lines, rows that do
not begin at the left had no label, and the stone that was picked did not show it.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, Game, UsageError

# a mill is any of these lines, and stones slide between neighbours on them
LINES = [
    *("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4"),
    *("e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1"),
    *("a7 a4 a1", "b6 b4 b2", "c5 c4 c3", "d7 d6 d5"),
    *("d3 d2 d1", "e5 e4 e3", "f6 f4 f2", "g7 g4 g1"),
]
NAMES = sorted(set(" ".join(LINES).split()))
POINTS = len(NAMES)
MILLS = np.array([[NAMES.index(name) for name in line.split()] for line in LINES])
NEIGHBOURS = np.zeros((POINTS, POINTS), dtype=bool)
for x, y, z in MILLS:
    NEIGHBOURS[[x, y, y, z], [y, x, z, y]] = True

# 0-23: put a stone; 24-47: take one; then 24 * from + to
TAKE = POINTS
MOVE = 2 * POINTS


def in_mill(points, at):
    """Whether the stone at a point stands in a row of three."""
    for mill in MILLS:
        if at in mill and (points[mill] == points[at]).all():
            return True
    return False


@dataclass(frozen=True)
class Morris(Game):
    """Three in a row take a stone; with two left, or no move, you have lost."""

    title = "Nine Men's Morris"
    player_names = ("White", "Black")

    stones: int = 9
    max_moves: int = 200  # then it is a draw

    def num_actions(self):
        return MOVE + POINTS**2

    def max_game_length(self):
        return self.max_moves + 1

    def state_dtype(self):
        return np.dtype(
            [
                ("points", "i1", POINTS),  # 0 empty, 1 White, 2 Black
                ("hand", "i1", 2),
                ("player", "i1"),
                ("taking", "?"),
                ("moves", "i2"),
            ]
        )

    def initial_state(self, state):
        state.hand[:] = self.stones

    def current_player(self, state):
        return state.player

    def can_take(self, state, at, other):
        if state.points[at] != other:
            return False
        if not in_mill(state.points, at):
            return True
        for stone in np.flatnonzero(state.points == other):
            if not in_mill(state.points, stone):
                return False  # one in a mill only if there is no other
        return True

    def legal_actions(self, state, actions):
        own = state.player + 1
        count = 0
        if state.taking:
            for at in range(POINTS):
                if self.can_take(state, at, 3 - own):
                    actions[count] = TAKE + at
                    count += 1
            return count
        if state.moves >= self.max_moves:
            return 0
        empty = np.flatnonzero(state.points == 0)
        if state.hand[state.player] > 0:
            actions[: len(empty)] = empty
            return len(empty)
        mine = np.flatnonzero(state.points == own)
        if len(mine) < 3:
            return 0
        for start in mine:
            for end in empty:
                if len(mine) == 3 or NEIGHBOURS[start, end]:
                    actions[count] = MOVE + start * POINTS + end
                    count += 1
        return count

    def apply(self, state, action):
        state.moves += 1
        if TAKE <= action < MOVE:
            state.points[action - TAKE] = 0
            state.taking = False
        else:
            end = action
            if action < TAKE:
                state.hand[state.player] -= 1
            else:
                start, end = divmod(action - MOVE, POINTS)
                state.points[start] = 0
            state.points[end] = state.player + 1
            if in_mill(state.points, end):
                state.taking = True
                return
        state.player = 1 - state.player

    def is_terminal(self, state):
        return self.legal_actions(state, np.empty(self.num_actions(), np.int32)) == 0

    def returns(self, state, player):
        if state.moves >= self.max_moves:
            return 0.0
        return -1.0 if player == state.player else 1.0

    # for people

    def action_name(self, action):
        if action < TAKE:
            return NAMES[action]
        if action < MOVE:
            return "x" + NAMES[action - TAKE]
        start, end = divmod(action - MOVE, POINTS)
        return f"{NAMES[start]}-{NAMES[end]}"

    def parse_action(self, text):
        for action in range(self.num_actions()):
            if self.action_name(action) == text:
                return action
        raise UsageError(f"{text!r} is no move")

    def action_cells(self, action):
        name = self.action_name(action).removeprefix("x")
        return tuple(cell_of(point) for point in name.split("-"))

    def board(self, state, last_action=None):
        rows = [[" "] * 7 for _ in range(7)]
        for name, stone in zip(NAMES, state.points, strict=True):
            row, column = cell_of(name)
            rows[row][column] = ".XO"[stone]
        cells = {name: cell_of(name) for name in NAMES}
        done = None if last_action is None else self.action_cells(last_action)[-1]
        white, black = state.hand
        return Board(
            cells=tuple("".join(row) for row in rows),
            layout="free",
            points={(row, column): (column, row) for row, column in cells.values()},
            lines=tuple((cells[NAMES[a]], cells[NAMES[b]]) for a, b in joined()),
            row_labels=tuple("7654321"),
            column_labels=tuple("abcdefg"),
            style="stones",
            dark=1,
            last=done,
            caption=f"in hand: {white} White, {black} Black"
            + (", a stone is to be taken" if state.taking else ""),
        )


def joined():
    return [(a, b) for a, b in np.argwhere(NEIGHBOURS) if a < b]


def cell_of(name):
    return 7 - int(name[1]), "abcdefg".index(name[0])
