"""Moves of ultimate tic-tac-toe that must be played: a win now, or what prevents it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import list_bits, lowest
from ..contract.game import Actions, State
from .cells import COMPLETING, HAS_LINE, cells_of

__all__ = ["find_urgent", "outlook", "playable", "threatened", "winning"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


def find_urgent(game: Any, state: State, actions: Actions) -> int:
    """Fill the buffer with the moves that must be played; see `urgent_actions`."""
    me, count = state.player, 0
    if not (_may_win(game, state, me) or _may_win(game, state, 1 - me)):
        return 0
    for board in range(9):
        wins = winning(game, state, me, board)
        cells = playable(game, state, board) & wins
        count = list_bits(cells, 9 * board, actions, count)
    return count if count > 0 else _list_safe(game, state, actions)


def outlook(game: Any, state: State) -> int:
    """What two plies show: 1 where the player to move wins the game at once.

    -1 where the opponent does so next, whatever is played now; else 0.
    """
    me = state.player
    if _may_win(game, state, me):
        for board in range(9):
            wins = winning(game, state, me, board)
            if wins != _ZERO and playable(game, state, board) & wins != _ZERO:
                return 1
    if not _may_win(game, state, 1 - me):
        return 0
    threats = threatened(game, state)
    return -1 if threats != 0 and not _has_safe(game, state, threats) else 0


def _may_win(game: Any, state: State, player: int) -> bool:
    """Whether a single board can win the game; a quick look before a closer one."""
    if game.variant == "first-board":
        return True
    taken = np.int64(state.boards[0]) | np.int64(state.boards[1])
    return bool(COMPLETING[state.boards[player]] & ~taken)


def threatened(game: Any, state: State) -> int:
    """Bits of the local boards where the opponent could win the game."""
    threats = 0
    for board in range(9):
        if winning(game, state, 1 - state.player, board) != _ZERO:
            threats |= 1 << board
    return threats


def _has_safe(game: Any, state: State, threats: int) -> bool:
    """Whether any move prevents a win at once."""
    for board in range(9):
        cells = playable(game, state, board)
        while cells != _ZERO:
            if _is_safe(game, state, threats, board, lowest(cells)):
                return True
            cells &= cells - _ONE
    return False


def _list_safe(game: Any, state: State, actions: Actions) -> int:
    """Write the moves that prevent a win at once, unless all or none do."""
    threats = threatened(game, state)
    if threats == 0:
        return 0
    count = tried = 0
    for board in range(9):
        cells = playable(game, state, board)
        while cells != _ZERO:
            cell = lowest(cells)
            cells &= cells - _ONE
            tried += 1
            if _is_safe(game, state, threats, board, cell):
                actions[count] = 9 * board + cell
                count += 1
    return 0 if count == tried else count


def _is_safe(game: Any, state: State, threats: int, board: int, cell: int) -> bool:
    """Whether the opponent cannot win at once after this move.

    Args:
        game: the rules.
        state: the position before the move; it does not win the game.
        threats: bits of the local boards where the opponent could win the game.
        board: where the player to move puts a stone.
        cell: where in that board.
    """
    bit = _ONE << np.uint64(cell)
    mine = np.uint64(state.stones[state.player, board]) | bit
    takes = bool(HAS_LINE[mine])
    left = winning(game, state, 1 - state.player, board) & ~bit
    if takes or left == _ZERO:
        threats &= ~(1 << board)
    cells = cells_of(state.open[0], state.open[1], cell)
    if cell == board:
        closes = takes and game.variant != "play-on"
        cells = _ZERO if closes else cells & ~bit
    if cells == _ZERO:
        return game.nine_board or threats == 0
    return threats >> cell & 1 == 0


def playable(game: Any, state: State, board: int) -> Any:
    """The cells of a local board that may be played now, as 9 bits."""
    first, second = state.open[0], state.open[1]
    elsewhere = state.target >= 0 and state.target != board
    if elsewhere and cells_of(first, second, state.target) != _ZERO:
        return _ZERO
    return cells_of(first, second, board)


def winning(game: Any, state: State, player: int, board: int) -> Any:
    """The open cells of a local board where a stone would win the game."""
    if game.variant != "first-board":
        if (state.boards[0] | state.boards[1]) >> board & 1:
            return _ZERO
        if not HAS_LINE[state.boards[player] | 1 << board]:
            return _ZERO
    cells = cells_of(state.open[0], state.open[1], board)
    return cells & np.uint64(COMPLETING[state.stones[player, board]])
