"""What is noted of a node's lead, and whether it still holds."""

from __future__ import annotations

import numpy as np

from ...core.jit.rows import Row
from ..tree.nodes import CLOSED
from .base import Selection

__all__ = ["LEAD_DTYPE", "MARGIN", "begin", "is_current", "is_open", "score_of"]

#: More than all rounding errors of scores and bounds, relative to 1 and to the score,
#: as long as these are sums of numbers no more than some thousand times as large.
MARGIN = 1e-11

LEAD_DTYPE = np.dtype(
    [
        ("base", "f8"),  # the bar where `parent_term` is 0
        ("steepness", "f8"),  # how fast it rises with `parent_term`
        ("node", "i4"),  # whose lead this is
        ("visits", "u4"),  # that the node will have when it is asked about next
        ("leader", "i4"),
        ("num_children", "i2"),  # of the node; another one would not be among these
        ("run", "u2"),  # of the kernel, in which it was found; 0 for none
    ]
)


# -- compiled --------------------------------------------------------------------------


def is_current(lead: Row, parent: Row, node: int, run: int) -> bool:
    """Whether this is the node's lead, and only its leader has changed since."""
    same = lead.node == node and lead.visits == parent.visits
    unchanged = lead.num_children == parent.num_children
    return bool(same and unchanged and lead.run == run)


def begin(lead: Row, parent: Row, node: int, run: int) -> None:
    """Note whose lead is looked for. Modified in place."""
    lead.node = node
    lead.visits = parent.visits + 1
    lead.num_children = parent.num_children
    lead.run = run


def is_open(child: Row) -> bool:
    """Whether a child may be entered."""
    return bool(child.proven & CLOSED == 0)


def score_of(selection: Selection, child: Row, term: float) -> float:
    """A child's score, be it visited or not."""
    if child.visits == 0:
        return float(selection.first_score(child, term))
    return float(selection.score(child, term))
