"""All children of a leaf when the leaf itself is evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from ...games.contract.game import Game, State
from ..tree.nodes import ROOT, NodeTable
from ..work import Work
from .all_children import make_all
from .base import LeafExpansion

__all__ = ["OnEvaluation"]


@dataclass(frozen=True)
class OnEvaluation(LeafExpansion):
    """All children at once, unvisited: what is evaluated is the leaf itself.

    So an evaluator's value counts for the state that it has seen, and its priors are
    those of the children; selection takes one of them when it comes here again.

    Silver et al., "Mastering the Game of Go without Human Knowledge", Nature 550, 2017,
    Methods, "Expand and evaluate".

    Attributes:
        urgent: as in `RandomChild`.
        threshold: visits with which a leaf is expanded, this one counted, at least 1;
            the root is expanded at once. With 2, a leaf that is visited once takes no
            memory for children, and one that is visited again is evaluated again.
    """

    def is_due(self, tree: NodeTable, node: int) -> bool:
        row = tree.nodes[node]
        if row.num_children >= row.num_legal:
            return False
        return row.visits + 1 >= self.threshold or node == ROOT

    def evaluates_leaf(self) -> bool:
        return True

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        count = self.candidates(game, state, node, work)
        return make_all(tree, node, work, count)
