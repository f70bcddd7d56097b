"""From rules that are asked in Python to a game with a class of its own."""

from __future__ import annotations

from typing import Any

from .foreign import Foreign
from .foreign_game import ForeignGame

__all__ = ["game_of"]


def game_of(foreign: Foreign, again: Any) -> ForeignGame:
    """The game of foreign rules, whose class says what people read.

    Args:
        foreign: the rules.
        again: what makes the game in another process: a function and its arguments.
    """
    names = tuple(f"Player {number + 1}" for number in range(foreign.players))
    said = {
        "__doc__": foreign.reading or foreign.title or foreign.name,
        "name": foreign.name,
        "title": foreign.title or foreign.name,
        "reading": foreign.reading,
        "player_names": names,
        "zero_sum": foreign.zero_sum,
        "return_range": foreign.return_range,
        "has_chance": foreign.has_chance,
        "has_hidden": foreign.has_hidden,
        "sums_rewards": foreign.has_rewards,
        "has_rewards": foreign.has_rewards,
    }
    cls = type(ForeignGame.__name__, (ForeignGame,), said)
    cls.__qualname__, cls.__module__ = ForeignGame.__qualname__, ForeignGame.__module__
    game = cls(foreign)
    vars(game)["again"] = again
    return game
