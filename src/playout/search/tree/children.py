"""Children in blocks: where they stand, how they are made and found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Row, Rows, width
from ..tree.nodes import NodeTable
from .nodes import CLOSED, FULL, NO_NODE, ROOM, ROOT

__all__ = ["add_child", "block_size"]

#: The largest block where links are in parts: of a larger one more would stay empty.
MOST = 16
#: The bits of a link.
LINK_BITS = 32


def link_parts(nodes: Rows) -> int:
    """In how many parts a block's link is: its first nodes have one each.

    The first one has the lowest bits. Blocks have so many nodes at least.
    """
    return LINK_BITS // part_bits(nodes)


def part_bits(nodes: Rows) -> int:
    """How many bits of a link a node has."""
    return 8 * width(nodes, "link")


def block_size(nodes: Rows, before: int, in_all: int) -> int:
    """The size of a block when `before` children have room already, of `in_all`.

    Where `in_all` is the number of legal actions, it is the room to be reserved. Where
    it is the number of children made, it is how many of them stand in the block.

    >>> from playout.search.tree.nodes import LATER_PRIOR, QUARTERS, node_dtype
    >>> def sizes(*columns):
    ...     nodes, room = Rows(np.zeros(1, node_dtype(*columns))), 0
    ...     while room < 40:
    ...         yield (size := block_size(nodes, room, 40))
    ...         room += size
    >>> list(sizes()), list(sizes(QUARTERS)), list(sizes(LATER_PRIOR))[30:]
    ([2, 2, 2, 3, 4, 6, 9, 12], [4, 4, 4, 6, 9, 13], [1, 1, 2, 2, 2, 2])
    """
    parts = link_parts(nodes)
    if parts > 1:
        size = min(max(parts, before >> 1), MOST)
    else:
        size = max(1, before >> 4)
    return min(size, in_all - before)


def next_block(nodes: Rows, block: int) -> int:
    """The block that follows one; of a node's last block it says nothing."""
    bits, found = part_bits(nodes), 0
    for part in range(link_parts(nodes)):
        found += int(nodes[block + part].link) << bits * part
    return found


def link_block(nodes: Rows, block: int, following: int) -> None:
    """Have a block follow one. Modified in place."""
    bits = part_bits(nodes)
    for part in range(link_parts(nodes)):
        nodes[block + part].link = int(following) >> bits * part & (1 << bits) - 1


def clear_nodes(tree: NodeTable, first: int, count: int) -> None:
    """Make nodes unvisited leaves. Modified in place."""
    blank = tree.blank[0]
    for index in range(first, first + count):
        tree.nodes[index] = blank


def clear_tree(tree: NodeTable, root_mover: int) -> None:
    """Make it a tree of one unvisited root, whose value is for `root_mover`."""
    info = tree.info[0]
    info.num_nodes = 1
    info.max_depth = 0
    info.full = ROOM
    info.root_mover = root_mover
    clear_nodes(tree, ROOT, 1)


def has_room(tree: NodeTable, count: int) -> bool:
    """Whether so many nodes can be made; if not, the tree is marked as full."""
    info = tree.info[0]
    if info.num_nodes + count <= info.capacity:
        return True
    if info.full == ROOM:
        info.full = FULL
    return False


def allocate(tree: NodeTable, count: int) -> int:
    """The first of `count` new nodes, or `NO_NODE` where there is no room."""
    info = tree.info[0]
    first = info.num_nodes
    if not has_room(tree, count):
        return NO_NODE
    info.num_nodes = first + count
    clear_nodes(tree, first, count)
    return first


def list_children(tree: NodeTable, node: int, buffer: NDArray[np.int32]) -> int:
    """Write the numbers of a node's children; returns how many."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = block_size(nodes, done, count)
        for offset in range(size):
            buffer[done + offset] = block + offset
        done += size
        if done < count:
            block = next_block(nodes, block)
    return done


def find_child(tree: NodeTable, node: int, action: int) -> int:
    """The child for an action, or `NO_NODE` if there is none yet."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = block_size(nodes, done, count)
        for child in range(block, block + size):
            if nodes[child].action == action:
                return child
        done += size
        if done < count:
            block = next_block(nodes, block)
    return NO_NODE


def last_block(tree: NodeTable, node: int) -> tuple[int, int]:
    """The last block of a node's children, and how many children stand before it.

    `NO_NODE` and 0 of a node that has none.
    """
    nodes = tree.nodes
    row = nodes[node]
    if row.num_children == 0:
        return NO_NODE, 0
    block = row.first_child
    before = 0
    size = block_size(nodes, 0, row.num_legal)
    while row.num_children > before + size:
        before += size
        block = next_block(nodes, block)
        size = block_size(nodes, before, row.num_legal)
    return int(block), int(before)


def last_of_block(parent: Row, block: int, before: int) -> int:
    """The child made last, of a node that has some, by its `last_block`."""
    return int(block + parent.num_children - before - 1)


def all_closed(tree: NodeTable, node: int) -> bool:
    """Whether no child may be entered any more."""
    nodes = tree.nodes
    row = nodes[node]
    block = row.first_child
    done = 0
    while done < row.num_children:
        size = block_size(nodes, done, row.num_children)
        for child in range(block, block + size):
            if not nodes[child].proven & CLOSED:
                return False
        done += size
        if done < row.num_children:
            block = next_block(nodes, block)
    return True


def add_child(tree: NodeTable, node: int, action: int) -> int:
    """Make one more child of a node; its number, or `NO_NODE` without room."""
    block, before = last_block(tree, node)
    return add_behind(tree, node, action, block, before)


def add_behind(tree: NodeTable, node: int, action: int, block: int, before: int) -> int:
    """Make one more child of a node whose `last_block` is known.

    Nothing may have been made there since. Returns as `add_child`.
    """
    child, _ = room_behind(tree, node, block, before)
    if child != NO_NODE:
        tree.nodes[child].action = action
        tree.nodes[node].num_children += 1
    return int(child)


def room_behind(tree: NodeTable, node: int, block: int, before: int) -> tuple[int, int]:
    """Where the next children of a node are to stand: the first, and how many can.

    That is what is left of the last block, or a new one; `NO_NODE` without room.

    Args:
        tree: the tree.
        node: the one that gets children.
        block: its `last_block`, which may be full; no child was made since.
        before: how many of its children stand before that.
    """
    nodes = tree.nodes
    parent = nodes[node]
    count, legal = parent.num_children, parent.num_legal
    if count > 0:
        size = block_size(nodes, before, legal)
        if count < before + size:
            return block + count - before, before + size - count
    size = block_size(nodes, count, legal)
    new = allocate(tree, size)
    if new == NO_NODE:
        return NO_NODE, 0
    if block == NO_NODE:
        parent.first_child = new
    else:
        link_block(nodes, block, new)
    return new, size
