"""Windows of Gomoku: five cells in a row with stones of one player only.

A window with four stones is one move from a five, one with three is one move from a
four. All windows of the board are counted at once: a word of `state.rows` holds both
players' stones of a row, and compiled, the loops below go over eight rows at a time.

A window is known by its direction and by its cell of the lowest column (the uppermost
where the column is one). From there it runs by `(STEP_DOWN, STEP_RIGHT)`:

    direction   0      1      2      3
    down        0     +1     +1     -1
    right      +1      0     +1     +1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import State
from .lines import EDGE, wins_between

__all__ = [
    "CROSSINGS", "FIVES", "FREE", "HALF_CLOSED", "NEAR", "ROWS", "STEP_DOWN",
    "STEP_RIGHT", "THREES", "WORDS", "cells_of_windows", "count_windows",
]  # fmt: skip

#: Steps from a window's first cell to its last, by direction.
STEP_DOWN = (0, 1, 1, -1)
STEP_RIGHT = (1, 0, 1, 1)

#: What a board of words holds, each in the layout of `state.rows`: cells where a stone
#: makes a five that wins; the same if the opponent could stop it at two cells (caro);
#: empty cells (in both halves); the cells of `cells_of_windows`, and those of two
#: directions among them; room to work; then for each direction windows with three
#: stones.
FIVES, HALF_CLOSED, FREE, NEAR, CROSSINGS, _FULL, _LAST, THREES = range(8)
WORDS = THREES + 4
#: Its rows: those of the largest board, and above and below it what shapes reach.
ROWS = 38

_ONE, _TWO, _THREE, _FOUR, _FIVE = (np.uint64(n) for n in range(1, 6))


def count_windows(game: Any, state: State, board: Any) -> None:
    """Find the cells of fives and the windows with three stones, of both players.

    Modified in place: `board`, but for `NEAR` and `CROSSINGS`.
    """
    _find_free(game, state, board)
    for i in range(EDGE, EDGE + game.height):
        board[FIVES, i] = 0
        board[HALF_CLOSED, i] = 0
    for direction in range(4):
        _count(game, state, board, direction)


def _find_free(game: Any, state: State, board: Any) -> None:
    """The empty cells, in both halves of a word."""
    lane = np.uint64(game.lane)
    for i in range(EDGE, EDGE + game.height):
        word = np.uint64(state.rows[i])
        board[FREE, i] = game.inside[i] & ~(word | word >> lane | word << lane)


def _count(game: Any, state: State, board: Any, direction: int) -> None:
    """Windows of one direction with four and with three stones, and the former's cell.

    Each of five numbers is a stone or none; they are added bit by bit, in all columns
    at once: `total = ones + 2 * (pairs + carry + more)`.
    """
    rows = state.rows
    down, right = STEP_DOWN[direction], np.uint64(STEP_RIGHT[direction])
    for i in range(EDGE, EDGE + game.height):
        a, b, c, d, e = _five_words(rows, i, down, right)
        usable = _usable(board, i, down, right, a, b, c, d, e)
        ab, de = a ^ b, d ^ e
        abc = ab ^ c
        pairs, carry, more = a & b | ab & c, d & e, abc & de
        ones = abc ^ de
        twos = pairs ^ carry ^ more
        fours = pairs & carry | (pairs ^ carry) & more
        before = np.uint64(rows[i - down]) << right
        after = np.uint64(rows[i + 5 * down]) >> (_FIVE * right)
        usable &= wins_between(game, before, after)
        full = usable & fours & ~ones
        threes = usable & twos & ones & ~fours
        half = _half_closed(game, board, i, down, right, before, after)
        board[_FULL, i] = full
        board[_LAST, i] = full & half
        board[THREES + direction, i] = threes & ~half
    _add_cells(game, board, _FULL, FIVES, down, right)
    if game.closed:
        _add_cells(game, board, _LAST, HALF_CLOSED, down, right)


def _five_words(rows: Any, i: Any, down: Any, right: Any) -> Any:
    """The five words whose bits are the cells of the windows that begin in a row."""
    return (
        np.uint64(rows[i]),
        np.uint64(rows[i + down]) >> right,
        np.uint64(rows[i + 2 * down]) >> (_TWO * right),
        np.uint64(rows[i + 3 * down]) >> (_THREE * right),
        np.uint64(rows[i + 4 * down]) >> (_FOUR * right),
    )


def _usable(
    board: Any, i: Any, down: Any, right: Any, a: Any, b: Any, c: Any, d: Any, e: Any
) -> Any:
    """The windows that hold only a player's own stones and empty cells."""
    v, w, x, y, z = _five_words(board[FREE], i, down, right)
    return (a | v) & (b | w) & (c | x) & (d | y) & (e | z)


