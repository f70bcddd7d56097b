"""The cells of ultimate tic-tac-toe: those that are open, packed, and lines of nine.

Open cells are packed by action: boards a to g in a word of 63 bits, h and i in a second
one (see `rules`). A local board is a mask of 9 bits.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np

from ...core.jit.bits import nth, popcount
from ...core.jit.vectors import unpack
from ..contract.game import Actions

__all__ = [
    "COMPLETING", "FIRST_WORD", "HAS_LINE", "LINES", "SECOND_WORD", "SPLIT",
    "cells_of", "close_board", "flip", "list_nine", "nth_action",
    "nth_cell",
]  # fmt: skip

_ZERO, _ONE, _EIGHT, _BYTE = (np.uint64(n) for n in (0, 1, 8, 255))

#: Boards in the first word, and the bits of one board and of each whole word.
SPLIT = 7
_NINE = np.uint64(0o777)
FIRST_WORD, SECOND_WORD = np.uint64((1 << 63) - 1), np.uint64((1 << 18) - 1)

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
#: `[512]` whether a mask of 9 bits holds a line.
HAS_LINE = np.array([any(m & n == n for n in LINES) for m in range(512)])
#: `[512]` the cells that would complete a line of the mask, taken or not.
COMPLETING = np.array(
    [sum(1 << c for c in range(9) if HAS_LINE[m | 1 << c]) for m in range(512)],
    dtype=np.int64,
)
#: `[512 * 9]` at `9 * mask + n` the n-th cell of a mask, 0 where there are fewer.
_NTH_CELL = np.array(
    [
        next(islice((c for c in range(9) if m >> c & 1), n, None), 0)
        for m in range(512)
        for n in range(9)
    ],
    dtype=np.uint8,
)


def nth_cell(cells: Any, n: int) -> Any:
    """The n-th open cell of a local board, of 9 bits that have so many."""
    return np.int64(_NTH_CELL[cells * np.uint64(9) + np.uint64(n)])


def cells_of(first: Any, second: Any, board: int) -> Any:
    """The open cells of a local board, as 9 bits."""
    word = first if board < SPLIT else second
    return word >> _shift(board) & _NINE


def flip(first: Any, second: Any, board: int, cell: int) -> tuple[Any, Any]:
    """The open cells without this one, which is among them."""
    bit = _ONE << np.uint64(cell) + _shift(board)
    if board < SPLIT:
        return first ^ bit, second
    return first, second ^ bit


def close_board(first: Any, second: Any, board: int) -> tuple[Any, Any]:
    """The open cells without those of a local board."""
    cells = _NINE << _shift(board)
    if board < SPLIT:
        return first & ~cells, second
    return first, second & ~cells


def _shift(board: int) -> Any:
    """Where the bits of a local board begin in its word."""
    return np.uint64(9 * board - (0 if board < SPLIT else 9 * SPLIT))


def list_nine(cells: Any, offset: int, actions: Actions) -> int:
    """Write the actions of one local board, ascending; returns how many."""
    count = unpack(cells & _BYTE, offset, actions, 0)
    actions[count] = offset + 8
    return count + int(cells >> _EIGHT)


def nth_action(first: Any, second: Any, n: int) -> Any:
    """The n-th of all open cells, as an action."""
    before = popcount(first)
    if n < before:
        return nth(first, n)
    return 9 * SPLIT + nth(second, n - before)
