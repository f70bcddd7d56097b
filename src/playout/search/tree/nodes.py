"""The tree: one array of nodes, and a few numbers.

A node is one row of `node_dtype()`; its number never changes. Dimensions: `[C]` nodes
are reserved, of which the first `num_nodes` are in use (some as room to grow).

| column         | type | meaning                                                        |
|----------------|------|----------------------------------------------------------------|
| `value_sum`    | f8   | W: sum of returns, *for the player who moved into the node*    |
| `visits`       | u4   | N: simulations that passed through                             |
| `owner`        | i1   | whether a thread owns it (see `shared_tree`)                   |
| `first_child`  | i4   | first node of the first block of children; `NO_NODE` if none   |
| `link`         | u2   | half of where the next block of siblings begins: the low one   |
|                |      | in a block's first node, the high one in its second            |
| `action`       | A    | the action that leads here from the parent                     |
| `num_children` | A    | how many children were made                                    |
| `num_legal`    | A    | how many may be made; `UNKNOWN` until asked, 0 at a game's end |
| `proof_plies`  | i2   | actions from a proven node to the end (see `solver`)           |
| `proven`       | i1   | what the solver knows (see `score_bounds`)                     |

A is the narrowest of i1, i2 and i4 that counts the game's actions. A search that proves
nothing has no room for `proven` and `proof_plies`: they read the byte of `owner`, which
has bits of its own.

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

__all__ = ["NO_NODE", "PROOF_COLUMNS", "ROOT", "node_dtype"]

ROOT = 0


NO_NODE = -1


UNKNOWN = -1


#: The bits of `proven` that tell what is proven (see `score_bounds`).
BOUNDS = 15


#: The bit of `proven` of a node that may not be entered; that of a root below which all
#: nodes are closed.
CLOSED, EXHAUSTED = 16, 32


#: Values of `full`: nodes can be made; one could not be made, as there was no room; no
#: room can be made either.
ROOM, FULL, STUCK = 0, 1, 2


#: Values of `owner`: free; owned by one thread, with all below it; common to all. Read
#: as `proven` they say nothing.
FREE, OWNED, TRUNK = 0, 64, -128


#: More visits than this a node cannot count.
MAX_VISITS = 2**32 - 1


#: The most actions whose numbers and counts take two bytes.
TWO_BYTES = 2**15 - 1

#: The columns of a search that may prove something.
PROOF_COLUMNS = (("proof_plies", "i2"), ("proven", "i1"))


def node_dtype(
    *columns: tuple[str, str], num_actions: int = TWO_BYTES
) -> np.dtype[Any]:
    """The dtype of a node, as narrow as can be.

    The columns that policies declare come second: Numba takes a record whose first
    fields are those of another for a subtype of it, and warns.

    Args:
        columns: what policies declare; `PROOF_COLUMNS` where something may be proven.
        num_actions: of the game.
    """
    action = "i1" if num_actions < 2**7 else "i2" if num_actions <= TWO_BYTES else "i4"
    base = [
        ("visits", "u4"),
        ("owner", "i1"),
        ("first_child", "i4"),
        ("link", "u2"),
        ("action", action),
        ("num_children", action),
        ("num_legal", action),
    ]
    widest_first = sorted(columns, key=lambda c: -np.dtype(c[1]).itemsize)
    packed = np.dtype([("value_sum", "f8"), *widest_first, *base])
    assert packed.fields is not None
    places = {name: name for name in packed.fields}
    for name, _ in PROOF_COLUMNS:
        places.setdefault(name, "owner")
    return np.dtype(
        {
            "names": list(places),
            "formats": [packed[place] for place in places.values()],
            "offsets": [packed.fields[place][1] for place in places.values()],
            "itemsize": packed.itemsize,
        }
    )


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
        *PROOF_COLUMNS,
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
    row["first_child"] = NO_NODE
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
