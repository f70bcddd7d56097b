"""A board as people see it: cells, labels, highlights; and its drawing in text.

Every face (terminal, browser, notebook) draws from the same description.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...core.errors import PositionError, RulesError, quote
from .pieces import piece_image

__all__ = ["Board", "draw", "line_cells", "lines_between", "read_grid", "runs"]

Cell = tuple[int, int]

EMPTY = "."
BLOCKED = "#"
#: What stands in `Board.cells` where there is no cell.
NOWHERE = " "

LAYOUTS = ("square", "hex", "free")
STYLES = ("marks", "stones", "discs", "counters", "checkers")

_BOLD, _DIM, _RESET, _REVERSE = "\x1b[1m", "\x1b[2m", "\x1b[0m", "\x1b[7m"
_COLORS = {0: "\x1b[36m", 1: "\x1b[33m", 2: "\x1b[35m"}


@dataclass(frozen=True)
class Board:
    """What a person sees.

    Attributes:
        cells: rows from the top, one character a cell: "." empty, "#" closed, " " no
            cell, a player's mark, or another character (see `pieces` and `owners`).
        marks: the players' marks, in order of index.
        row_labels: one text a row, from the top.
        column_labels: one text a column, from the left.
        last: the cell of the last move, if there was one.
        winning: the cells of the line that won.
        playable: cells that may be played now, where that is not plain to see.
        names: what to type for a playable cell, two characters at most, where labels at
            the side cannot say it; terminals show those of places without a cell, too,
            as labels in the middle of a board.
        forbidden: cells that the player to move may not take (renju's fouls).
        block: width of the inner blocks that thick lines separate; 0 for none.
        blocks: rows of the blocks from the top, one character each: who has won it, "."
            nobody; empty where blocks are not won.
        labels_below: whether the column labels stand under the board.
        caption: a line of text under the board.
        turn: what the player to move may do, said after the caption; not where a game
            has been given up.
        layout: where the cells are: "square", "hex" (hexagons; every row begins half a
            cell further right, so that n rows of n are the rhombus of Hex), or "free"
            (at `points`).
        points: x and y of each cell in a free layout, in cell widths, down and to the
            right; a cell without a point is not drawn but in text.
        lines: pairs of cells between which a line is drawn.
        pieces: what pages show for a character of `cells`: a short text as "♞", or a
            picture, `<svg ...>...</svg>`. Terminals show the character.
        owners: the player whose colour a character has that is none of `marks`.
        inks: the colour of a character in terminals, `#rrggbb`, in place of that of
            its player.
        stands_for: cells that mean another one when clicked, as all cells of a group
            that is played by the first of them.
        style: how pages draw marks that have no picture: "marks" (crosses, circles),
            "stones" on crossing lines, "discs" in holes, "counters" (black and white)
            in cells, or "checkers", the same on cells of two colours.
        dark: the player whose stones, counters or checkers are the dark ones.
        edges: whose the edges are: the marks of the top, right, bottom and left one.
        ground: a picture, `<svg ...>...</svg>`, that pages show under the cells in
            place of squares; it is stretched over them all.
    """

    cells: tuple[str, ...]
    marks: tuple[str, ...] = ("X", "O")
    row_labels: tuple[str, ...] = ()
    column_labels: tuple[str, ...] = ()
    last: Cell | None = None
    winning: frozenset[Cell] = field(default_factory=frozenset)
    playable: frozenset[Cell] = field(default_factory=frozenset)
    names: Mapping[Cell, str] = field(default_factory=dict, hash=False)
    forbidden: frozenset[Cell] = field(default_factory=frozenset)
    block: int = 0
    blocks: tuple[str, ...] = ()
    labels_below: bool = True
    caption: str = ""
    turn: str = ""
    layout: str = "square"
    points: Mapping[Cell, tuple[float, float]] = field(default_factory=dict, hash=False)
    lines: tuple[tuple[Cell, Cell], ...] = ()
    pieces: Mapping[str, str] = field(default_factory=dict, hash=False)
    owners: Mapping[str, int] = field(default_factory=dict, hash=False)
    inks: Mapping[str, str] = field(default_factory=dict, hash=False)
    stands_for: Mapping[Cell, Cell] = field(default_factory=dict, hash=False)
    style: str = "marks"
    dark: int = 0
    edges: str = ""
    ground: str = ""

    def __post_init__(self) -> None:
        fault = _fault(self)
        if fault:
            raise RulesError(f"a Board has {fault}")

    @property
    def places(self) -> list[Cell]:
        """The cells that a person sees, row by row; a blank is no cell."""
        return [
            (row, column)
            for row, marks in enumerate(self.cells)
            for column, mark in enumerate(marks)
            if mark != NOWHERE
            and (self.layout != "free" or (row, column) in self.points)
        ]

    def text_below(self, over: bool = False) -> str:
        """The line under the board: the caption and, unless the game is over, `turn`.

        >>> board = Board(("..",), caption="round 2", turn="X draws a card")
        >>> board.text_below(), board.text_below(over=True)
        ('round 2; X draws a card', 'round 2')
        """
        return "; ".join(filter(None, (self.caption, "" if over else self.turn)))

    def owner(self, mark: str) -> int | None:
        """The player whose mark it is; None if nobody's."""
        if mark in self.marks:
            return self.marks.index(mark)
        return self.owners.get(mark)

    def name_of(self, cell: Cell) -> str:
        """What to call a cell: by its labels, or its row and column from 1.

        >>> Board(("..", ".."), row_labels=("2", "1"), column_labels=("a", "b")
        ...       ).name_of((0, 1))
        'b2'
        """
        row, column = cell
        if self.row_labels and self.column_labels:
            return f"{self.column_labels[column]}{self.row_labels[row]}"
        return f"row {row + 1}, column {column + 1}"


def _fault(board: Board) -> str | None:
    """What is wrong with a board, whatever its game; None if nothing."""
    rows = board.cells
    if not isinstance(rows, tuple | list) or not all(isinstance(r, str) for r in rows):
        return f"cells={quote(board.cells)}, which are not texts, one a row"
    if any(len(row) != len(board.cells[0]) for row in board.cells):
        return f"rows of different lengths: {quote(board.cells)}"
    if board.layout not in LAYOUTS:
        return f"layout={quote(board.layout)}; layouts are {', '.join(LAYOUTS)}"
    if board.style not in STYLES:
        return f"style={quote(board.style)}; styles are {', '.join(STYLES)}"
    if len(board.edges) not in (0, 4):
        return f"edges={quote(board.edges)}, not four marks: top, right, bottom, left"
    for ink in board.inks.values():
        if not re.fullmatch("#[0-9a-f]{6}", ink):
            return f"an ink {quote(ink)}; inks are colours such as #c8323a"
    for piece in board.pieces.values():
        piece_image(piece)  # says what is wrong with it
    if board.ground and piece_image(board.ground) is None:
        return f"ground={quote(board.ground)}, which is no <svg> picture"
    known = set(board.places)
    pairs = (*board.lines, *board.stands_for.items())
    named = [*board.points, *(cell for pair in pairs for cell in pair)]
    for cell in (cell for cell in named if cell not in known):
        return f"no cell {quote(cell)}, which its points, lines or stands_for name"
    return None


def read_grid(
    text: str,
    rows: int,
    columns: int,
    signs: str = ".XO",
    also: str = "",
    movers: str = "XO",
) -> tuple[list[str], int]:
    """Read rows from the top joined by "/", and after a blank who moves.

    Returns the rows, and the index of who moves.

    Args:
        text: as above.
        rows: how many there must be.
        columns: characters in each.
        signs: the characters that may stand there.
        also: other forms, for the error.
        movers: a character for each player.

    >>> read_grid(".../.X./... O", 3, 3)
    (['...', '.X.', '...'], 1)

    Raises:
        PositionError: the text is not such a board of this size.
    """
    board, _, mover = text.strip().partition(" ")
    grid = board.split("/")
    fits = len(grid) == rows and all(len(row) == columns for row in grid)
    if not fits or set("".join(grid)) - set(signs) or mover not in tuple(movers):
        raise PositionError(
            f"not a position: {quote(text)}; expected {also}{rows} rows of {columns} "
            f"cells from the top ({' '.join(signs)}) joined by / and, after a blank, "
            f"{' or '.join(movers)} to move"
        )
    return grid, movers.index(mover)


def runs(
    grid: Sequence[str], mark: str
) -> Iterator[tuple[list[Cell], tuple[str, str]]]:
    """All unbroken rows of a mark, across, down and along both diagonals.

    Gives the cells of each, and what stands before and behind it; "" is the edge.

    >>> [(cells, ends) for cells, ends in runs(["XX.", "O.."], "X") if len(cells) > 1]
    [([(0, 0), (0, 1)], ('', '.'))]
    """
    marks = {(y, x): m for y, row in enumerate(grid) for x, m in enumerate(row)}
    for y, x in (cell for cell in marks if marks[cell] == mark):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            before = marks.get((y - down, x - right), "")
            if before == mark:
                continue
            cells = [(y, x)]
            while marks.get(end := (cells[-1][0] + down, cells[-1][1] + right)) == mark:
                cells.append(end)
            yield cells, (before, marks.get(end, ""))


def line_cells(
    grid: Sequence[str], player: int, length: int, marks: str = "XO"
) -> frozenset[Cell]:
    """The cells of all lines of `length` or more of a player; none of player -1."""
    if player < 0:
        return frozenset()
    lines = [cells for cells, _ in runs(grid, marks[player]) if len(cells) >= length]
    return frozenset(cell for cells in lines for cell in cells)


def draw(board: Board, color: bool = False) -> str:
    """The board as lines of text; the last move stands in brackets.

    >>> print(draw(Board(("X.", ".O"), row_labels=("2", "1"),
    ...                  column_labels=("a", "b"), last=(1, 1))))
    2  X  .
    1  . [O]
       a  b
    """
    if not isinstance(board, Board):
        raise RulesError(f"a game's board() gives a Board or None, not {quote(board)}")
    width = max((len(label) for label in board.row_labels), default=0)
    lines = []
    for row, cells in enumerate(board.cells):
        if board.block and row and row % board.block == 0:
            lines.append(" " * (width + 1) + _separator(board))
        label = board.row_labels[row] if board.row_labels else ""
        body = _draw_row(board, row, cells, color)
        lines.append(f"{_slant(board, row)}{label:>{width}} {body}".rstrip())
    if board.column_labels:
        slant = _slant(board, len(board.cells) - 1 if board.labels_below else 0)
        header = slant + " " * (width + 1) + _draw_labels(board)
        lines.insert(len(lines) if board.labels_below else 0, header.rstrip())
    if below := board.text_below():
        lines.append(below)
    return "\n".join(lines)


def lines_between(board: Board, through: str = NOWHERE) -> dict[Cell, str]:
    """Where lines across or down go through places of these characters: "-" or "|"."""
    found: dict[Cell, str] = {}
    for (top, left), (bottom, right) in map(sorted, board.lines):
        if top == bottom:
            found |= {(top, column): "-" for column in range(left + 1, right)}
        elif left == right:
            found |= {(row, left): "|" for row in range(top + 1, bottom)}
    return {
        (y, x): way for (y, x), way in found.items() if board.cells[y][x] in through
    }


def _slant(board: Board, row: int) -> str:
    """What a row of hexagons is shifted by; half a cell is a blank and a half."""
    return " " * ((3 * row + 1) // 2) if board.layout == "hex" else ""


def _gap(board: Board, column: int) -> str:
    return "|" if board.block and column and column % board.block == 0 else ""


def _separator(board: Board) -> str:
    groups = len(board.cells[0]) // board.block
    return "+".join(["-" * (3 * board.block)] * groups)


def _draw_labels(board: Board) -> str:
    parts = []
    for column, label in enumerate(board.column_labels):
        parts.append(" " * len(_gap(board, column)) + f"{label:^3}")
    return "".join(parts)


def _draw_row(board: Board, row: int, cells: str, color: bool) -> str:
    parts = []
    shown = {"-": "---", "|": " | "}
    between = lines_between(board)
    for column, mark in enumerate(cells):
        drawn = shown.get(between.get((row, column), ""))
        drawn = drawn or _draw_cell(board, (row, column), mark, color)
        parts.append(_gap(board, column) + drawn)
    return "".join(parts)


def _draw_cell(board: Board, cell: Cell, mark: str, color: bool) -> str:
    if mark == NOWHERE and cell in board.names:
        return _paint(board, cell, mark, f"{board.names[cell]:^3}", color)
    if mark == EMPTY and cell in board.forbidden:
        mark = "x"
    elif mark == EMPTY and cell in board.playable:
        if cell in board.names:
            return _paint(board, cell, mark, f" {board.names[cell]:<2}", color)
        mark = "·" if not color else "•"
    left, right = "[]" if cell == board.last else "  "
    if cell in board.winning:
        left, right = "**"
    return _paint(board, cell, mark, f"{left}{mark}{right}", color)


def _paint(board: Board, cell: Cell, mark: str, text: str, color: bool) -> str:
    if not color:
        return text
    owner = board.owner(mark)
    if owner is None:
        return f"{_DIM}{text}{_RESET}"
    style = _ink(board.inks[mark]) if mark in board.inks else _COLORS.get(owner, "")
    style += _BOLD
    if cell in board.winning or cell == board.last:
        style += _REVERSE
    return f"{style}{text}{_RESET}"


def _ink(color: str) -> str:
    """The nearest of the 216 colours that terminals have in a cube of six each way.

    >>> _ink("#ff0033")[1:]
    '[38;5;197m'
    """
    red, green, blue = (round(part / 51) for part in bytes.fromhex(color[1:]))
    return f"\x1b[38;5;{16 + 36 * red + 6 * green + blue}m"
