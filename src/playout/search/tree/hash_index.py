"""Trees whose nodes are also found by a hash, wherever in the tree they are.

Rows need the columns `key` and `next`. Two nodes with one 64-bit hash count as one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .nodes import NO_NODE, ROOT
from .tree import Tree

__all__ = ["TABLE_BYTES", "TableTree", "enter", "find_key", "table_for"]

#: What the table takes for each row that there is room for, at most.
TABLE_BYTES = 1


@dataclass(frozen=True)
class TableTree(Tree):
    """A tree and a table of some of its nodes.

    Attributes:
        table: `[T]` int32: by the low bits of the hash, the first node of a chain plus
            1, or 0.
    """

    table: NDArray[np.int32]

    def clear(self, root_mover: int) -> None:
        if self.num_nodes > 1 or self.nodes.array["key"][ROOT] != 0:
            self.table[:] = 0
        super().clear(root_mover)

    @property
    def num_bytes(self) -> int:
        return super().num_bytes + self.table.nbytes


def table_for(capacity: int) -> NDArray[np.int32]:
    """An empty table for a tree of so many rows, of which a third are in it."""
    size = 1 << (capacity * TABLE_BYTES // 8).bit_length()
    return np.zeros(size, dtype=np.int32)


# -- compiled with the search ----------------------------------------------------------


def find_key(tree: TableTree, key: np.uint64) -> int:
    """The node with this hash, or `NO_NODE`."""
    node = int(tree.table[chain_of(tree, key)]) - 1
    while node != NO_NODE and tree.nodes[node].key != key:
        node = tree.nodes[node].next - 1
    return node


def enter(tree: TableTree, node: int, key: np.uint64) -> None:
    """Make a node the first of its chain."""
    place = chain_of(tree, key)
    row = tree.nodes[node]
    row.key = key
    row.next = tree.table[place]
    tree.table[place] = node + 1


def chain_of(tree: TableTree, key: np.uint64) -> int:
    return int(np.int64(key & np.uint64(len(tree.table) - 1)))
