"""`ManyResults`: what many searches side by side have found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from .result import Result

__all__ = ["ManyResults"]


class ManyResults(Sequence[Result]):
    """The result of each search, and what they found as arrays.

    The `Result` of one is made when it is first asked for, which takes longer than a
    small search does. The trees are kept as long as this is.

    Attributes:
        visits: `[B, A]` int64, how often each action was tried at each root: the
            target of a policy network, once its rows are divided by their sums.
        value_sums: `[B, A]` the sums of their returns for the player to move, on the
            scale of the search, from -1 to 1 for each.
        simulations: `[B]` int64, simulations of each search.
        seconds: how long all of them took together.
        stopped_by: why the last of them ended: "simulations", "seconds" or
            "interrupted".
    """

    def __init__(
        self,
        summary: Callable[[int], Result],
        rows: Callable[[int], NDArray[np.void]],
        visits: NDArray[np.int64],
        value_sums: NDArray[np.float64],
        simulations: NDArray[np.int64],
        seconds: float,
        stopped_by: str,
    ) -> None:
        self._summary, self._rows = summary, rows
        self._made: dict[int, Result] = {}
        self.visits, self.value_sums = visits, value_sums
        self.simulations, self.seconds = simulations, seconds
        self.stopped_by = stopped_by

    @property
    def actions(self) -> NDArray[np.int64]:
        """`[B]` the action that was chosen in each."""
        return np.array([result.action for result in self], dtype=np.int64)

    @property
    def means(self) -> NDArray[np.float64]:
        """`[B, A]` mean returns for the player to move; NaN where nothing was tried."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.value_sums / self.visits

    def rows(self, index: int) -> NDArray[np.void]:
        """A copy of a tree's rows of its root and of the root's children.

        Their columns are those of `tree.nodes` and of the policies. They come at once,
        and a program that reads a few columns of many trees need not make results.
        """
        return self._rows(range(len(self))[index])

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        place = range(len(self))[index]
        if place not in self._made:
            self._made[place] = self._summary(place)
        return self._made[place]

    def __len__(self) -> int:
        return len(self.visits)
