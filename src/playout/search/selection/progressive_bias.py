"""Progressive bias: the game's heuristic weighs less with every visit."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..expansion.all_children import AllChildren
from ..expansion.base import Expansion
from ..policy import expect_own
from ..tree.nodes import NodeTable
from ..work import CURRENT, SCRATCH, Work
from .base import Selection, expect_at_least
from .logarithms import inverse_root, root_of_log
from .puct import set_priors

__all__ = ["ProgressiveBias"]


@dataclass(frozen=True)
class ProgressiveBias(Selection):
    """UCT with a heuristic of the game that fades: UCT's score `+ bias * H / (n + 1)`.

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", New
    Mathematics and Natural Computation 4, 2008, section 4.1. H is the game's `evaluate`
    of the state after the action, for the player who chooses it, or its `prior` as a
    share of the sum over all legal actions.

    Attributes:
        c_uct: exploration constant, as in `UCT`.
        bias: weight of the knowledge, at least 0.
        knowledge: "evaluate" or "prior".
        first_play: the value of a child without visits; the bias is added. The default
            takes it for a win.
    """

    c_uct: float = 1.0
    bias: float = 1.0
    knowledge: str = static("evaluate")
    first_play: float = 1.0

    columns = (("prior", "f2"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_uct=self.c_uct, bias=self.bias)
        expect_at_least(-math.inf, first_play=self.first_play)
        if self.knowledge not in ("evaluate", "prior"):
            raise UsageError(
                f"knowledge must be evaluate or prior, not {self.knowledge!r}"
            )
        for name in ("c_uct", "bias", "first_play"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def check(self, game: Game) -> None:
        expect_own(self, game, self.knowledge)

    def usual_expansion(self) -> Expansion:
        return AllChildren(visit_all=False)

    def parent_term(self, parent: Row) -> float:
        return self.c_uct * root_of_log(parent.visits)

    def score(self, child: Row, parent_term: float) -> float:
        root = inverse_root(child.visits)
        known = self.bias * child.prior / (child.visits + 1)
        return (child.value_sum * root + parent_term) * root + known

    def first_score(self, child: Row, parent_term: float) -> float:
        return self.first_play + self.bias * child.prior

    def init_children(
        self,
        game: Game,
        tree: NodeTable,
        work: Work,
        depth: int,
        first: int,
        count: int,
    ) -> None:
        if self.knowledge == "prior":
            set_priors(game, tree, work, work.path[depth].place, first, count)
        else:
            for child in range(first, first + count):
                tree.nodes[child].prior = value_after(
                    game, work, tree.nodes[child].action
                )


def value_after(game: Game, work: Work, action: int) -> float:
    """What an action leads to is worth for who plays it: the result, or `evaluate`.

    On the scale of the search, as all that selection and backup work with.
    """
    mover = game.current_player(work.states[CURRENT])
    work.states[SCRATCH] = work.states[CURRENT]
    state = work.states[SCRATCH]
    game.apply(state, action)
    if game.is_terminal(state):
        return work.scale.of(game.returns(state, mover))
    return work.scale.near(game.evaluate(state, mover))
