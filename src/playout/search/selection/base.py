"""Selection: which child a simulation goes on to."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from ...core.errors import UsageError
from ...core.jit.bits import likely
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..choice import Choice
from ..expansion.base import Expansion
from ..expansion.one_child import RandomChild
from ..policy import Policy
from ..tree.children import block_size, next_block
from ..tree.nodes import CLOSED, NodeTable
from ..work import Work

__all__ = ["Selection"]


class Selection(Policy):
    """Base of selection policies: write `score`, and `parent_term` if it helps.

    Attributes:
        counts_own_results: whether a column counts the results of simulations through a
            child, to be compared with its mean; with transpositions that comes from
            results of others as well.
    """

    counts_own_results: ClassVar[bool] = False

    interpreted_methods = Policy.interpreted_methods | {
        "check_expansion",
        "counts_own_results",
        "plan",
        "usual_choice",
        "usual_expansion",
    }

    def usual_expansion(self) -> Expansion:
        """The expansion that suits this policy, where none is asked for."""
        return RandomChild()

    def usual_choice(self) -> Choice | None:
        """The choice that suits this policy; None for what suits the game."""
        return None

    def check_expansion(self, expansion: Expansion) -> None:
        """Complain about an expansion that this policy cannot work with.

        Raises:
            UsageError: says which it takes.
        """

    def plan(self, tables: Any, simulations: int | None) -> None:
        """Get ready for a search; its tables are modified in place.

        Args:
            tables: what this policy keeps.
            simulations: that a tree is to have, or None where that is not known.
        """

    def expect_limit(self, simulations: int | None) -> None:
        """Complain of a limit by which this policy cannot search.

        Args:
            simulations: that a search is to have, or None where that is not known.

        Raises:
            UsageError: it has to be known.
        """

    def parent_term(self, parent: Row) -> float:
        """What the scores of all children of a node share, computed once a visit."""
        return 0.0

    def score(self, child: Row, parent_term: float) -> float:
        """The score of a visited child, a row of the tree; the highest is taken."""
        raise NotImplementedError

    def first_score(self, child: Row, parent_term: float) -> float:
        """The score of a child without visits."""
        return math.inf

    def untried_score(self, prior: float, parent_term: float) -> float:
        """The score of an action without a child, by its share of the sum of priors.

        Asked by `LikeliestFirst`; it should be what `first_score` says of the child.
        """
        return math.inf

    def steepness(self, child: Row) -> float:
        """How much the score of a child rises at most where `parent_term` rises by 1.

        It is what allows selection to look at few children (see `leads`): where their
        columns are the same and `parent_term` has become t larger, which it does by
        visits, no score may have risen by more than t times this. A policy without this
        method, or with a `score` of its own below it, is asked about all children.
        """
        return math.inf

    def note_available(self, child: Row) -> None:
        """Count that a child could have been taken, in games of hidden information.

        It is told of every child whose action was legal, the one taken too, after
        `select`. The row may be modified.
        """
        return

    def single_observer(self) -> bool:
        """Whether all players decide by what the one at the root knows.

        Asked in games of hidden information; see `information_sets`.
        """
        return False

    def select(
        self, game: Game, tree: NodeTable, node: int, work: Work, depth: int
    ) -> int:
        """The child to go on to, of the node `work.path[depth].place`."""
        return int(work.leads.best_child(self, tree, node))

    def best_child(self, tree: NodeTable, node: int) -> int:
        """The child with the highest score."""
        nodes = tree.nodes
        parent = nodes[node]
        term = self.parent_term(parent)
        count = parent.num_children
        block = parent.first_child
        best, top = block, -math.inf  # a score of NaN is never the best
        done = 0
        while done < count:
            size = block_size(nodes, done, count)
            child, end = block, block + size
            while True:  # one at least; a range would test that, and is 4 % slower
                row = nodes[child]
                if row.visits == 0:
                    score = self.first_score(row, term)
                    if score == math.inf:
                        return child
                else:
                    score = self.score(row, term)
                if score > top and likely(row.proven & CLOSED == 0):
                    best, top = child, score
                child += 1
                if child == end:
                    break
            done += size
            if done < count:
                block = next_block(nodes, block)
        return best


def expect_at_least(least: float, **values: float) -> None:
    """Complain about a parameter that is too small, infinite or no number.

    Raises:
        UsageError: names the parameter.
    """
    for name, value in values.items():
        if not (math.isfinite(value) and value >= least):
            raise UsageError(
                f"{name} must be a number of at least {least}, not {value}"
            )
