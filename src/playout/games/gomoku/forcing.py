"""Wins of Gomoku by threats: fours, and moves that threaten to win by fours.

A depth-first search of two kinds of positions:

- the *attacker* is to move: it wins by fours, or by a move after which it wins;
- the *defender* is to move: the attacker wins if it would by fours, were the defender
  to pass, and if it wins after every move that could change that.

Which moves could is read off the fours that win (a "relevance zone": Thomsen,
"Lambda-Search in Game Trees with Application to Go", 2000, calls the idea so). They
stay a proof unless the defender takes one of their cells, or gains a five or a four on
the way, for which a window must hold three of the defender's stones, the replies to
those fours counted. In renju a stone anywhere may make a move a foul or none, so there
all moves are tried; in caro also those that close an end of a line.

How many moves of the attacker a win may take before its fours begin is limited, and
grows from search to search.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import lowest
from ..contract.game import State
from .fours import FOUND, find_fours, plies_of
from .lines import EDGE
from .renju import is_stuck
from .windows import (
    CROSSINGS,
    FIVES,
    FREE,
    HALF_CLOSED,
    NEAR,
    STEP_DOWN,
    STEP_RIGHT,
    cells_of_windows,
    count_windows,
)
from .work import (
    LAST,
    LENGTH,
    LEVELS,
    NODES,
    THREATS,
    Work,
    count_of,
    first_of,
    place,
    player_cells,
    recall,
    remember,
    stone_key,
)

__all__ = ["ACTION", "PLIES", "find_threats"]

#: What a row of `Work.frames` holds: who is to move; how many moves there are, and how
#: many were tried; how many moves of the attacker may come before fours; the move that
#: wins, and the plies to the end; the move that led here.
DEFENDS, COUNT, TRIED, LEFT, ACTION, PLIES = range(6)

#: The attacker wins; does not, as far as was looked; there are moves to try.
_WON, _FAILED, _OPEN = 1, 0, 2

#: Positions that one search of fours within a search of threats looks at.
_FOURS_NODES = 200

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def find_threats(
    game: Any,
    state: State,
    work: Work,
    table: Any,
    attacker: int,
    defends: bool,
    key: Any,
    left: int,
) -> bool:
    """Whether a proof is found that a player wins; the state is as it was.

    Args:
        game: the rules.
        state: a position that is not terminal.
        work: the room; the first of `frames` says by which move, and in how many plies.
        table: answers found before.
        attacker: the player.
        defends: whether the other player is to move.
        key: `key_of` the state.
        left: how many moves of the attacker may come before its fours, 0 to 20.
    """
    level = 0
    work.level_keys[0] = key
    value = _enter(game, state, work, table, attacker, 0, defends, left)
    while True:
        frame = work.frames[level]
        if value == _OPEN:
            if work.numbers[NODES] <= 0:
                break
            if frame[TRIED] < frame[COUNT]:
                value = _descend(game, state, work, table, attacker, level)
                level += 1
                continue
            value = _WON if frame[DEFENDS] else _FAILED
        if value == _WON or work.numbers[NODES] > 0:
            _remember(work, table, attacker, level, value)
        if level == 0:
            return value == _WON
        level -= 1
        value = _ascend(game, state, work, attacker, level, value)
    while level > 0:
        level -= 1
        _toggle(game, state, work, attacker, level)
    return False


def _descend(
    game: Any, state: State, work: Work, table: Any, attacker: int, level: int
) -> int:
    """Play the next move of a level."""
    frame = work.frames[level]
    frame[TRIED] += 1
    _toggle(game, state, work, attacker, level)
    player = 1 - attacker if frame[DEFENDS] else attacker
    cell = work.moves[level, frame[TRIED] - 1]
    work.level_keys[level + 1] = work.level_keys[level] ^ stone_key(player, cell)
    left, defends = frame[LEFT], frame[DEFENDS] == 0
    if defends and frame[COUNT] > 1:
        left -= 1  # a move that must be played takes nothing
    return _enter(game, state, work, table, attacker, level + 1, defends, left)


def _ascend(
    game: Any, state: State, work: Work, attacker: int, level: int, value: int
) -> int:
    """Take the last move of a level back; what its value says about the level's."""
    frame, below = work.frames[level], work.frames[level + 1]
    _toggle(game, state, work, attacker, level)
    if frame[DEFENDS]:
        frame[PLIES] = max(frame[PLIES], below[PLIES] + 1)
        return _OPEN if value == _WON else _FAILED
    if value == _WON:
        frame[ACTION] = work.moves[level, frame[TRIED] - 1]
        frame[PLIES] = below[PLIES] + 1
        return _WON
    return _OPEN


