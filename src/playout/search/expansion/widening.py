"""Progressive widening: a node gets more children the more it is visited."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...games.contract.game import Game, State
from ..tree.children import add_child, all_closed, find_child
from ..tree.nodes import NO_NODE, NodeTable
from ..work import Work
from .base import LeafExpansion

__all__ = ["ProgressiveWidening"]


@dataclass(frozen=True)
class ProgressiveWidening(LeafExpansion):
    """`widening * N^exponent` children at N visits, the likeliest action first.

    Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", ICGA Journal 30,
    2007, section 4.3; the formula is that of Couëtoux et al., "Continuous Upper
    Confidence Trees", LION 2011, section 2.2. The likeliest
    action has the highest `prior` of the game; ties, and actions without a `prior`, are
    taken in random order. A node whose children are all settled gets one more at once.

    Attributes:
        threshold, urgent: as in `RandomChild`.
        widening: children of a node at its first visit, above 0.
        exponent: how fast more are made, 0 to 1.
    """

    widening: float = 2.0
    exponent: float = 0.4

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.widening < math.inf:
            raise UsageError(f"widening must be above 0, not {self.widening}")
        if not 0 <= self.exponent <= 1:
            raise UsageError(f"exponent must be 0 to 1, not {self.exponent}")
        object.__setattr__(self, "widening", float(self.widening))
        object.__setattr__(self, "exponent", float(self.exponent))

    def is_due(self, tree: NodeTable, node: int) -> bool:
        row = tree.nodes[node]
        if not self.may_grow(row, node):
            return False
        wanted = self.widening * max(1, row.visits) ** self.exponent
        return row.num_children < max(1.0, wanted) or all_closed(tree, node)

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        if row.num_children >= legal:
            return NO_NODE, 0
        action = likeliest(game, state, tree, node, work, legal)
        child = add_child(tree, node, action)
        return child, 1 if child != NO_NODE else 0


def likeliest(
    game: Game, state: State, tree: NodeTable, node: int, work: Work, count: int
) -> int:
    """The untried one of the actions in the buffer with the highest prior."""
    best, top, equal = int(work.actions[0]), -1.0, 0
    work.judge.look(game, state)
    for index in range(count):
        action = int(work.actions[index])
        prior = work.judge.prior(game, state, action)
        if prior < top or find_child(tree, node, action) != NO_NODE:
            continue
        equal = equal + 1 if prior == top else 1
        if equal == 1 or work.rng.below(equal) == 0:
            best = action
        top = prior
    return best
