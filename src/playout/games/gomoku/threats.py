"""Moves of Gomoku that must be played, found in all cells of a row at once.

As in `lines`, a word holds a row of both players. Each function below takes the
row's index in `state.rows` and returns a word of cells in the same layout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import lowest
from ...core.jit.word_vectors import any_bit, load_words, word_at
from ..contract.game import Actions, State
from .lines import (
    DOWN,
    EDGE,
    RIGHT,
    empty_of,
    line_neighbors,
    nine_rows,
    row_neighbors,
    wins_between,
)
from .renju import leaves_stuck

__all__ = ["find_urgent", "fives", "fours", "open_fours"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def along(game: Any, state: State, row: int, step: int, direction: int) -> Any:
    """The stones `step` cells further along a direction, seen from a row's cells."""
    word = np.uint64(state.rows[row + step * DOWN[direction]])
    return _aside(word, step * RIGHT[direction])


def empty_along(game: Any, state: State, row: int, step: int, direction: int) -> Any:
    """The same for empty cells of the board (in both halves)."""
    word = _empty(game, state, row + step * DOWN[direction])
    return _aside(word, step * RIGHT[direction])


def _aside(word: Any, step: int) -> Any:
    # The bit between the halves and those above the board's last column are always 0,
    # and every shape is a chain of cells, so what crosses over completes no shape.
    return (word << np.uint64(EDGE)) >> np.uint64(EDGE + step)


def _empty(game: Any, state: State, row: int) -> Any:
    word = np.uint64(state.rows[row])
    return game.inside[row] & ~(word | _opponent(game, word))


def _opponent(game: Any, word: Any) -> Any:
    """The word with its halves exchanged."""
    half = np.uint64(game.lane)
    return ((word >> half) | (word << half)) & game.both


def fives(game: Any, state: State, row: int) -> Any:
    """Empty cells where a stone wins at once."""
    found = _ZERO
    for d in range(4):
        chain = game.both
        for k in range(5):  # k stones behind, 4 - k ahead
            if k > 0:
                chain &= along(game, state, row, -k, d)
            run = chain
            for j in range(1, 5 - k):
                run &= along(game, state, row, j, d)
            if run == _ZERO:
                continue
            before = along(game, state, row, -k - 1, d)
            after = along(game, state, row, 5 - k, d)
            found |= run & wins_between(game, before, after)
    return found & _empty(game, state, row)


def open_fours(game: Any, state: State, row: int) -> Any:
    """Empty cells where a stone makes a four that wins at either end.

    Both ends are empty, and whichever end the opponent takes, the other wins.
    """
    found = _ZERO
    for d in range(4):
        chain = game.both
        for k in range(4):  # k stones behind, 3 - k ahead
            if k > 0:
                chain &= along(game, state, row, -k, d)
            run = chain
            for j in range(1, 4 - k):
                run &= along(game, state, row, j, d)
            if run == _ZERO:
                continue
            run &= empty_along(game, state, row, -k - 1, d)
            run &= empty_along(game, state, row, 4 - k, d)
            beyond = along(game, state, row, -k - 2, d)
            beyond |= along(game, state, row, 5 - k, d)
            bad = beyond & game.exact | _opponent(game, beyond) & game.closed
            found |= run & ~bad
    return found & _empty(game, state, row)


def fours(game: Any, state: State, row: int) -> Any:
    """Empty cells where a stone threatens to win with the next one."""
    found = _ZERO
    for d in range(4):
        if not _three_near(game, state, row, d):
            continue
        for k in range(5):  # the stone is number k of the five
            one, two, three = _ZERO, _ZERO, _ZERO
            free = game.both
            for j in range(-k, 5 - k):
                if j != 0:
                    stones = along(game, state, row, j, d)
                    three |= two & stones
                    two |= one & stones
                    one |= stones
                    free &= stones | empty_along(game, state, row, j, d)
            before = along(game, state, row, -k - 1, d)
            after = along(game, state, row, 5 - k, d)
            found |= three & free & wins_between(game, before, after)
    return found & _empty(game, state, row)


def _three_near(game: Any, state: State, row: int, d: int) -> bool:
    """Whether a cell of the row has three stones within four cells on a line."""
    one, two, three = _ZERO, _ZERO, _ZERO
    for distance in range(1, 5):
        for step in (-distance, distance):
            stones = along(game, state, row, step, d)
            three |= two & stones
            two |= one & stones
            one |= stones
    return three & _empty(game, state, row) != _ZERO


# -- the list of moves -----------------------------------------------------------------


def find_urgent(game: Any, state: State, actions: Actions) -> int:
    """Fill the buffer with the moves that must be played; see `urgent_actions`."""
    rows = _rows_with_shapes(game, state)
    if rows == _ZERO:
        return 0
    player = state.player
    count = _collect(game, state, rows, actions, player, player, False)
    if count > 0:
        return count
    threat = _threatens(game, state, rows, 1 - player, False)
    if threat >= 0:
        # Closing the far end also does.
        if game.rule == "caro" or game.rule == "caro-8":
            return _stops(game, state, rows, actions, player, threat, False)
        return _collect(game, state, rows, actions, 1 - player, player, False)
    count = _collect(game, state, rows, actions, player, player, True)
    if count > 0:
        return count
    threat = _threatens(game, state, rows, 1 - player, True)
    if threat < 0:
        return 0
    return _stops(game, state, rows, actions, player, threat, True)


