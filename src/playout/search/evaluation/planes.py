"""What every network has in common: planes go in, values and logits come out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...core.errors import UsageError
from ...games.contract.game import Game, has_own
from ...games.contract.units import declared_range

__all__ = ["below", "beside", "expect_planes", "in_units", "priors_of", "range_of"]

#: An action's logit counts as so far below the highest at most: its prior is above 0.
LEAST_LOGIT = -80.0


def expect_planes(game: Game, inputs: int | None = None) -> tuple[int, ...]:
    """The shape of what a network sees of a game.

    Args:
        game: what is to be judged.
        inputs: how many numbers the network takes, if that is known.

    Raises:
        UsageError: the game has no `observe`, or another number of them.
    """
    name = game.name or type(game).__name__
    if not has_own(game, "observe"):
        raise UsageError(
            f"a network needs a game that has observe() and observation_shape(), which "
            f"{name} has not"
        )
    shape = tuple(int(size) for size in game.observation_shape())
    if inputs is not None and math.prod(shape) != inputs:
        raise UsageError(
            f"the network takes {inputs} numbers, and {name} shows {math.prod(shape)}"
        )
    return shape


def range_of(game: Game) -> tuple[float, float]:
    """What values of -1 and 1 are in a game's own units.

    Raises:
        UsageError: its returns have no bounds, or one value does not tell all.
    """
    span = declared_range(game)
    if span is None:
        raise UsageError(
            f"a network's value lies between the worst and the best return, and those "
            f"of {game.name or type(game).__name__} have no bounds"
        )
    return float(span[0]), float(span[1])


def in_units(values: ArrayLike, span: tuple[float, float]) -> NDArray[np.float64]:
    """Values from -1 to 1 in a game's own units.

    >>> in_units([-1, 0, 1], (0.0, 10.0))
    array([ 0.,  5., 10.])
    """
    low, high = span
    return (low + high) / 2.0 + np.asarray(values, float) * ((high - low) / 2.0)


def priors_of(logits: ArrayLike) -> NDArray[np.float32]:
    """`[B, A]` what an evaluator says of actions, all above 0, from logits.

    They do not add up to 1: the search divides them by the sum over legal actions.
    """
    logits = np.asarray(logits, np.float32).astype(float)
    lead = logits - logits.max(axis=1, keepdims=True)
    return np.exp(np.maximum(lead, LEAST_LOGIT)).astype(np.float32)


def beside(logit: Any, highest: Any) -> float:
    """How promising an action is for one of the highest logit, which has 1; above 0."""
    return math.exp(below(logit, highest))


def below(logit: Any, highest: Any) -> float:
    """How far a logit counts as below the highest one: 0 or less."""
    return max(float(np.float64(logit) - np.float64(highest)), LEAST_LOGIT)
