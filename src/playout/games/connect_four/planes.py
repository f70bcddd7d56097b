"""What a network sees of Connect Four."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import Game, Planes, State
from ..contract.symmetry import Symmetry, board_symmetries

__all__ = ["ConnectFourPlanes"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class ConnectFourPlanes(Game):
    """Three planes of the board, its top row first.

    The stones of the player to move, the other's, and the cell that nobody may occupy.
    """

    rows: Any
    columns: Any
    place: Any

    def observation_shape(self) -> tuple[int, int, int]:
        return (3, self.rows, self.columns)

    def observe(self, state: State, planes: Planes) -> None:
        mover = state.player
        for column in range(self.columns):
            word, shift = self.place(column)
            mine = state.stones[mover, word] >> np.uint64(shift)
            theirs = state.stones[1 - mover, word] >> np.uint64(shift)
            neither = state.occupied[word] >> np.uint64(shift) & ~(mine | theirs)
            for row in range(self.rows):
                bit = _ONE << np.uint64(self.rows - 1 - row)
                if mine & bit != _ZERO:
                    planes[0, row, column] = 1.0
                if theirs & bit != _ZERO:
                    planes[1, row, column] = 1.0
                if neither & bit != _ZERO:
                    planes[2, row, column] = 1.0

    def symmetries(self) -> list[Symmetry]:
        """Left and right, as stones fall."""
        actions = np.tile(np.arange(self.columns), (self.rows, 1))
        return board_symmetries(self.observation_shape(), actions, upright=True)
