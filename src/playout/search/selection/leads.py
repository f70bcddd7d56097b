"""Which child leads, and for how long: selection need not look at all each time.

A simulation changes one child of a node, the one that it goes through. The scores of
the others rise with `parent_term`, none faster than the *steepest*. So one look at all
children serves many simulations. It notes the best, the *leader*, and a *bar*: what the
best of the others can have reached by then. While the leader's score is above the bar
nothing else has to be read. The bar is an upper bound, rounding included, so the tree
is the same, node by node.

Of many children, many are almost as good as the best, and take turns. Where there are
`WIDE` or more, all within a band below the best are leaders, and the bar is for those
below it. The band is kept so wide that there are some, but not too many.

Bounds that are only looked at again when they may have been passed: Minoux,
"Accelerated Greedy Algorithms for Maximizing Submodular Set Functions", Optimization
Techniques 1978.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import apart
from ...core.jit.compiled import Compiled, static
from ...core.jit.rows import Row, Rows
from ..policy import Policy
from ..tree.children import block_size, next_block
from ..tree.nodes import CLOSED, NO_NODE, NodeTable
from .base import Selection

__all__ = ["Leads", "NoLeads", "has_leads"]

#: How many nodes have a place in the tables, by the last bits of their numbers.
SLOTS, WIDE_SLOTS = 2048, 256
#: From so many children on a node has several leaders, at most so many.
WIDE, LEADERS = 24, 32
#: A node needs so many visits for every child: before that a lead is soon lost. To look
#: at few children takes little, so that a lead of theirs has to last longer to pay.
VISITS_PER_CHILD, WIDE_VISITS_PER_CHILD = 16, 4
#: How far below the best the first leaders are, how the band becomes wider and
#: narrower, and the least that it can be.
BAND, WIDER, NARROWER, LEAST_BAND = 0.01, 1.25, 0.75, 1e-6
#: More than all rounding errors of scores and bars, relative to 1 and to the score.
MARGIN = 1e-11
#: The number of a kernel's run that has no lead; after as many all are forgotten.
_RUNS = 2**16

_LEAD = [
    ("base", "f8"),  # the bar where `parent_term` is 0
    ("steepness", "f8"),  # how fast it rises with `parent_term`
    ("node", "i4"),  # whose lead this is
    ("visits", "u4"),  # that the node will have when it is asked about next
    ("leader", "i4"),
    ("num_children", "i2"),  # of the node; another one would not be among these
    ("run", "u2"),  # of the kernel, in which it was found
]
LEAD_DTYPE = np.dtype(_LEAD)
WIDE_DTYPE = np.dtype(
    [*_LEAD, ("band", "f8"), ("num_leaders", "i8"), ("leaders", "i4", LEADERS)]
)


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
        wide: `[WIDE_SLOTS]` rows of `WIDE_DTYPE`.
        scores: `[A]` float64, a buffer for the scores of children.
        children: `[A]` int32, a buffer for their numbers.
        run: `[1]` int64, counts the kernel's runs.
        has_many: whether a node may have `WIDE` children.
    """

    rows: Rows
    wide: Rows
    scores: NDArray[np.float64]
    children: NDArray[np.int32]
    run: NDArray[np.int64]
    has_many: bool = static(True)

    interpreted_methods = frozenset({"reserve"})

    @classmethod
    def reserve(cls, num_actions: int) -> Leads:
        """No leads yet, of nodes with up to so many children."""
        has_many = num_actions >= WIDE
        rows = np.zeros(SLOTS, LEAD_DTYPE)
        wide = np.zeros(WIDE_SLOTS if has_many else 1, WIDE_DTYPE)
        wide["band"] = BAND
        return cls(
            Rows(apart(rows)),
            Rows(apart(wide)),
            np.zeros(max(1, num_actions)),
            np.zeros(max(1, num_actions), dtype=np.int32),
            np.zeros(1, dtype=np.int64),
            has_many,
        )

    def forget(self) -> None:
        self.run[0] += 1
        if self.run[0] == _RUNS:  # runs are told apart no more
            self.run[0] = 1
            for slot in range(len(self.rows)):
                self.rows[slot].run = 0
            for slot in range(len(self.wide)):
                self.wide[slot].run = 0

    def drop(self, node: int) -> None:
        self.rows[node & (SLOTS - 1)].run = 0
        if self.has_many:
            self.wide[node & (WIDE_SLOTS - 1)].run = 0

    def best_child(self, selection: Selection, tree: NodeTable, node: int) -> int:
        parent = tree.nodes[node]
        count = parent.num_children
        if self.has_many:  # else it is not compiled
            if count >= WIDE:
                return self.best_of_many(selection, tree, node)
        if parent.visits < VISITS_PER_CHILD * count:
            return int(selection.best_child(tree, node))
        lead = self.rows[node & (SLOTS - 1)]
        if self.is_current(lead, parent, node):
            child = tree.nodes[lead.leader]
            term = selection.parent_term(parent)
            score = selection.score(child, term)
            if score > lead.base + lead.steepness * term and is_open(child):
                lead.visits += 1
                return int(lead.leader)
        self.begin(lead, parent, node)
        return find_leader(selection, tree, node, lead)

    def best_of_many(self, selection: Selection, tree: NodeTable, node: int) -> int:
        """The same, of many children."""
        parent = tree.nodes[node]
        if parent.visits < WIDE_VISITS_PER_CHILD * parent.num_children:
            return int(selection.best_child(tree, node))
        lead = self.wide[node & (WIDE_SLOTS - 1)]
        if self.is_current(lead, parent, node):
            term = selection.parent_term(parent)
            best, top = NO_NODE, lead.base + lead.steepness * term
            for index in range(lead.num_leaders):
                child = tree.nodes[lead.leaders[index]]
                score = score_of(selection, child, term)
                if score > top and is_open(child):
                    best, top = lead.leaders[index], score
            if best != NO_NODE:
                lead.visits += 1
                return int(best)
        elif lead.node != node:
            lead.band = BAND
        self.begin(lead, parent, node)
        return find_leaders(selection, tree, node, self)

    def is_current(self, lead: Row, parent: Row, node: int) -> bool:
        """Whether this is the node's lead, and only its leaders have changed since."""
        same = lead.node == node and lead.visits == parent.visits
        unchanged = lead.num_children == parent.num_children
        return bool(same and unchanged and lead.run == self.run[0])

    def begin(self, lead: Row, parent: Row, node: int) -> None:
        """Note whose lead is looked for. Modified in place."""
        lead.node = node
        lead.visits = parent.visits + 1
        lead.num_children = parent.num_children
        lead.run = self.run[0]


