"""The lines of Connect Four's board, as parts that a network looks up in its table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.bits import lowest
from ...core.jit.compiled import constant
from ..contract.game import Parts, State
from .planes import ConnectFourPlanes

__all__ = ["ConnectFourParts"]

Cell = tuple[int, int]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: What a cell may be: empty, or filled by the player to move, or by the other, or
#: empty and the next of its column.
MINE, THEIRS, NEXT = 1, 2, 3
CONTENTS = 4
#: From a cell to the next one of a part, in columns and in height. Diagonals go upwards
#: both, so that a mirrored one is of the same kind.
STEPS = (
    ("column", (0, 1)),
    ("row", (1, 0)),
    ("diagonal", (1, 1)),
    ("diagonal", (-1, 1)),
)
#: A longer line is seen in pieces of so many cells.
LONGEST = 7


class ConnectFourParts(ConnectFourPlanes):
    """All columns, and all rows and diagonals that have room for a line.

    The kind of one is a number to the base of 4, with a digit for each of its cells. So
    a row of the table knows the stones, the threats, and whether they can be played.
    """

    line: Any
    words: Any
    landing: Any

    @constant
    def seen(self) -> tuple[NDArray[np.int32], NDArray[np.int32], int]:
        """What `observe_parts` adds up.

        `[parts]` the first kind of every part; `[4, 64 * words, parts]` what a cell
        adds to it, by its content and bit; and how many kinds there are.
        """
        pieces = list(pieces_of(self.rows, self.columns, self.line))
        firsts, first, total = {}, [], 0
        for direction, piece in pieces:
            sort = direction, len(piece)
            if sort not in firsts:
                firsts[sort] = total
                total += CONTENTS ** len(piece)
            first.append(firsts[sort])
        added = np.zeros((CONTENTS, 64 * self.words, len(pieces)), np.int32)
        for part, (_, piece) in enumerate(pieces):
            for place, (column, height) in enumerate(piece):
                word, bottom = self.place(column)
                bit = 64 * word + bottom + height
                added[:, bit, part] = np.arange(CONTENTS) * CONTENTS**place
        return np.array(first, np.int32), added, total

    @constant
    def first_kinds(self) -> NDArray[np.int32]:
        """`[parts]` the kind of each part of a board without anything."""
        return self.seen[0]

    @constant
    def kinds_added(self) -> NDArray[np.int32]:
        """`[4, 64 * words, parts]` what a cell adds, by its content and its bit."""
        return self.seen[1]

    def parts_shape(self) -> tuple[int, int]:
        return len(self.first_kinds), self.seen[2]

    def observe_parts(self, state: State, parts: Parts) -> None:
        mover = state.player
        parts[:] = self.first_kinds
        for word in range(self.words):
            self.add_kinds(state.stones[mover, word], word, MINE, parts)
            self.add_kinds(state.stones[1 - mover, word], word, THEIRS, parts)
            self.add_kinds(self.landing(state, word), word, NEXT, parts)

    def add_kinds(self, cells: Any, word: int, content: int, parts: Parts) -> None:
        """Add what some cells of a word are to the parts that they lie in."""
        while cells != _ZERO:
            bit = 64 * word + lowest(cells)
            for part in range(len(self.first_kinds)):
                parts[part] += self.kinds_added[content, bit, part]
            cells &= cells - _ONE


def pieces_of(
    rows: int, columns: int, line: int
) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    """The direction and the cells of all parts; a cell is (column, height).

    Of rows and diagonals those in which a line has room. Pieces of longer ones overlap
    so that every line lies in one of them, unless it is longer itself.

    >>> from collections import Counter
    >>> Counter(direction for direction, _ in pieces_of(6, 7, 4))
    Counter({'diagonal': 12, 'column': 7, 'row': 6})
    """
    board = {(column, height) for column in range(columns) for height in range(rows)}
    for direction, (dx, dy) in STEPS:
        for x, y in sorted(board):
            if (x - dx, y - dy) not in board:
                cells = []
                while (x, y) in board:
                    cells.append((x, y))
                    x, y = x + dx, y + dy
                if direction == "column" or len(cells) >= line:
                    for first in starts_of(len(cells), line):
                        yield direction, tuple(cells[first : first + LONGEST])


def starts_of(length: int, line: int) -> list[int]:
    """Where the pieces of so many cells in a row begin.

    >>> starts_of(7, 4), starts_of(12, 4), starts_of(9, 8)
    ([0], [0, 4, 5], [0, 1, 2])
    """
    last = max(0, length - LONGEST)
    return sorted({*range(0, last, max(1, LONGEST - line + 1)), last})
