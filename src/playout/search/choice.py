"""Choice: which move is played when the search is over."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.compiled import Compiled
from .tree import Tree

__all__ = ["Choice", "HighestMean", "MostVisits"]


class Choice(Compiled):
    """Base of choice policies: write `score`; equal scores are drawn by lot."""

    def score(self, child: Any) -> float:
        """How good it is to play this child's action; a row of the tree is given."""
        raise NotImplementedError

    def choose(self, tree: Tree, node: int, rng: Any) -> int:
        """The best child of a node that has children; ties uniform."""
        children = tree.children(node)
        scores = np.array([self.score(tree.nodes[int(child)]) for child in children])
        best = children[scores == scores.max()]
        return int(best[rng.below(len(best)) if len(best) > 1 else 0])


@dataclass(frozen=True)
class MostVisits(Choice):
    """The most visited child ("robust child").

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008,
    section 2; a tie in visits goes to the higher mean.
    """

    def score(self, child: Any) -> float:
        if child.visits == 0:
            return -1.0
        return float(child.visits + (child.value_sum / child.visits + 1) / 4)


@dataclass(frozen=True)
class HighestMean(Choice):
    """The child with the highest mean ("max child").

    Attributes:
        min_share: children with a smaller share of the most visited one's visits are
            not trusted, 0 to 1; the default 0 takes all that were visited.
    """

    min_share: float = 0.0

    def score(self, child: Any) -> float:
        return float(child.value_sum / child.visits) if child.visits else -math.inf

    def choose(self, tree: Tree, node: int, rng: Any) -> int:
        children = tree.children(node)
        visits = tree.nodes.array["visits"][children]
        trusted = children[visits >= self.min_share * visits.max()]
        scores = np.array([self.score(tree.nodes[int(child)]) for child in trusted])
        best = trusted[scores == scores.max()]
        return int(best[rng.below(len(best)) if len(best) > 1 else 0])
