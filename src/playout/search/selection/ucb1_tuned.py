"""UCB1-Tuned: an upper confidence bound that measures the variance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.jit.rows import Row
from ..tree.nodes import NodeTable
from ..work import Work
from .base import Selection, expect_at_least
from .logarithms import root_of_log

__all__ = ["UCB1Tuned"]


@dataclass(frozen=True)
class UCB1Tuned(Selection):
    """UCB1 that explores less where results vary little.

    `W/n + c_tuned * sqrt(ln N / n * min(1, V))` with `V = S/n - (W/n)^2 + 4 sqrt(2 ln N
    / n)` and S the sum of squared returns: the formula of Auer, Cesa-Bianchi, Fischer,
    "Finite-time Analysis of the Multiarmed Bandit Problem", Machine Learning 47, 2002,
    section 4, brought from rewards in [0, 1] to returns in [-1, 1], whose variance is
    four times as large: their 1/4 is our 1. S counts results before any discount.

    Attributes:
        c_tuned: factor of the exploration term, at least 0; 1 is the paper's.

    >>> from types import SimpleNamespace as Row
    >>> tuned = UCB1Tuned()
    >>> term = tuned.parent_term(Row(visits=10**6))
    >>> child = Row(visits=5000, value_sum=0.0, sum_of_squares=50.0)
    >>> round(tuned.score(child, term), 6)
    0.029142
    """

    c_tuned: float = 1.0

    columns = (("sum_of_squares", "f8"),)
    counts_own_results = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_tuned=self.c_tuned)
        object.__setattr__(self, "c_tuned", float(self.c_tuned))

    def parent_term(self, parent: Row) -> float:
        return root_of_log(parent.visits) ** 2

    def score(self, child: Row, parent_term: float) -> float:
        mean = child.value_sum / child.visits
        spread = parent_term / child.visits
        variance = max(0.0, child.sum_of_squares / child.visits - mean * mean)
        most = min(1.0, variance + 4.0 * math.sqrt(2.0 * spread))
        return mean + self.c_tuned * math.sqrt(spread * most)

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        for index in range(depth + 1):
            step = work.path[index]
            result = work.returns[step.mover]
            tree.nodes[step.node].sum_of_squares += result * result
