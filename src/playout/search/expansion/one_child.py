"""One child at a time, drawn from the actions that were not tried."""

from __future__ import annotations

from dataclasses import dataclass

from ...games.contract.game import Game, State
from ..tree.children import add_child, block_size
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["RandomChild"]


@dataclass(frozen=True)
class RandomChild(LeafExpansion):
    """One child a visit, drawn uniformly from the actions not yet tried.

    Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
    CG 2006; the untried actions are never written down.
    """

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        untried = legal - row.num_children
        if untried <= 0:
            return NO_NODE, 0
        chosen = work.rng.below(untried)
        if row.num_children > 0:
            chosen = _nth_untried(tree, node, work, chosen)
        child = add_child(tree, node, work.actions[chosen])
        return child, 1 if child != NO_NODE else 0


def _nth_untried(tree: NodeTable, node: int, work: Work, n: int) -> int:
    """The index, in the ascending buffer of candidates, of the n-th without a child.

    Without children it would be at n; every child whose action stands at or before that
    place moves it on by one.
    """
    place = n
    while True:
        found = n + _count_tried(tree, node, work.actions[place])
        if found == place:
            return place
        place = found


def _count_tried(tree: NodeTable, node: int, action: int) -> int:
    """How many children a node has for actions up to this one."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = tried = 0
    while done < count:
        size = block_size(done, count)
        for child in range(block, block + size):
            tried += nodes[child].action <= action
        block = nodes[block].link
        done += size
    return tried
