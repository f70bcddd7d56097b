"""All children of a leaf at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.compiled import static
from ...games.contract.game import Game, State
from ..tree.children import add_child, has_room
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["AllChildren"]


@dataclass(frozen=True)
class AllChildren(LeafExpansion):
    """All children at once.

    Attributes:
        visit_all: whether each then gets a rollout of its own; if not, only the one
            that selection prefers does, which is for selections that score moves
            which were never tried.
    """

    visit_all: bool = static(True)

    def leaves_choice(self) -> bool:
        return not self.visit_all

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        if not has_room(tree, legal):
            return NO_NODE, 0
        first = NO_NODE
        for left in range(legal, 0, -1):  # in random order (Fisher-Yates)
            drawn = work.rng.below(left)
            child = add_child(tree, node, work.actions[drawn])
            work.actions[drawn] = work.actions[left - 1]
            first = child if left == legal else first
        return first, legal
