"""RewardSum: a node's value is the mean of the rewards from its action on.

Kocsis and Szepesvari, "Bandit Based Monte-Carlo Planning", ECML 2006, figure 1: the
value of an action is its reward, and what comes after it times the discount factor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import UsageError
from ...games.contract.game import Game
from ..tree.nodes import NodeTable
from ..work import BY_CHANCE, Work
from .base import Backup

__all__ = ["RewardSum"]


@dataclass(frozen=True)
class RewardSum(Backup):
    """Rewards before the end, added up from the last action to the first.

    `G = r + gamma G'`: what an action brings is its reward, and what comes after it.
    Every node adds the G of the player who moved into it. Outcomes of chance take no
    time: what one brings counts as much as the action before it.

    Attributes:
        gamma: the discount factor, what a reward counts for one action earlier; above
            0, and 1 where all count the same.
    """

    adds_rewards: ClassVar[bool] = True
    uses_actions: ClassVar[bool] = True

    gamma: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.gamma <= 1:
            raise UsageError(f"gamma must be above 0 to 1, not {self.gamma}")
        object.__setattr__(self, "gamma", float(self.gamma))

    def check(self, game: Game) -> None:
        super().check(game)
        if game.has_hidden:
            name = game.name or type(game).__name__
            raise UsageError(
                f"{name} has hidden information and rewards before the end, which is "
                "not searched; give what is won at the end alone, has_rewards = False"
            )

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        """See `Backup.update`; `work.returns` becomes what is to come at the root."""
        returns, nodes = work.returns, tree.nodes
        weight = self.gamma
        for index in range(plies, -1, -1):
            step = work.path[index]
            if index > 0:
                for player in range(len(returns)):
                    returns[player] = step.rewards[player] + weight * returns[player]
                weight = 1.0 if step.action == BY_CHANCE else self.gamma
            if index <= depth:
                row = nodes[step.node]
                row.visits += 1
                row.value_sum += returns[step.mover]
