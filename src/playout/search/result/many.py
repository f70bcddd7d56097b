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
        roots: `[B]` the roots of the trees, as rows of nodes: their columns are those
            of `tree.nodes` and of the policies.
        children: `[B, A]` their children, by the action; where there is none, it is a
            row without visits (see `has_child`).
        seconds: how long all of them took together.
        stopped_by: why the last of them ended: "simulations", "seconds" or
            "interrupted".
    """

    def __init__(
        self,
        summary: Callable[[int], Result],
        roots: NDArray[np.void],
        children: NDArray[np.void],
        seconds: float,
        stopped_by: str,
    ) -> None:
        self._summary = summary
        self._made: dict[int, Result] = {}
        self.roots, self.children = roots, children
        self.seconds, self.stopped_by = seconds, stopped_by

    @property
    def has_child(self) -> NDArray[np.bool_]:
        """`[B, A]` whether a tree has a child of its root for each action."""
        return self.children["action"] == np.arange(self.children.shape[1])

    @property
    def visits(self) -> NDArray[np.int64]:
        """`[B, A]` how often each action was tried at each root.

        It is the target of a policy network, once its rows are divided by their sums.
        """
        return self.children["visits"].astype(np.int64)

    @property
    def value_sums(self) -> NDArray[np.float64]:
        """`[B, A]` the sums of the actions' returns for the player to move.

        They are on the scale of the search, from -1 to 1 for each.
        """
        return self.children["value_sum"]

    @property
    def simulations(self) -> NDArray[np.int64]:
        """`[B]` simulations of each search."""
        return self.roots["visits"].astype(np.int64)

    @property
    def actions(self) -> NDArray[np.int64]:
        """`[B]` the action that was chosen in each."""
        return np.array([result.action for result in self], dtype=np.int64)

    @property
    def means(self) -> NDArray[np.float64]:
        """`[B, A]` mean returns for the player to move; NaN where nothing was tried."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.value_sums / self.visits

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
        return len(self.roots)