def _rows_with_shapes(game: Any, state: State) -> Any:
    """The rows with a shape (see `_shapes`) of either player, as bits of a word.

    A stone more makes none of the other player's.
    """
    rows = _ZERO
    for first in range(EDGE, EDGE + game.height, game.rows_at_once):
        found = _shapes(game, state, first)
        if any_bit(found):
            for row in range(first, min(first + game.rows_at_once, EDGE + game.height)):
                if word_at(found, row - first) != _ZERO:
                    rows |= _ONE << np.uint64(row)
    return rows


def _shapes(game: Any, state: State, first: int) -> Any:
    """Empty cells where a stone would stand in a row of four or more, wins or not.

    A vector of words: of many rows, from the first one on.
    """
    stones = nine_rows(state.rows, first)
    empty = empty_of(game, stones[4], load_words(game.inside, first))
    found = _four_in_line(row_neighbors(stones))
    found |= _four_in_line(line_neighbors(stones, 0))
    found |= _four_in_line(line_neighbors(stones, 1))
    found |= _four_in_line(line_neighbors(stones, -1))
    return found & empty


def _four_in_line(beside: Any) -> Any:
    """Where a cell makes four or more with the stones on both sides of it."""
    _, left_3, left, one_left, one_right, right, right_3, _ = beside
    left &= one_left  # two on this side
    right &= one_right
    return left & (one_right | left_3) | right & (one_left | right_3)


def _cells(game: Any, state: State, row: int, player: int, open_four: bool) -> Any:
    """One player's winning cells, or those of open fours, from bit 0 up."""
    word = open_fours(game, state, row) if open_four else fives(game, state, row)
    return _half(game, word, player)


def _half(game: Any, word: Any, player: int) -> Any:
    return (word >> np.uint64(game.lane * player)) & game.row_bits


def _collect(
    game: Any,
    state: State,
    rows: Any,
    actions: Actions,
    owner: int,
    mover: int,
    open_four: bool,
) -> int:
    """The owner's winning cells (or open fours) that the mover may play."""
    count = 0
    while rows != _ZERO:
        row = int(lowest(rows))
        rows &= rows - _ONE
        bits = _cells(game, state, row, owner, open_four)
        while bits != _ZERO:
            cell = (row - EDGE) * game.width + lowest(bits)
            bits &= bits - _ONE
            if game.allows(state, mover, cell):
                if open_four and _draws(game, state, mover, cell):
                    continue
                actions[count] = cell
                count += 1
    return count


def _threatens(game: Any, state: State, rows: Any, player: int, open_four: bool) -> int:
    """The first cell where the player could make five (or an open four); -1 if none."""
    while rows != _ZERO:
        row = int(lowest(rows))
        rows &= rows - _ONE
        bits = _cells(game, state, row, player, open_four)
        while bits != _ZERO:
            cell = (row - EDGE) * game.width + lowest(bits)
            bits &= bits - _ONE
            if game.allows(state, player, cell):
                if open_four and _draws(game, state, player, cell):
                    continue
                return cell
    return -1


def _draws(game: Any, state: State, player: int, cell: int) -> bool:
    """Whether the game ends after this stone, as Black may play nowhere (renju)."""
    if game.rule == "renju":
        return player == 1 and leaves_stuck(game, state, cell)
    return False


def _stops(
    game: Any,
    state: State,
    rows: Any,
    actions: Actions,
    player: int,
    threat: int,
    open_four: bool,
) -> int:
    """Moves after which the opponent has no five; or, no open four, and own fours."""
    count = 0
    half = np.uint64(game.lane * player)
    for row in range(EDGE, EDGE + game.height):
        empty = _half(game, _empty(game, state, row), player)
        own_fours = _half(game, fours(game, state, row), player)
        while empty != _ZERO:
            column = lowest(empty)
            bit = _ONE << np.uint64(column)
            empty ^= bit
            cell = (row - EDGE) * game.width + column
            useful = open_four and (own_fours & bit) != _ZERO
            if not useful and _near(game, cell, threat):
                word = np.uint64(state.rows[row])
                state.rows[row] = word | (bit << half)
                useful = _stopped(game, state, rows, 1 - player, threat, open_four)
                state.rows[row] = word
            if useful and game.allows(state, player, cell):
                actions[count] = cell
                count += 1
    return count


def _near(game: Any, cell: int, threat: int) -> bool:
    """Whether a stone can matter to a threat: on a line with it, within its reach.

    In renju a stone elsewhere may make Black's threat a foul, so all cells matter.
    """
    if game.rule == "renju":
        return True
    down = abs(cell // game.width - threat // game.width)
    right = abs(cell % game.width - threat % game.width)
    return max(down, right) <= EDGE and (down == 0 or right == 0 or down == right)


def _stopped(
    game: Any, state: State, rows: Any, player: int, threat: int, open_four: bool
) -> bool:
    """Whether the player can make no five (or open four); the threat is tried first."""
    row = threat // game.width
    bits = _cells(game, state, row + EDGE, player, open_four)
    if (bits >> np.uint64(threat - row * game.width)) & _ONE != _ZERO:
        if game.allows(state, player, threat):
            if not (open_four and _draws(game, state, player, threat)):
                return False
    return _threatens(game, state, rows, player, open_four) < 0
