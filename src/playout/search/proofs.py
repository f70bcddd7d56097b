"""What solvers have in common: bounds on a node's exact value, and the contract.

A bound is -1, 0 or 1; both together take four bits, and 0 says nothing:

| bits | meaning         |
|------|-----------------|
| 0, 1 | lower bound + 1 |
| 2, 3 | 1 - upper bound |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.errors import UsageError
from ..games.game import Game
from .policy import Policy

__all__ = [
    "Solver",
    "Unsolved",
    "bounds",
    "expect_nothing_hidden",
    "is_proven",
    "lower_of",
    "plies_to_end",
    "upper_of",
]


def lower_of(proven: Any) -> Any:
    """The lower bound: -1, 0 or 1."""
    return (proven & 3) - 1


def upper_of(proven: Any) -> Any:
    """The upper bound: -1, 0 or 1."""
    return 1 - ((proven >> 2) & 3)


def is_proven(proven: Any) -> bool:
    """Whether the bounds are equal.

    >>> is_proven(0), is_proven(bounds(0, 1)), is_proven(bounds(1, 1))
    (False, False, True)
    """
    return (proven & 3) + ((proven >> 2) & 3) == 2


def bounds(lower: int, upper: int) -> int:
    """Both as the column `proven` holds them.

    >>> [(lower_of(b), upper_of(b)) for b in (0, bounds(-1, 0), bounds(1, 1))]
    [(-1, 1), (-1, 0), (1, 1)]
    """
    return (lower + 1) | (1 - upper) << 2


class Solver(Policy):
    """Base of solvers: what a finished game proves of the nodes above it."""

    interpreted_methods = Policy.interpreted_methods | {"check", "reroot"}

    def check(self, game: Game) -> None:
        """Complain about a game that this solver cannot judge.

        Raises:
            UsageError: the game is of another kind.
        """

    def reroot(self, tree: Any) -> None:
        """Make what is known of a node true of the root that it has become."""

    def ends(self, game: Any, state: Any) -> bool:
        """Whether a leaf's state is an end of the game to learn from."""
        raise NotImplementedError

    def learn(self, game: Any, tree: Any, work: Any, depth: int) -> None:
        """Note `work.returns` as the exact values of the node `work.path[depth]`."""
        raise NotImplementedError

    def rise(self, game: Any, tree: Any, work: Any, depth: int) -> None:
        """Have the nodes above `work.path[depth]` follow from what that now proves."""
        index = depth - 1
        while index >= 0 and self.improve(game, tree, work, index):
            index -= 1

    def improve(self, game: Any, tree: Any, work: Any, index: int) -> bool:
        """Take over what the children of `work.path[index]` prove; whether any did."""
        return False

    def knows(self, game: Any, tree: Any, node: int) -> bool:
        """Whether simulations that come to this node end there, by `recall`."""
        return False

    def recall(self, game: Any, tree: Any, work: Any, depth: int) -> None:
        """Write the exact values of the node `work.path[depth]` to `work.returns`."""
        return


@dataclass(frozen=True)
class Unsolved(Solver):
    """Proves nothing."""

    def ends(self, game: Any, state: Any) -> bool:
        return False

    def learn(self, game: Any, tree: Any, work: Any, depth: int) -> None:
        return


def plies_to_end(tree: Any, children: Any, count: int, value: int) -> int:
    """The actions left when the one who chooses among proven children gets `value`."""
    fewest, most = 2**15, 0
    for i in range(count):
        child = tree.nodes[children[i]]
        if lower_of(child.proven) == value:  # then its upper bound is no higher
            fewest = min(fewest, child.proof_plies)
            most = max(most, child.proof_plies)
    return min(1 + (fewest if value > 0 else most), 2**15 - 1)


def expect_nothing_hidden(solver: Solver, game: Game) -> None:
    """What is proven of one state says nothing of others that look the same.

    Raises:
        UsageError: the game has hidden information.
    """
    if game.has_hidden:
        raise UsageError(
            f"{type(solver).__name__} proves nothing where information is hidden, as "
            f"in {type(game).__name__}; Unsolved() is for all"
        )
