"""UCT whose returns are normalized by the lowest and highest that were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...core.jit.rows import Row
from ..tree.nodes import NodeTable
from ..work import Work
from .logarithms import root_of_log
from .uct import UCT

__all__ = ["NormalizedUCT"]

#: Where all results are equal, children still take turns.
LEAST_SPREAD = 1e-9


@dataclass(frozen=True)
class NormalizedUCT(UCT):
    """UCT on stretched returns: `W/n + c_uct * (b - a) / 2 * sqrt(ln N / n)`.

    Here a and b are the lowest and the highest return that simulations through the
    parent have brought to the one who chooses there. The order of the children is that
    of UCT with `2 (x - a) / (b - a) - 1` in place of each return x, so `c_uct` means
    the same in a game whose scores all lie close together, as those of games for one
    player often do.

    Schrittwieser et al., "Mastering Atari, Go, Chess and Shogi by Planning with a
    Learned Model", Nature 588 (2020), appendix B, equation 5, stretch by the lowest and
    the highest value in the whole tree; here it is those below one node, so that the
    scale keeps up with the game.

    Attributes:
        c_uct: exploration constant, at least 0, on the scale of the stretched returns.
        first_play: as in `UCT`.

    >>> from types import SimpleNamespace as Row
    >>> parent = Row(visits=100, below=1 - 0.4, above=1 + 0.6)  # seen were 0.4 to 0.6
    >>> uct = NormalizedUCT(c_uct=1.0)
    >>> round(uct.score(Row(visits=10, value_sum=5.0), uct.parent_term(parent)), 6)
    0.567861
    """

    #: The largest of 1 - x and of 1 + x, of all returns x; both are 0 where there was
    #: none. A return may lie beyond -1 and 1 where the game's have no bounds.
    columns: ClassVar[tuple[tuple[str, str], ...]] = (("below", "f8"), ("above", "f8"))

    def parent_term(self, parent: Row) -> float:
        spread = max(parent.below + parent.above - 2.0, LEAST_SPREAD)
        return self.c_uct * root_of_log(parent.visits) * 0.5 * spread

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        self.stretch(tree, work, depth)

    def stretch(self, tree: NodeTable, work: Work, depth: int) -> None:
        """Have the range of each node on the path include the result."""
        for index in range(depth):
            result = work.returns[work.path[index + 1].mover]
            row = tree.nodes[work.path[index].place]
            if row.below == 0.0 and row.above == 0.0:
                row.below, row.above = 1.0 - result, 1.0 + result
            else:
                row.below = max(row.below, 1.0 - result)
                row.above = max(row.above, 1.0 + result)
