"""`Starts`: the states that many searches begin from, as positions or in one array.

A state holds all there is to know: `search_many` refuses games with hidden information.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError, quote
from ...core.jit.rows import copy_rows, join_rows
from ...games.contract.game import Game
from ...games.positions.position import Position
from ..arguments import expect, expect_choice

__all__ = ["Starts", "read_starts"]


class Starts:
    """At least one state, and each as a position.

    Args:
        states: `[B]` of the game's dtype, which nobody changes.
        position: gives the position of an index, an equal one whenever it is asked.
    """

    def __init__(
        self, states: NDArray[np.void], position: Callable[[int], Position]
    ) -> None:
        self.states, self.position = states, position

    def __len__(self) -> int:
        return len(self.states)

    def expect_choice(self, index: int) -> None:
        """Complain where a player has nothing to choose.

        Raises:
            UsageError: names the position, and says why.
        """
        try:
            expect_choice(self.position(index))
        except UsageError as error:
            raise UsageError(f"position {index}: {error}") from None


def read_starts(game: Game, given: Any) -> Starts:
    """What `search_many` was given: positions of a game, or an array of its states.

    Raises:
        UsageError: it is neither, there is none, or one is of another game.
    """
    if isinstance(given, np.ndarray):
        starts = _of_array(game, given)
    elif isinstance(given, Position) or not isinstance(given, Iterable):
        raise UsageError(
            "search_many needs a list of positions, such as [Position(game)], or an "
            f"array of states, not {quote(given)}"
        )
    else:
        starts = _of_positions(game, list(given))
    if len(starts) == 0:
        raise UsageError("search_many needs at least one position")
    return starts


def _of_array(game: Game, given: NDArray[Any]) -> Starts:
    dtype = game.state_dtype()
    if given.dtype != dtype or given.ndim != 1:
        raise UsageError(
            f"an array of states is of the game's dtype, {dtype}, and of one "
            f"dimension, not {given.dtype} of shape {list(given.shape)}"
        )
    states = copy_rows(given)
    return Starts(states, lambda index: Position.at(game, states[index : index + 1]))


def _of_positions(game: Game, positions: list[Position]) -> Starts:
    for position in positions:
        if not isinstance(position, Position):
            expect("a position", position, Position, "a Position")
    for other in {id(position.game): position.game for position in positions}.values():
        if other is not game and other != game:
            raise UsageError(f"a position is of {other}, the search of {game}")
    if not positions:
        return Starts(np.zeros(0, game.state_dtype()), positions.__getitem__)
    states = join_rows([position.array for position in positions])
    kept = [position.copy() for position in positions]
    return Starts(states, kept.__getitem__)
