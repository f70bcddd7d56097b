"""A full tree keeps its best part: the children of the least visited nodes make room.

A node that loses its children keeps its own statistics and becomes a leaf again, to be
expanded anew when a simulation comes by. The nodes that are left slide down in their
order, so that the tree stays one array without holes, in the memory that it has.

The same is done where the limit has no room for a tree and the copy of what is kept of
it after a move: what is not below that move is taken out.

Powley, Cowling, Whitehouse, "Memory Bounded Monte Carlo Tree Search", AIIDE 2017,
compare ways to choose what is recycled; all of them recycle nodes with few visits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.bits import highest
from ...core.jit.native import kernel
from ...core.jit.rows import Row
from ..tree.nodes import NodeTable
from .children import block_size, link_block, next_block
from .memory import give_back
from .nodes import FREE, NO_NODE, ROOM, ROOT, STUCK
from .tree import Tree

__all__ = ["compile_recycler", "keep_below", "recycle", "recycling_seconds"]

#: What is kept of a full tree, at most, as a part of its capacity.
KEPT_SHARE = 0.5
#: Where less than this part is gained, the search goes on in the tree as it is.
LEAST_GAIN = 0.125
#: More nodes than there are: a target that keeps all that the root leads to.
EVERYTHING = 2**62
#: What recycling takes for each node, measured in large trees and rounded up.
SECONDS_PER_NODE = 80e-9

#: Visits up to here are told apart exactly, larger ones to about 6 %.
EXACT_CLASSES = 32
NUM_CLASSES = EXACT_CLASSES + 16 * 27


def recycle(tree: Tree, interpreted: bool = False) -> None:
    """Make room in a full tree, or mark it as `STUCK` where there is none to make.

    For a moment it takes an eighth of the tree's memory more.
    """
    _take_out(tree, int(KEPT_SHARE * tree.capacity), interpreted)
    gained = tree.capacity - tree.num_nodes
    tree.info[0].full = ROOM if gained >= LEAST_GAIN * tree.capacity else STUCK


def keep_below(tree: Tree, node: int, interpreted: bool = False) -> Tree:
    """What is below a child of the root, as a tree with the same statistics.

    A copy, where the limit of the last search has room for both; the old one can then
    be freed. Else it is the old one, without the rest; for a moment that takes an
    eighth of the tree's memory more.
    """
    nodes = tree.nodes.array
    give_back(nodes, tree.num_nodes)  # there may have been more once
    room = tree.capacity - tree.num_nodes
    copy = tree.copy_below(node, len(nodes), room, interpreted)
    if copy is not None:
        return copy
    nodes[ROOT] = nodes[node]
    _take_out(tree, EVERYTHING, interpreted)
    give_back(nodes, tree.num_nodes)
    return tree


def _take_out(tree: Tree, target: int, interpreted: bool) -> None:
    """Run `keep_best` with the buffers that it needs."""
    forward = np.empty(tree.num_nodes, dtype=np.int32)
    counts = np.zeros(NUM_CLASSES, dtype=np.int64)
    dtype = tree.nodes.array.dtype
    run = keep_best.function if interpreted else compile_recycler(dtype)
    run(tree, forward, counts, target)


def recycling_seconds(tree: Tree) -> float:
    """About how long that may take."""
    return tree.num_nodes * SECONDS_PER_NODE


@functools.lru_cache(maxsize=16)
def compile_recycler(dtype: np.dtype[Any]) -> Callable[..., Any]:
    """Compile or load what `recycle` runs for trees of these nodes."""
    forward, counts = np.empty(1, dtype=np.int32), np.zeros(NUM_CLASSES, np.int64)
    return keep_best.compile(Tree.reserve(1, dtype), forward, counts, 1)


# -- compiled --------------------------------------------------------------------------


@kernel
def keep_best(
    tree: NodeTable, forward: NDArray[np.int32], counts: NDArray[np.int64], target: int
) -> None:
    """Drop children of the least visited nodes; at most about `target` nodes are left.

    The root keeps its children whatever the target. Modified in place.

    Args:
        tree: the tree.
        forward: `[num_nodes]` int32 to work in: for nodes that are kept the depth plus
            1, for others 0; then their new numbers.
        counts: `[NUM_CLASSES]` int64 zeros to work in: nodes below parents of a class.
        target: how many nodes to keep.
    """
    for node in range(len(forward)):
        row = tree.nodes[node]
        if row.num_children > 0:
            counts[class_of(row.visits)] += room_below(tree, row)
    left = target - room_below(tree, tree.nodes[ROOT])
    worst = NUM_CLASSES
    while worst > 0 and counts[worst - 1] <= left:
        worst -= 1
        left -= counts[worst]
    for node in range(ROOT + 1, len(forward)):
        row = tree.nodes[node]
        if class_of(row.visits) < worst:
            row.num_children = 0
            row.first_child = NO_NODE
            row.owner = FREE
    mark(tree, forward)
    deepest = 0
    for node in range(len(forward)):  # `max` would load SciPy, where that is installed
        if forward[node] > deepest:
            deepest = forward[node]
    tree.info[0].max_depth = deepest - 1
    slide(tree, forward)


def class_of(visits: int) -> int:
    """A coarse logarithm of a number of visits.

    >>> [class_of(n) for n in (0, 31, 32, 33, 34, 63, 64, 2**32 - 1)]
    [0, 31, 32, 32, 33, 47, 48, 463]
    """
    if visits < EXACT_CLASSES:
        return visits
    exponent = highest(visits)
    sixteenth = (visits >> (exponent - 4)) & 15
    return EXACT_CLASSES + 16 * (exponent - 5) + sixteenth


def room_below(tree: NodeTable, node: Row) -> int:
    """How many nodes the blocks of a node's children have."""
    room = 0
    while room < node.num_children:
        room += block_size(tree.nodes, room, node.num_legal)
    return room


