"""All children of a leaf at once."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.compiled import static
from ...games.contract.game import Game, State
from ..tree.children import has_room, room_behind
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["AllChildren"]


@dataclass(frozen=True)
class AllChildren(LeafExpansion):
    """All children at once.

    Attributes:
        threshold, urgent: as in `RandomChild`.
        visit_all: whether each then gets a rollout of its own; if not, only the one
            that selection prefers does, which is for selections that score moves
            which were never tried.
    """

    visit_all: bool = static(True)

    def visits_at_once(self, game: Game) -> int:
        return max(1, game.num_actions()) if self.visit_all else 1

    def leaves_choice(self) -> bool:
        return not self.visit_all

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        count = self.candidates(game, state, node, work)
        return make_all(tree, node, work, count)


def make_all(tree: NodeTable, node: int, work: Work, count: int) -> tuple[int, int]:
    """Make a child for each action in the buffer, in random order (Fisher-Yates).

    The node has none yet; where there is no room for all, it gets none.
    """
    nodes = tree.nodes
    row = nodes[node]
    row.num_legal = count
    if not has_room(tree, count):
        return NO_NODE, 0
    first, left = NO_NODE, count
    block, before = NO_NODE, 0
    while left > 0:
        block, size = room_behind(tree, node, block, before)
        before = row.num_children
        for child in range(block, block + size):
            drawn = work.rng.below(left)
            nodes[child].action = work.actions[drawn]
            left -= 1
            work.actions[drawn] = work.actions[left]
        row.num_children += size
        first = block if first == NO_NODE else first
    return first, count
