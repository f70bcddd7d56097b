"""One child at a time, in an order whose beginning is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.rows import Row
from ...games.contract.game import Game, State
from ...games.contract.indices import index_in
from ..tree.children import add_behind, find_child, last_block, last_of_block
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["RandomChild"]

#: Intervals: primes above any number of actions, so that as many steps around a circle
#: come to every action. On empty boards of common sizes a step leads far away.
INTERVALS = (
    2147454131, 2147410537, 2147437267, 2147365741,
    2147482739, 2147434279, 2147360681, 2147435417,
)  # fmt: skip


@dataclass(frozen=True)
class RandomChild(LeafExpansion):
    """One child a visit, each action not yet tried as likely as another.

    Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
    CG 2006. It is a systematic sample (Madow and Madow, "On the Theory of Systematic
    Sampling", 1944): the first action is drawn, and the next is always the one that
    follows at an interval in the circle of all. So nobody has to list what was tried.

    Attributes:
        threshold: visits a leaf must have before it is expanded, at least 1; the root
            is expanded at once.
        urgent: where only the game's `urgent_actions` are tried, if there are any:
            "always", "root" (at the root alone) or "never".
    """

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        if self.has_own_candidates:
            listed = count = self.candidates(game, state, node, work)
        else:
            listed = count = self.list_urgent(game, state, node, work)
            if listed == 0:
                count = int(game.count_legal(state, work.actions))
        row.num_legal = count
        if row.num_children >= count:
            return NO_NODE, 0
        block, before = last_block(tree, node)
        if row.num_children == 0:
            index = int(work.rng.below(count))
        else:
            last = tree.nodes[last_of_block(row, block, before)].action
            if listed > 0:
                index = index_in(work.actions, count, last)
            else:
                index = int(game.index_of(state, work.actions, count, last))
            index = (index + interval_of(row)) % count
        if self.has_own_candidates:
            index = untried_from(tree, node, work, count, index)
            if index < 0:
                return NO_NODE, 0
        if listed > 0:
            action = int(work.actions[index])
        else:
            action = int(game.nth_legal(state, work.actions, index))
        child = add_behind(tree, node, action, block, before)
        return child, 1 if child != NO_NODE else 0


def interval_of(parent: Row) -> int:
    """The interval at which a node's children follow each other."""
    return INTERVALS[parent.action % len(INTERVALS)]


def untried_from(tree: NodeTable, node: int, work: Work, count: int, index: int) -> int:
    """The first untried candidate from one on, at intervals; -1 if there is none.

    A subclass may list others at every visit, in any order.
    """
    for _ in range(count):
        if find_child(tree, node, work.actions[index]) == NO_NODE:
            return index
        index = (index + interval_of(tree.nodes[node])) % count
    return -1
