"""Small games with every kind of move, for the tests of boards.

They are played interpreted: nothing here is compiled but by tests that say so.
"""

from dataclasses import dataclass

import numpy as np

from playout import Board, TicTacToe
from tests.squares import Squares
from tests.toys import Nim

#: A picture that would run scripts, if a browser let it.
KNIGHT = (
    '<svg viewBox="0 0 10 10" onload="top.stolen = 1"><script>top.stolen = 1</script>'
    '<circle cx="5" cy="5" r="4" fill="teal"/></svg>'
)


@dataclass(frozen=True)
class Breakthrough(Squares):
    """Moves are from and to: one row ahead, three ways; men are taken sideways."""

    name, title = "breakthrough", "Breakthrough"
    rows, columns = 5, 4

    def num_actions(self):
        return 2 * 20 * 3

    def initial_state(self, state):
        state.cells[:4], state.cells[16:] = 2, 1
        state.winner = -1

    def route(self, action):
        player, rest = divmod(action, 60)
        start, way = divmod(rest, 3)
        return player, start, start + (4 if player else -4) + way - 1

    def fits(self, state, action):
        player, start, end = self.route(action)
        if player != state.player or state.cells[start] != player + 1:
            return False
        if not 0 <= end < 20 or abs(end % 4 - start % 4) > 1:
            return False
        straight = end % 4 == start % 4
        return state.cells[end] == 0 or (
            state.cells[end] != player + 1 and not straight
        )

    def moves(self, state):
        return [action for action in range(120) if self.fits(state, action)]

    def apply(self, state, action):
        player, start, end = self.route(action)
        state.cells[start], state.cells[end] = 0, player + 1
        state.player = 1 - player
        if end // 4 == (4 if player else 0) or 2 - player not in state.cells:
            self.end(state, player)

    def action_name(self, action):
        _, start, end = self.route(action)
        return f"{self.name_at(start)}{self.name_at(end) if 0 <= end < 20 else '-'}"

    def action_cells(self, action):
        _, start, end = self.route(action)
        return self.at(start), self.at(end)

    def board(self, state, last_action=None):
        return self.drawn(state, last_action, style="checkers")


