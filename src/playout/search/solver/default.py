"""Which solver suits a kind of game."""

from __future__ import annotations

from ...games.contract.game import Game
from ...games.contract.units import declared_range
from ..best_line import is_puzzle
from .base import Solver, Unsolved
from .exhaustion import Exhaustion
from .max_n import MOST_PLAYERS, MaxNBounds
from .score_bounds import ScoreBounds

__all__ = ["default_solver"]


def default_solver(game: Game) -> Solver:
    """The solver for this kind of game."""
    bounded = declared_range(game) is not None
    if is_puzzle(game):
        return Exhaustion(proves=bounded)
    if game.has_hidden or game.has_rewards or not bounded:
        return Unsolved()
    if game.num_players() == 2 and game.zero_sum:
        return ScoreBounds()
    return MaxNBounds() if game.num_players() <= MOST_PLAYERS else Unsolved()
