"""What a stone would make on each empty cell, for both players, many rows at a time.

A cell's level says what its lines hold of one player, from nothing to a five. As in
`lines`, a word holds a row of both players; a vector of words holds sixteen rows, or
eight where a word has 64 bits. A line is seen through windows of five cells, in which a
five can still be made, and of six whose ends are empty, in which an open four can be
made. An overline counts as a five, and a foul as a move: levels judge, they prove
nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.word_vectors import word_at
from ..contract.game import State
from .lines import EDGE, empty_of, line_neighbors, nine_rows, row_neighbors

__all__ = ["LEVELS", "find_levels", "level_at", "of_row", "row_levels"]

#: What a stone would make, by level: the last that fits.
LEVELS = (
    "nothing",
    "a closed two",
    "an open two",
    "two open twos",
    "a closed three",
    "a closed three and an open two",
    "an open three",
    "an open three and a closed one or an open two",
    "a four",
    "a four and a closed three or an open two",
    "two open threes",
    "a four and an open three",
    "an open four, or two fours",
    "a five",
)

_ONE = np.uint64(1)


def find_levels(game: Any, state: State, first: int) -> tuple[Any, Any, Any, Any]:
    """The levels of the empty cells of `game.rows_at_once` rows.

    Args:
        game: its rules.
        state: a position.
        first: the uppermost of the rows, an index of `state.rows`.

    Returns:
        Four vectors of words: the bits of each cell's level, the lowest first.
    """
    stones = nine_rows(state.rows, first)
    empty = _empty_cells(game, stones, nine_rows(game.inside, first))
    none = stones[4] ^ stones[4]
    found = none, none, none, none, none, none, none, none, none
    found = _add(found, _line(row_neighbors(stones), row_neighbors(empty)))
    found = _add(found, _line(line_neighbors(stones, 0), line_neighbors(empty, 0)))
    found = _add(found, _line(line_neighbors(stones, 1), line_neighbors(empty, 1)))
    found = _add(found, _line(line_neighbors(stones, -1), line_neighbors(empty, -1)))
    twos, open_twos, more_twos, closed = found[:4]
    threes, more_threes, fours, open_fours, fives = found[4:]
    more = closed | open_twos
    masks = (
        twos, open_twos, more_twos, closed, closed & open_twos, threes, threes & more,
        fours, fours & more, more_threes, fours & threes, open_fours, fives,
    )  # fmt: skip
    return _numbers(masks, empty[4])


def _empty_cells(game: Any, stones: Any, inside: Any) -> tuple[Any, ...]:
    """The empty cells of nine vectors, in both halves of each word."""
    return (
        empty_of(game, stones[0], inside[0]), empty_of(game, stones[1], inside[1]),
        empty_of(game, stones[2], inside[2]), empty_of(game, stones[3], inside[3]),
        empty_of(game, stones[4], inside[4]),
        empty_of(game, stones[5], inside[5]), empty_of(game, stones[6], inside[6]),
        empty_of(game, stones[7], inside[7]), empty_of(game, stones[8], inside[8]),
    )  # fmt: skip


def _add(found: Any, line: Any) -> tuple[Any, ...]:
    """What was found in some lines, with one line more."""
    twos, open_twos, more_twos, closed = found[:4]
    threes, more_threes, fours, open_fours, fives = found[4:]
    two, three, four, five, open_two, open_three, open_four = line
    open_three = open_three & ~four
    open_two = open_two & ~(four | three | open_three)
    return (
        twos | two,
        open_twos | open_two,
        more_twos | open_twos & open_two,
        closed | three & ~(four | open_three),
        threes | open_three,
        more_threes | threes & open_three,
        fours | four,
        open_fours | open_four | fours & four,
        fives | five,
    )


def _line(stones: Any, empty: Any) -> tuple[Any, ...]:
    """What stones make in one direction: 2, 3, 4 and 5, and open 2, 3 and 4.

    A two is a stone in a window with one more and none of the other player's, and so
    on; open ones are inside a window of six whose ends are empty. All at least: who
    makes a four makes a three.
    """
    # Stones and empty cells on either side, the nearest first.
    a4, a3, a2, a1, z1, z2, z3, z4 = stones
    b4, b3, b2, b1, y1, y2, y3, y4 = empty
    # No other player's stone within so many cells.
    c1 = a1 | b1
    c2 = c1 & (a2 | b2)
    c3 = c2 & (a3 | b3)
    c4 = c3 & (a4 | b4)
    x1 = z1 | y1
    x2 = x1 & (z2 | y2)
    x3 = x2 & (z3 | y3)
    x4 = x3 & (z4 | y4)
    # At least 1, 2, ... stones within so many cells.
    a12, a22 = a1 | a2, a1 & a2
    a13, a23, a33 = a12 | a3, a22 | a12 & a3, a22 & a3
    z12, z22 = z1 | z2, z1 & z2
    z13, z23, z33 = z12 | z3, z22 | z12 & z3, z22 & z3
    # Windows of five with 4, 3, 2, 1 and 0 cells on the first side.
    w4, w3, w2, w1, w0 = c4, c3 & x1, c2 & x2, c1 & x3, x4
    two = (a13 | a4) & w4 | (a13 | z1) & w3 | (a12 | z12) & w2
    two |= (a1 | z13) & w1 | (z13 | z4) & w0
    three = (a23 | a13 & a4) & w4 | (a23 | a13 & z1) & w3
    three |= (a22 | z22 | a12 & z12) & w2
    three |= (z23 | z13 & a1) & w1 | (z23 | z13 & z4) & w0
    four = (a33 | a23 & a4) & w4 | (a33 | a23 & z1) & w3
    four |= (a22 & z12 | a12 & z22) & w2
    four |= (z33 | z23 & a1) & w1 | (z33 | z23 & z4) & w0
    five = a33 & (a4 & w4 | z1 & w3) | a22 & z22 & w2 | z33 & (a1 & w1 | z4 & w0)
    # Windows of six: 3, 2, 1 and 0 cells and the empty end on the first side.
    v3, v2, v1, v0 = c3 & b4 & y1, c2 & b3 & x1 & y2, c1 & b2 & x2 & y3, b1 & x3 & y4
    open_two = a13 & v3 | (a12 | z1) & v2 | (a1 | z12) & v1 | z13 & v0
    open_three = a23 & v3 | (a22 | a12 & z1) & v2
    open_three |= (z22 | z12 & a1) & v1 | z23 & v0
    open_four = a33 & v3 | a22 & z1 & v2 | z22 & a1 & v1 | z33 & v0
    return two, three, four, five, open_two, open_three, open_four


def _numbers(masks: Any, empty: Any) -> tuple[Any, Any, Any, Any]:
    """The bits of each cell's highest level: mask n is of those with level n + 1."""
    one, two, four, eight = empty ^ empty, empty ^ empty, empty ^ empty, empty ^ empty
    for index in range(13):
        level = 13 - index
        cells = masks[level - 1] & empty
        empty = empty & ~cells
        if level & 1:
            one = one | cells
        if level & 2:
            two = two | cells
        if level & 4:
            four = four | cells
        if level & 8:
            eight = eight | cells
    return one, two, four, eight


def of_row(levels: tuple[Any, Any, Any, Any], n: Any) -> tuple[Any, Any, Any, Any]:
    """The n-th words of four vectors."""
    return (
        word_at(levels[0], n), word_at(levels[1], n),
        word_at(levels[2], n), word_at(levels[3], n),
    )  # fmt: skip


def row_levels(game: Any, state: State, row: int) -> tuple[Any, Any, Any, Any]:
    """The levels of one row's empty cells, as four words of bits, the lowest first."""
    n = (row - EDGE) % game.rows_at_once
    return of_row(find_levels(game, state, row - n), n)


def level_at(words: tuple[Any, Any, Any, Any], place: Any) -> Any:
    """The level of one cell and player: of bit `place` of a row's words."""
    level = words[0] >> place & _ONE
    level |= (words[1] >> place & _ONE) << np.uint64(1)
    level |= (words[2] >> place & _ONE) << np.uint64(2)
    return level | (words[3] >> place & _ONE) << np.uint64(3)
