"""The rollout of a search with a native evaluator: none, the leaf is judged."""

from __future__ import annotations

from dataclasses import dataclass

from ...games.contract.game import CHANCE, Game, State
from ..rollout.base import Rollout
from ..work import BY_CHANCE, Work
from .native import NativeEvaluator, NoJudge, judge_of

__all__ = ["Judged", "judge_for"]


@dataclass(frozen=True)
class Judged(Rollout):
    """Judges the leaf; where chance moves it draws first, until it is a player's turn.

    Attributes:
        evaluator: what is asked.
    """

    evaluator: NativeEvaluator

    def check(self, game: Game) -> None:
        self.evaluator.check(game)

    # -- compiled ----------------------------------------------------------------------

    def asks_evaluator(self) -> bool:
        return True

    def play(self, game: Game, state: State, work: Work, depth: int) -> int:
        plies = 0
        if game.has_chance:
            while not game.is_terminal(state) and game.current_player(state) == CHANCE:
                game.apply(state, game.sample_chance(state, work.actions, work.rng))
                plies += 1
        return plies

    def play_noting(self, game: Game, state: State, work: Work, depth: int) -> int:
        plies = 0
        if game.has_chance:
            while not game.is_terminal(state) and game.current_player(state) == CHANCE:
                step = work.path[depth + plies + 1]
                step.mover, step.action = CHANCE, BY_CHANCE
                game.apply(state, game.sample_chance(state, work.actions, work.rng))
                plies += 1
                work.note_rewards(game, state, depth + plies)
        return plies


def judge_for(game: Game, rollout: Rollout) -> NoJudge:
    """What a thread's search asks, by its rollout."""
    if isinstance(rollout, Judged):
        return judge_of(game, rollout.evaluator)
    return NoJudge()
