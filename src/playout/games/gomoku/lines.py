"""Lines of five in Gomoku, found in all columns of a row at once, for both players.

A word of `state.rows` holds Black's stones in its low half and White's in the high
half (see `layout`), so one expression looks at every column for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import list_bits, nth, popcount
from ...core.jit.vectors import any_five, unpack
from ...core.jit.word_vectors import load_words
from ..contract.game import Actions, State

__all__ = [
    "DOWN",
    "EDGE",
    "RIGHT",
    "empty_before",
    "empty_cells",
    "empty_of",
    "has_line",
    "line_neighbors",
    "list_empty",
    "nine_rows",
    "nth_empty",
    "row_neighbors",
    "wins",
    "wins_between",
]  # fmt: skip

#: Steps (down, right) of the four directions of a line.
DOWN = (0, 1, 1, 1)
RIGHT = (1, 0, 1, -1)
#: Empty rows above the board: how far a shape reaches from the cell it is seen from.
EDGE = 5

_ZERO, _ONE, _TWO, _THREE, _FOUR = (np.uint64(n) for n in range(5))
_FIVE, _BYTE = np.uint64(5), np.uint64(255)


def list_empty(game: Any, state: State, actions: Actions) -> int:
    """Fill the buffer with the empty cells, ascending; returns how many.

    Eight places are written for each byte of a row, of which the next byte overwrites
    those that are too many. After the last row there is no room for them, so it is
    written cell by cell.
    """
    count = 0
    last = EDGE + game.height - 1
    for row in range(EDGE, last):
        empty = empty_cells(game, state, row)
        first = (row - EDGE) * game.width
        for shift in range(0, game.width, 8):
            byte = empty >> np.uint64(shift) & _BYTE
            count += unpack(byte, first + shift, actions, count)
    first = (last - EDGE) * game.width
    return list_bits(empty_cells(game, state, last), first, actions, count)


def nth_empty(game: Any, state: State, n: int) -> int:
    """The n-th empty cell, counted from 0; there must be one."""
    row = EDGE
    empty = empty_cells(game, state, row)
    count = popcount(empty)
    while count <= n:
        n -= count
        row += 1
        empty = empty_cells(game, state, row)
        count = popcount(empty)
    return int((row - EDGE) * game.width + nth(empty, n))


def empty_before(game: Any, state: State, cell: int) -> int:
    """How many empty cells come before a cell."""
    own = int(game.row_of[np.uint64(cell)])
    count = 0
    for row in range(EDGE, own):
        count += popcount(empty_cells(game, state, row))
    left = (_ONE << np.uint64(game.column_of[np.uint64(cell)])) - _ONE
    return int(count + popcount(empty_cells(game, state, own) & left))


def empty_cells(game: Any, state: State, row: int) -> Any:
    """The empty cells of a row (an index of `state.rows`), from bit 0 up."""
    word = np.uint64(state.rows[row])
    return ~(word | word >> np.uint64(game.lane)) & game.row_bits


def wins(game: Any, state: State, player: int, cell: Any) -> bool:
    """Whether the stone just placed wins."""
    row = np.uint64(game.row_of[cell])
    if not _has_neighbours(game, state, player, row, game.column_of[cell]):
        return False
    first = row - _FOUR
    if not has_line(state, first, 8):
        return False
    if game.rule == "freestyle":
        return True
    return _has_win(game, state, player, first, 5)


def _has_neighbours(
    game: Any, state: State, player: int, row: Any, column: Any
) -> bool:
    """Whether a stone has two of its colour beside it on a line: one of five must.

    A cell beyond the edge may be the opponent's, and then there may seem to be two. It
    reads the words one by one: a vector with one that was just written would have to
    wait for it.
    """
    rows = state.rows
    shift = np.uint64(game.lane) * np.uint64(player) + np.uint64(column)
    a, b = _from(rows, row - _TWO, shift), _from(rows, row - _ONE, shift)
    c = _from(rows, row, shift)
    d, e = _from(rows, row + _ONE, shift), _from(rows, row + _TWO, shift)
    found = _two_of(a, b, d, e)
    found |= _two_of(a << _TWO, b << _ONE, d >> _ONE, e >> _TWO)
    found |= _two_of(a >> _TWO, b >> _ONE, d << _ONE, e << _TWO)
    found |= _two_of(c << _TWO, c << _ONE, c >> _ONE, c >> _TWO)
    return found & _FOUR != _ZERO


def _from(rows: Any, row: Any, shift: Any) -> Any:
    """A word whose bit 2 is that of the stone's column."""
    return np.uint64(rows[row]) << _TWO >> shift


