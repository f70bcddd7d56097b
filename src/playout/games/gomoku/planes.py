"""What a network sees of Gomoku."""

from __future__ import annotations

import numpy as np

from ..contract.game import Planes, State
from ..contract.symmetry import Symmetry, board_symmetries
from .layout import GomokuLayout

__all__ = ["GomokuPlanes"]

_ZERO = np.uint64(0)


class GomokuPlanes(GomokuLayout):
    """Three planes of the board: the mover's stones, the other's, and who is to move.

    The third is all ones where Black is to move, as by some rules only White may do
    everything.
    """

    def observation_shape(self) -> tuple[int, int, int]:
        return (3, self.height, self.width)

    def observe(self, state: State, planes: Planes) -> None:
        mover = state.player
        mine = np.uint64(self.lane * mover)
        theirs = np.uint64(self.lane * (1 - mover))
        for cell in range(self.height * self.width):
            stones = np.uint64(state.rows[self.row_of[cell]])
            bit = np.uint64(self.bit_of[cell])
            row, column = cell // self.width, cell % self.width
            if stones & bit << mine != _ZERO:
                planes[0, row, column] = 1.0
            if stones & bit << theirs != _ZERO:
                planes[1, row, column] = 1.0
            if mover == 0:
                planes[2, row, column] = 1.0

    def symmetries(self) -> list[Symmetry]:
        cells = np.arange(self.height * self.width).reshape(self.height, self.width)
        return board_symmetries(self.observation_shape(), cells)
