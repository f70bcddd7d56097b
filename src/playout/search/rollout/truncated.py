"""Truncated rollouts: after some actions the game's `evaluate` judges."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import UsageError
from ...games.contract.game import Game, State
from ..policy import expect_own
from ..work import Work
from .base import Rollout, any_action

__all__ = ["Truncated"]


@dataclass(frozen=True)
class Truncated(Rollout):
    """Some uniformly random actions, and then the game's `evaluate`.

    Lorentz, "Amazons Discover Monte-Carlo", CG 2008, section 3.

    Attributes:
        rollout_plies: after how many actions the game is cut off, at least 0.
    """

    rollout_plies: int = 6

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rollout_plies < 0:
            raise UsageError(
                f"rollout_plies must be at least 0, not {self.rollout_plies}"
            )

    def check(self, game: Game) -> None:
        expect_own(self, game, "evaluate")

    def length(self, game: Game) -> int:
        return min(self.rollout_plies, game.max_game_length())

    def estimate(self, game: Game, state: State, player: int) -> float:
        return float(game.evaluate(state, player))

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        return any_action(game, state, work)
