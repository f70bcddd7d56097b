"""`WaitingLeaves`: leaves that wait, as Python reads and writes them at every step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..kernels.pending import Pending
from ..kernels.policies import Policies

__all__ = ["WaitingLeaves"]


class WaitingLeaves:
    """What an evaluator is told of `Pending`, and where its answer is written.

    All views are made once: a field of a record takes NumPy several times as long as
    an element of a column.

    Args:
        policies: by which the leaves are found.
        pending: the leaves.

    Attributes:
        count: reads how many wait.
        first: reads the row of the first of them.
        full: reads whether a tree is without room.
        crowded: reads whether a simulation came to a leaf that waits.
        states: `[R]` rows of the game's dtype.
        seen: `[R]` the same, or `[N, ...]` what the game's `observe` has written.
    """

    def __init__(self, policies: Policies, pending: Pending) -> None:
        game, row = policies.game, pending.batch.array
        self.count: Callable[[], int] = row["count"].item
        self.first: Callable[[], int] = row["first"].item
        self.full: Callable[[], int] = row["full"].item
        self.crowded: Callable[[], int] = row["crowded"].item
        self.states = pending.states.array
        self.seen: NDArray[Any] = self.states
        if pending.observes:
            self.seen = pending.observations.reshape(-1, *game.observation_shape())
        self._values = pending.values.reshape(-1, game.num_players())
        self._priors = pending.priors.reshape(-1, max(1, game.num_actions()))
        self._per_player, self._has_priors = row["per_player"], row["has_priors"]

    def answer(self, values: NDArray[Any], priors: NDArray[Any] | None) -> None:
        """Write what was said of the leaves that wait.

        Args:
            values: `[B]` for the player to move, or `[B, P]`.
            priors: `[B, A]`, or None.
        """
        _write(self._values, values)
        self._per_player[0] = values.ndim == 2
        if priors is not None:
            _write(self._priors, priors)
        self._has_priors[0] = priors is not None


def _write(target: NDArray[Any], given: NDArray[Any]) -> None:
    """Write into the first rows; what is too large for them is refused later."""
    rows = target[: len(given)]
    places = rows[:, 0] if given.ndim == 1 else rows
    if np.can_cast(given.dtype, places.dtype):
        places[:] = given
        return
    with np.errstate(over="ignore"):
        places[:] = given
