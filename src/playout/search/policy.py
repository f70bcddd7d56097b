"""What all policies have in common: columns, tables, and what they are told.

A policy may keep what it learns in two places. *Columns* are fields of every node, kept
and copied with the tree; the node's dtype is composed from those of all policies, so
unused columns cost nothing. *Tables* belong to the search as a whole and are
forgotten with it (`MCTS.reset`); of several threads each has its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..core.errors import UsageError
from ..core.jit.compiled import Compiled
from ..games.contract.game import Game, has_own
from .tree.nodes import PROOF_COLUMNS, TWO_BYTES, NodeTable, node_dtype
from .work import Work

__all__ = [
    "NoTables",
    "Policy",
    "compose_columns",
    "expect_own",
]


@dataclass(frozen=True)
class NoTables(Compiled):
    """The tables of a policy that needs none."""


class Policy(Compiled):
    """Base of the policies that work on the tree.

    Attributes:
        columns: fields that every node gets for this policy: `(name, type)`, as in a
            NumPy dtype; zero in a new node.
        uses_actions: whether `update` reads in `work.path` which actions were played,
            in the tree and in the rollout.
    """

    columns: ClassVar[tuple[tuple[str, str], ...]] = ()
    uses_actions: ClassVar[bool] = False

    interpreted_methods = frozenset(
        {"check", "columns", "root_is_special", "table_bytes", "tables"}
    )

    @property
    def root_is_special(self) -> bool:
        """Whether a node is treated otherwise while it is the root.

        If so, no subtree is kept between moves, as its root was made as an inner node.
        """
        return False

    @property
    def table_bytes(self) -> int:
        """What its tables take for every thread, where that can be much."""
        return 0

    def check(self, game: Game) -> None:
        """Complain about a game that this policy cannot work with.

        Raises:
            UsageError: the game is of another kind, or lacks what the policy asks for.
        """

    def tables(self, game: Game) -> Compiled:
        """What the policy keeps besides columns: a `Compiled` of arrays, all zero.

        The driver hands it on as `work.selection_tables`, `work.rollout_tables` or
        `work.expansion_tables`.
        """
        return NoTables()

    def init_children(
        self,
        game: Game,
        tree: NodeTable,
        work: Work,
        depth: int,
        first: int,
        count: int,
    ) -> None:
        """Fill the columns of children just made of `work.path[depth].place`.

        They are the nodes `first .. first + count - 1`; the node's state is
        `work.states[CURRENT]` and must not be changed, `work.states[SCRATCH]` may.
        """
        return

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        """Learn from a result. Columns and tables are modified in place.

        Args:
            tree: the tree.
            work: `path[0 .. depth]` are the nodes that were taken, the places whose
                children came next, and who moved there; `returns[p]` is the result for
                player p; where `uses_actions` is true, `path[1 .. plies]` tell the
                actions from the root to the end, and who played them; `BY_CHANCE` is no
                action.
            depth: of the leaf.
            plies: actions from the root to the end of the game.
        """
        return


def expect_own(policy: Policy, game: Game, method: str) -> None:
    """Complain where a game lacks an optional method that a policy cannot do without.

    Raises:
        UsageError: names the policy, the game and the method.
    """
    if not has_own(game, method):
        name = game.name or type(game).__name__
        raise UsageError(
            f"{type(policy).__name__} needs a game that has {method}(), which {name} "
            "has not"
        )


def compose_columns(
    policies: Iterable[Any], num_actions: int = TWO_BYTES
) -> np.dtype[Any]:
    """The dtype of a node with the columns of all these policies, for so many actions.

    Raises:
        UsageError: two of them want a column of one name with different types.
    """
    columns: dict[str, str] = {}
    proof = dict(PROOF_COLUMNS)
    known = {*(node_dtype().names or ())} - {*proof}
    for policy in policies:
        for name, kind in getattr(policy, "columns", ()):
            other = columns.setdefault(name, proof.get(name, kind))
            if name in known or other != kind:
                where = "by every tree" if name in known else f"as {other}"
                raise UsageError(
                    f"{type(policy).__name__}: the column {name!r}, {kind}, is in use "
                    f"already, {where}: take another name, or declare both alike"
                )
    return node_dtype(*columns.items(), num_actions=num_actions)