def _two_of(a: Any, b: Any, d: Any, e: Any) -> Any:
    """Where two follow each other, or stand on both sides, of the four about a cell."""
    return (d & (b | e)) | (a & b)


def has_line(state: State, first: Any, count: int) -> bool:
    """Whether either player has a line of five or more that begins in one of some rows.

    Args:
        state: a position.
        first: the uppermost of the rows, an index of `state.rows`.
        count: how many rows; rounded up to a multiple of eight.
    """
    found = False
    for i in range(0, count, 8):
        found |= any_five(state.rows, np.uint64(first) + np.uint64(i))
    return found


def _has_win(game: Any, state: State, player: int, first: Any, count: int) -> bool:
    """Whether one of those lines wins for the player by the rule."""
    found = _ZERO
    for i in range(count):
        found |= _winning_lines(game, state, np.uint64(first) + np.uint64(i))
    half = found >> np.uint64(game.lane * player)
    return half & game.row_bits != _ZERO


def _winning_lines(game: Any, state: State, i: Any) -> Any:
    """Lines of five that win, by their cell of the lowest column in row `i`.

    The line that runs down to the left ends in row `i + 4`.
    """
    rows = state.rows
    a, b = np.uint64(rows[i]), np.uint64(rows[i + _ONE])
    c, d = np.uint64(rows[i + _TWO]), np.uint64(rows[i + _THREE])
    e, before = np.uint64(rows[i + _FOUR]), np.uint64(rows[i - _ONE])
    after = np.uint64(rows[i + _FIVE])
    pair = a & (a >> _ONE)
    across = pair & (pair >> _TWO) & (a >> _FOUR)
    right = a & (b >> _ONE) & (c >> _TWO) & (d >> _THREE) & (e >> _FOUR)
    left = (a >> _FOUR) & (b >> _THREE) & (c >> _TWO) & (d >> _ONE) & e
    return (
        (across & wins_between(game, a << _ONE, a >> _FIVE))
        | (a & b & c & d & e & wins_between(game, before, after))
        | (right & wins_between(game, before << _ONE, after >> _FIVE))
        | (left & wins_between(game, before >> _FIVE, after << _ONE))
    )


def wins_between(game: Any, before: Any, after: Any) -> Any:
    """Where five stones between two neighbours win by the rule."""
    half = np.uint64(game.lane)
    closed = ((before >> half) | (before << half)) & game.closed
    closed &= (after >> half) | (after << half)
    return ~(((before | after) & game.exact) | closed)


# -- many rows at once -----------------------------------------------------------------


def nine_rows(words: Any, first: int) -> tuple[Any, ...]:
    """The vectors that begin four rows above some row, and so on to four below it."""
    return (
        load_words(words, first - 4), load_words(words, first - 3),
        load_words(words, first - 2), load_words(words, first - 1),
        load_words(words, first),
        load_words(words, first + 1), load_words(words, first + 2),
        load_words(words, first + 3), load_words(words, first + 4),
    )  # fmt: skip


def empty_of(game: Any, stones: Any, inside: Any) -> Any:
    """The cells of no player, in both halves of each word."""
    return inside & ~(stones | stones >> game.lane | stones << game.lane)


def row_neighbors(words: Any) -> tuple[Any, ...]:
    """What stands 4, 3, 2 and 1 cells before each cell of a row, and 1 to 4 after.

    The bit between the halves and those above the board's last column are always 0, and
    every shape is a chain of cells, so what crosses over completes no shape.
    """
    row = words[4]
    return (
        row << 4,
        row << 3,
        row << 2,
        row << 1,
        row >> 1,
        row >> 2,
        row >> 3,
        row >> 4,
    )


def line_neighbors(words: Any, right: int) -> tuple[Any, ...]:
    """The same along lines that run down, and so many columns to the right a row."""
    return (
        _aside(words[0], -4 * right), _aside(words[1], -3 * right),
        _aside(words[2], -2 * right), _aside(words[3], -right),
        _aside(words[5], right), _aside(words[6], 2 * right),
        _aside(words[7], 3 * right), _aside(words[8], 4 * right),
    )  # fmt: skip


def _aside(words: Any, columns: int) -> Any:
    """What stands so many columns to the right of each cell."""
    return words >> columns if columns >= 0 else words << -columns
