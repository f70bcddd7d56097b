"""Decisive rollouts: a win is taken, a loss prevented."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.compiled import static
from ...games.contract.game import Game, State
from ..work import Work
from .base import Rollout, any_action

__all__ = ["Decisive"]


@dataclass(frozen=True)
class Decisive(Rollout):
    """A win now, else a forced block, else any action at random (a heavy playout).

    Teytaud and Teytaud, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree
    Search Algorithms", CIG 2010; what is urgent is for the game's `urgent_actions` to
    say.

    Attributes:
        generic: play by `urgent_actions` alone, even where the game has a faster, or a
            better, `decisive_rollout` of its own.
    """

    generic: bool = static(False)

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        count = game.urgent_actions(state, work.actions)
        if count == 0:
            return any_action(game, state, work)
        return int(work.actions[work.rng.below(count)])

    def play(self, game: Game, state: State, work: Work, depth: int) -> int:
        if self.generic:
            return self.play_by_choice(game, state, work, depth)
        return int(game.decisive_rollout(state, work.actions, work.rng))
