"""What is sure of a position of ultimate tic-tac-toe, without a search.

A win at once, a loss at the next move, and lines that nobody, or only one player, can
make any more. The game goes on to the end that the rules have; only its value is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import lowest, popcount
from ..contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    State,
)
from .cells import HAS_LINE
from .chances import FIRST_LINE, TERNARY
from .threats import outlook, playable, winning

__all__ = ["settle_at_sight", "why_sure"]

_ZERO = np.uint64(0)


def settle_at_sight(game: Any, state: State) -> tuple[int, int, int]:
    """The outcome for the player to move, an action, and plies: see `Game.settle`."""
    sight = outlook(game, state)
    if sight > 0:
        return SETTLED_WIN, winning_move(game, state), 1
    if sight < 0:
        return SETTLED_LOSS, -1, 2
    me = state.player
    mine, theirs = attainable(state, me), attainable(state, 1 - me)
    if game.variant == "count":
        return settle_count(game, state, mine, theirs)
    if game.variant == "first-board":
        i_can, they_can = mine != 0, theirs != 0
    else:
        i_can, they_can = bool(HAS_LINE[mine]), bool(HAS_LINE[theirs])
    if i_can:
        return UNSETTLED if they_can else SETTLED_AT_LEAST_DRAW, -1, 0
    return SETTLED_AT_MOST_DRAW if they_can else SETTLED_DRAW, -1, 0


def settle_count(
    game: Any, state: State, mine: int, theirs: int
) -> tuple[int, int, int]:
    """Who has more boards, where nobody can catch up and the other makes no line.

    Args:
        game: the rules.
        state: the position.
        mine: the boards that the player to move has or may win, as bits.
        theirs: those of the opponent.
    """
    my_boards = popcount(np.uint64(state.boards[state.player]))
    their_boards = popcount(np.uint64(state.boards[1 - state.player]))
    if my_boards > popcount(np.uint64(theirs)) and not HAS_LINE[theirs]:
        return SETTLED_WIN, any_move(game, state), 0
    if their_boards > popcount(np.uint64(mine)) and not HAS_LINE[mine]:
        return SETTLED_LOSS, -1, 0
    nothing_left = popcount(np.uint64(mine)) == my_boards
    nothing_left = nothing_left and popcount(np.uint64(theirs)) == their_boards
    if nothing_left and my_boards == their_boards:
        return SETTLED_DRAW, -1, 0
    return UNSETTLED, -1, 0


def attainable(state: State, player: int) -> int:
    """Bits of the local boards that a player has won, or could win some day."""
    taken = np.int64(state.boards[0]) | np.int64(state.boards[1])
    found = np.int64(state.boards[player])
    for board in range(9):
        own = TERNARY[state.stones[player, board]]
        other = TERNARY[state.stones[1 - player, board]]
        if taken >> board & 1 == 0 and FIRST_LINE[own + 2 * other] > 0.0:
            found |= 1 << board
    return int(found)


def winning_move(game: Any, state: State) -> int:
    """A move that wins the game at once; there must be one."""
    for board in range(9):
        cells = winning(game, state, state.player, board)
        cells &= playable(game, state, board)
        if cells != _ZERO:
            return 9 * board + int(lowest(cells))
    return -1


def any_move(game: Any, state: State) -> int:
    """The first legal move."""
    for board in range(9):
        cells = playable(game, state, board)
        if cells != _ZERO:
            return 9 * board + int(lowest(cells))
    return -1


def why_sure(game: Any, state: State) -> str:
    """What `settle_at_sight` has seen, in words; "" if nothing."""
    outcome, _, plies = settle_at_sight(game, state)
    if outcome == SETTLED_WIN:
        return "wins at once" if plies == 1 else "has too many boards to be caught up"
    if outcome == SETTLED_LOSS:
        return "the opponent wins next" if plies == 2 else "cannot catch up in boards"
    if outcome == SETTLED_DRAW:
        return "nobody can make a line any more"
    if outcome == SETTLED_AT_LEAST_DRAW:
        return "the opponent can make no line any more"
    return "" if outcome == UNSETTLED else "can make no line any more"
