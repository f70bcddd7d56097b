"""Rollout: how a game is played to its end from a leaf."""

from __future__ import annotations

from ...games.contract.game import CHANCE, Game, State
from ..policy import Policy
from ..work import BY_CHANCE, Work

__all__ = ["Rollout"]


class Rollout(Policy):
    """Base of rollout policies: write `choose`, or `play` if that can be faster."""

    def choose(self, game: Game, state: State, work: Work, ply: int) -> int:
        """The action to play, `ply` actions after the root.

        `work.actions` is a buffer to work in, `work.rng` the random numbers.
        """
        raise NotImplementedError

    def length(self, game: Game) -> int:
        """After how many actions a rollout is cut off."""
        return game.max_game_length()

    def estimate(self, game: Game, state: State, player: int) -> float:
        """What a game that was cut off counts for a player, in the game's own units.

        By default it is 0, nobody's win. Where that lies outside the game's range of
        returns, the nearest end of the range counts.
        """
        return 0.0

    def asks_evaluator(self) -> bool:
        """Whether it asks an evaluator that is compiled into the search."""
        return False

    def play(self, game: Game, state: State, work: Work, depth: int) -> int:
        """Play to the end, or for `length` actions; returns how many.

        `state` is modified in place; it is `depth` actions after the root.
        """
        return self.play_by_choice(game, state, work, depth)

    def play_by_choice(self, game: Game, state: State, work: Work, depth: int) -> int:
        """`play` by `choose` alone."""
        plies = 0
        limit = self.length(game)
        while plies < limit and not game.is_terminal(state):
            if game.has_chance and game.current_player(state) == CHANCE:
                action = game.sample_chance(state, work.actions, work.rng)
            else:
                action = self.choose(game, state, work, depth + plies)
            game.apply(state, action)
            plies += 1
        return plies

    def play_summing(self, game: Game, state: State, work: Work, gamma: float) -> bool:
        """Play to the end and write to `work.returns` what it brings, discounted.

        Whether that was done; else the rewards are to be noted one by one.
        """
        return False

    def play_noting(self, game: Game, state: State, work: Work, depth: int) -> int:
        """As `play`, and write the actions into `work.path`."""
        return self.play_choosing(game, state, work, depth)

    def play_choosing(self, game: Game, state: State, work: Work, depth: int) -> int:
        """Play by `choose` and write the actions into `work.path`."""
        plies = 0
        limit = self.length(game)
        while plies < limit and not game.is_terminal(state):
            step = work.path[depth + plies + 1]
            step.mover = game.current_player(state)
            if game.has_chance and step.mover == CHANCE:
                action = game.sample_chance(state, work.actions, work.rng)
                step.action = BY_CHANCE
            else:
                action = self.choose(game, state, work, depth + plies)
                step.action = action
            game.apply(state, action)
            plies += 1
            work.note_rewards(game, state, depth + plies)
        return plies


def fill_noting(game: Game, state: State, work: Work, depth: int) -> int:
    """Uniformly random actions in a game that `fills`; each is drawn once."""
    actions = work.actions
    plies = 0
    count = game.legal_actions(state, actions)
    while count > 0 and not game.is_terminal(state):
        drawn = work.rng.below(count)
        count -= 1
        step = work.path[depth + plies + 1]
        step.mover = game.current_player(state)
        step.action = actions[drawn]
        actions[drawn] = actions[count]
        game.apply(state, step.action)
        plies += 1
        work.note_rewards(game, state, depth + plies)
    return plies


def any_action(game: Game, state: State, work: Work) -> int:
    """A legal action, drawn uniformly."""
    count = game.legal_actions(state, work.actions)
    return int(work.actions[work.rng.below(count)])