# -- compiled --------------------------------------------------------------------------


def is_open(child: Row) -> bool:
    """Whether a child may be entered."""
    return bool(child.proven & CLOSED == 0)


def score_of(selection: Selection, child: Row, term: float) -> float:
    """A child's score, be it visited or not."""
    if child.visits == 0:
        return float(selection.first_score(child, term))
    return float(selection.score(child, term))


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


def find_leaders(selection: Selection, tree: NodeTable, node: int, leads: Leads) -> int:
    """The same, of many children; notes those that are almost as good as the best."""
    lead = leads.wide[node & (WIDE_SLOTS - 1)]
    nodes, scores = tree.nodes, leads.scores
    parent = nodes[node]
    term = selection.parent_term(parent)
    count = parent.num_children
    block = parent.first_child
    best, top, steepest = block, -math.inf, 0.0
    done = 0
    while done < count:
        size = block_size(nodes, done, count)
        for offset in range(size):
            row = nodes[block + offset]
            score = score_of(selection, row, term)
            if score == math.inf and row.visits == 0:
                lead.run = 0
                return block + offset
            steepest = max(steepest, selection.steepness(row))
            score = score if is_open(row) else -math.inf
            scores[done + offset] = score
            leads.children[done + offset] = block + offset
            if score > top:
                best, top = block + offset, score
        done += size
        if done < count:
            block = next_block(nodes, block)
    set_bar(lead, choose_leaders(lead, leads, count, top), steepest, term)
    return best


def choose_leaders(lead: Row, leads: Leads, count: int, top: float) -> float:
    """Note those within the band as leaders; returns the best score of the others."""
    scores = leads.scores
    low = top - lead.band
    found = end = 0
    while end < count and found < LEADERS:
        lead.leaders[found] = leads.children[end]
        found += scores[end] > low
        end += 1
    bar = -math.inf
    for index in range(end):
        bar = max(bar, scores[index] if scores[index] <= low else -math.inf)
    for index in range(end, count):
        bar = max(bar, scores[index])
    if end < count:
        lead.band = max(LEAST_BAND, NARROWER * lead.band)
    elif found < LEADERS // 2:
        lead.band *= WIDER
    lead.num_leaders = found
    return bar


# -- whether there are any -------------------------------------------------------------


def has_leads(selection: Selection) -> bool:
    """Whether a policy's scores are known to rise no faster than `steepness` says.

    That was said by the class, or a subclass, of what the scores are made of.
    """
    order = type(selection).__mro__
    if type(selection).update is not Policy.update:
        return False
    said = _place(order, "steepness")
    made_of = ("score", "first_score", "parent_term", "select", "best_child")
    own = order[said] is not Selection
    return own and all(said <= _place(order, name) for name in made_of)


def _place(order: tuple[type, ...], name: str) -> int:
    """Which of the classes has a method."""
    return next(place for place, cls in enumerate(order) if name in vars(cls))
