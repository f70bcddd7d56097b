"""Backups that go by the best result below a node, in games for one player.

A player who is alone can play the best line that was seen again, so a node is worth at
least its return, and the other simulations matter less. The value, times
the number of results, takes the place of their sum in `value_sum`, as in
`minimax_mixing`.

    Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search", CG
    2006, section 3, for "max" and for mixes of it with the mean; for one player, Schadd
    et al., "Single-Player Monte-Carlo Tree Search", CG 2008.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.errors import UsageError
from ...games.contract.game import Game
from ..best_line import expect_puzzle
from ..tree.nodes import NodeTable
from ..work import Work
from .base import Backup

__all__ = ["Max", "Mixed"]


class _ByBest(Backup):
    """Base: write `value`."""

    columns = (
        ("return_sum", "f8"),
        ("mixed_sum", "f8"),
        ("best_return", "f8"),
        ("num_returns", "u4"),
    )

    def check(self, game: Game) -> None:
        super().check(game)
        expect_puzzle(game, type(self).__name__)

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        nodes = tree.nodes
        result = work.returns[0]
        for index in range(depth + 1):
            row = nodes[work.path[index].node]
            row.visits += 1
            row.num_returns += 1
            row.return_sum += result
            if row.num_returns == 1 or result > row.best_return:
                row.best_return = result
            mean = row.return_sum / row.num_returns
            mixed = row.num_returns * self.value(mean, row.best_return)
            row.value_sum += mixed - row.mixed_sum
            row.mixed_sum = mixed

    def value(self, mean: float, best: float) -> float:
        """The value of a node whose returns have this mean and this best one."""
        raise NotImplementedError


@dataclass(frozen=True)
class Max(_ByBest):
    """A node is worth the best return that was seen below it.

    >>> Max().value(0.1, 0.9)
    0.9
    """

    def value(self, mean: float, best: float) -> float:
        return best


@dataclass(frozen=True)
class Mixed(_ByBest):
    """`alpha * mean + (1 - alpha) * best`.

    Attributes:
        alpha: the weight of the mean, 0 to 1.

    >>> Mixed(alpha=0.75).value(0.0, 1.0)
    0.25
    """

    alpha: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.alpha <= 1:
            raise UsageError(f"alpha must be 0 to 1, not {self.alpha}")
        object.__setattr__(self, "alpha", float(self.alpha))

    def value(self, mean: float, best: float) -> float:
        return self.alpha * mean + (1.0 - self.alpha) * best
