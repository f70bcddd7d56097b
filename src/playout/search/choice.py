"""Choice: which move is played when the search is over.

Unlike the other phases it happens once a search, so it works on NumPy arrays of all
children instead of being compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.compiled import Compiled
from ..core.errors import UsageError
from .tree import Tree

__all__ = ["Choice", "HighestMean", "MostVisits"]

Floats = NDArray[np.float64]


class Choice(Compiled):
    """Base of choice policies: write `scores`; equal scores are drawn by lot."""

    def scores(self, visits: Floats, means: Floats) -> Floats:
        """How good it is to play each child; all were visited at least once.

        Args:
            visits: `[K]` how often each was visited.
            means: `[K]` average returns for the player who chooses, in [-1, 1].
        """
        raise NotImplementedError

    def choose(self, tree: Tree, node: int, rng: Any) -> int:
        """The best visited child of a node; ties uniform."""
        children = tree.children(node)
        rows = tree.nodes.array[children]
        visited = rows["visits"] > 0
        visits = rows["visits"][visited].astype(np.float64)
        scores = self.scores(visits, rows["value_sum"][visited] / visits)
        best = children[visited][scores == scores.max()]
        with np.errstate(over="ignore"):
            return int(best[rng.below(len(best)) if len(best) > 1 else 0])


@dataclass(frozen=True)
class MostVisits(Choice):
    """The most visited child ("robust child"); the higher mean of equally visited ones.

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008,
    section 2.
    """

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return visits + (means + 1) / 4


@dataclass(frozen=True)
class HighestMean(Choice):
    """The child with the highest mean ("max child").

    Attributes:
        min_share: children with a smaller share of the most visited one's visits are
            not trusted, 0 to 1; the default 0 takes all that were visited.
    """

    min_share: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.min_share <= 1:
            raise UsageError(f"min_share must be 0 to 1, not {self.min_share}")

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return np.where(visits >= self.min_share * visits.max(), means, -np.inf)
