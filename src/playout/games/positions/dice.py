"""The dice of a game that is played; searches have random numbers of their own."""

from __future__ import annotations

from ...core.rng import make_rng
from .position import Position

__all__ = ["roll"]

#: The stream of the dice, apart from those of searches and openings.
DICE_STREAM = 0x64696365


def roll(position: Position, seed: int) -> list[int]:
    """Play what chance draws until someone is to move; returns the outcomes.

    They follow from the seed and the number of moves so far, so that the same dice fall
    again after a move was taken back. The position is modified in place.

    >>> from playout.games.more.pig import Pig
    >>> position = Position.from_moves(Pig(), ["roll"])
    >>> [position.game.action_name(action) for action in roll(position, seed=2)]
    ['4']
    """
    played = len(position.actions)
    if position.is_chance:
        position.play_chance(make_rng(seed, DICE_STREAM + played))
    return position.actions[played:]
