"""What solvers have in common: what the driver asks of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import UsageError
from ...games.contract.game import Game, State
from ...games.contract.units import declared_range
from ..policy import Policy
from ..tree.nodes import PROOF_COLUMNS, NodeTable
from ..tree.tree import Tree
from ..work import Work

__all__ = ["Solver", "Unsolved", "expect_provable"]


class Solver(Policy):
    """Base of solvers: what a finished game proves of the nodes above it."""

    columns: ClassVar[tuple[tuple[str, str], ...]] = PROOF_COLUMNS

    interpreted_methods = Policy.interpreted_methods | {"check", "reroot"}

    def check(self, game: Game) -> None:
        """Complain about a game that this solver cannot judge.

        Raises:
            UsageError: the game is of another kind.
        """

    def reroot(self, tree: Tree) -> None:
        """Adapt what is proven of a node that has become the root."""

    def ends(self, game: Game, state: State) -> bool:
        """Whether a leaf's state is an end of the game to learn from."""
        raise NotImplementedError

    def learn(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        """Note `work.returns` as the exact values of the node `work.path[depth]`.

        What that proves of the nodes above is for `propagate`, which keeps other
        threads from what they may read.
        """
        raise NotImplementedError

    def propagate(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        """Update the nodes above `work.path[depth]` by what that now proves.

        A node is written to between `work.begin_proof` and `work.end_proof` of its
        depth. So override `improve`, or keep to that.
        """
        index, goes_on = depth - 1, True
        while index >= 0 and goes_on and work.begin_proof(index):
            goes_on = self.improve(game, tree, work, index)
            work.end_proof(index)
            index -= 1

    def improve(self, game: Game, tree: NodeTable, work: Work, index: int) -> bool:
        """Take over what the children of `work.path[index]` prove; whether any did."""
        return False

    def knows(self, game: Game, tree: NodeTable, node: int) -> bool:
        """Whether simulations that come to this node end there, by `recall`."""
        return False

    def recall(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        """Write the exact values of the node `work.path[depth]` to `work.returns`."""
        return


@dataclass(frozen=True)
class Unsolved(Solver):
    """Proves nothing."""

    columns: ClassVar[tuple[tuple[str, str], ...]] = ()

    def ends(self, game: Game, state: State) -> bool:
        return False

    def learn(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        return


def expect_provable(
    solver: Solver, game: Game, instead: str = "Unsolved() is for all"
) -> None:
    """Complain about a game of which bounds on values can prove nothing.

    What is proven of one state says nothing of others that look the same, and without
    a largest return nothing is known to be the best.

    Args:
        solver: that is to prove something.
        game: the game.
        instead: what people are told to take.

    Raises:
        UsageError: the game has hidden information, rewards before the end, or returns
            without bounds.
    """
    if declared_range(game) is None:
        raise UsageError(
            f"{type(solver).__name__} proves nothing where returns have no bounds "
            f"(return_range = None), as in {type(game).__name__}; {instead}"
        )
    if game.has_rewards:
        raise UsageError(
            f"{type(solver).__name__} proves the results of games, not sums of rewards "
            f"before the end, as in {type(game).__name__}; {instead}"
        )
    if game.has_hidden:
        raise UsageError(
            f"{type(solver).__name__} proves nothing where information is hidden, as "
            f"in {type(game).__name__}; {instead}"
        )
