"""Law 2, of urgent actions and of what numbers the legal ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import quote
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ..contract.game import Game
from .side_by_side import SENTINEL

__all__ = ["IndexCheck", "numbers_as_listed", "urgent_fault"]


def urgent_fault(game: Game, states: NDArray[np.void], legal: list[int]) -> str | None:
    """What is wrong with the urgent actions of the middle state; None if nothing is."""
    actions = np.full(max(1, game.num_actions()), SENTINEL, dtype=np.int32)
    count = game.urgent_actions(Rows(states)[1], actions)
    urgent = [int(action) for action in actions[:count]]
    if set(urgent) <= set(legal) and sorted(set(urgent)) == urgent:
        return None
    return (
        f"urgent actions {quote(urgent)} are not ascending among the legal "
        f"{quote(legal)}"
    )


class IndexCheck:
    """Whether `count_legal`, `nth_legal` and `index_of` say what the list says."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.native: Any = None

    def compile(self) -> None:
        """From now on, run them compiled as well, where the game has its own."""
        if self.game.has_indices:
            states = np.zeros(3, dtype=self.game.state_dtype())
            self.native = number_actions.compile(*self._arguments(states, []))

    def fault(self, states: NDArray[np.void], legal: list[int]) -> str | None:
        """What is wrong with them in the middle state, in words; None if nothing is."""
        if not self.game.has_indices:
            return None
        for run in (number_actions.function, self.native):
            if run is None:
                continue
            arguments = self._arguments(states, legal)
            count = int(run(*arguments))
            if count != len(legal):
                return f"count_legal says {count}, legal actions are {quote(legal)}"
            *_, numbered = arguments
            for name, said, right in (
                ("nth_legal", numbered[0], legal),
                ("index_of", numbered[1], list(range(count))),
            ):
                if said[:count].tolist() != right:
                    return (
                        f"{name} says {quote(said[:count].tolist())} for the legal "
                        f"actions {quote(legal)}"
                    )
        return None

    def _arguments(
        self, states: NDArray[np.void], legal: list[int]
    ) -> tuple[Any, Any, Any, Any, Any]:
        size = max(1, self.game.num_actions())
        listed = np.array(legal, dtype=np.int32)
        buffer, numbered = np.zeros(size, np.int32), np.zeros((2, size), np.int64)
        return self.game, Rows(states.copy()), buffer, listed, numbered


# -- compiled --------------------------------------------------------------------------


@kernel
def number_actions(
    game: Any, states: Any, buffer: Any, listed: Any, numbered: Any
) -> int:
    """Write the n-th action, and the index of each that is listed; returns the count.

    Nothing is written where that is not how many are listed.
    """
    state = states[1]
    count = game.count_legal(state, buffer)
    if count == len(listed):
        for n in range(count):
            numbered[0, n] = game.nth_legal(state, buffer, n)
            numbered[1, n] = game.index_of(state, buffer, count, listed[n])
    return int(count)


def numbers_as_listed(
    game: Any, state: Any, buffer: Any, listed: Any, count: int
) -> bool:
    """Whether they say of a state what was listed, of which the first ones count."""
    if game.count_legal(state, buffer) != count:
        return False
    for n in range(count):
        action = int(listed[n])
        if game.nth_legal(state, buffer, n) != action:
            return False
        if game.index_of(state, buffer, count, action) != n:
            return False
    return True
