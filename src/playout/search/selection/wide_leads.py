"""Leads of nodes with many children, which take turns: a bound for every child.

One look at all children notes for each the line on which its score can rise at most as
`parent_term` does. The highest of hundreds of such bounds is found in tens of
nanoseconds, and reads no child. The child that was selected is left out: it is the only
one that changes, so its score is computed, and its bound noted anew when another child
is taken. Bounds say which children may be the best; scores, which is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import zeros_apart
from ...core.jit.bits import lowest
from ...core.jit.compiled import Compiled
from ...core.jit.rows import Row, Rows
from ...core.jit.upper_bounds import EIGHT, at_least, highest_bound
from ..tree.children import block_size, next_block
from ..tree.nodes import NodeTable
from .base import Selection
from .lead_rows import LEAD_DTYPE, MARGIN, begin, is_current, is_open, score_of

__all__ = ["WideLeads"]

#: How many nodes have a place in the table, by the last bits of their numbers.
SLOTS = 256
#: Nodes with more children than this have no lead.
MOST = 512
#: Stands for the place of a child where there is none.
NO_PLACE = -1

_ZERO, _ONE = np.uint64(0), np.uint64(1)


@dataclass(frozen=True)
class WideLeads(Compiled):
    """The bounds of all children of nodes with many visits and many children.

    Attributes:
        rows: `[SLOTS]` rows of `LEAD_DTYPE`; `leader` is the place of the child that
            was selected last, from 0.
        bases: `[SLOTS * room]` float64, for each place the bound where `parent_term`
            is 0; minus infinity of children that may not be entered, and of `leader`.
        slopes: float64, likewise, how fast the bound rises.
        children: int32, likewise, their numbers.
        room: places of a node, a multiple of `EIGHT`.
    """

    rows: Rows
    bases: NDArray[np.float64]
    slopes: NDArray[np.float64]
    children: NDArray[np.int32]
    room: int

    interpreted_methods = frozenset({"reserve"})

    @classmethod
    def reserve(cls, num_actions: int) -> WideLeads:
        """No leads yet, of nodes with up to so many children."""
        room = -(-min(num_actions, MOST) // EIGHT) * EIGHT
        slots = SLOTS if room else 1
        return cls(
            Rows(zeros_apart(slots, LEAD_DTYPE)),
            np.zeros(slots * room),
            np.zeros(slots * room),
            np.zeros(slots * room, dtype=np.int32),
            room,
        )

    # -- compiled ----------------------------------------------------------------------

    def forget(self) -> None:
        """Forget all leads."""
        for slot in range(len(self.rows)):
            self.rows[slot].run = 0

    def drop(self, node: int) -> None:
        """Forget a node's lead."""
        self.rows[node & (SLOTS - 1)].run = 0

    def best_child(
        self, selection: Selection, tree: NodeTable, node: int, run: int
    ) -> int:
        """The child with the highest score, of the first of those that have it."""
        parent = tree.nodes[node]
        count = parent.num_children
        if count > self.room:
            return int(selection.best_child(tree, node))
        slot = node & (SLOTS - 1)
        lead, first = self.rows[slot], slot * self.room
        if is_current(lead, parent, node, run):
            term = selection.parent_term(parent)
            place = self.best_place(selection, tree, lead, first, count, term)
            if place != NO_PLACE:
                lead.visits += 1
                return int(self.children[first + place])
        begin(lead, parent, node, run)
        return self.look_at_all(selection, tree, node, lead, first)

    def best_place(
        self,
        selection: Selection,
        tree: NodeTable,
        lead: Row,
        first: int,
        count: int,
        term: float,
    ) -> int:
        """The place of the best child. Modified in place: it leads then.

        `NO_PLACE` where that is not known: no other child is open, or none has a score
        as high as the bounds allow.
        """
        place = int(lead.leader)
        child = tree.nodes[self.children[first + place]]
        score = score_of(selection, child, term) if is_open(child) else -math.inf
        top = highest_bound(self.bases, self.slopes, first, count, term)
        if top == -math.inf:
            return NO_PLACE
        margin = MARGIN * (1.0 + abs(top))
        if score > top + margin:
            return place
        low = top - margin
        best, found = self.best_other(selection, tree, first, count, term, low)
        if best == NO_PLACE:
            return NO_PLACE
        if score > found or (score == found and place < best):
            return place
        self.note_bound(selection, tree, first + place, term)
        self.make_leader(lead, first, best)
        return best

    def best_other(
        self,
        selection: Selection,
        tree: NodeTable,
        first: int,
        count: int,
        term: float,
        low: float,
    ) -> tuple[int, float]:
        """The best child whose bound is `low` or more: its place and its score.

        Its score is higher than `low`; if there is none, the place is `NO_PLACE`.
        """
        best, score = NO_PLACE, low
        for start in range(first, first + count, EIGHT):
            bits = at_least(self.bases, self.slopes, start, term, low)
            while bits != _ZERO:
                index = start + lowest(bits)
                bits &= bits - _ONE
                child = tree.nodes[self.children[index]]
                found = score_of(selection, child, term)
                if found > score and is_open(child):
                    best, score = index - first, found
        return best, score

    def note_bound(
        self, selection: Selection, tree: NodeTable, index: int, term: float
    ) -> float:
        """Note how high a child's score will be at most; returns what it is now."""
        child = tree.nodes[self.children[index]]
        if not is_open(child):
            self.take_out(index)
            return -math.inf
        score = score_of(selection, child, term)
        slope = selection.steepness(child)
        base = score - slope * term
        if not (abs(base) < math.inf and abs(slope) < math.inf):
            base, slope = math.inf, 0.0  # nobody knows: look at all children again
        self.bases[index] = base
        self.slopes[index] = slope
        return score

    def take_out(self, index: int) -> None:
        """Have no bound for a child."""
        self.bases[index] = -math.inf
        self.slopes[index] = 0.0

    def make_leader(self, lead: Row, first: int, place: int) -> None:
        """Have a child lead: it is known by its score. Modified in place."""
        lead.leader = place
        self.take_out(first + place)

    def look_at_all(
        self, selection: Selection, tree: NodeTable, node: int, lead: Row, first: int
    ) -> int:
        """Selection among all children; notes their bounds. Modified in place."""
        nodes = tree.nodes
        parent = nodes[node]
        term = selection.parent_term(parent)
        count = parent.num_children
        block = parent.first_child
        best, top = 0, -math.inf
        done = 0
        while done < count:
            size = block_size(nodes, done, count)
            for place in range(done, done + size):
                child = block + place - done
                self.children[first + place] = child
                score = self.note_bound(selection, tree, first + place, term)
                if score == math.inf and nodes[child].visits == 0:
                    lead.run = 0
                    return int(child)
                if score > top:
                    best, top = place, score
            done += size
            if done < count:
                block = next_block(nodes, block)
        for place in range(count, -(-count // EIGHT) * EIGHT):
            self.take_out(first + place)
        self.make_leader(lead, first, best)
        return int(self.children[first + best])
