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
| `owner`        | i1   | whether a thread owns it (see `shared_tree`)                   |

Children stand side by side in blocks; most expansions make one only when it is visited,
and what is never made takes no room. A block holds
`block_size` nodes, about half of those before it, so that little room is wasted and
nothing is ever moved. The root is node 0; the player who moved into it is the one who
made the last move (`root_mover`); with more players or fewer, the one whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import Compiled
from ...core.jit.rows import Rows

__all__ = ["NO_NODE", "ROOT", "node_dtype"]

ROOT = 0


NO_NODE = -1


UNKNOWN = -1


#: The bit of `proven` of a node that may not be entered; that of a root below which all
#: nodes are closed.
CLOSED, EXHAUSTED = 16, 32


#: Values of `full`: nodes can be made; one could not be made, as there was no room; no
#: room can be made either.
ROOM, FULL, STUCK = 0, 1, 2


#: Values of `owner`: free; owned by one thread, with all below it; common to all.
FREE, OWNED, TRUNK = 0, 1, 2


#: More visits than this a node cannot count.
MAX_VISITS = 2**32 - 1


def node_dtype(*columns: tuple[str, str]) -> np.dtype[Any]:
    """The dtype of a node: the base columns, and those that policies declare.

    These come second: Numba takes a record whose first fields are those of another for a
    subtype of it, and warns.
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
    """What the rows have besides where nodes are found by a table (see `hash_index`)."""

    columns: tuple[tuple[str, str], ...] = (
        ("key", "u8"),  # of a node: its hash
        ("next", "i4"),  # of a node: the next in its chain plus 1, or 0
    )


class GraphColumns(TableColumns):
    """What the rows of a graph have besides (see `transpositions`)."""

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
        ("low", "f8"),  # the returns that -1 and 1 stand for, to people
        ("high", "f8"),
    ]
)


def _blank(dtype: np.dtype[Any]) -> NDArray[np.void]:
    """One row: a node as it is when it is made; columns of policies are zero."""
    row = np.zeros(1, dtype=dtype)
    row["first_child"] = row["link"] = NO_NODE
    row["num_legal"] = UNKNOWN
    return row


@dataclass(frozen=True)
class NodeTable(Compiled):
    """The rows of a tree, as compiled functions see it; `Tree` is what people have.

    Attributes:
        nodes: `[C]` rows of `node_dtype()`.
        info: `[1]` row: `num_nodes`, `capacity`, `max_depth`, `full`, `root_mover`,
            `low`, `high`.
        blank: `[1]` row of `node_dtype()`: an unvisited leaf.
    """

    nodes: Rows
    info: Rows
    blank: Rows
