"""Lines of five in Gomoku, found in all columns of a row at once, for both players.

A word of `state.rows` holds Black's stones in its low half and White's in the high
half (see `gomoku`), so one expression looks at every column for both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .game import State

__all__ = ["DOWN", "EDGE", "RIGHT", "has_line", "wins", "wins_between"]

#: Steps (down, right) of the four directions of a line.
DOWN = (0, 1, 1, 1)
RIGHT = (1, 0, 1, -1)
#: Empty rows above the board: how far a shape reaches from the cell it is seen from.
EDGE = 5

_ZERO, _ONE, _TWO, _THREE, _FOUR = (np.uint64(n) for n in range(5))
_FIVE = np.uint64(5)


def wins(game: Any, state: State, player: int, cell: Any) -> bool:
    """Whether the stone just placed wins."""
    first = np.uint64(game.row_of[cell]) - _FOUR
    if not has_line(game, state, first, 8):
        return False
    if game.rule == "freestyle":
        return True
    return _has_win(game, state, player, first, 5)


def has_line(game: Any, state: State, first: Any, count: int) -> bool:
    """Whether lines of five or more begin in `count` rows from the word `first`."""
    top = np.uint64(first)
    if game.size <= 15:  # words of 32 bits: twice as many fit in a register
        narrow = np.uint32(0)
        for i in range(count):
            narrow = np.uint32(narrow | _lines(state, top + np.uint64(i)))
        return narrow != np.uint32(0)
    wide = _ZERO
    for i in range(count):
        wide |= _lines(state, top + np.uint64(i))
    return wide != _ZERO


def _lines(state: State, i: Any) -> Any:
    """Lines of five or more that begin in a row, in all columns, of both players."""
    rows = state.rows
    a, b = np.uint64(rows[i]), np.uint64(rows[i + _ONE])
    c, d = np.uint64(rows[i + _TWO]), np.uint64(rows[i + _THREE])
    e = np.uint64(rows[i + _FOUR])
    pair = a & (a >> _ONE)
    across = pair & (pair >> _TWO) & (a >> _FOUR)
    right = a & (b >> _ONE) & (c >> _TWO) & (d >> _THREE) & (e >> _FOUR)
    left = (a >> _FOUR) & (b >> _THREE) & (c >> _TWO) & (d >> _ONE) & e
    return across | (a & b & c & d & e) | right | left


def _has_win(game: Any, state: State, player: int, first: Any, count: int) -> bool:
    """Whether one of those lines wins for the player by the rule."""
    found = _ZERO
    for i in range(count):
        found |= _winning_lines(game, state, np.uint64(first) + np.uint64(i))
    half = found >> np.uint64(game.lane * player)
    return half & game.columns != _ZERO


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
