"""Wins of Gomoku by fours alone, each of which leaves the opponent one reply.

The attacker makes a four, the opponent must take the one cell that stops it, and so on
until a four can be completed at two cells, or the reply is forbidden (renju). The
search is depth-first; what has failed is remembered by the stones on the board, so
fours in another order are not tried again.

Sound by construction: an attacker who has a five plays it; where the opponent has one,
only the four that takes its cell is tried; and a four in caro that the opponent could
stop at two cells counts as none. Players call such a win VCF, victory by continuous
fours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import lowest
from ..contract.game import State
from .lines import EDGE
from .renju import leaves_stuck
from .windows import (
    FIVES,
    FREE,
    SOME_FIVE,
    STEP_DOWN,
    STEP_RIGHT,
    THREES,
    count_windows,
)
from .work import (
    DEPTH,
    FOURS,
    LAST,
    LENGTH,
    NODES,
    WIDTH,
    Work,
    count_of,
    first_of,
    place,
    player_cells,
    recall,
    remember,
    stone_key,
)

__all__ = ["FOUND", "NONE", "UNKNOWN", "find_fours", "plies_of"]

#: What a search says: there is a win, there is none, the effort was too small.
FOUND, NONE, UNKNOWN = 1, 0, -1

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def find_fours(
    game: Any,
    state: State,
    work: Work,
    table: Any,
    attacker: int,
    key: Any,
    nodes: int,
) -> int:
    """Look for a win by fours of a player who is to move; the state is as it was.

    Args:
        game: the rules.
        state: a position that is not terminal; who moves there does not count.
        work: the room; `line` and `numbers` are written to where a win is found.
        table: answers found before.
        attacker: the player.
        key: `key_of` the state.
        nodes: how many positions to look at, at most.

    Returns:
        `FOUND`, `NONE` or `UNKNOWN`.
    """
    nodes = min(nodes, work.numbers[NODES])
    if nodes <= 0:
        return UNKNOWN
    kind = FOURS + attacker
    depth, answer = 0, UNKNOWN
    work.keys[0] = key
    last = work.numbers[NODES] - nodes
    found = _look(game, state, work, table, attacker, 0)
    while not found:
        tried = work.counts[depth, 1]
        if tried == work.counts[depth, 0]:
            if tried > 0:
                remember(table, work.keys[depth], kind, 0, -1)
            if depth == 0:
                answer = NONE
                break
            depth -= 1
            _toggle(game, state, work, attacker, depth)
            continue
        work.counts[depth, 1] = tried + 1
        four, reply = work.fours[depth, tried], work.replies[depth, tried]
        key = work.keys[depth] ^ stone_key(attacker, four)
        key ^= stone_key(1 - attacker, reply)
        known, action = recall(table, key, kind)
        if known >= 0 and action < 0:
            continue
        if work.numbers[NODES] <= last or depth + 1 == DEPTH:
            break
        _toggle(game, state, work, attacker, depth)
        depth += 1
        work.keys[depth] = key
        found = _look(game, state, work, table, attacker, depth)
    if found:
        answer = FOUND
        _write_line(work, table, depth, kind)
    while depth > 0:
        depth -= 1
        _toggle(game, state, work, attacker, depth)
    return answer


def _toggle(game: Any, state: State, work: Work, attacker: int, depth: int) -> None:
    """Place a four and its reply, or take them away."""
    tried = work.counts[depth, 1] - 1
    place(game, state, attacker, work.fours[depth, tried])
    place(game, state, 1 - attacker, work.replies[depth, tried])


def _write_line(work: Work, table: Any, depth: int, kind: int) -> None:
    """Write the moves that were found to `work.line`, and remember them.

    The last position's first move is the one that wins, and its replies are the cells
    where it then makes a five.
    """
    length = 0
    for i in range(depth):
        tried = work.counts[i, 1] - 1
        work.line[length] = work.fours[i, tried]
        work.line[length + 1] = work.replies[i, tried]
        remember(table, work.keys[i], kind, 0, work.fours[i, tried])
        length += 2
    remember(table, work.keys[depth], kind, 0, work.fours[depth, 0])
    work.line[length] = work.fours[depth, 0]
    for i in range(work.counts[depth, 0]):
        work.line[length + 1 + i] = work.replies[depth, i]
    work.numbers[LENGTH] = length + 1 + work.counts[depth, 0]
    work.numbers[LAST] = length


def plies_of(work: Work) -> int:
    """How long the win of `Work.line` takes, the five included."""
    last = work.numbers[LAST]
    return int(last + 1 if work.numbers[LENGTH] == last + 1 else last + 3)


def _look(
    game: Any, state: State, work: Work, table: Any, attacker: int, depth: int
) -> bool:
    """Look at a position: whether the attacker wins at once, or by which fours.

    Where it wins, the first of `fours` is the move, and `replies` are the cells where
    that makes a five, none if it is one.
    """
    work.numbers[NODES] -= 1
    work.counts[depth, 0] = 0
    work.counts[depth, 1] = 0
    board = work.board
    seen = count_windows(game, state, board)
    block = -1
    if seen & SOME_FIVE:
        five = first_of(game, board, FIVES, attacker)
        if five >= 0:
            work.fours[depth, 0] = five
            return True
        block = first_of(game, board, FIVES, 1 - attacker)
        if block >= 0 and count_of(game, board, FIVES, 1 - attacker) > 1:
            return False
    for direction in range(4):
        if seen >> direction & 1 == 0:
            continue
        for row in range(EDGE, EDGE + game.height):
            bits = player_cells(game, board, THREES + direction, row, attacker)
            while bits != _ZERO:
                column = lowest(bits)
                bits &= bits - _ONE
                one, other = _empty_pair(game, board, direction, row, column)
                if block < 0 or block == one:
                    if _add(game, state, work, attacker, depth, one, other):
                        return True
                if block < 0 or block == other:
                    if _add(game, state, work, attacker, depth, other, one):
                        return True
    _first_known(work, table, depth, FOURS + attacker)
    return False


def _empty_pair(game: Any, board: Any, direction: int, row: int, column: int) -> Any:
    """The two empty cells of a window with three stones."""
    down, right = STEP_DOWN[direction], STEP_RIGHT[direction]
    one, other = -1, -1
    for k in range(5):
        y, x = row + k * down, column + k * right
        if np.uint64(board[FREE, y]) >> np.uint64(x) & _ONE != _ZERO:
            one, other = other, (y - EDGE) * game.width + x
    return one, other


def _add(
    game: Any, state: State, work: Work, attacker: int, depth: int, four: int, five: int
) -> bool:
    """Add a four that is completed at a cell; whether it wins.

    It wins where it was added before with another cell, and where the opponent may
    not take the cell.
    """
    count = work.counts[depth, 0]
    for i in range(count):
        if work.fours[depth, i] == four:
            if work.replies[depth, i] == five:
                return False
            work.fours[depth, 0] = four
            work.replies[depth, 0] = work.replies[depth, i]
            work.replies[depth, 1] = five
            work.counts[depth, 0] = 2
            return True
    if count == WIDTH or not game.allows(state, attacker, four):
        return False
    if game.rule == "renju":
        if attacker == 1:
            if leaves_stuck(game, state, four):  # a draw
                return False
            if _may_not_reply(game, state, four, five):
                work.fours[depth, 0] = four
                work.replies[depth, 0] = five
                work.counts[depth, 0] = 1
                return True
    work.fours[depth, count] = four
    work.replies[depth, count] = five
    work.counts[depth, 0] = count + 1
    return False


def _may_not_reply(game: Any, state: State, four: int, five: int) -> bool:
    """Whether Black may not stop White's four."""
    place(game, state, 1, four)
    found = not game.allows(state, 0, five)
    place(game, state, 1, four)
    return found


def _first_known(work: Work, table: Any, depth: int, kind: int) -> None:
    """Have the four that won here before, if any, tried first."""
    _, action = recall(table, work.keys[depth], kind)
    if action < 0:
        return
    for i in range(work.counts[depth, 0]):
        if work.fours[depth, i] == action:
            reply = work.replies[depth, i]
            work.fours[depth, i] = work.fours[depth, 0]
            work.replies[depth, i] = work.replies[depth, 0]
            work.fours[depth, 0], work.replies[depth, 0] = action, reply
            return
