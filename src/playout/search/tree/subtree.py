"""A subtree as a tree of its own."""

from __future__ import annotations

from ...core.jit.native import kernel
from .children import allocate, block_size, link_block, next_block
from .nodes import NO_NODE, ROOT, NodeTable


@kernel
def copy_subtree(old: NodeTable, new: NodeTable, node: int) -> None:
    """Copy breadth first; the copies not yet followed are the queue (Cheney 1970).

    Where the new tree has no room for all, it ends, and the new one is marked as full.
    """
    new.nodes[ROOT] = old.nodes[node]
    info = new.info[0]
    info.max_depth = 0
    level_end = 1  # the first node after those as deep as the one scanned
    scanned = 0
    while scanned < info.num_nodes:
        if scanned == level_end:
            info.max_depth += 1
            level_end = info.num_nodes
        parent = new.nodes[scanned]
        block = parent.first_child
        room = 0
        last = NO_NODE
        while room < parent.num_children:
            size = block_size(old.nodes, room, parent.num_legal)
            copy = allocate(new, size)
            if copy == NO_NODE:
                return
            for offset in range(size):
                new.nodes[copy + offset] = old.nodes[block + offset]
            if last == NO_NODE:
                parent.first_child = copy
            else:
                link_block(new.nodes, last, copy)
            last = copy
            room += size
            if room < parent.num_children:
                block = next_block(old.nodes, block)
        scanned += 1