def _toggle(game: Any, state: State, work: Work, attacker: int, level: int) -> None:
    """Place the stone of a level's last move, or take it away."""
    frame = work.frames[level]
    player = 1 - attacker if frame[DEFENDS] else attacker
    place(game, state, player, work.moves[level, frame[TRIED] - 1])


def _remember(work: Work, table: Any, attacker: int, level: int, value: int) -> None:
    """Write a level's value to the table: a win in so many plies, or none so deep."""
    frame = work.frames[level]
    kind = THREATS + attacker + 2 * frame[DEFENDS]
    key = work.level_keys[level]
    if value == _WON:
        # 484 stands for a win of which there is no move to tell
        action = frame[ACTION] if frame[ACTION] >= 0 else 484
        remember(table, key, kind, min(frame[PLIES], 63), action)
    else:
        remember(table, key, kind, frame[LEFT], -1)


def _enter(
    game: Any,
    state: State,
    work: Work,
    table: Any,
    attacker: int,
    level: int,
    defends: bool,
    left: int,
) -> int:
    """Begin a level: what is known about it, or the moves to try."""
    frame = work.frames[level]
    frame[DEFENDS], frame[LEFT], frame[ACTION] = defends, left, -1
    frame[COUNT], frame[TRIED], frame[PLIES] = 0, 0, 0
    kind = THREATS + attacker + 2 * frame[DEFENDS]
    number, action = recall(table, work.level_keys[level], kind)
    if action >= 0:
        frame[PLIES] = number
        frame[ACTION] = action if action < 484 else -1
        return _WON
    if number >= left or level + 1 == LEVELS or work.numbers[NODES] <= 0:
        return _FAILED
    if defends:
        return _defend(game, state, work, table, attacker, level)
    return _attack(game, state, work, table, attacker, level)


# -- the attacker is to move -----------------------------------------------------------


def _attack(
    game: Any, state: State, work: Work, table: Any, attacker: int, level: int
) -> int:
    """Win by fours, or list the moves that may threaten to."""
    frame = work.frames[level]
    key = work.level_keys[level]
    if find_fours(game, state, work, table, attacker, key, _FOURS_NODES) == FOUND:
        frame[ACTION] = work.line[0]
        frame[PLIES] = plies_of(work)
        return _WON
    count_windows(game, state, work.board)
    block = first_of(game, work.board, FIVES, 1 - attacker)
    if block >= 0:
        if game.allows(state, attacker, block):
            _add(work, level, block)
        return _OPEN
    if frame[LEFT] == 0:
        return _FAILED
    cells_of_windows(game, state, work.board, 2)
    for board in (CROSSINGS, NEAR):
        _add_cells(game, state, work, level, board, attacker)
    if level == 0:
        cells_of_windows(game, state, work.board, 1)
        _add_cells(game, state, work, level, NEAR, attacker)
    return _OPEN


# -- the defender is to move -----------------------------------------------------------


