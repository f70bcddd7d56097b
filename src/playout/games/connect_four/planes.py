"""What a network sees of Connect Four."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..contract.game import Game, Planes, State
from ..contract.symmetry import Symmetry, board_symmetries

__all__ = ["ConnectFourPlanes"]

_ONE = np.uint64(1)


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
        for row in range(self.rows):
            for column in range(self.columns):
                word, bottom = self.place(column)
                cell = np.uint64(bottom + self.rows - 1 - row)
                mine = state.stones[mover, word] >> cell & _ONE
                theirs = state.stones[1 - mover, word] >> cell & _ONE
                occupied = state.occupied[word] >> cell & _ONE
                planes[0, row, column] = mine
                planes[1, row, column] = theirs
                planes[2, row, column] = occupied & ~(mine | theirs)

    def symmetries(self) -> list[Symmetry]:
        """Left and right, as stones fall."""
        actions = np.tile(np.arange(self.columns), (self.rows, 1))
        return board_symmetries(self.observation_shape(), actions, upright=True)
