"""Which child leads, and for how long: selection need not look at all each time.

A simulation changes one child of a node, the one that it goes through. The scores of
the others rise with `parent_term`, none faster than the *steepest*. So one look at all
children serves many simulations. It notes the best, the *leader*, and a *bar*: what the
best of the others can have reached by then. While the leader's score is above the bar
nothing else has to be read. The bar is an upper bound, rounding included, so the tree
is the same, node by node.

Of many children, many are almost as good as the best, and take turns: see `wide_leads`.

Bounds that are only looked at again when they may have been passed: Minoux,
"Accelerated Greedy Algorithms for Maximizing Submodular Set Functions", Optimization
Techniques 1978.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import zeros_apart
from ...core.jit.compiled import Compiled, defining_place, static
from ...core.jit.rows import Row, Rows
from ..policy import Policy
from ..tree.children import block_size, next_block
from ..tree.nodes import NodeTable
from .base import Selection
from .lead_rows import LEAD_DTYPE, MARGIN, begin, is_current, is_open, score_of
from .wide_leads import WideLeads

__all__ = ["Leads", "NoLeads", "has_leads"]

#: How many nodes have a place in the table, by the last bits of their numbers.
SLOTS = 2048
#: From so many children on a node has its lead among `wide_leads`.
WIDE = 24
#: A node needs so many visits for every child: before that a lead is soon lost. To look
#: at few children takes little, so that a lead of theirs has to last longer to pay.
VISITS_PER_CHILD, WIDE_VISITS_PER_CHILD = 16, 4
#: The number of a kernel's run that has no lead; after as many all are forgotten.
_RUNS = 2**16


@dataclass(frozen=True)
class NoLeads(Compiled):
    """Every simulation looks at all children."""

    def forget(self) -> None:
        """Forget all leads: the tree may have been changed by others."""

    def drop(self, node: int) -> None:
        """Forget a node's lead: another child than the one selected is visited."""

    def best_child(self, selection: Selection, tree: NodeTable, node: int) -> int:
        """The child with the highest score."""
        return int(selection.best_child(tree, node))


@dataclass(frozen=True)
class Leads(NoLeads):
    """The leads of nodes with many visits.

    Attributes:
        rows: `[SLOTS]` rows of `LEAD_DTYPE`.
        wide: those of nodes with many children, if there may be some.
        run: `[1]` int64, counts the kernel's runs.
        has_many: whether a node may have `WIDE` children.
    """

    rows: Rows
    wide: WideLeads
    run: NDArray[np.int64]
    has_many: bool = static(True)

    interpreted_methods = frozenset({"reserve"})

    @classmethod
    def reserve(cls, num_actions: int) -> Leads:
        """No leads yet, of nodes with up to so many children."""
        has_many = num_actions >= WIDE
        return cls(
            Rows(zeros_apart(SLOTS, LEAD_DTYPE)),
            WideLeads.reserve(num_actions if has_many else 0),
            np.zeros(1, dtype=np.int64),
            has_many,
        )

    def forget(self) -> None:
        self.run[0] += 1
        if self.run[0] == _RUNS:  # runs are told apart no more
            self.run[0] = 1
            for slot in range(len(self.rows)):
                self.rows[slot].run = 0
            self.wide.forget()

    def drop(self, node: int) -> None:
        self.rows[node & (SLOTS - 1)].run = 0
        if self.has_many:
            self.wide.drop(node)

    def best_child(self, selection: Selection, tree: NodeTable, node: int) -> int:
        parent = tree.nodes[node]
        count = parent.num_children
        if self.has_many:  # else it is not compiled
            if count >= WIDE:
                if parent.visits < WIDE_VISITS_PER_CHILD * count:
                    return int(selection.best_child(tree, node))
                return self.wide.best_child(selection, tree, node, int(self.run[0]))
        if parent.visits < VISITS_PER_CHILD * count:
            return int(selection.best_child(tree, node))
        lead = self.rows[node & (SLOTS - 1)]
        if is_current(lead, parent, node, self.run[0]):
            child = tree.nodes[lead.leader]
            term = selection.parent_term(parent)
            score = selection.score(child, term)
            if score > lead.base + lead.steepness * term and is_open(child):
                lead.visits += 1
                return int(lead.leader)
        begin(lead, parent, node, self.run[0])
        return find_leader(selection, tree, node, lead)


# -- compiled --------------------------------------------------------------------------


def set_bar(lead: Row, bar: float, steepest: float, term: float) -> None:
    """Note a bar as it is with this `parent_term`. Modified in place."""
    lead.steepness = steepest
    lead.base = bar - steepest * term + MARGIN * (1.0 + abs(bar))


def find_leader(selection: Selection, tree: NodeTable, node: int, lead: Row) -> int:
    """Selection among all children; notes which leads. Modified in place.

    Written so that no step but the last waits for a comparison to be guessed: of few
    children the best is as often one as another.
    """
    nodes = tree.nodes
    parent = nodes[node]
    term = selection.parent_term(parent)
    count = parent.num_children
    block = parent.first_child
    best, top, second, steepest = block, -math.inf, -math.inf, 0.0
    done = 0
    while done < count:
        size = block_size(nodes, done, count)
        child, end = block, block + size
        while True:  # see `Selection.best_child`
            row = nodes[child]
            score = score_of(selection, row, term)
            if score == math.inf and row.visits == 0:
                lead.run = 0
                return child
            steepest = max(steepest, selection.steepness(row))
            score = score if is_open(row) else -math.inf
            second = max(second, min(top, score))
            if score > top:
                best = child
            top = max(top, score)
            child += 1
            if child == end:
                break
        done += size
        if done < count:
            block = next_block(nodes, block)
    lead.leader = best
    set_bar(lead, second, steepest, term)
    return best


# -- whether there are any -------------------------------------------------------------


def has_leads(selection: Selection) -> bool:
    """Whether a policy's scores are known to rise no faster than `steepness` says.

    That was said by the class, or a subclass, of what the scores are made of.
    """
    cls = type(selection)
    if cls.update is not Policy.update:
        return False
    said = defining_place(cls, "steepness")
    made_of = ("score", "first_score", "parent_term", "select", "best_child")
    own = cls.__mro__[said] is not Selection
    return own and all(said <= defining_place(cls, name) for name in made_of)
