"""The heuristic value of a position of Connect Four."""

from __future__ import annotations

from typing import Any

from ...core.jit.wide import count_ones
from ..contract.game import State
from .lines import column_bits, completing, whole, without_gaps
from .threats import own_in_the_end

__all__ = ["judge"]

#: What a threat is worth: on a cell that is the player's in the end, and on another;
#: and a stone for every column that it is nearer to the middle.
OWN, OTHER, COLUMN = 0.4, 0.1, 0.03


def judge(game: Any, state: State, player: int) -> float:
    """The value for a player, between -1 and 1."""
    lead = strength(game, state, player) - strength(game, state, 1 - player)
    return lead / (1.0 + abs(lead))


def strength(game: Any, state: State, player: int) -> float:
    """What a player's stones and threats are worth."""
    stones = without_gaps(game, state.stones[player])
    empty = whole(game) & ~without_gaps(game, state.occupied)
    threats = completing(game, stones) & empty
    own = count_ones(threats & own_in_the_end(game, player))
    found = OWN * own + OTHER * (count_ones(threats) - own)
    return found + COLUMN * central(game, stones)


def central(game: Any, stones: Any) -> int:
    """The sum, over stones, of the columns to the nearer side."""
    total = 0
    for column in range(game.columns):
        here = count_ones(stones & column_bits(game, column))
        total += here * min(column, game.columns - 1 - column)
    return total
