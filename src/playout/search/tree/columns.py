"""`Columns`: single numbers of a tree, for people's questions.

NumPy takes three times as long as Python's view of memory to give one number, and a
column of few children is read faster so than gathered.
"""

from __future__ import annotations

from typing import Any

from .children import block_size

__all__ = ["Columns"]


class Columns:
    """Some columns of the nodes, as Python reads them.

    Args:
        nodes: `[C]` rows of `node_dtype()`.
    """

    __slots__ = ("_first_child", "_link", "_num_children", "action", "proven", "visits")

    def __init__(self, nodes: Any) -> None:
        self.visits = memoryview(nodes["visits"])
        self.proven = memoryview(nodes["proven"])
        self.action = memoryview(nodes["action"])
        self._link = memoryview(nodes["link"])
        self._num_children = memoryview(nodes["num_children"])
        self._first_child = memoryview(nodes["first_child"])

    def children(self, node: int) -> list[int]:
        """The numbers of a node's children, in the order they were made."""
        count, block = self._num_children[node], self._first_child[node]
        found = list(range(block, block + block_size(0, count)))
        while len(found) < count:
            block = self._link[block]
            found += range(block, block + block_size(len(found), count))
        return found
