"""Virtual loss: threads that share a tree prefer different paths.

Shared memory is read and written under one lock, by the code that a single thread runs
as well. So no result is lost and no node is made twice, whatever the policies do.

While a simulation is under way, the nodes on its path carry its *virtual loss*: a visit
without a result yet, as if it were lost, so that other threads prefer other paths. It
is taken off again when the result is there.

    Chaslot, Winands, van den Herik, "Parallel Monte-Carlo Tree Search", CG 2008,
    section 3.3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tree.nodes import NodeTable

__all__ = ["THREAD_DTYPE", "add_virtual_loss"]

#: What one of several threads keeps for itself: two constants, and its branch.
THREAD_DTYPE = np.dtype(
    [
        ("virtual_loss", "f8"),
        ("num_threads", "i8"),  # that share the tree
        ("start_depth", "i8"),  # of its branch, which is `path[0]`
        ("learned", "i8"),  # 1 if something may be proven of the branch
        ("locks", "i8"),  # how often it needs the lock that it has
        ("quota", "i8"),  # simulations that it may run in its branch
        ("num_done", "i8"),  # those that it has run
    ]
)


# -- compiled with the search ----------------------------------------------------------


def add_virtual_loss(tree: NodeTable, work: Any, depth: int, visits: int) -> None:
    """Add virtual losses to `work.path[0 .. depth]`; take them off if negative."""
    loss = visits * work.thread[0].virtual_loss
    for index in range(depth + 1):
        row = tree.nodes[work.path[index].node]
        row.visits += visits
        row.value_sum -= loss
