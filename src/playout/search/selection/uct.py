"""UCT: upper confidence bounds applied to trees."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.rows import Row
from .base import Selection, expect_at_least
from .logarithms import inverse_root, root_of_log

__all__ = ["UCT"]


@dataclass(frozen=True)
class UCT(Selection):
    """UCB1 applied to trees: `W/n + c_uct * sqrt(ln N / n)`.

    Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning", ECML 2006, section 2.2;
    first-play urgency: Gelly and Wang, "Exploration Exploitation in Go: UCT for
    Monte-Carlo Go", NIPS workshop 2006, section 3.3.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of returns in [-1, 1]
            (twice what it would be for win rates in [0, 1]).
        first_play: the score of a child without visits; the default, infinity, takes
            every child once before any is taken twice. It matters where selection says
            when a child is visited first: with `LikeliestFirst()`, and with
            `AllChildren(visit_all=False)`.

    >>> from types import SimpleNamespace as Row
    >>> uct = UCT(c_uct=1.0)
    >>> term = uct.parent_term(Row(visits=100))
    >>> round(uct.score(Row(visits=10, value_sum=5.0), term), 6)
    1.178614
    """

    c_uct: float = 1.0
    first_play: float = math.inf

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_uct=self.c_uct)
        if math.isnan(self.first_play):
            raise UsageError("first_play must be a number, not nan")
        object.__setattr__(self, "c_uct", float(self.c_uct))
        object.__setattr__(self, "first_play", float(self.first_play))

    def parent_term(self, parent: Row) -> float:
        return self.c_uct * root_of_log(parent.visits)

    def score(self, child: Row, parent_term: float) -> float:
        root = inverse_root(child.visits)
        return (child.value_sum * root + parent_term) * root

    def steepness(self, child: Row) -> float:
        return inverse_root(child.visits)

    def first_score(self, child: Row, parent_term: float) -> float:
        return self.first_play

    def untried_score(self, prior: float, parent_term: float) -> float:
        return self.first_play
