"""Whether what a game says besides its rules has the form that is asked for."""

from __future__ import annotations

from typing import Any

from ...core.errors import RulesError, quote
from ...core.text.fields import is_whole
from ..contract.game import Game, has_own

__all__ = ["expect_forms"]

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


def _is_shape(shape: Any) -> bool:
    if not isinstance(shape, tuple):
        return False
    size = 1
    for length in shape:
        if not is_whole(length) or length < 1:
            return False
        size *= int(length)
    return size <= _MOST_SEEN
