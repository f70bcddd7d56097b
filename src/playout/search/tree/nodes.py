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
|                | u1   | or a quarter of it in each of its first four nodes             |
|                | i4   | or, where blocks may have one node, all of it in the first     |
| `action`       | A    | the action that leads here from the parent                     |
| `num_children` | A    | how many children were made                                    |
| `num_legal`    | A    | how many may be made, 0 at a game's end; until it was asked    |
|                |      | the highest number of its type, which no count reaches         |
| `proof_plies`  | i2   | actions from a proven node to the end (see `solver`)           |
| `proven`       | i1   | what the solver knows (see `score_bounds`)                     |

A is the narrowest of u1, i2 and i4 that counts the game's actions. All numbers are read
as those of 64 bits with a sign (`WideRows`): a policy's `-child.action` is below 0.
A search that proves nothing has no room for `proven` and `proof_plies`: they read the
byte of `owner`, which has bits of its own.

Children stand in blocks of `block_size` nodes side by side; most expansions make one
only when it is visited, and what is never made takes no room. A block is about half as
large as all before it, so that little room is wasted and nothing is ever moved.
A block has as many nodes as its link has parts, at least. Where an expansion keeps
`LATER_PRIOR`, a block has one node up to the 32nd child, then a sixteenth of all before.

The root is node 0; the player who moved into it is the one who made the last move
(`root_mover`); with more players or fewer, the one whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import Compiled
from ...core.jit.rows import Rows
from ...core.jit.wide_rows import WideRows

__all__ = ["NO_NODE", "PROOF_COLUMNS", "ROOT", "node_dtype"]

ROOT = 0


NO_NODE = -1


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


#: The most actions whose numbers and counts take two bytes. One count more says that it
#: is not known.
TWO_BYTES = 2**15 - 2

#: The columns of a search that may prove something.
PROOF_COLUMNS = (("proof_plies", "i2"), ("proven", "i1"))

#: The type of a column that holds an action, or counts them: as wide as `action`.
AS_ACTION = "action"

#: A column without room of its own: it stands in `link`, until a block follows. Trees
#: that have it begin with blocks of one node.
LATER_PRIOR = ("later_prior", "f2")

#: One that is `link` itself, for expansions that make four children at a time, or more:
#: blocks have so many nodes, and each of the first four a quarter of the link.
QUARTERS = ("quarter", "u1")


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
    kinds = ("u1", "i2", "i4")  # of which the highest number is no count
    action = next(kind for kind in kinds if num_actions < np.iinfo(kind).max)
    link = "i4" if LATER_PRIOR in columns else "u1" if QUARTERS in columns else "u2"
    base = [
        ("visits", "u4"),
        ("owner", "i1"),
        ("first_child", "i4"),
        ("link", link),
        ("action", action),
        ("num_children", action),
        ("num_legal", action),
    ]
    own = [
        (name, action if kind == AS_ACTION else kind)
        for name, kind in columns
        if (name, kind) not in (LATER_PRIOR, QUARTERS)
    ]
    widest_first = sorted(own, key=lambda c: -np.dtype(c[1]).itemsize)
    packed = np.dtype([("value_sum", "f8"), *widest_first, *base])
    assert packed.fields is not None
    fields = dict(packed.fields)
    for name, _ in PROOF_COLUMNS:
        fields.setdefault(name, fields["owner"])
    for name, kind in (LATER_PRIOR, QUARTERS):
        if (name, kind) in columns:
            fields[name] = np.dtype(kind), fields["link"][1]
    return np.dtype(
        {
            "names": list(fields),
            "formats": [kind for kind, *_ in fields.values()],
            "offsets": [offset for _, offset, *_ in fields.values()],
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
    row["num_legal"] = np.iinfo(dtype["num_legal"]).max
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

    nodes: WideRows
    info: Rows
    blank: WideRows
