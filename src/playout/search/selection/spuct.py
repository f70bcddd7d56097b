"""Selection of single-player MCTS: UCT, and a term for how much results vary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ...core.jit.rows import Row
from ..tree.nodes import NodeTable
from ..work import Work
from .base import expect_at_least
from .logarithms import root_of_log
from .normalized_uct import LEAST_SPREAD, NormalizedUCT

__all__ = ["SPUCT"]


@dataclass(frozen=True)
class SPUCT(NormalizedUCT):
    """`W/n + c_uct h sqrt(ln N / n) + sqrt((S - W^2/n + deviation h^2) / n)`.

    Schadd, Winands, van den Herik, Chaslot, Uiterwijk, "Single-Player Monte-Carlo Tree
    Search", CG 2008, section 3.1. S is the sum of squared returns, so the last term is
    large where results vary, and for children that were seldom tried: in a game for one
    player a child with one good result among bad ones is worth exploring. Here h is
    half the range of the returns seen below the parent, as in `NormalizedUCT`, so that
    neither constant depends on the game's units; their C is c_uct h, and their D is
    deviation h^2.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of the stretched returns.
        first_play: as in `UCT`.
        deviation: at least 0; how uncertain a child is taken to be at first.

    >>> from types import SimpleNamespace as Row
    >>> parent = Row(visits=100, below=1.5, above=1.5)  # seen were -0.5 to 0.5
    >>> spuct = SPUCT(c_uct=1.0, deviation=0.4)
    >>> child = Row(visits=10, value_sum=1.0, sum_of_squares=0.5)
    >>> round(spuct.score(child, spuct.parent_term(parent)), 6)
    0.662914
    """

    c_uct: float = 0.05
    deviation: float = 0.02

    columns = (*NormalizedUCT.columns, ("sum_of_squares", "f8"))
    counts_own_results = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, deviation=self.deviation)
        object.__setattr__(self, "deviation", float(self.deviation))

    def parent_term(self, parent: Row) -> Any:
        half = 0.5 * max(parent.below + parent.above - 2.0, LEAST_SPREAD)
        return self.c_uct * half * root_of_log(parent.visits), half * half

    def score(self, child: Row, parent_term: Any) -> float:
        exploration, square = parent_term
        mean = child.value_sum / child.visits
        varied = max(0.0, child.sum_of_squares - mean * child.value_sum)
        spread = math.sqrt((varied + self.deviation * square) / child.visits)
        return mean + exploration / math.sqrt(child.visits) + spread

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        self.stretch(tree, work, depth)
        for index in range(depth + 1):
            step = work.path[index]
            result = work.returns[step.mover]
            tree.nodes[step.node].sum_of_squares += result * result
