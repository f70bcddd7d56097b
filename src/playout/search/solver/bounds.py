"""Bounds on a node's exact value, as they stand in the column `proven`."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Row
from ...games.contract.game import Actions
from ..tree.nodes import CLOSED, EXHAUSTED, NodeTable

__all__ = [
    "UNKNOWN_PLIES",
    "bounds",
    "cap_children",
    "is_proven",
    "is_settled",
    "lower_of",
    "plies_left",
    "plies_to_end",
    "upper_of",
]

#: The column `proven`, of a node or of many.
Bits = TypeVar("Bits", int, NDArray[np.int8])
#: What `proof_plies` says where a proof does not tell how long the game takes.
UNKNOWN_PLIES = 2**15 - 1


def lower_of(proven: Bits) -> Bits:
    """The lower bound: -1, 0 or 1."""
    return (proven & 3) - 1


def upper_of(proven: Bits) -> Bits:
    """The upper bound: -1, 0 or 1."""
    return 1 - ((proven >> 2) & 3)


def is_proven(proven: int) -> bool:
    """Whether the bounds are equal.

    >>> is_proven(0), is_proven(bounds(0, 1)), is_proven(bounds(1, 1))
    (False, False, True)
    """
    return (proven & 3) + ((proven >> 2) & 3) == 2


def is_settled(proven: int) -> bool:
    """Whether a search is done with its root: it is proven, or all its lines were seen.

    >>> is_settled(0), is_settled(bounds(1, 1)), is_settled(bounds(-1, 1) | EXHAUSTED)
    (False, True, True)
    """
    return is_proven(proven) or proven & EXHAUSTED != 0


def bounds(lower: int, upper: int) -> int:
    """Both as the column `proven` holds them.

    >>> [(lower_of(b), upper_of(b)) for b in (0, bounds(-1, 0), bounds(1, 1))]
    [(-1, 1), (-1, 0), (1, 1)]
    """
    return (lower + 1) | (1 - upper) << 2


def plies_to_end(tree: NodeTable, children: Actions, count: int, value: int) -> int:
    """The actions left when the one who chooses among proven children gets `value`."""
    fewest, most = 2**15, 0
    for i in range(count):
        child = tree.nodes[children[i]]
        if lower_of(child.proven) == value:  # then its upper bound is no higher
            fewest = min(fewest, child.proof_plies)
            most = max(most, child.proof_plies)
    return min(1 + (fewest if value > 0 else most), UNKNOWN_PLIES)


def cap_children(tree: NodeTable, children: Actions, count: int, upper: int) -> None:
    """Note that no child is worth more than this to the one who chooses among them.

    It follows where their parent's worth is known by other means than theirs: one that
    is open would look as if it might be better. Modified in place.
    """
    for i in range(count):
        child = tree.nodes[children[i]]
        if upper_of(child.proven) > upper and lower_of(child.proven) <= upper:
            closed = child.proven & CLOSED
            child.proven = bounds(lower_of(child.proven), upper) | closed
            if is_proven(child.proven):
                child.proof_plies = UNKNOWN_PLIES


def plies_left(row: Row) -> int:
    """The actions from a proven node to the end; 0 where that is not known."""
    return 0 if row.proof_plies == UNKNOWN_PLIES else row.proof_plies
