"""Symmetries of boards: what `observe` writes, and the actions, turned together."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Symmetry", "board_symmetries"]


class Symmetry(NamedTuple):
    """One way to turn the board round.

    Attributes:
        planes: `[S]` where each number of the turned observation, flattened, stood.
        actions: `[A]` which action each one was before.
    """

    planes: NDArray[np.int64]
    actions: NDArray[np.int64]


def board_symmetries(
    shape: tuple[int, ...], actions: Any, upright: bool = False
) -> list[Symmetry]:
    """The symmetries of a board, but for leaving it as it is.

    Args:
        shape: of the observation: planes, rows, columns.
        actions: `[rows, columns]` the action that belongs to each cell; every action
            belongs to one, or to several that are turned alike.
        upright: whether rows must stay where they are, as where stones fall.

    >>> (mirrored,) = board_symmetries((1, 2, 3), [[0, 1, 2], [0, 1, 2]], upright=True)
    >>> mirrored.planes.tolist(), mirrored.actions.tolist()
    ([2, 1, 0, 5, 4, 3], [2, 1, 0])
    >>> len(board_symmetries((2, 3, 3), np.arange(9).reshape(3, 3)))
    7
    """
    numbers, cells = np.arange(math.prod(shape)).reshape(shape), np.asarray(actions)
    found = []
    for turn in _turns(upright, shape[-2] == shape[-1]):
        before = np.arange(cells.max() + 1)
        before[cells.ravel()] = turn(cells).ravel()
        found.append(Symmetry(turn(numbers).ravel(), before))
    return found


def _turns(upright: bool, square: bool) -> list[Callable[[Any], Any]]:
    """Functions that turn the last two axes of an array."""
    if upright:
        return [_mirrored]
    quarters = (1, 2, 3) if square else (2,)
    kinds = (_turned, _turned_and_mirrored)
    return [_mirrored, *(partial(kind, n) for n in quarters for kind in kinds)]


def _mirrored(array: Any) -> Any:
    return array[..., ::-1]


def _turned(quarters: int, array: Any) -> Any:
    return np.rot90(array, quarters, axes=(-2, -1))


def _turned_and_mirrored(quarters: int, array: Any) -> Any:
    return _mirrored(_turned(quarters, array))
