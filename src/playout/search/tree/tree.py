"""`Tree`: the array of nodes, and a few numbers."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError
from ...core.jit.rows import Rows
from ...core.jit.wide_rows import WideRows
from ...games.contract.units import POINTS, Units
from .columns import Columns
from .memory import reserve
from .nodes import INFO_DTYPE, PROOF_COLUMNS, ROOM, ROOT, NodeTable, _blank, node_dtype
from .subtree import copy_subtree

__all__ = ["Tree"]


@dataclass(frozen=True)
class Tree(NodeTable):
    """A search tree; its rows are described where `NodeTable` is."""

    interpreted_methods = frozenset(
        {
            "capacity",
            "children",
            "clear",
            "columns",
            "copy_below",
            "count_in",
            "entry",
            "is_full",
            "max_depth",
            "num_bytes",
            "num_nodes",
            "proven",
            "resize",
            "subtree",
            "units",
            "visits",
        }
    )

    @classmethod
    def reserve(cls, capacity: int, dtype: np.dtype[Any] | None = None) -> Tree:
        """An empty tree with address space for `capacity` nodes.

        Memory is used page by page, large ones, as nodes are made; growing copies
        nothing.
        """
        info = np.zeros(1, dtype=INFO_DTYPE)
        info["capacity"] = capacity
        info["low"], info["high"] = POINTS
        dtype = node_dtype(*PROOF_COLUMNS) if dtype is None else dtype
        tree = cls(
            WideRows(reserve(capacity, dtype)), Rows(info), WideRows(_blank(dtype))
        )
        tree.clear(0)
        return tree

    def clear(self, root_mover: int) -> None:
        """Make it a tree of one unvisited root."""
        info = self.info.array
        info["num_nodes"], info["max_depth"], info["full"] = 1, 0, ROOM
        info["root_mover"] = root_mover
        self.nodes.array[ROOT] = self.blank.array[0]

    @property
    def num_nodes(self) -> int:
        """Nodes in use, the room in blocks included."""
        return int(self.info.array["num_nodes"].item())

    @property
    def max_depth(self) -> int:
        """The deepest node, in actions from the root."""
        return int(self.info.array["max_depth"].item())

    @property
    def visits(self) -> int:
        """Simulations that the root has seen."""
        return int(self.columns.visits(ROOT))

    @property
    def is_full(self) -> bool:
        """Whether a node could not be made for want of room."""
        return bool(self.info.array["full"].item() != ROOM)

    @property
    def proven(self) -> int:
        """What the solver knows of the root (see `solver.bounds`)."""
        return int(self.columns.proven(ROOT))

    def resize(self, capacity: int) -> None:
        """Have room for so many nodes, of those that are reserved."""
        info = self.info.array
        info["capacity"], info["full"] = max(capacity, self.num_nodes), ROOM

    @property
    def units(self) -> Units:
        """What the values in it stand for, as people are shown them."""
        info = self.info.array
        return Units(info["low"].item(), info["high"].item())

    def count_in(self, units: Units) -> None:
        """Say what the values in it stand for."""
        info = self.info.array
        info["low"], info["high"] = units

    @property
    def capacity(self) -> int:
        return int(self.info.array["capacity"].item())

    @property
    def num_bytes(self) -> int:
        """Memory that the nodes in use take."""
        return self.num_nodes * self.nodes.array.dtype.itemsize

    def children(self, node: int) -> NDArray[np.int64]:
        """The numbers of a node's children, in the order they were made."""
        return np.array(self.columns.children(node), dtype=np.int64)

    @functools.cached_property
    def columns(self) -> Columns:
        """The columns as Python reads them, a number at a time."""
        return Columns(self.nodes.array)

    def entry(self, node: int) -> int:
        """The node whose children come next; in a tree the node itself."""
        return node

    def subtree(self, node: int, capacity: int) -> Tree:
        """A tree of its own, its root a copy of `node`, with the same statistics.

        Raises:
            UsageError: the capacity may not be enough for all nodes of this tree.
        """
        if capacity < self.num_nodes:
            raise UsageError(
                f"a tree of {self.num_nodes} nodes needs at least that capacity, "
                f"not {capacity}"
            )
        kept = self.copy_below(node, capacity, capacity)
        assert kept is not None
        return kept

    def copy_below(
        self, node: int, capacity: int, most: int, interpreted: bool = False
    ) -> Tree | None:
        """The same, where it has so many nodes at most; else None."""
        kept = Tree.reserve(capacity, self.nodes.array.dtype)
        info = kept.info[0]
        info.root_mover, info.capacity = self.info[0].root_mover, most
        kept.count_in(self.units)
        dtype = self.nodes.array.dtype
        copy = copy_subtree.function if interpreted else _copier(dtype)
        copy(self, kept, node)
        info.capacity = capacity
        return None if info.full else kept


@functools.lru_cache(maxsize=16)
def _copier(dtype: np.dtype[Any]) -> Callable[..., None]:
    """`copy_subtree`, compiled; looked up once, for it is needed after every move."""
    tree = Tree.reserve(1, dtype)
    return copy_subtree.compile(tree, tree, ROOT)
