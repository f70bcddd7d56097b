"""`Columns`: single numbers of a tree, for people's questions.

A column of few children is read faster so than gathered.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...core.jit.rows import Rows
from .children import LINK_BITS, block_size, part_bits

__all__ = ["Columns"]

#: Of more nodes NumPy gathers a column in less time than numbers are read one by one.
FEW = 16


class Columns:
    """Some columns of the nodes, each a function that takes a node's number.

    Args:
        rows: `[C]` nodes, of `node_dtype()`.
    """

    __slots__ = (
        "_dtype",
        "_first_child",
        "_link",
        "_num_children",
        "action",
        "proof_plies",
        "proven",
        "rows",
        "value_sum",
        "visits",
    )

    def __init__(self, rows: Any) -> None:
        self.rows = rows
        self.visits = rows["visits"].item
        self.value_sum = rows["value_sum"].item
        self.proven = rows["proven"].item
        self.proof_plies = rows["proof_plies"].item
        self.action = rows["action"].item
        self._link = rows["link"].item
        self._num_children = rows["num_children"].item
        self._first_child = rows["first_child"].item
        self._dtype = rows.dtype

    def __reduce__(self) -> tuple[Any, ...]:
        return Columns, (self.rows,)

    def gather(self, names: tuple[str, ...], nodes: list[int]) -> list[list[Any]]:
        """Columns of some nodes, a list each; of few nodes read a number at a time.

        Args:
            names: of the columns, which are among this object's functions.
            nodes: their numbers.
        """
        if len(nodes) <= FEW:
            return [list(map(getattr(self, name), nodes)) for name in names]
        return [self.rows[name][nodes].tolist() for name in names]

    def children(self, node: int) -> list[int]:
        """The numbers of a node's children, in the order they were made."""
        found: list[int] = []
        block = self._first_child(node)
        for size, shifts in _blocks(self._dtype, self._num_children(node)):
            found += range(block, block + size)
            following = 0
            for part, shift in enumerate(shifts):
                following += self._link(block + part) << shift
            block = following
        return found


@lru_cache(maxsize=1024)
def _blocks(dtype: np.dtype[Any], count: int) -> tuple[tuple[int, range], ...]:
    """Of each block of so many children: its size, and where its link's parts begin.

    No block follows the last one, whose link says nothing, and may not have all parts.
    """
    rows, found, done = Rows(np.zeros(1, dtype)), [], 0
    shifts = range(0, LINK_BITS, part_bits(rows))
    while done < count:
        size = block_size(rows, done, count)
        done += size
        found.append((size, shifts if done < count else range(0)))
    return tuple(found)
