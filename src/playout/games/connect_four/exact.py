"""Connect Four settled exactly: alpha-beta on bits, with a transposition table.

The question is always one of two: does the player to move win, and does he at least
draw? Each is a search with an empty window. The answer for a move is the opposite of
that for the position behind it: a move wins unless the other player at least draws.

A node is decided without a search where

- the opponent has two winning replies to any move, or one above the only move left;
- the side that would have to win has no line left that it could fill;
- every column has an even number of free cells, and follow-up decides: a player who
  always answers in the same column gets the upper cell of each pair
  (Allis, "A Knowledge-Based Approach of Connect-Four", 1988, section 3.2).

Moves are sorted by how many cells would then complete a line, and from the centre
outwards. Those that let the other side complete a line at once are never tried.

The first words of the table are the stack. Every ply has a frame there: two boards, the
moves left, and what is asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.rows import fetch_ahead
from ...core.jit.wide import count_ones, first_one, wide, word_of
from .known import place_of, recall, remember, signed
from .lines import (
    column_bits,
    completing,
    forbidden_of,
    has_line_in,
    landing_of,
    under,
    upper_cells,
    whole,
)

__all__ = ["NO", "UNKNOWN", "YES", "reaches", "stack_size"]

#: Whether the player to move reaches what is wanted; `OPEN` while moves are left.
NO, YES, OPEN, UNKNOWN = 0, 1, 2, 3

_ZERO, _ONE, _FOUR, _FIFTEEN = (np.uint64(n) for n in (0, 1, 4, 15))
#: Words at the table's beginning in which moves are sorted.
_SORTING = 16
#: What follows a frame's two boards: moves left, four bits each (a column plus one);
#: what is wanted; plies to the horizon, here and after a move; whether a move's worth
#: is unknown; the nodes looked at before.
_MOVES, _WANTED, _HORIZON, _PLIES, _UNSURE, _BEFORE, _EXTRA = 0, 1, 2, 3, 4, 5, 6
#: How much a cell that completes a line counts beside the columns to the nearer side.
_THREAT = 16


def stack_size(game: Any) -> int:
    """Words that the stack takes: a frame for every ply and one more."""
    return _SORTING + (game.rows * game.columns + 1) * frame_size(game)


def frame_size(game: Any) -> int:
    return 2 * game.words + _EXTRA


def reaches(
    game: Any, mine: Any, occupied: Any, wanted: int, plies: int, nodes: int, table: Any
) -> tuple[int, int, int]:
    """Whether the player to move, who cannot win at once, reaches a result.

    Args:
        game: the board's sizes and its forbidden cell.
        mine: the stones of the player to move, without gaps.
        occupied: both players' stones and the forbidden cell.
        wanted: 1 for a win, 0 for a draw at least.
        plies: how many moves that are not forced are looked ahead.
        nodes: how many positions are looked at.
        table: the stack and what is known; modified in place.

    Returns:
        The verdict; where it is `YES`, a column that does it, else -1; and how many
        positions were looked at.
    """
    size, first = frame_size(game), _SORTING
    extra = first + 2 * game.words
    blocked = forbidden_of(game)
    uppers = upper_cells(game)
    used = 1
    frame, action = first, -1
    question = wanted, plies, blocked, uppers
    verdict = look(game, table, frame, mine, occupied, question, False)
    table[extra + _BEFORE] = _ONE
    while True:
        if verdict == OPEN:
            moves = table[extra + _MOVES]
            if moves != _ZERO:
                if used >= nodes:
                    return UNKNOWN, -1, used
                column = signed(moves & _FIFTEEN) - 1
                if frame == first:
                    action = column
                table[extra + _MOVES] = moves >> _FOUR
                mine = load(game, table, frame)
                occupied = load(game, table, frame + game.words)
                stone = landing_of(game, occupied) & column_bits(game, column)
                wanted = 1 - signed(table[extra + _WANTED])
                plies = signed(table[extra + _PLIES])
                theirs = occupied & ~(mine | blocked)
                fetch_next(game, table, table[extra + _MOVES], theirs, occupied)
                frame += size
                extra += size
                used += 1
                table[extra + _BEFORE] = np.uint64(used)
                question = wanted, plies, blocked, uppers
                verdict = look(
                    game, table, frame, theirs, occupied | stone, question, True
                )
                continue
            verdict = UNKNOWN if table[extra + _UNSURE] != _ZERO else NO
        effort = used - signed(table[extra + _BEFORE])
        if effort > 0:  # else `look` has decided, and written no frame
            mine = load(game, table, frame)
            occupied = load(game, table, frame + game.words)
            asked = signed(table[extra + _WANTED]), signed(table[extra + _HORIZON])
            place = place_of(game, table, mine, occupied)
            remember(table, place, asked, verdict, effort)
        if frame == first:
            return verdict, action if verdict == YES else -1, used
        frame -= size
        extra -= size
        if verdict == NO:
            verdict = YES
        elif verdict == YES:
            verdict = OPEN
        elif table[extra + _WANTED] == _ONE:  # else the defence holds to the horizon
            table[extra + _UNSURE] = _ONE
            verdict = OPEN


def fetch_next(game: Any, table: Any, moves: Any, theirs: Any, occupied: Any) -> None:
    """Have what is known of the next move fetched: it is read after the one before it.

    Args:
        game: the board's sizes.
        table: the stack and what is known.
        moves: those left, as a frame has them.
        theirs: the stones of who moves after them.
        occupied: all stones before them.
    """
    if moves != _ZERO:
        column = signed(moves & _FIFTEEN) - 1
        stone = landing_of(game, occupied) & column_bits(game, column)
        fetch_ahead(table, place_of(game, table, theirs, occupied | stone)[0])


def look(
    game: Any,
    table: Any,
    frame: int,
    mine: Any,
    occupied: Any,
    asked: tuple[int, int, Any, Any],
    recalls: bool,
) -> int:
    """Decide a position, or write its frame with the moves to try, the best first."""
    wanted, plies, blocked, uppers = asked
    place = place_of(game, table, mine, occupied)
    fetch_ahead(table, place[0])  # it is read when much else has been asked
    empty = whole(game) & ~occupied
    theirs = occupied & ~(mine | blocked)
    landing = landing_of(game, occupied)
    threats = completing(game, theirs) & empty
    moves = landing & ~under(threats, blocked)
    forced = landing & threats
    if forced != 0:
        moves = moves & forced
        if (forced & (forced - 1)) != 0:
            return NO
    if moves == 0:
        return NO if landing != 0 or wanted == 1 else YES
    if wanted == 1:
        if not has_line_in(game, mine | empty):
            return NO
    elif not has_line_in(game, theirs | empty):
        return YES
    if (landing & uppers) == 0:
        if not has_line_in(game, mine | (empty & ~uppers)):
            if wanted == 1 or has_line_in(game, theirs | (empty & uppers)):
                return NO
    if recalls:
        known = recall(table, place, wanted, plies)
        if known != OPEN:
            return known
    if forced == 0 and plies <= 0:
        return UNKNOWN
    store(game, table, frame, mine)
    store(game, table, frame + game.words, occupied)
    extra = frame + 2 * game.words
    table[extra + _MOVES] = sort_moves(game, table, moves, mine, empty)
    table[extra + _WANTED] = np.uint64(wanted)
    table[extra + _HORIZON] = np.uint64(plies)
    table[extra + _PLIES] = np.uint64(plies - 1 if forced == 0 else plies)
    table[extra + _UNSURE] = _ZERO
    return OPEN


def sort_moves(game: Any, table: Any, moves: Any, mine: Any, empty: Any) -> Any:
    """The columns of some moves, plus one, four bits each, the best one lowest."""
    count = 0
    while moves != 0:
        stone = moves & -moves
        moves = moves ^ stone
        column = first_one(stone) // game.height
        worth = min(column, game.columns - 1 - column)
        made = completing(game, mine | stone) & empty & ~stone
        worth += _THREAT * count_ones(made)
        entry = np.uint64(16 * worth + column + 1)
        place = count
        while place > 0 and table[place - 1] > entry:
            table[place] = table[place - 1]
            place -= 1
        table[place] = entry
        count += 1
    listed = _ZERO
    for place in range(count):
        listed = listed << _FOUR | (table[place] & _FIFTEEN)
    return listed


def load(game: Any, table: Any, place: int) -> Any:
    """A board that `store` wrote."""
    if game.words == 1:
        return wide(table[place])
    if game.words == 2:
        return wide(table[place], table[place + 1])
    return wide(table[place], table[place + 1], table[place + 2])


def store(game: Any, table: Any, place: int, board: Any) -> None:
    """Write a board to the stack."""
    for word in range(game.words):
        table[place + word] = word_of(board, word)
