"""What a network sees of many states at once, written by compiled rules."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..adapters.store_game import StoreGame
from ..core.errors import UsageError
from ..core.jit.native import kernel
from ..core.jit.rows import Rows
from ..games.check.forms import expect_symmetries
from ..games.contract.game import Game, has_own

__all__ = ["PlaneWriter", "RandomSymmetry", "expect_trainable"]


@kernel
def _observe(game: Game, states: Rows, count: int, size: int, planes: Any) -> None:
    """Write what `observe` says of each state to its part of the planes, zeroed."""
    for index in range(count):
        part = planes[index * size : (index + 1) * size]
        game.observe(states[index], part.reshape(game.observation_shape()))


class PlaneWriter:
    """Makes planes of states.

    Args:
        game: the rules, which have `observe`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.shape = game.observation_shape()
        self._size = math.prod(self.shape)
        empty = Rows(np.zeros(0, game.state_dtype()))
        self._native: Any = _observe.compile(
            game, empty, 0, self._size, np.zeros(0, np.float32)
        )

    def __call__(self, states: NDArray[np.void]) -> NDArray[np.float32]:
        """`[B, ...]` what a network sees of `[B]` states."""
        planes = np.zeros(len(states) * self._size, np.float32)
        self._native(self.game, Rows(states), len(states), self._size, planes)
        return planes.reshape(-1, *self.shape)


class RandomSymmetry:
    """Turns positions round at random, as the game's symmetries allow.

    Args:
        game: the rules, which have `observe`.
    """

    def __init__(self, game: Game) -> None:
        expect_symmetries(game)
        size, found = math.prod(game.observation_shape()), game.symmetries()
        same = np.arange(size), np.arange(game.num_actions())
        self._planes = np.array([same[0], *(each.planes for each in found)])
        self._actions = np.array([same[1], *(each.actions for each in found)])

    def __call__(
        self,
        planes: NDArray[np.float32],
        policies: NDArray[np.float32],
        rng: np.random.Generator,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Each of `[B, ...]` planes and `[B, A]` policies, turned at random."""
        ways = rng.integers(0, len(self._planes), len(planes))
        flat = planes.reshape(len(planes), -1)
        turned = np.take_along_axis(flat, self._planes[ways], axis=1)
        policies = np.take_along_axis(policies, self._actions[ways], axis=1)
        return turned.reshape(planes.shape), policies


def expect_trainable(game: Game, spec: str) -> None:
    """Complain of a game that cannot be learnt so.

    Raises:
        UsageError: says what is missing, and what to write.
    """
    duel = game.num_players() == 2 and game.zero_sum and not game.has_rewards
    if not duel or game.has_hidden or game.return_range != (-1.0, 1.0):
        raise UsageError(
            f"{spec}: training is for games of two players in which nothing is hidden "
            "and which are won, drawn or lost"
        )
    if isinstance(game, StoreGame):
        raise UsageError(
            f"{spec}: a network sees the states of a Game alone, and these are kept by "
            "a class of another kind: write its rules as a Game (docs/native-speed.md)"
        )
    if not has_own(game, "observe"):
        raise UsageError(
            f"{spec}: the rules do not say what a network sees: write "
            "`observation_shape` and `observe` (docs/evaluators.md, What a network "
            "sees)"
        )
