"""Trees whose nodes are also found by a hash, wherever in the tree they are.

Rows need the columns `key` and `next`. Two nodes with one 64-bit hash count as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .nodes import NO_NODE
from .tree import Tree

__all__ = ["TABLE_BYTES", "TableTree", "enter", "find_key"]

#: What the table takes for each row that there is room for, at most.
TABLE_BYTES = 1
#: How many chains a table begins with, and how often as many it has whenever it holds a
#: node for each. From the last of these on it has all that there is room for: to move
#: more nodes would take many milliseconds.
FIRST_CHAINS, MORE_CHAINS, MANY_CHAINS = 1 << 10, 8, 1 << 16


@dataclass(frozen=True)
class TableTree(Tree):
    """A tree and a table of some of its nodes.

    A small tree uses the table's beginning alone: all of it would take a new page of
    memory for nearly every node, and as many cache misses.

    Attributes:
        table: `[T]` int32: by the low bits of the hash, the first node of a chain plus
            1, or 0.
        used: `[2]` int64: how many chains the table has, and how many nodes are in it.
    """

    table: NDArray[np.int32]
    used: NDArray[np.int64]

    @classmethod
    def with_table(cls, capacity: int, dtype: np.dtype[Any], **more: Any) -> TableTree:
        """An empty tree with room for so many rows, of which a third are in the table.

        Args:
            capacity: rows.
            dtype: of a row, with the columns `key` and `next`.
            more: further fields of the class.
        """
        plain = Tree.reserve(capacity, dtype)
        size = 1 << (capacity * TABLE_BYTES // 8).bit_length()
        table = np.zeros(size, dtype=np.int32)
        used = np.array([min(FIRST_CHAINS, size), 0])
        return cls(plain.nodes, plain.info, plain.blank, table, used, **more)

    def clear(self, root_mover: int) -> None:
        self.table[: self.used[0]] = 0
        self.used[:] = min(FIRST_CHAINS, len(self.table)), 0
        super().clear(root_mover)

    @property
    def num_bytes(self) -> int:
        return super().num_bytes + int(self.used[0]) * self.table.itemsize


# -- compiled with the search ----------------------------------------------------------


def find_key(tree: TableTree, key: np.uint64) -> int:
    """The node with this hash, or `NO_NODE`."""
    node = int(tree.table[chain_of(tree, key)]) - 1
    while node != NO_NODE and tree.nodes[node].key != key:
        node = tree.nodes[node].next - 1
    return node


def enter(tree: TableTree, node: int, key: np.uint64) -> None:
    """Put a node into the table, which has more chains from time to time."""
    if tree.used[1] == tree.used[0] and tree.used[0] < len(tree.table):
        make_chains(tree)
    tree.used[1] += 1
    tree.nodes[node].key = key
    put_first(tree, node)


def put_first(tree: TableTree, node: int) -> None:
    """Make a node the first of its chain."""
    row = tree.nodes[node]
    place = chain_of(tree, row.key)
    row.next = tree.table[place]
    tree.table[place] = node + 1


def make_chains(tree: TableTree) -> None:
    """Have more chains: the nodes of one go into it and into new ones."""
    before = tree.used[0]
    most = len(tree.table)
    tree.used[0] = most if before >= MANY_CHAINS else min(before * MORE_CHAINS, most)
    for place in range(before):
        node = int(tree.table[place]) - 1
        tree.table[place] = 0
        while node != NO_NODE:
            following = tree.nodes[node].next - 1
            put_first(tree, node)
            node = following


def chain_of(tree: TableTree, key: np.uint64) -> int:
    return int(np.int64(key & np.uint64(tree.used[0] - 1)))
