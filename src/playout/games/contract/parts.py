"""How many parts a game's states have, and how many kinds of them there are."""

from __future__ import annotations

import numpy as np

from ...core.errors import UsageError, quote
from .game import Game, has_own

__all__ = ["expect_parts"]


def expect_parts(game: Game) -> tuple[int, int]:
    """How many parts a game's states have, and how many kinds there are.

    >>> from playout.games.ultimate_tic_tac_toe.rules import UltimateTicTacToe
    >>> expect_parts(UltimateTicTacToe())
    (9, 39369)

    Raises:
        UsageError: the game has no `observe_parts`, or `parts_shape` gives no numbers.
    """
    name = game.name or type(game).__name__
    if not has_own(game, "observe_parts"):
        raise UsageError(
            "this network needs a game that has observe_parts() and parts_shape(), "
            f"which {name} has not"
        )
    given = game.parts_shape()
    pair = isinstance(given, tuple | list) and len(given) == 2
    if not (pair and all(isinstance(n, int | np.integer) and n > 0 for n in given)):
        raise UsageError(
            f"parts_shape() of {name} must give two whole numbers above 0, of parts "
            f"and of kinds, not {quote(given)}"
        )
    return int(given[0]), int(given[1])
