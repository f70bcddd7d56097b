"""The tree: one array of nodes, and a few numbers.

A node is one row of `node_dtype()`; its number never changes. Dimensions: `[C]` nodes
are reserved, of which the first `num_nodes` are in use (some as room to grow).

| column         | type | meaning                                                        |
|----------------|------|----------------------------------------------------------------|
| `value_sum`    | f8   | W: sum of returns, *for the player who moved into the node*    |
| `visits`       | u4   | N: simulations that passed through                             |
| `action`       | i4   | the action that leads here from the parent                     |
| `first_child`  | i4   | first node of the first block of children; `NO_NODE` if none   |
| `link`         | i4   | in the first node of a block: first node of the next block     |
| `num_children` | i2   | how many children were made                                    |
| `num_legal`    | i2   | how many may be made; `UNKNOWN` until asked, 0 at a game's end |
| `proof_plies`  | i2   | actions from a proven node to the end (see `solver`)           |
| `proven`       | i1   | what the solver knows; 0 while nothing is proven               |
| `owner`        | i1   | whose it is, of several threads (see `threads`)                |

Children stand side by side in blocks; most expansions make one only when it is visited,
and what is never made takes no room. A block holds
`block_size` nodes, about half of those before it, so that little room is wasted and
nothing is ever moved. The root is node 0; the player who moved into it is the one who
made the last move (`root_mover`); with more players or fewer, the one whose turn it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.compiled import Compiled
from ..core.errors import UsageError
from ..core.native import kernel
from ..core.rows import Rows
from .memory import reserve

__all__ = ["NO_NODE", "ROOT", "Tree", "add_child", "block_size", "node_dtype"]

ROOT = 0
NO_NODE = -1
UNKNOWN = -1

#: The bit of `proven` that forbids to enter a node.
CLOSED = 16
#: What `full` says: nodes can be made; one could not, for want of room; nor can room be
#: made for it.
ROOM, FULL, STUCK = 0, 1, 2
#: What `owner` says: nobody's yet, a thread's own with all below it, or common to all.
FREE, OWNED, TRUNK = 0, 1, 2
#: More visits than this a node cannot count.
MAX_VISITS = 2**32 - 1
#: The smallest block; a smaller one wastes less room, but makes longer chains.
FIRST_BLOCK = 2


def node_dtype(*columns: tuple[str, str]) -> np.dtype[Any]:
    """The dtype of a node: the base columns, and those that policies declare.

    These come second: Numba takes a record that only begins like another for a kind of
    it, and warns.
    """
    base = [
        ("visits", "u4"),
        ("action", "i4"),
        ("first_child", "i4"),
        ("link", "i4"),
        ("num_children", "i2"),
        ("num_legal", "i2"),
        ("proof_plies", "i2"),
        ("proven", "i1"),
        ("owner", "i1"),
    ]
    widest_first = sorted(columns, key=lambda c: -np.dtype(c[1]).itemsize)
    return np.dtype([("value_sum", "f8"), *widest_first, *base], align=True)


class TableColumns:
    """What the rows have besides where nodes are found by a table (see `table`)."""

    columns: tuple[tuple[str, str], ...] = (
        ("key", "u8"),  # of a node: its hash
        ("next", "i4"),  # of a node: the next in its chain plus 1, or 0
    )


class GraphColumns(TableColumns):
    """What the rows of a graph have besides (see `graph`)."""

    columns = (
        *TableColumns.columns,
        ("own_sum", "f8"),  # of a node: U, for `frame`
        ("own_visits", "u4"),
        ("target", "i4"),  # of an edge: its node plus 1, or 0
        ("frame", "i1"),  # of a node: whom its value is for
    )


INFO_DTYPE = np.dtype(
    [
        ("num_nodes", "i8"),
        ("capacity", "i8"),
        ("max_depth", "i8"),
        ("full", "i8"),  # `ROOM`, `FULL` or `STUCK`
        ("root_mover", "i8"),
    ]
)


@dataclass(frozen=True)
class Tree(Compiled):
    """A search tree.

    Attributes:
        nodes: `[C]` rows of `node_dtype()`.
        info: `[1]` row: `num_nodes`, `capacity`, `max_depth`, `full`, `root_mover`.
        blank: `[1]` row of `node_dtype()`: an unvisited leaf.
    """

    nodes: Rows
    info: Rows
    blank: Rows

    interpreted_methods = frozenset(
        {
            "capacity",
            "children",
            "clear",
            "copy_below",
            "entry",
            "num_bytes",
            "num_nodes",
            "subtree",
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
        dtype = node_dtype() if dtype is None else dtype
        tree = cls(Rows(reserve(capacity, dtype)), Rows(info), Rows(_blank(dtype)))
        tree.clear(0)
        return tree

    def clear(self, root_mover: int) -> None:
        """Make it a tree of one unvisited root."""
        info = self.info[0]
        info.num_nodes = 1
        info.max_depth = 0
        info.full = ROOM
        info.root_mover = root_mover
        clear_nodes(self, ROOT, 1)

    @property
    def num_nodes(self) -> int:
        """Nodes in use, the room in blocks included."""
        return int(self.info.array["num_nodes"][0])

    @property
    def visits(self) -> int:
        """Simulations that the root has seen."""
        return int(self.nodes.array["visits"][ROOT])

    @property
    def capacity(self) -> int:
        return int(self.info.array["capacity"][0])

    @property
    def num_bytes(self) -> int:
        """Memory that the nodes in use take."""
        return self.num_nodes * self.nodes.array.dtype.itemsize

    def children(self, node: int) -> NDArray[np.int64]:
        """The numbers of a node's children, in the order they were made."""
        nodes = self.nodes.array
        count, block = int(nodes["num_children"][node]), int(nodes["first_child"][node])
        links = nodes["link"]
        found: list[int] = []
        while len(found) < count:
            found += range(block, block + block_size(len(found), count))
            block = int(links[block])
        return np.array(found, dtype=np.int64)

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

    def copy_below(self, node: int, capacity: int, most: int) -> Tree | None:
        """The same, where it has so many nodes at most; else None."""
        kept = Tree.reserve(capacity, self.nodes.array.dtype)
        info = kept.info[0]
        info.root_mover, info.capacity = self.info[0].root_mover, most
        _copier(self.nodes.array.dtype)(self, kept, node)
        info.capacity = capacity
        return None if info.full else kept


