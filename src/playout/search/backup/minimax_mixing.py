"""Backups that mix the mean of a node's returns with what its children say.

The mixed value, times the number of results, takes the place of their sum in
`value_sum`, so that selection, choice and result read it as the node's mean; the true
sum has a column of its own. The virtual losses that other threads add to `visits` and
`value_sum` do not change it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import UsageError
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..policy import expect_own
from ..selection.progressive_bias import value_after
from ..tree.children import block_size, next_block
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import Backup

__all__ = ["ImplicitMinimax", "MaxMix", "RobustMix"]


@dataclass(frozen=True)
class Mixing(Backup):
    """Base: write `mix`, which gives a node's new value.

    Attributes:
        weight: of what the children say, 0 to 1; the rest is the mean's.
    """

    weight: float = 0.5

    columns: ClassVar[tuple[tuple[str, str], ...]] = (
        ("return_sum", "f8"),
        ("mixed_sum", "f8"),
        ("num_returns", "u4"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.weight <= 1:
            raise UsageError(f"weight must be 0 to 1, not {self.weight}")
        object.__setattr__(self, "weight", float(self.weight))

    def check(self, game: Game) -> None:
        super().check(game)
        if game.num_players() != 2 or not game.zero_sum or game.has_chance:
            name = game.name or type(game).__name__
            raise UsageError(
                f"{type(self).__name__} is for games of two players whose returns add "
                f"up to 0, without chance; {name} is not one"
            )

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        nodes = tree.nodes
        for index in range(depth, -1, -1):
            step = work.path[index]
            row = nodes[step.node]
            row.visits += 1
            row.num_returns += 1
            row.return_sum += work.returns[step.mover]
            mean = row.return_sum / row.num_returns
            sign = 1.0
            if index < depth and work.path[index + 1].mover != step.mover:
                sign = -1.0
            mixed = row.num_returns * self.mix(tree, step.node, mean, sign)
            row.value_sum += mixed - row.mixed_sum
            row.mixed_sum = mixed

    def mix(self, tree: NodeTable, node: int, mean: float, sign: float) -> float:
        """The value of a node whose returns have this mean; -1 <= value <= 1.

        Args:
            tree: the tree; the node's children are up to date.
            node: the node.
            mean: of its returns, for the player who moved into it.
            sign: 1 if that player also chooses among the children, else -1.
        """
        raise NotImplementedError


@dataclass(frozen=True)
class ImplicitMinimax(Mixing):
    """`(1 - weight) * mean + weight * m`, m the minimax of `evaluate` in the tree.

    Lanctot, Winands, Pepels, Sturtevant, "Monte Carlo Tree Search with Heuristic
    Evaluations Using Implicit Minimax Backups", CIG 2014, section III. A new node's m
    is the game's `evaluate`, or its result; later the best m of its children.

    Attributes:
        weight: of the minimax value, 0 to 1; 0.4 was good in the paper.
    """

    weight: float = 0.4

    columns = (*Mixing.columns, ("minimax", "f4"))

    def check(self, game: Game) -> None:
        super().check(game)
        expect_own(self, game, "evaluate")

    def init_children(
        self,
        game: Game,
        tree: NodeTable,
        work: Work,
        depth: int,
        first: int,
        count: int,
    ) -> None:
        for child in range(first, first + count):
            row = tree.nodes[child]
            row.minimax = value_after(game, work, row.action)

    def mix(self, tree: NodeTable, node: int, mean: float, sign: float) -> float:
        nodes = tree.nodes
        row = nodes[node]
        best = -math.inf
        block = row.first_child
        done = 0
        while done < row.num_children:
            size = block_size(nodes, done, row.num_children)
            for child in range(block, block + size):
                best = max(best, nodes[child].minimax)
            done += size
            if done < row.num_children:
                block = next_block(nodes, block)
        if done > 0:
            row.minimax = sign * best
        return (1.0 - self.weight) * mean + self.weight * row.minimax


@dataclass(frozen=True)
class RobustMix(Mixing):
    """`(1 - weight) * mean + weight * v`, v the value of the most visited child.

    A compromise between the mean, which follows a good answer slowly, and the value of
    the best child, which follows a lucky one at once: Coulom, "Efficient Selectivity
    and Backup Operators in Monte-Carlo Tree Search", CG 2006, section 3. Of equally
    visited children the best counts.

    Attributes:
        weight: of the child's value, 0 to 1.
        robust_visits: a node with fewer visits has its mean, at least 1.
    """

    weight: float = 0.5
    robust_visits: int = 16

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.robust_visits < 1:
            raise UsageError(
                f"robust_visits must be at least 1, not {self.robust_visits}"
            )

    def mix(self, tree: NodeTable, node: int, mean: float, sign: float) -> float:
        row = tree.nodes[node]
        if row.num_children == 0 or row.num_returns < self.robust_visits:
            return mean
        child = tree.nodes[most_visited_child(tree, node)]
        if child.num_returns == 0:
            return mean
        value = sign * child.mixed_sum / child.num_returns
        return (1.0 - self.weight) * mean + self.weight * value


@dataclass(frozen=True)
class MaxMix(Mixing):
    """`(1 - weight) * mean + weight * v`, v the value of the best child to be trusted.

    It follows a good answer at once, and a lucky one too, the more so the lower
    `trusted_visits` is: the "max" backup of Coulom, "Efficient Selectivity and Backup
    Operators in Monte-Carlo Tree Search", CG 2006, section 3, held back by the mean.

    Attributes:
        weight: of the child's value, 0 to 1.
        trusted_visits: children with fewer visits do not count, at least 1; a node
            without any that count has its mean.
    """

    weight: float = 0.5
    trusted_visits: int = 32

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.trusted_visits < 1:
            raise UsageError(
                f"trusted_visits must be at least 1, not {self.trusted_visits}"
            )

    def mix(self, tree: NodeTable, node: int, mean: float, sign: float) -> float:
        nodes = tree.nodes
        row = nodes[node]
        best = -math.inf
        block = row.first_child
        done = 0
        while done < row.num_children:
            size = block_size(nodes, done, row.num_children)
            for number in range(block, block + size):
                child = nodes[number]
                if child.num_returns >= self.trusted_visits:
                    best = max(best, child.mixed_sum / child.num_returns)
            done += size
            if done < row.num_children:
                block = next_block(nodes, block)
        if best == -math.inf:
            return mean
        return (1.0 - self.weight) * mean + self.weight * sign * best


def most_visited_child(tree: NodeTable, node: int) -> int:
    """The most visited child; of equal ones that with the highest value."""
    nodes = tree.nodes
    row = nodes[node]
    best = NO_NODE
    block = row.first_child
    done = 0
    while done < row.num_children:
        size = block_size(nodes, done, row.num_children)
        for child in range(block, block + size):
            if best == NO_NODE or goes_before(nodes[child], nodes[best]):
                best = child
        done += size
        if done < row.num_children:
            block = next_block(nodes, block)
    return best


def goes_before(child: Row, other: Row) -> bool:
    """Whether a child has more visits, or as many and a higher value."""
    if child.num_returns != other.num_returns:
        return child.num_returns > other.num_returns
    return child.mixed_sum > other.mixed_sum
