"""What a network sees of tic-tac-toe and other m,n,k-games."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import lowest
from ..contract.game import Game, Planes, State
from ..contract.symmetry import Symmetry, board_symmetries

__all__ = ["MNKPlanes"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)


class MNKPlanes(Game):
    """Two planes of the board: the stones of the player to move, and the other's."""

    m: Any
    n: Any

    def observation_shape(self) -> tuple[int, int, int]:
        return (2, self.m, self.n)

    def observe(self, state: State, planes: Planes) -> None:
        for plane in range(2):
            player = state.player if plane == 0 else 1 - state.player
            stones = state.stones[player]
            while stones != _ZERO:
                cell = lowest(stones)
                planes[plane, cell // self.n, cell % self.n] = 1.0
                stones &= stones - _ONE

    def symmetries(self) -> list[Symmetry]:
        cells = np.arange(self.m * self.n).reshape(self.m, self.n)
        return board_symmetries(self.observation_shape(), cells)
