"""What actions have been worth wherever they were played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.jit.compiled import Compiled
from ..games.contract.game import Game
from .work import BY_CHANCE, Work

__all__ = ["ActionTable"]


@dataclass(frozen=True)
class ActionTable(Compiled):
    """How games went in which a player played an action.

    Attributes:
        counts: `[P * A]` int64, how often player p played action a, at `p * A + a`.
        sums: `[P * A]` float64, the sum of p's returns in those games.
    """

    counts: NDArray[np.int64]
    sums: NDArray[np.float64]

    interpreted_methods = frozenset({"of_game"})

    @classmethod
    def of_game(cls, game: Game) -> ActionTable:
        """An empty table."""
        size = game.num_players() * max(1, game.num_actions())
        return cls(np.zeros(size, dtype=np.int64), np.zeros(size))

    def learn(self, work: Work, plies: int) -> None:
        """Take in the game that was just played. Modified in place."""
        for ply in range(1, plies + 1):
            step = work.path[ply]
            if step.action != BY_CHANCE:
                place = step.mover * len(work.actions) + step.action
                self.counts[place] += 1
                self.sums[place] += work.returns[step.mover]

    def mean(self, work: Work, player: int, action: int, unknown: float) -> float:
        """The average return; `unknown` for an action that was never played."""
        place = player * len(work.actions) + action
        if self.counts[place] == 0:
            return unknown
        return self.sums[place] / self.counts[place]
