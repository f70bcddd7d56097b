"""Children by their priors: those that selection asks for, and a few beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...games.contract.game import Game
from ..tree.children import find_child, last_child, room_for_children
from ..tree.nodes import CLOSED, NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["LikeliestFirst"]

#: Among equals the lot decides: one of so many numbers.
_LOTS = 2**32 - 1


@dataclass(frozen=True)
class LikeliestFirst(LeafExpansion):
    """The likeliest children first, more of them when selection prefers the next one.

    For selections with an opinion of moves that were never tried, such as `PUCT`: of
    the actions without a child they prefer the one with the highest `prior`, so that
    one alone has to be known. What is visited is what `AllChildren(visit_all=False)`
    would have visited. Children are made as many at a time as a block of nodes holds,
    and are then leaves that wait; among equals, and without a `prior`, the lot decides.
    With a selection that takes every move once before any twice, as `UCT()` does, this
    is the order in which they are tried.
    """

    #: Shares of the sum over all actions that may be tried: a node's own, and that of
    #: the likeliest action without a child.
    columns = (("prior", "f4"), ("next_prior", "f4"))

    def leaves_choice(self) -> bool:
        return True

    def is_due(self, tree: NodeTable, node: int) -> bool:
        row = tree.nodes[node]
        return row.num_children == 0 and self.may_grow(row, node)

    def can_grow(self, tree: NodeTable, node: int) -> bool:
        return self.may_grow(tree.nodes[node], node)

    def is_preferred(
        self, selection: Any, tree: NodeTable, node: int, child: int
    ) -> bool:
        row = tree.nodes[node]
        taken = tree.nodes[child]
        if row.num_children >= row.num_legal or taken.visits == 0:
            return False
        if taken.proven & CLOSED:
            return True
        term = selection.parent_term(row)
        untried = selection.untried_score(row.next_prior, term)
        return bool(untried > selection.score(taken, term))

    def expand(
        self, game: Game, state: Any, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        if row.num_children >= legal:
            return NO_NODE, 0
        first, size = room_for_children(tree, node)
        if first == NO_NODE:
            return NO_NODE, 0
        count, total, left = list_likeliest(game, state, tree, node, work, first, size)
        for child in range(first, first + count):
            new = tree.nodes[child]
            new.prior = new.value_sum / total
            new.value_sum = 0.0
            new.visits = 0
        row.num_children += count
        row.next_prior = left / total
        return first, count


def list_likeliest(
    game: Game,
    state: Any,
    tree: NodeTable,
    node: int,
    work: Work,
    first: int,
    size: int,
) -> tuple[int, float, float]:
    """Give the nodes from `first` on to the likeliest candidates without a child.

    They stand in order, with the prior in `value_sum` and a lot in `visits`. Returns
    how many there are, up to `size`; the sum of all candidates' priors; and the highest
    of those that are left.
    """
    row = tree.nodes[node]
    last = math.inf  # what has a higher prior than the last child has a child too
    if row.num_children > 0:
        last = game.prior(state, tree.nodes[last_child(tree, node)].action)
    total = left = 0.0
    count = 0
    for index in range(row.num_legal):
        action = int(work.actions[index])
        prior = game.prior(state, action)
        total += prior
        if prior > last:
            continue
        if prior == last and find_child(tree, node, action) != NO_NODE:
            continue
        if count == size:  # one goes: this action, or the last in the list
            worst = tree.nodes[first + size - 1].value_sum
            left = max(left, min(prior, worst))
            if prior < worst:
                continue
        lot = work.rng.below(_LOTS)
        insert(tree.nodes, first, count, size, action, prior, lot)
        count = min(count + 1, size)
    return count, total, left


def insert(
    nodes: Any, first: int, count: int, size: int, action: int, prior: float, lot: int
) -> None:
    """Put an action into the list; the last one of a full list goes."""
    place = first + count
    while place > first:
        before = nodes[place - 1]
        if before.value_sum > prior:
            break
        if before.value_sum == prior and before.visits >= lot:
            break
        if place < first + size:
            nodes[place] = before
        place -= 1
    if place < first + size:
        nodes[place].action = action
        nodes[place].value_sum = prior
        nodes[place].visits = lot
