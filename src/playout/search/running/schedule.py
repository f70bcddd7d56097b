"""`Schedule`: how many simulations each tree of a search gets, and in what rounds."""

from __future__ import annotations

from ..limit import Limit
from ..solver.bounds import is_settled
from ..tree.nodes import MAX_VISITS
from ..tree.tree import Tree
from .forest import Forest

__all__ = ["Schedule"]

#: Of several trees, proofs are looked for when each has had so many simulations, and
#: again whenever each has had a fourth more.
FIRST_ROUND = 64


class Schedule:
    """Shares out the simulations of one search among its trees.

    If simulations limit the search, every tree gets an equal share, whatever the
    timing. The search ends when a tree has found a proof, but only once all trees have
    had equally many simulations, so that the result does not depend on timing.

    Attributes:
        done: simulations of this search.
    """

    def __init__(self, forest: Forest, limit: Limit) -> None:
        self.forest, self.trees = forest, forest.trees
        self.starts = [tree.visits for tree in self.trees]
        self.counted = len(self.trees) > 1 and limit.simulations is not None
        self.makes_room = limit.simulations is not None or limit.seconds is not None
        self.round = FIRST_ROUND
        self.done = 0
        self.ends = [
            min(start + share, MAX_VISITS)
            for start, share in zip(self.starts, self._shares(limit), strict=True)
        ]

    @property
    def num_nodes(self) -> int:
        """Nodes in use, of all trees."""
        return sum(tree.num_nodes for tree in self.trees) - self.forest.num_unused

    @property
    def is_full(self) -> bool:
        """Whether no tree has room left."""
        return all(tree.is_full for tree in self.trees)

    @property
    def is_finished(self) -> bool:
        """Whether every tree has had its share, or is proven."""
        return all(
            tree.visits >= end or _proven(tree)
            for tree, end in zip(self.trees, self.ends, strict=True)
        )

    @property
    def is_proven(self) -> bool:
        """Whether a tree knows the result of perfect play, and its round is over."""
        return self.is_even and any(map(_proven, self.trees))

    @property
    def is_even(self) -> bool:
        """Whether all trees have had equally many simulations, to be compared."""
        return not self.counted or self._round_is_over()

    def grow(self, simulations: int, seconds: float) -> None:
        """Run about so many simulations, and at least one where one is left.

        Trees that are full then make room, if that takes but a part of the time left.
        """
        if self.counted and self._round_is_over():
            self.round += max(FIRST_ROUND, self.round // 4)
        each = -(-simulations // len(self.trees))
        each = max(each, 1 if self.forest.alone else self.forest.threads)
        untils = [
            min(tree.visits + each, stop)
            for tree, stop in zip(self.trees, self._stops(), strict=True)
        ]
        self.forest.grow(untils, self.ends, seconds if self.makes_room else None)
        self.count()

    def count(self) -> None:
        """Count the simulations that were done."""
        self.done = sum(tree.visits for tree in self.trees) - sum(self.starts)

    def _stops(self) -> list[int]:
        """The visits at which each tree's round is over."""
        if not self.counted:
            return self.ends
        return [
            min(start + self.round, end)
            for start, end in zip(self.starts, self.ends, strict=True)
        ]

    def _round_is_over(self) -> bool:
        return all(
            tree.visits >= stop or _proven(tree)
            for tree, stop in zip(self.trees, self._stops(), strict=True)
        )

    def _shares(self, limit: Limit) -> list[int]:
        count = len(self.trees)
        if limit.simulations is None:
            return [(MAX_VISITS - sum(self.starts)) // count] * count
        return [
            limit.simulations // count + (index < limit.simulations % count)
            for index in range(count)
        ]


def _proven(tree: Tree) -> bool:
    return is_settled(tree.proven)
