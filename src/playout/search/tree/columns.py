"""`Columns`: single numbers of a tree, for people's questions.

A column of few children is read faster so than gathered.
"""

from __future__ import annotations

from typing import Any

from ...core.jit.rows import Rows
from .children import HALF, block_size, has_halves

__all__ = ["Columns"]


class Columns:
    """Some columns of the nodes, each a function that takes a node's number.

    Args:
        nodes: `[C]` rows of `node_dtype()`.
    """

    __slots__ = (
        "_first_child",
        "_link",
        "_num_children",
        "_rows",
        "action",
        "proven",
        "visits",
    )

    def __init__(self, nodes: Any) -> None:
        self.visits = nodes["visits"].item
        self.proven = nodes["proven"].item
        self.action = nodes["action"].item
        self._link = nodes["link"].item
        self._num_children = nodes["num_children"].item
        self._first_child = nodes["first_child"].item
        self._rows = Rows(nodes)

    def children(self, node: int) -> list[int]:
        """The numbers of a node's children, in the order they were made."""
        count, block = self._num_children(node), self._first_child(node)
        rows = self._rows
        halves = has_halves(rows)
        done = block_size(rows, 0, count)
        found = list(range(block, block + done))
        while done < count:
            high = HALF * self._link(block + 1) if halves else 0
            block = self._link(block) + high
            size = block_size(rows, done, count)
            found += range(block, block + size)
            done += size
        return found
