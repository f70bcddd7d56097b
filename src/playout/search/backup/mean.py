"""Mean: a node's value is the mean of its returns."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import UsageError
from ..tree.nodes import NodeTable
from ..work import Work
from .base import Backup

__all__ = ["Mean"]


@dataclass(frozen=True)
class Mean(Backup):
    """Every node adds the return of the player who moved into it.

    Attributes:
        discount: how much nearer to 0 a result counts for every action until the end
            of the game, counted from the root; 0 to 1. It makes early wins and late
            losses preferable.
    """

    splits = True

    discount: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.discount <= 1:
            raise UsageError(f"discount must be 0 to 1, not {self.discount}")
        object.__setattr__(self, "discount", float(self.discount))

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        weight = max(0.0, 1.0 - self.discount * plies)
        nodes = tree.nodes
        for index in range(depth + 1):
            step = work.path[index]
            row = nodes[step.node]
            row.visits += 1
            row.value_sum += weight * work.returns[step.mover]
