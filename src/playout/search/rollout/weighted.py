"""Weighted rollouts: actions are drawn by the game's `prior`."""

from __future__ import annotations

from dataclasses import dataclass

from ...games.contract.game import Game, State
from ..policy import expect_own
from ..work import Work
from .base import Rollout

__all__ = ["Weighted"]


@dataclass(frozen=True)
class Weighted(Rollout):
    """Legal actions with probabilities proportional to the game's `prior`.

    Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", ICGA Journal 30,
    2007, section 4.2.
    """

    def check(self, game: Game) -> None:
        expect_own(self, game, "prior")

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        count = game.legal_actions(state, work.actions)
        total = 0.0
        for index in range(count):
            total += game.prior(state, int(work.actions[index]))
        left = work.rng.uniform() * total
        for index in range(count - 1):
            left -= game.prior(state, int(work.actions[index]))
            if left < 0.0:
                return int(work.actions[index])
        return int(work.actions[count - 1])