def _half_closed(
    game: Any, board: Any, i: Any, down: Any, right: Any, before: Any, after: Any
) -> Any:
    """Caro: windows with the opponent at one end and an empty cell at the other.

    The opponent stops their five not only in the window, but also by closing that end.
    """
    if not game.closed:
        return np.uint64(0)
    lane = np.uint64(game.lane)
    free_before = np.uint64(board[FREE, i - down]) << right
    free_after = np.uint64(board[FREE, i + 5 * down]) >> (_FIVE * right)
    theirs_before = before >> lane | before << lane
    theirs_after = after >> lane | after << lane
    return free_before & theirs_after | free_after & theirs_before


def cells_of_windows(game: Any, state: State, board: Any, least: int) -> None:
    """Find the empty cells of windows with so many stones or more, by no rule.

    Modified in place: `board`, of which `NEAR` and `CROSSINGS` have the answer.

    Args:
        game: the rules, of which only the board's size counts.
        state: a position.
        board: `[WORDS, ROWS]`, in which what is outside of the game's board is 0.
        least: 1, 2 or 3 stones; what is beside a window does not matter.
    """
    rows = state.rows
    _find_free(game, state, board)
    for i in range(EDGE, EDGE + game.height):
        board[NEAR, i] = 0
        board[CROSSINGS, i] = 0
    for direction in range(4):
        down, right = STEP_DOWN[direction], np.uint64(STEP_RIGHT[direction])
        for i in range(EDGE, EDGE + game.height):
            a, b, c, d, e = _five_words(rows, i, down, right)
            usable = _usable(board, i, down, right, a, b, c, d, e)
            ab, de = a ^ b, d ^ e
            abc = ab ^ c
            pairs, carry, more = a & b | ab & c, d & e, abc & de
            two = pairs | carry | more  # or more
            if least == 1:
                two = abc | de | two
            elif least == 3:
                ones = abc ^ de
                two = two & ones | pairs & carry | (pairs ^ carry) & more
            board[_FULL, i] = usable & two
            board[_LAST, i] = 0
        _add_cells(game, board, _FULL, _LAST, down, right)
        for i in range(EDGE, EDGE + game.height):
            near, cells = np.uint64(board[NEAR, i]), np.uint64(board[_LAST, i])
            board[CROSSINGS, i] = np.uint64(board[CROSSINGS, i]) | near & cells
            board[NEAR, i] = near | cells


def _add_cells(
    game: Any, board: Any, source: int, target: int, down: Any, right: Any
) -> None:
    """Add the empty cells of windows to a board of cells."""
    for i in range(EDGE, EDGE + game.height):
        a = np.uint64(board[source, i])
        b = np.uint64(board[source, i - down]) << right
        c = np.uint64(board[source, i - 2 * down]) << (_TWO * right)
        d = np.uint64(board[source, i - 3 * down]) << (_THREE * right)
        e = np.uint64(board[source, i - 4 * down]) << (_FOUR * right)
        cells = (a | b | c | d | e) & np.uint64(board[FREE, i])
        board[target, i] = np.uint64(board[target, i]) | cells