@functools.lru_cache(maxsize=16)
def _copier(dtype: np.dtype[Any]) -> Callable[..., None]:
    """`copy_subtree`, compiled; looked up once, for it is needed after every move."""
    tree = Tree.reserve(1, dtype)
    return copy_subtree.compile(tree, tree, ROOT)


def _blank(dtype: np.dtype[Any]) -> NDArray[np.void]:
    """One row: a node as it is when it is made; columns of policies are zero."""
    row = np.zeros(1, dtype=dtype)
    row["first_child"] = row["link"] = NO_NODE
    row["num_legal"] = UNKNOWN
    return row


# -- compiled with the search ----------------------------------------------------------


def block_size(before: int, in_all: int) -> int:
    """The size of a block when `before` children have room already, of `in_all`.

    For all that are legal, the room that is reserved; for all that were made, how many
    of them stand in the block.

    >>> sizes, room = [], 0
    >>> while room < 40:
    ...     sizes.append(block_size(room, 40))
    ...     room += sizes[-1]
    >>> sizes
    [2, 2, 2, 3, 4, 6, 9, 12]
    """
    return min(max(FIRST_BLOCK, before // 2), in_all - before)


def clear_nodes(tree: Any, first: int, count: int) -> None:
    """Make nodes unvisited leaves. Modified in place."""
    blank = tree.blank[0]
    for index in range(first, first + count):
        tree.nodes[index] = blank


def has_room(tree: Any, count: int) -> bool:
    """Whether so many nodes can be made; if not, the tree is marked as full."""
    info = tree.info[0]
    if info.num_nodes + count <= info.capacity:
        return True
    if info.full == ROOM:
        info.full = FULL
    return False


def allocate(tree: Any, count: int) -> int:
    """The first of `count` new nodes, or `NO_NODE` where there is no room."""
    info = tree.info[0]
    first = info.num_nodes
    if not has_room(tree, count):
        return NO_NODE
    info.num_nodes = first + count
    clear_nodes(tree, first, count)
    return first


def list_children(tree: Any, node: int, buffer: Any) -> int:
    """Write the numbers of a node's children; returns how many."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = block_size(done, count)
        for offset in range(size):
            buffer[done + offset] = block + offset
        block = nodes[block].link
        done += size
    return int(count)


def find_child(tree: Any, node: int, action: int) -> int:
    """The child for an action, or `NO_NODE` if there is none yet."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = block_size(done, count)
        for child in range(block, block + size):
            if nodes[child].action == action:
                return child
        block = nodes[block].link
        done += size
    return NO_NODE


def last_child(tree: Any, node: int) -> int:
    """The child made last, of a node that has some."""
    nodes = tree.nodes
    row = nodes[node]
    block = row.first_child
    before = 0
    size = block_size(0, row.num_legal)
    while row.num_children > before + size:
        before += size
        block = nodes[block].link
        size = block_size(before, row.num_legal)
    return int(block + row.num_children - before - 1)


def all_closed(tree: Any, node: int) -> bool:
    """Whether no child may be entered any more."""
    nodes = tree.nodes
    row = nodes[node]
    block = row.first_child
    done = 0
    while done < row.num_children:
        size = block_size(done, row.num_children)
        for child in range(block, block + size):
            if not nodes[child].proven & CLOSED:
                return False
        block = nodes[block].link
        done += size
    return True


def add_child(tree: Any, node: int, action: int) -> int:
    """Make one more child of a node; its number, or `NO_NODE` without room."""
    child, _ = room_for_children(tree, node)
    if child != NO_NODE:
        tree.nodes[child].action = action
        tree.nodes[node].num_children += 1
    return int(child)


def room_for_children(tree: Any, node: int) -> tuple[int, int]:
    """Where the next children of a node are to stand: the first, and how many can.

    That is what is left of the last block, or a new one; `NO_NODE` without room.
    """
    nodes = tree.nodes
    parent = nodes[node]
    count = parent.num_children
    legal = parent.num_legal
    before = 0
    last = NO_NODE
    block = parent.first_child
    size = block_size(0, legal)
    while count >= before + size:
        before += size
        last = block
        block = nodes[block].link
        size = block_size(before, legal)
    if count == before:
        block = allocate(tree, size)
        if block == NO_NODE:
            return NO_NODE, 0
        if last == NO_NODE:
            parent.first_child = block
        else:
            nodes[last].link = block
    return block + count - before, before + size - count


@kernel
def copy_subtree(old: Any, new: Any, node: int) -> None:
    """Copy breadth first; the copies not yet followed are the queue (Cheney 1970).

    Where the new tree has no room for all, it ends, and the new one is marked as full.
    """
    new.nodes[ROOT] = old.nodes[node]
    new.nodes[ROOT].link = NO_NODE
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
            size = block_size(room, parent.num_legal)
            copy = allocate(new, size)
            if copy == NO_NODE:
                return
            for offset in range(size):
                new.nodes[copy + offset] = old.nodes[block + offset]
            if last == NO_NODE:
                parent.first_child = copy
            else:
                new.nodes[last].link = copy
            last = copy
            room += size
            block = old.nodes[block].link
        scanned += 1