def _defend(
    game: Any, state: State, work: Work, table: Any, attacker: int, level: int
) -> int:
    """List the moves that may save the defender from the attacker's fours."""
    frame = work.frames[level]
    work.numbers[NODES] -= 1
    if game.rule == "renju":
        if attacker == 1 and is_stuck(game, state):  # a draw
            return _FAILED
    count_windows(game, state, work.board)
    if first_of(game, work.board, FIVES, 1 - attacker) >= 0:
        return _FAILED
    five = first_of(game, work.board, FIVES, attacker)
    if five >= 0:
        return _stop_five(game, state, work, attacker, level, five)
    key = work.level_keys[level]
    if find_fours(game, state, work, table, attacker, key, _FOURS_NODES) != FOUND:
        return _FAILED
    frame[PLIES] = plies_of(work) + 1
    _add_relevant(game, state, work, level, 1 - attacker)
    return _OPEN if frame[COUNT] > 0 else _FAILED


def _stop_five(
    game: Any, state: State, work: Work, attacker: int, level: int, five: int
) -> int:
    """The one move against a five; two fives are too many."""
    if first_of(game, work.board, HALF_CLOSED, attacker) >= 0:
        return _FAILED
    frame = work.frames[level]
    frame[PLIES] = 2
    one = count_of(game, work.board, FIVES, attacker) == 1
    if one and game.allows(state, 1 - attacker, five):
        _add(work, level, five)
        return _OPEN
    return _WON


def _add_relevant(
    game: Any, state: State, work: Work, level: int, defender: int
) -> None:
    """Add all moves that could keep the attacker from the fours of `Work.line`."""
    line, last = work.line, work.numbers[LAST]
    for i in range(work.numbers[LENGTH]):
        if game.allows(state, defender, line[i]):
            _add(work, level, line[i])
    for i in range(1, last, 2):
        place(game, state, defender, line[i])
    cells_of_windows(game, state, work.board, 3)
    for i in range(1, last, 2):
        place(game, state, defender, line[i])
    _add_cells(game, state, work, level, NEAR, defender)
    if game.closed:
        for i in range(0, last, 2):
            _add_ends(game, work, level, line[i], line[i + 1])
        for i in range(last + 1, work.numbers[LENGTH]):
            _add_ends(game, work, level, line[last], line[i])
        if work.numbers[LENGTH] == last + 1:  # a five, whose direction is not known
            for direction in range(4):
                down, right = STEP_DOWN[direction], STEP_RIGHT[direction]
                _add_line(game, work, level, line[last], down, right)
    if game.rule == "renju":
        _add_cells(game, state, work, level, FREE, defender)


def _add_ends(game: Any, work: Work, level: int, four: int, five: int) -> None:
    """Add the empty cells of two cells' line that are near enough to close a five."""
    down = five // game.width - four // game.width
    right = five % game.width - four % game.width
    steps = max(abs(down), abs(right))
    _add_line(game, work, level, four, down // steps, right // steps)


def _add_line(
    game: Any, work: Work, level: int, cell: int, down: int, right: int
) -> None:
    """Add the empty cells of a line that are beside any five through a cell."""
    y, x = cell // game.width, cell % game.width
    for k in range(-5, 6):
        row, column = y + k * down, x + k * right
        if 0 <= row < game.height and 0 <= column < game.width:
            free = np.uint64(work.board[FREE, row + EDGE]) >> np.uint64(column)
            if free & _ONE != _ZERO:
                _add(work, level, row * game.width + column)


# -- lists of moves --------------------------------------------------------------------


def _add_cells(
    game: Any, state: State, work: Work, level: int, board: int, player: int
) -> None:
    """Add a player's cells of a board of words that it may play on."""
    for row in range(EDGE, EDGE + game.height):
        bits = player_cells(game, work.board, board, row, player)
        while bits != _ZERO:
            cell = (row - EDGE) * game.width + lowest(bits)
            bits &= bits - _ONE
            if game.allows(state, player, cell):
                _add(work, level, cell)


def _add(work: Work, level: int, cell: int) -> None:
    """Add a move, unless it is there."""
    frame = work.frames[level]
    for i in range(frame[COUNT]):
        if work.moves[level, i] == cell:
            return
    work.moves[level, frame[COUNT]] = cell
    frame[COUNT] += 1
