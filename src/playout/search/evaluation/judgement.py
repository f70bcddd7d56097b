"""What an evaluator answers, read into arrays of known shapes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...core.errors import EvaluatorError, quote
from ...games.contract.game import Game

__all__ = ["Judgement", "read_judgement"]


class Judgement(NamedTuple):
    """What was said of B states.

    Attributes:
        values: `[B]` for the player to move, or `[B, P]` for every player.
        priors: `[B, A]`; None where nothing was said of actions.
    """

    values: NDArray[Any]
    priors: NDArray[Any] | None

    @property
    def per_player(self) -> bool:
        """Whether there is a value for every player."""
        return self.values.ndim == 2


def read_judgement(given: Any, count: int, game: Game) -> Judgement:
    """The answer to `count` states.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> read_judgement(([0.5, -0.5], None), 2, TicTacToe())
    Judgement(values=array([ 0.5, -0.5]), priors=None)

    Raises:
        EvaluatorError: it is no pair, or an array is of another shape or kind.
    """
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise EvaluatorError(
            "it must give a pair, values and priors (or None for no priors), not "
            f"{quote(given)}"
        )
    values, priors = numbers("values", given[0]), None
    if given[1] is not None:
        priors = numbers("priors", given[1])
        expect_shape("priors", priors, [(count, max(1, game.num_actions()))])
    expect_shape("values", values, value_shapes(count, game))
    if values.shape == (count, 1):  # as a network's last layer gives them
        values = values[:, 0]
    return Judgement(values, priors)


def value_shapes(count: int, game: Game) -> list[tuple[int, ...]]:
    """The shapes that values may have: the players' own, where one tells little."""
    players = game.num_players()
    if players == 1 or (players == 2 and game.zero_sum):
        return [(count,), (count, players), (count, 1)]
    return [(count, players)]


def numbers(name: str, given: Any) -> NDArray[Any]:
    """An array of real numbers, of whatever library, on whatever device."""
    try:
        found = np.asarray(given)
    except Exception as error:
        raise EvaluatorError(
            f"its {name} cannot be read as a NumPy array ({error})"
        ) from error
    if found.dtype.kind in "fiub":
        return found
    try:  # of kinds that NumPy has none of its own for, such as bfloat16
        if found.dtype.kind == "V":
            return found.astype(np.float32)
    except (TypeError, ValueError):
        pass
    raise EvaluatorError(
        f"its {name} are not real numbers but {quote(given)} ({found.dtype})"
    )


def expect_shape(name: str, found: NDArray[Any], wanted: list[tuple[int, ...]]) -> None:
    """Complain about an array that has none of these shapes."""
    if found.shape not in wanted:
        shapes = " or ".join(str(list(shape)) for shape in wanted[:2])
        raise EvaluatorError(
            f"its {name} are of shape {list(found.shape)}; for {wanted[0][0]} states "
            f"they must be {shapes}"
        )
