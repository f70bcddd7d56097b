"""Rollout: how a game is played to its end from a leaf."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.compiled import Compiled, static
from ..games.game import CHANCE, uniform_rollout

__all__ = ["Decisive", "Rollout", "Uniform"]


class Rollout(Compiled):
    """Base of rollout policies."""

    def play(self, game: Any, state: Any, actions: Any, rng: Any) -> int:
        """Play to the end, or for `game.max_game_length()` actions; returns how many.

        `state` is modified in place; `actions` is a buffer to work in.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class Uniform(Rollout):
    """Uniformly random actions (a light playout).

    Attributes:
        generic: play by `legal_actions` and `apply` alone, even where the game has a
            faster `rollout` of its own.
    """

    generic: bool = static(False)

    def play(self, game: Any, state: Any, actions: Any, rng: Any) -> int:
        if self.generic:
            return uniform_rollout(game, state, actions, rng)
        return int(game.rollout(state, actions, rng))


@dataclass(frozen=True)
class Decisive(Rollout):
    """A win now, else a forced block, else any action at random (a heavy playout).

    Teytaud and Teytaud, "On the Huge Benefit of Decisive Moves in Monte-Carlo Tree
    Search Algorithms", CIG 2010; what is urgent is for the game's `urgent_actions` to
    say.
    """

    def play(self, game: Any, state: Any, actions: Any, rng: Any) -> int:
        plies = 0
        limit = game.max_game_length()
        while plies < limit and not game.is_terminal(state):
            if game.has_chance and game.current_player(state) == CHANCE:
                game.apply(state, game.sample_chance(state, actions, rng))
            else:
                count = game.urgent_actions(state, actions)
                if count == 0:
                    count = game.legal_actions(state, actions)
                game.apply(state, actions[rng.below(count)])
            plies += 1
        return plies
