"""An agent for Kaggle's ConnectX, in one file: hand it in as it is.

Where Playout is installed it plays by `MCTS`; where it is not, by the small search
below. Kaggle takes the last function of the file.

python examples/connectx.py [SECONDS]      a game of the two against each other
"""

import sys
import time

try:
    import playout
except ImportError:
    playout = None

#: The part of the time for a move that is spent on searching.
SHARE = 0.7
#: rows, columns, inarow -> the search that was made for them.
SEARCHES = {}


class TimeIsUp(Exception):
    pass


class Stones:
    """A position as bits: a column takes `rows + 1` of them, the top one stays empty.

    Args:
        rows, columns, inarow: of the board.
        board: row by row from the top; 0 for an empty cell, else the player's number.
        mark: of the player to move.
    """

    def __init__(self, rows, columns, inarow, board, mark):
        self.height, self.columns, self.inarow = rows + 1, columns, inarow
        self.bottom = sum(1 << column * self.height for column in range(columns))
        self.cells = self.bottom * ((1 << rows) - 1)
        self.mine = self.theirs = 0
        for cell, stone in enumerate(board):
            row, column = divmod(cell, columns)
            bit = 1 << column * self.height + rows - 1 - row
            self.mine |= bit * (stone == mark)
            self.theirs |= bit * (stone not in (0, mark))
        middle = (columns - 1) / 2
        self.order = sorted(range(columns), key=lambda column: abs(column - middle))

    def moves(self, mine, theirs):
        """The bit of the next stone in every column that is not full, middle first."""
        occupied = mine | theirs
        landing = (occupied + self.bottom) & ~occupied & self.cells
        first = (1 << self.height) - 1
        found = [landing & first << column * self.height for column in self.order]
        return [bit for bit in found if bit]

    def column_of(self, bit):
        return (bit.bit_length() - 1) // self.height

    def has_line(self, stones):
        for step in (1, self.height - 1, self.height, self.height + 1):
            run = stones
            for _ in range(self.inarow - 1):
                run &= run >> step
            if run:
                return True
        return False


def small_search(stones, seconds):
    """A column: alpha-beta, one move deeper until the time is up."""
    end = time.perf_counter() + seconds
    moves = stones.moves(stones.mine, stones.theirs)
    for depth in range(1, len(moves) and stones.cells.bit_count() + 1):
        try:
            values = values_of(stones, moves, depth, end)
        except TimeIsUp:
            break
        moves.sort(key=lambda bit: -values[bit])
        if abs(values[moves[0]]) > 1:  # somebody wins by force
            break
    return stones.column_of(moves[0])


def values_of(stones, moves, depth, end):
    values, best = dict.fromkeys(moves, -1000.0), -1000.0
    for bit in moves:
        values[bit] = after(
            stones, stones.mine, stones.theirs, bit, depth, best, 1000.0, end
        )
        best = max(best, values[bit])
    return values


def after(stones, mine, theirs, bit, depth, low, high, end):
    """What a stone is worth for who puts it: sooner won is more, 0 is not known."""
    mine |= bit
    if stones.has_line(mine):
        return 2.0 + depth
    moves = stones.moves(theirs, mine) if depth > 1 else ()
    if not moves:
        return 0.0
    if time.perf_counter() > end:
        raise TimeIsUp
    best = -1000.0
    for reply in moves:
        value = after(stones, theirs, mine, reply, depth - 1, -high, -low, end)
        best = max(best, value)
        high = min(high, -best)
        if low >= high:
            break
    return -best


def playout_search(rows, columns, inarow, board, mark, seconds):
    """A column: Playout's search of the same position."""
    size = rows, columns, inarow
    if size not in SEARCHES:
        game = playout.ConnectFour(rows=rows, columns=columns, line=inarow)
        SEARCHES[size] = playout.MCTS(game)
        SEARCHES[size].compile()  # some seconds once, of the overage time
    search = SEARCHES[size]
    cells = [".XO"[stone] for stone in board]
    lines = [cells[start : start + columns] for start in range(0, len(cells), columns)]
    text = "/".join(map("".join, lines)) + " " + "XO"[mark - 1]
    position = playout.Position(search.game, text)
    return int(search.search(position, playout.Limit(seconds=seconds)).action)


def read(source, name, otherwise):
    """An entry of what Kaggle hands over, which has attributes and is a dictionary."""
    if isinstance(source, dict):
        return source.get(name, otherwise)
    return getattr(source, name, otherwise)


def choose(observation, configuration, own=playout):
    rows, columns = read(configuration, "rows", 6), read(configuration, "columns", 7)
    inarow = read(configuration, "inarow", 4)
    seconds = SHARE * read(configuration, "actTimeout", 2)
    board = list(read(observation, "board", ())) or [0] * (rows * columns)
    mark = read(observation, "mark", 1)
    try:
        if own is not None:
            return playout_search(rows, columns, inarow, board, mark, seconds)
    except Exception as error:  # whatever it is, a move has to be made
        print(f"Playout could not search: {error}", file=sys.stderr)
    return small_search(Stones(rows, columns, inarow, board, mark), seconds)


def play(seconds):
    """A game of Playout's search, which begins, against the small one."""
    sizes = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": seconds / SHARE}
    board, mark = [0] * 42, 1
    while 0 in board:
        own = playout if mark == 1 else None
        column = choose({"board": board, "mark": mark}, sizes, own)
        cell = max(c for c in range(column, 42, 7) if board[c] == 0)
        board[cell] = mark
        if Stones(6, 7, 4, board, mark).has_line(Stones(6, 7, 4, board, mark).mine):
            break
        mark = 3 - mark
    else:
        mark = 0
    for row in range(6):
        print(*(".XO"[stone] for stone in board[7 * row : 7 * row + 7]))
    print("result:", ("a draw", "Playout wins", "the small search wins")[mark])


def agent(observation, configuration):
    """The column for the next stone, from 0."""
    return choose(observation, configuration)


if __name__ == "__main__":
    play(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