def mark(tree: NodeTable, forward: NDArray[np.int32]) -> None:
    """Set `forward` to the depth plus 1 for nodes reached from the root, 0 for others.

    Children mostly stand behind their parents, so one pass is mostly enough.
    """
    for node in range(len(forward)):
        forward[node] = 0
    forward[ROOT] = 1
    again = True
    while again:
        again = False
        for node in range(len(forward)):
            if forward[node] != 0 and mark_children(tree, forward, node):
                again = True


def mark_children(tree: NodeTable, forward: NDArray[np.int32], node: int) -> bool:
    """Mark the blocks below a node; whether a new one stands before the node."""
    row = tree.nodes[node]
    block = row.first_child
    room = 0
    before = False
    while room < row.num_children:
        size = block_size(tree.nodes, room, row.num_legal)
        if block < node and forward[block] == 0:
            before = True
        for child in range(block, block + size):
            forward[child] = forward[node] + 1
        room += size
        if room < row.num_children:
            block = next_block(tree.nodes, block)
    return before


def slide(tree: NodeTable, forward: NDArray[np.int32]) -> None:
    """Move the marked nodes together, in their order."""
    count = 0
    for node in range(len(forward)):
        kept = forward[node] != 0
        forward[node] = count if kept else NO_NODE
        count += kept
    nodes = tree.nodes
    for node in range(len(forward)):
        if forward[node] != NO_NODE:
            renumber(tree, forward, node)
    for node in range(len(forward)):
        if forward[node] != NO_NODE:
            nodes[forward[node]] = nodes[node]
    tree.info[0].num_nodes = count


def renumber(tree: NodeTable, forward: NDArray[np.int32], node: int) -> None:
    """Write the new numbers of a node's blocks of children, which have not moved."""
    row = tree.nodes[node]
    if row.num_children == 0:
        return
    block = row.first_child
    row.first_child = forward[block]
    room = block_size(tree.nodes, 0, row.num_legal)
    while room < row.num_children:
        following = next_block(tree.nodes, block)
        link_block(tree.nodes, block, forward[following])
        block = following
        room += block_size(tree.nodes, room, row.num_legal)
