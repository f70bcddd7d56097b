"""Tic-tac-toe as people have it who know nothing of Playout, one class a convention.

They are written as tutorials write them, with what is usual there: boards that are
copied or changed in place, moves that are numbers, tuples, lists or objects.
"""

import copy
import threading

import numpy as np

LINES = [[(i, j) for j in range(3)] for i in range(3)]
LINES += [[(i, j) for i in range(3)] for j in range(3)]
LINES += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def line_of(board):
    """Whose three stones are in a row; 0 if nobody's are."""
    for (a, b), (c, d), (e, f) in LINES:
        if board[a][b] != 0 and board[a][b] == board[c][d] == board[e][f]:
            return board[a][b]
    return 0


class Tutorial:
    """The four methods; a move gives a new state, results are the first player's."""

    def __init__(self):
        self.board = [[0] * 3 for _ in range(3)]
        self.player = 1

    def get_legal_actions(self):
        cells = [(i, j) for i in range(3) for j in range(3)]
        return [(i, j) for i, j in cells if self.board[i][j] == 0]

    def is_game_over(self):
        return line_of(self.board) != 0 or len(self.get_legal_actions()) == 0

    def game_result(self):
        return line_of(self.board)

    def move(self, action):
        after = copy.deepcopy(self)
        after.board[action[0]][action[1]] = self.player
        after.player = -self.player
        return after


class MoversTutorial(Tutorial):
    """The same in place, in lists, and seen by the player to move."""

    def get_legal_actions(self):
        return [list(action) for action in super().get_legal_actions()]

    def game_result(self):
        return line_of(self.board) * self.player

    def move(self, action):
        self.board[action[0]][action[1]] = self.player
        self.player = -self.player


class McsAi:
    """mcts.ai's names: players 1 and 2, moves in place, results of 0, 0.5 and 1."""

    def __init__(self):
        self.playerJustMoved = 2
        self.board = [0] * 9

    def Clone(self):
        other = McsAi()
        other.playerJustMoved = self.playerJustMoved
        other.board = self.board[:]
        return other

    def DoMove(self, move):
        self.playerJustMoved = 3 - self.playerJustMoved
        self.board[move] = self.playerJustMoved

    def winner(self):
        return line_of([self.board[row : row + 3] for row in (0, 3, 6)])

    def GetMoves(self):
        if self.winner():
            return []
        return [cell for cell in range(9) if self.board[cell] == 0]

    def GetResult(self, playerjm):
        winner = self.winner()
        if not winner:
            return 0.5
        return 1.0 if winner == playerjm else 0.0

    def __repr__(self):
        signs = "".join(".XO"[cell] for cell in self.board)
        return "\n".join(signs[row : row + 3] for row in (0, 3, 6))


class Action:
    """A move that compares itself."""

    def __init__(self, player, x, y):
        self.player, self.x, self.y = player, x, y

    def __str__(self):
        return str((self.x, self.y))

    def __repr__(self):
        return str(self)

    def __eq__(self, other):
        key = self.x, self.y, self.player
        return type(self) is type(other) and key == (other.x, other.y, other.player)

    def __hash__(self):
        return hash((self.x, self.y, self.player))


class PyPI:
    """The names of `mcts` on PyPI; rewards are of the player who maximizes."""

    def __init__(self):
        self.board = [[0] * 3 for _ in range(3)]
        self.currentPlayer = 1

    def getCurrentPlayer(self):
        return self.currentPlayer

    def getPossibleActions(self):
        cells = [(i, j) for i in range(3) for j in range(3)]
        free = [(i, j) for i, j in cells if self.board[i][j] == 0]
        return [Action(self.currentPlayer, i, j) for i, j in free]

    def takeAction(self, action):
        newState = copy.deepcopy(self)
        newState.board[action.x][action.y] = action.player
        newState.currentPlayer = self.currentPlayer * -1
        return newState

    def isTerminal(self):
        return line_of(self.board) != 0 or not self.getPossibleActions()

    def getReward(self):
        return line_of(self.board) or False


class Stone:
    """A move that is told from others by what is written of it."""

    def __init__(self, x, y, value):
        self.x, self.y, self.value = x, y, value

    def __repr__(self):
        return f"x:{self.x} y:{self.y} v:{self.value}"


class MctsPy:
    """mctspy's names: NumPy, a property, None before the end."""

    def __init__(self, board=None, next_to_move=1):
        self.board = np.zeros((3, 3), int) if board is None else board
        self.next_to_move = next_to_move

    @property
    def game_result(self):
        winner = int(line_of(self.board))
        if winner:
            return winner
        return 0 if np.all(self.board != 0) else None

    def is_game_over(self):
        return self.game_result is not None

    def get_legal_actions(self):
        free = np.argwhere(self.board == 0).tolist()
        return [Stone(x, y, self.next_to_move) for x, y in free]

    def move(self, move):
        board = np.copy(self.board)
        board[move.x, move.y] = move.value
        return MctsPy(board, -self.next_to_move)


class Undone(Tutorial):
    """In place and taken back; what it holds cannot be copied."""

    def __init__(self):
        super().__init__()
        self.guard = threading.Lock()
        self.history = []

    def move(self, action):
        self.board[action[0]][action[1]] = self.player
        self.player = -self.player
        self.history.append(action)

    def undo(self):
        i, j = self.history.pop()
        self.board[i][j] = 0
        self.player = -self.player


def sized(size: int = 3, ahead=False):
    """A factory with parameters."""
    state = Tutorial()
    if ahead:
        state = state.move((size - 1, size - 1))
    return state


#: By class: what is found out about it, and how its first moves are called.
EVERY = {
    Tutorial: ("the tutorials' four methods", "first", ["0,0", "0,1"]),
    MoversTutorial: ("the tutorials' four methods", "to_move", ["0,0", "0,1"]),
    McsAi: ("mcts.ai's", "each", ["0", "1"]),
    PyPI: ("PyPI mcts'", "first", ["(0,0)", "(0,1)"]),
    MctsPy: ("mctspy's", "first", ["x:0y:0v:1", "x:0y:1v:1"]),
    Undone: ("the tutorials' four methods", "first", ["0,0", "0,1"]),
}


class Columns:
    """Connect Four on lists, in the tutorials' way."""

    def __init__(self, columns=None, player=1, winner=0):
        self.columns = columns or [[] for _ in range(7)]
        self.player, self.winner = player, winner

    def get_legal_actions(self):
        return [c for c in range(7) if len(self.columns[c]) < 6]

    def is_game_over(self):
        return self.winner != 0 or not self.get_legal_actions()

    def game_result(self):
        return self.winner

    def move(self, column):
        columns = [list(stones) for stones in self.columns]
        columns[column].append(self.player)
        after = Columns(columns, -self.player)
        if any(
            after.run(column, *way) >= 4 for way in ((1, 0), (0, 1), (1, 1), (1, -1))
        ):
            after.winner = self.player
        return after

    def run(self, column, right, up):
        """How many stones of one color stand in a line with the top one."""
        row = len(self.columns[column]) - 1
        found = 1
        for sign in (1, -1):
            across, high = column + sign * right, row + sign * up
            while 0 <= across < 7 and 0 <= high < len(self.columns[across]):
                if self.columns[across][high] != self.columns[column][row]:
                    break
                found, across, high = found + 1, across + sign * right, high + sign * up
        return found
