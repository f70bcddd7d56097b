"""Connect Four's opening book: moves of the first plies that keep the result.

On the usual board alone. For either player it holds the positions in which that player
played the book's moves and the other anything, as far as
`benchmarks/strength/connect_four_book.py` has proven them. As entries are proven, they
hold however a position was reached.

A position and its mirror image are one entry, a `uint64`; the file's are sorted:

| bits     | meaning                                                                  |
|----------|--------------------------------------------------------------------------|
| 0 and 1  | what the move keeps: 1 a win, 0 a draw at least                          |
| 2 to 4   | the column, on the board that has the smaller key                        |
| 5 to 53  | the key: the stones of the player to move, plus all stones, plus the     |
|          | bottom row, as in `rules`                                                |
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_WIN,
    UNSETTLED,
    State,
)

__all__ = ["FILE", "book_key", "look_up", "packed"]

FILE = Path(__file__).with_name("book.npy")

#: The board that the book is of.
ROWS, COLUMNS, LINE = 6, 7, 4
HEIGHT = ROWS + 1
BOTTOM = sum(1 << HEIGHT * column for column in range(COLUMNS))
_COLUMN = (1 << HEIGHT) - 1
#: Bits of an entry below the key.
_KEY = 5


def look_up(game: Any, state: State) -> tuple[int, int]:
    """What the book says of a position: what a move keeps, and that move.

    `UNSETTLED` and -1 where the position is not in the book.
    """
    size = game.rows, game.columns, game.line
    if size != (ROWS, COLUMNS, LINE) or game.forbidden[0] >= 0:
        return UNSETTLED, -1
    mine, occupied = int(state.stones[int(state.player), 0]), int(state.occupied[0])
    key, turned = book_key(mine, occupied)
    entries = load()
    place = int(np.searchsorted(entries, np.uint64(key << _KEY)))
    if place == len(entries) or int(entries[place]) >> _KEY != key:
        return UNSETTLED, -1
    entry = int(entries[place])
    column = entry >> 2 & 7
    outcome = SETTLED_WIN if entry & 3 else SETTLED_AT_LEAST_DRAW
    return outcome, COLUMNS - 1 - column if turned else column


def book_key(mine: int, occupied: int) -> tuple[int, bool]:
    """A position's key, the same as its mirror image's; whether it is that one's.

    >>> book_key(0, 1 << 0)[0] == book_key(0, 1 << 42)[0]
    True
    """
    key = mine + occupied + BOTTOM
    other = 0
    for column in range(COLUMNS):
        other = other << HEIGHT | key >> HEIGHT * column & _COLUMN
    return min(key, other), other < key


def packed(moves: dict[int, tuple[int, int]]) -> NDArray[np.uint64]:
    """The book's entries.

    Args:
        moves: by the key the column on the board that has it, and 1 if it keeps a win,
            0 if a draw at least.
    """
    entries = [key << _KEY | column << 2 | won for key, (column, won) in moves.items()]
    return np.array(sorted(entries), dtype=np.uint64)


@cache
def load() -> NDArray[np.uint64]:
    """`[N]` the entries, in order."""
    entries = np.load(FILE)
    entries.flags.writeable = False
    return np.asarray(entries, dtype=np.uint64)
