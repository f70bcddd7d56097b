"""Whether what a game says besides its rules has the form that is asked for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.errors import RulesError, quote
from ...core.text.fields import is_whole
from ..contract.game import Game, has_own

__all__ = ["expect_forms", "expect_symmetries"]

#: More numbers than a network is shown of a state.
_MOST_SEEN = 2**27


def expect_forms(game: Game) -> None:
    """Look at what a network is shown, and at how often a player may move in a row.

    Raises:
        RulesError: it has another form; says what to write.
    """
    if not is_whole(game.moves_in_a_row) or game.moves_in_a_row < 0:
        raise RulesError(
            f"{type(game).__qualname__}.moves_in_a_row is {quote(game.moves_in_a_row)}"
            "; it must be a whole number, 0 where nothing is said"
        )
    shape = game.observation_shape()
    if not _is_shape(shape):
        raise RulesError(
            f"{type(game).__qualname__}.observation_shape() gives {quote(shape)}; it "
            "must be a tuple of whole numbers above 0, as (planes, rows, columns) or "
            "(numbers,)"
        )
    own = [base for base in type(game).__mro__ if not issubclass(Game, base)]
    missing = ""
    if shape and not any("observe" in vars(base) for base in own):
        missing = "observation_shape and no observe"
    elif not shape and has_own(game, "observe"):
        missing = "observe and no observation_shape"
    if missing:
        raise RulesError(
            f"{type(game).__qualname__} has {missing}: what a network sees is said by "
            "both"
        )


def expect_symmetries(game: Game) -> None:
    """See that each symmetry says once of every number and action where it stood.

    Raises:
        RulesError: it does not; says what to write.
    """
    sizes = math.prod(game.observation_shape()), game.num_actions()
    given: Any = None
    why = ""
    try:
        given = game.symmetries()
    except Exception as error:  # as a base's, which knows the base's observation
        why = f" (it raised {type(error).__name__}: {error})"
    found: Any = given if type(given) in (list, tuple) else [None]
    for each in found:
        pair = isinstance(each, tuple) and len(each) == 2
        if not pair or not all(map(_is_order, each, sizes)):
            raise RulesError(
                f"{type(game).__qualname__}.symmetries() must give a list of "
                f"Symmetry(planes, actions), of which planes holds each of 0 to "
                f"{sizes[0] - 1} once, and actions each of 0 to {sizes[1] - 1}; "
                f"board_symmetries makes them for boards{why}"
            )


def _is_order(numbers: Any, size: int) -> bool:
    """Whether each of `0 .. size - 1` is there once."""
    try:
        return bool(np.array_equal(np.sort(np.asarray(numbers)), np.arange(size)))
    except (TypeError, ValueError):  # of what cannot be sorted, or is no array
        return False


def _is_shape(shape: Any) -> bool:
    if not isinstance(shape, tuple):
        return False
    size = 1
    for length in shape:
        if not is_whole(length) or length < 1:
            return False
        size *= int(length)
    return size <= _MOST_SEEN