@dataclass(frozen=True)
class SmallOthello(Squares):
    """Stones are turned on a board of 4 x 4; who cannot move says so."""

    name, title = "small-othello", "Othello 4 x 4"
    player_names = ("Black", "White")
    rows = columns = 4
    start: str = ".....OX..XO....."

    def num_actions(self):
        return 17

    def initial_state(self, state):
        for index, sign in enumerate(self.start):
            state.cells[index] = ".XO".index(sign)
        state.winner = -1

    def turned(self, state, action, player):
        ways = ((y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)
        return [at for way in ways for at in self.line(state, action, way, player)]

    def line(self, state, action, way, player):
        row, column = self.at(action)
        line = []
        while True:
            row, column = row + way[0], column + way[1]
            inside = 0 <= row < 4 and 0 <= column < 4
            if not inside or not state.cells[4 * row + column]:
                return []
            if state.cells[4 * row + column] == player + 1:
                return line
            line.append(4 * row + column)

    def places(self, state, player):
        empty = [a for a in range(16) if state.cells[a] == 0]
        return [a for a in empty if self.turned(state, a, player)]

    def moves(self, state):
        return self.places(state, state.player) or [16]

    def apply(self, state, action):
        if action < 16:
            for index in [action, *self.turned(state, action, state.player)]:
                state.cells[index] = state.player + 1
        state.player = 1 - state.player
        if not self.places(state, 0) and not self.places(state, 1):
            black = sum(2 * int(cell == 1) - int(cell > 0) for cell in state.cells)
            self.end(state, 0 if black > 0 else 1 if black < 0 else -1)

    def action_name(self, action):
        return "pass" if action == 16 else self.name_at(action)

    def cell(self, action):
        return None if action == 16 else self.at(action)

    def board(self, state, last_action=None):
        return self.drawn(state, last_action, style="counters")


@dataclass(frozen=True)
class Promotion(Squares):
    """A pawn each, which becomes a queen or a knight in the last row, and then wins.

    The first player's may go on two steps at once, or stop after one.
    """

    name, title = "promotion", "Promotion"
    rows, columns = 4, 2

    def num_actions(self):
        return 11

    def initial_state(self, state):
        state.cells[6], state.cells[1] = 1, 2
        state.winner = -1

    def action_cells(self, action):
        first = ((3, 0), (2, 0)), ((3, 0), (2, 0), (1, 0)), ((2, 0), (1, 0))
        second = tuple(((row, 1), (row + 1, 1)) for row in range(2))
        last = ((1, 0), (0, 0)), ((2, 1), (3, 1))
        return (*first, *second, last[0], last[0], last[0], *(last[1],) * 3)[action]

    def action_name(self, action):
        ends = ["a2", "a2-a3", "a3", "b3", "b2", "a4", "a4", "a4", "b1", "b1", "b1"]
        return (
            ends[action]
            + ("", "=queen", "=knight", "=rook")[
                0 if action < 5 else 1 + (action - 5) % 3
            ]
        )

    def moves(self, state):
        at = [int(cell) for cell in state.cells].index(state.player + 1)
        return {6: [0, 1], 4: [2], 2: [5, 6, 7], 1: [3], 3: [4], 5: [8, 9, 10]}[at]

    def apply(self, state, action):
        route = self.action_cells(action)
        (row, column), (to, same) = route[0], route[-1]
        state.cells[2 * row + column] = 0
        state.cells[2 * to + same] = state.player + 1
        if action >= 5:
            self.end(state, state.player)
        state.player = 1 - state.player

    def board(self, state, last_action=None):
        return self.drawn(
            state,
            last_action,
            ".Pp",
            marks=("P",),
            owners={"p": 1},
            pieces={"P": "♟", "p": KNIGHT},
        )


@dataclass(frozen=True)
class SmallHex(Squares):
    """Hex on 3 x 3; the second player may take the first stone as its own."""

    name, title = "small-hex", "Hex 3 x 3"
    player_names = ("Red", "Blue")
    rows = columns = 3

    def num_actions(self):
        return 10

    def moves(self, state):
        empty = [a for a in range(9) if state.cells[a] == 0]
        return empty + [9] * (len(empty) == 8 and state.player == 1)

    def apply(self, state, action):
        if action == 9:
            for index in range(9):
                state.cells[index] = (0, 2, 1)[state.cells[index]]
        else:
            state.cells[action] = state.player + 1
            wins = self.connects(state, state.player)
            if wins or all(state.cells):
                self.end(state, state.player if wins else -1)
        state.player = 1 - state.player

    def connects(self, state, player):
        """By a straight line, which is enough here."""
        lines = [
            range(i, 9, 3) if player == 0 else range(3 * i, 3 * i + 3) for i in range(3)
        ]
        return any(all(state.cells[at] == player + 1 for at in line) for line in lines)

    def action_name(self, action):
        return "swap" if action == 9 else self.name_at(action)

    def cell(self, action):
        return None if action == 9 else self.at(action)

    def board(self, state, last_action=None):
        return self.drawn(
            state, last_action, layout="hex", style="counters", edges="XOXO"
        )


@dataclass(frozen=True)
class Boxes(Squares):
    """Dots and boxes, one row of two: seven edges, each a cell between two dots."""

    name, title = "boxes", "Dots and Boxes"
    player_names = ("A", "B")
    rows, columns = 3, 5
    edges = ((0, 1), (0, 3), (1, 0), (1, 2), (1, 4), (2, 1), (2, 3))

    def num_actions(self):
        return 7

    def moves(self, state):
        free = enumerate(self.edges)
        return [a for a, (row, column) in free if not state.cells[5 * row + column]]

    def is_terminal(self, state):
        return all(state.cells[5 * row + column] for row, column in self.edges)

    def apply(self, state, action):
        row, column = self.edges[action]
        state.cells[5 * row + column] = 1
        more = False
        for x in (1, 3):
            around = (x, 4 + x, 6 + x, 10 + x)
            if state.cells[5 + x] == 0 and all(state.cells[i] for i in around):
                state.cells[5 + x] = 1 + state.player
                more = True
        if not more:
            state.player = 1 - state.player
        boxes = [int(state.cells[6]), int(state.cells[8])]
        state.winner = -1 if boxes[0] != boxes[1] else boxes[0] - 1

    def cell(self, action):
        return self.edges[action]

    def action_name(self, action):
        return "abcdefg"[action]

    def board(self, state, last_action=None):
        cells = [
            ["+" if x % 2 == 0 and y % 2 == 0 else " " for x in range(5)]
            for y in (0, 1, 2)
        ]
        for row, column in self.edges:
            done = state.cells[5 * row + column]
            cells[row][column] = ("|" if row % 2 else "-") if done else "."
        for x in (1, 3):
            cells[1][x] = " AB"[int(state.cells[5 + x])]
        points = {(y, x): (0.8 * x, 0.8 * y) for y in (0, 1, 2) for x in range(5)}
        drawn = tuple("".join(row) for row in cells)
        done = [cell for cell in self.edges if drawn[cell[0]][cell[1]] in "-|"]
        last = None if last_action is None else self.edges[last_action]
        return Board(
            cells=drawn,
            marks=("A", "B"),
            layout="free",
            points={at: xy for at, xy in points.items() if drawn[at[0]][at[1]] != " "},
            lines=tuple(_ends(cell) for cell in done),
            pieces={"-": "", "|": "", "+": "•", "A": "A", "B": "B"},
            last=last,
        )


def _ends(cell):
    """The two dots of an edge."""
    row, column = cell
    down, right = (1, 0) if row % 2 else (0, 1)
    return (row - down, column - right), (row + down, column + right)


@dataclass(frozen=True)
class Groups(Squares):
    """One player takes groups of equal cells; any cell of a group will do."""

    name, title = "groups", "Groups"
    zero_sum = False
    rows, columns = 2, 3

    def num_players(self):
        return 1

    def num_actions(self):
        return 6

    def initial_state(self, state):
        state.cells[:] = np.array([1, 1, 2, 1, 2, 2])

    def first_of(self, state, value):
        found = [i for i in range(6) if state.cells[i] == value]
        return found[0] if found else -1

    def moves(self, state):
        return sorted(i for i in (self.first_of(state, v) for v in (1, 2)) if i >= 0)

    def is_terminal(self, state):
        return not any(state.cells)

    def apply(self, state, action):
        taken = state.cells[action]
        for index in range(6):
            if state.cells[index] == taken:
                state.cells[index] = 0

    def returns(self, state, player):
        return 1.0

    def action_name(self, action):
        return self.name_at(action)

    def cell(self, action):
        return self.at(action)

    def board(self, state, last_action=None):
        means = {
            self.at(i): self.at(self.first_of(state, state.cells[i]))
            for i in range(6)
            if state.cells[i]
        }
        return self.drawn(state, last_action, stands_for=means)


@dataclass(frozen=True)
class ManyWords(Nim):
    """Rules and nothing else, with hundreds of moves that have names."""

    name, title = "many-words", "Many words"
    stones: int = 300
    most: int = 300

    def num_actions(self):
        return 301

    def action_name(self, action):
        return f"take {action}"

    def parse_action(self, text):
        return int(text.lower().removeprefix("take "))


@dataclass(frozen=True)
class NoughtsBegin(TicTacToe):
    """The first player has the O."""

    name, title, marks = "noughts-begin", "Noughts begin", "OX"
