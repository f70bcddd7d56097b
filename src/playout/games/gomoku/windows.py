"""Windows of Gomoku: five cells in a row with stones of one player only.

A window with four stones is one move from a five, one with three is one move from a
four. All windows of many rows are counted at once: a word of `state.rows` holds both
players' stones of a row, and a vector of words sixteen rows or eight.

A window is known by its direction and by its cell of the lowest column (the uppermost
where the column is one). From there it runs by `(STEP_DOWN, STEP_RIGHT)`:

    direction   0      1      2      3
    down        0     +1     +1     -1
    right      +1      0     +1     +1
"""

from __future__ import annotations

from typing import Any

from ...core.jit.word_vectors import any_bit, fill_like, load_words, store_words
from ..contract.game import State
from .lines import EDGE, empty_of

__all__ = [
    "CROSSINGS", "FIVES", "FREE", "HALF_CLOSED", "NEAR", "ROWS", "SOME_FIVE",
    "STEP_DOWN", "STEP_RIGHT", "THREES", "WORDS", "cells_of_windows", "count_windows",
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
#: Its rows: those of the vectors of the largest board, and what shapes reach above them
#: and below.
ROWS = 42

#: A bit of what `count_windows` returns, besides those of the four directions.
SOME_FIVE = 16


def count_windows(game: Any, state: State, board: Any) -> int:
    """Find the cells of fives and the windows with three stones, of both players.

    Modified in place: `board`, but for `NEAR` and `CROSSINGS`.

    Returns:
        Bits: of each direction whether there is a window with three stones, and
        `SOME_FIVE`.
    """
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        none = _write_free(game, state, board, first)
        store_words(none, board[FIVES], first)
        store_words(none, board[HALF_CLOSED], first)
    return (
        _count(game, state, board, 0)
        | _count(game, state, board, 1)
        | _count(game, state, board, 2)
        | _count(game, state, board, 3)
    )


def _write_free(game: Any, state: State, board: Any, first: int) -> Any:
    """Write the empty cells, in both halves of a word; returns a vector of none."""
    stones = load_words(state.rows, first)
    free = empty_of(game, stones, load_words(game.inside, first))
    store_words(free, board[FREE], first)
    return free ^ free


def _count(game: Any, state: State, board: Any, direction: int) -> int:
    """Windows of one direction with four and with three stones, and the former's cell.

    Each of five numbers is a stone or none; they are added bit by bit, in all columns
    at once: `total = ones + 2 * (pairs + carry + more)`.
    """
    rows, seen = state.rows, 0
    down, right = STEP_DOWN[direction], STEP_RIGHT[direction]
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        a, b, c, d, e = _five_words(rows, first, down, right)
        usable = _usable(board, first, down, right, a, b, c, d, e)
        ab, de = a ^ b, d ^ e
        abc = ab ^ c
        pairs, carry, more = a & b | ab & c, d & e, abc & de
        ones = abc ^ de
        twos = pairs ^ carry ^ more
        fours = pairs & carry | (pairs ^ carry) & more
        before = load_words(rows, first - down) << right
        after = load_words(rows, first + 5 * down) >> 5 * right
        usable = usable & _may_win(game, before, after)
        full = usable & fours & ~ones
        half = _half_closed(game, board, first, down, right, before, after)
        threes = usable & twos & ones & ~fours & ~half
        store_words(threes, board[THREES + direction], first)
        if any_bit(threes):
            seen |= 1 << direction
        store_words(full, board[_FULL], first)
        store_words(full & half, board[_LAST], first)
        if any_bit(full):
            seen |= SOME_FIVE
    if seen & SOME_FIVE:
        _add_cells(game, board, _FULL, FIVES, down, right)
        if game.closed:
            _add_cells(game, board, _LAST, HALF_CLOSED, down, right)
    return seen


def _five_words(rows: Any, first: Any, down: int, right: int) -> Any:
    """The vectors whose bits are the cells of the windows that begin in some rows."""
    return (
        load_words(rows, first),
        load_words(rows, first + down) >> right,
        load_words(rows, first + 2 * down) >> 2 * right,
        load_words(rows, first + 3 * down) >> 3 * right,
        load_words(rows, first + 4 * down) >> 4 * right,
    )


def _usable(
    board: Any,
    first: Any,
    down: int,
    right: int,
    a: Any,
    b: Any,
    c: Any,
    d: Any,
    e: Any,
) -> Any:
    """The windows that hold only a player's own stones and empty cells."""
    v, w, x, y, z = _five_words(board[FREE], first, down, right)
    return (a | v) & (b | w) & (c | x) & (d | y) & (e | z)


def _may_win(game: Any, before: Any, after: Any) -> Any:
    """Where five stones between two neighbours win by the rule; see `wins_between`."""
    exact, closed = fill_like(before, game.exact), fill_like(before, game.closed)
    closed = closed & (before >> game.lane | before << game.lane)
    closed = closed & (after >> game.lane | after << game.lane)
    return ~((before | after) & exact | closed)


def _half_closed(
    game: Any, board: Any, first: Any, down: int, right: int, before: Any, after: Any
) -> Any:
    """Caro: windows with the opponent at one end and an empty cell at the other.

    The opponent stops their five not only in the window, but also by closing that end.
    """
    if not game.closed:
        return before ^ before
    free_before = load_words(board[FREE], first - down) << right
    free_after = load_words(board[FREE], first + 5 * down) >> 5 * right
    theirs_before = before >> game.lane | before << game.lane
    theirs_after = after >> game.lane | after << game.lane
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
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        none = _write_free(game, state, board, first)
        store_words(none, board[NEAR], first)
        store_words(none, board[CROSSINGS], first)
    for direction in range(4):
        down, right = STEP_DOWN[direction], STEP_RIGHT[direction]
        for first in range(EDGE, EDGE + game.height, game.rows_at_once):
            a, b, c, d, e = _five_words(state.rows, first, down, right)
            usable = _usable(board, first, down, right, a, b, c, d, e)
            ab, de = a ^ b, d ^ e
            abc = ab ^ c
            pairs, carry, more = a & b | ab & c, d & e, abc & de
            two = pairs | carry | more  # or more
            if least == 1:
                two = abc | de | two
            elif least == 3:
                ones = abc ^ de
                two = two & ones | pairs & carry | (pairs ^ carry) & more
            store_words(usable & two, board[_FULL], first)
            store_words(two ^ two, board[_LAST], first)
        _add_cells(game, board, _FULL, _LAST, down, right)
        for first in range(EDGE, EDGE + game.height, game.rows_at_once):
            near, cells = (
                load_words(board[NEAR], first),
                load_words(board[_LAST], first),
            )
            crossings = load_words(board[CROSSINGS], first) | near & cells
            store_words(crossings, board[CROSSINGS], first)
            store_words(near | cells, board[NEAR], first)


def _add_cells(
    game: Any, board: Any, source: int, target: int, down: int, right: int
) -> None:
    """Add the empty cells of windows to a board of cells."""
    windows = board[source]
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        a = load_words(windows, first)
        b = load_words(windows, first - down) << right
        c = load_words(windows, first - 2 * down) << 2 * right
        d = load_words(windows, first - 3 * down) << 3 * right
        e = load_words(windows, first - 4 * down) << 4 * right
        cells = (a | b | c | d | e) & load_words(board[FREE], first)
        store_words(load_words(board[target], first) | cells, board[target], first)
