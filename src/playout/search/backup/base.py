"""Backup: what the nodes on the path learn from a result."""

from __future__ import annotations

from typing import ClassVar

from ...core.errors import UsageError
from ...games.contract.game import Game
from ..policy import Policy
from ..tree.nodes import NodeTable
from ..work import Work

__all__ = ["Backup"]


class Backup(Policy):
    """Base of backup policies.

    Attributes:
        splits: whether `update` may be called for the lower and for the upper part of a
            path apart, with the same `returns` and `plies`, one a little later than the
            other. Threads on one tree are faster where it may.
        adds_rewards: whether it is for games with rewards before the end, and adds
            them up.
    """

    splits: ClassVar[bool] = False
    adds_rewards: ClassVar[bool] = False

    def check(self, game: Game) -> None:
        if game.has_rewards != self.adds_rewards:
            name, own = game.name or type(game).__name__, type(self).__name__
            raise UsageError(
                f"{own} adds up rewards before the end, of which {name} has none"
                if self.adds_rewards
                else f"{name} has rewards before the end, which {own} does not add up; "
                "leave backup out, or take RewardSum()"
            )

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        """Record a result in the nodes `work.path[0 .. depth]`. Modified in place.

        `work.returns[p]` is the result for player p; `work.path[i].mover` is the player
        who moved into the node; the game ended `plies` actions after the root.
        """
        raise NotImplementedError
