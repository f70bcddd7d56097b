"""Uniform rollouts: every legal action is as likely."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.compiled import static
from ...games.contract.game import Game, State, uniform_rollout
from ..work import Work
from .base import Rollout, any_action, fill_noting

__all__ = ["Uniform"]


@dataclass(frozen=True)
class Uniform(Rollout):
    """Uniformly random actions (a light playout).

    Attributes:
        generic: play by `legal_actions` and `apply` alone, even where the game has a
            faster `rollout` of its own.
    """

    generic: bool = static(False)

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        return any_action(game, state, work)

    def play(self, game: Game, state: State, work: Work, depth: int) -> int:
        if self.generic:
            return uniform_rollout(game, state, work.actions, work.rng)
        return int(game.rollout(state, work.actions, work.rng))

    def play_summing(self, game: Game, state: State, work: Work, gamma: float) -> bool:
        if not game.sums_rewards:
            return False
        game.sum_rewards(state, work.rng, gamma, work.returns)
        for player in range(game.num_players()):
            work.returns[player] = work.scale.of(work.returns[player])
        return True

    def play_noting(self, game: Game, state: State, work: Work, depth: int) -> int:
        if game.fills():
            return fill_noting(game, state, work, depth)
        return self.play_choosing(game, state, work, depth)
