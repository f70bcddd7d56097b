"""What a network sees of ultimate tic-tac-toe."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import Game, Parts, Planes, State
from ..contract.symmetry import Symmetry, board_symmetries
from .cells import cells_of
from .chances import TERNARY

__all__ = ["UltimatePlanes"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_BOARDS = 3**9
#: Kinds of local boards that are no longer played for: won by the player to move, won
#: by the other, and full. Those before are the boards' numbers (see `chances`), and
#: again those of boards where the player to move may play.
WON, LOST, FULL = 2 * _BOARDS, 2 * _BOARDS + 1, 2 * _BOARDS + 2


class UltimatePlanes(Game):
    """Five planes of the board of 9 rows and columns, as people see it.

    The stones of the player to move, the other's, the cells where one may be put now,
    and all cells of the local boards that either player has won, in the same order.
    """

    def observation_shape(self) -> tuple[int, int, int]:
        return (5, 9, 9)

    def observe(self, state: State, planes: Planes) -> None:
        mover = state.player
        first, second = state.open[0], state.open[1]
        target = state.target
        if target >= 0 and cells_of(first, second, target) == _ZERO:
            target = -1
        for board in range(9):
            top, left = 3 * (board // 3), 3 * (board % 3)
            mine = np.uint64(state.stones[mover, board])
            theirs = np.uint64(state.stones[1 - mover, board])
            legal = _ZERO
            if target < 0 or board == target:
                legal = cells_of(first, second, board)
            is_mine = int(state.boards[mover]) >> board & 1
            is_theirs = int(state.boards[1 - mover]) >> board & 1
            for cell in range(9):
                row, column = top + cell // 3, left + cell % 3
                bit = _ONE << np.uint64(cell)
                if mine & bit != _ZERO:
                    planes[0, row, column] = 1.0
                if theirs & bit != _ZERO:
                    planes[1, row, column] = 1.0
                if legal & bit != _ZERO:
                    planes[2, row, column] = 1.0
                if is_mine:
                    planes[3, row, column] = 1.0
                if is_theirs:
                    planes[4, row, column] = 1.0

    def parts_shape(self) -> tuple[int, int]:
        return 9, 2 * _BOARDS + 3

    def observe_parts(self, state: State, parts: Parts) -> None:
        """The nine local boards, as the player to move sees them."""
        mover = state.player
        first, second = state.open[0], state.open[1]
        target: Any = np.int64(state.target)
        if target >= 0 and cells_of(first, second, target) == _ZERO:
            target = np.int64(-1)
        mine, theirs = np.int64(state.boards[mover]), np.int64(state.boards[1 - mover])
        for board in range(9):
            kind = TERNARY[state.stones[mover, board]]
            kind += 2 * TERNARY[state.stones[1 - mover, board]]
            if target < 0 or target == board:
                kind += _BOARDS
            if cells_of(first, second, board) == _ZERO:
                kind = np.int64(FULL)
            if mine >> board & 1:
                kind = np.int64(WON)
            if theirs >> board & 1:
                kind = np.int64(LOST)
            parts[board] = kind

    def symmetries(self) -> list[Symmetry]:
        rows, columns = np.indices((9, 9))
        boards = 3 * (rows // 3) + columns // 3
        actions = 9 * boards + 3 * (rows % 3) + columns % 3
        return board_symmetries(self.observation_shape(), actions)
