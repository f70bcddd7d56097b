"""One child at a time, drawn from the actions that were not tried."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import Compiled
from ...games.contract.game import Game, State
from ..tree.children import add_child, block_size, next_block
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["RandomChild"]


@dataclass(frozen=True)
class TriedTable(Compiled):
    """A buffer: a scan of it is quicker than one of nodes.

    Attributes:
        tried: `[A]` int32, the actions that have a child.
    """

    tried: NDArray[np.int32]


@dataclass(frozen=True)
class RandomChild(LeafExpansion):
    """One child a visit, drawn uniformly from the actions not yet tried.

    Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
    CG 2006; the untried actions are never written down.
    """

    def tables(self, game: Game) -> Compiled:
        return TriedTable(np.zeros(max(1, game.num_actions()), dtype=np.int32))

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        tried = row.num_children
        if tried >= legal:
            return NO_NODE, 0
        list_tried(tree, node, work.expansion_tables.tried)
        chosen = draw_untried(work, legal, tried)
        child = add_child(tree, node, work.actions[chosen])
        return child, 1 if child != NO_NODE else 0


def list_tried(tree: NodeTable, node: int, buffer: NDArray[np.int32]) -> int:
    """Write the actions that have a child; returns how many."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = block_size(nodes, done, count)
        for offset in range(size):
            buffer[done + offset] = nodes[block + offset].action
        done += size
        if done < count:
            block = next_block(nodes, block)
    return done


def draw_untried(work: Work, legal: int, tried: int) -> int:
    """The index of a candidate without a child, each as likely as another.

    While fewer than half were tried, one of all is drawn until it is untried: fewer
    than two draws are expected, and take less time than to find the n-th.
    """
    if 2 * tried >= legal:
        return nth_untried(work, tried, work.rng.below(legal - tried))
    chosen = int(work.rng.below(legal))
    while is_tried(work, tried, work.actions[chosen]):
        chosen = int(work.rng.below(legal))
    return chosen


def is_tried(work: Work, tried: int, action: int) -> bool:
    """Whether an action is among those that were tried.

    It counts them all rather than stop at the first, so that the loop is vectorised.
    """
    actions = work.expansion_tables.tried
    count = 0
    for index in range(tried):
        count += actions[index] == action
    return count > 0


def nth_untried(work: Work, tried: int, n: int) -> int:
    """The index, in the ascending buffer of candidates, of the n-th without a child.

    It is the first index up to which more than n candidates were not tried, found by
    bisection: at most all that were tried stand before it.
    """
    low, high = n, n + tried
    while low < high:
        middle = (low + high) // 2
        if middle - count_tried(work, tried, work.actions[middle]) >= n:
            high = middle
        else:
            low = middle + 1
    return low


def count_tried(work: Work, tried: int, action: int) -> int:
    """How many of the actions that were tried are up to this one."""
    actions = work.expansion_tables.tried
    count = 0
    for index in range(tried):
        count += actions[index] <= action
    return count
