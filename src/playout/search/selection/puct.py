"""PUCT: selection by the game's `prior`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..expansion.all_children import AllChildren
from ..expansion.base import Expansion
from ..expansion.best_first import LikeliestFirst
from ..expansion.on_evaluation import OnEvaluation
from ..tree.nodes import ROOT, NodeTable
from ..work import CURRENT, Work
from .base import Selection, expect_at_least
from .root_noise import add_noise

__all__ = ["PUCT"]


@dataclass(frozen=True)
class PUCT(Selection):
    """UCB with a predictor: `W/n + c_puct * P * sqrt(N) / (1 + n)`.

    Rosin, "Multi-armed Bandits with Episode Context", Annals of Mathematics and AI 61,
    2011, in the form of Silver et al., "Mastering the Game of Go without Human
    Knowledge", Nature 550, 2017, Methods. P is the game's `prior` of the action as a
    share of the sum over all actions that may be tried (over all legal ones, where an
    expansion makes one child at a time); without a `prior` all are alike.

    Attributes:
        c_puct: exploration constant, at least 0, for returns in [-1, 1].
        first_play: the value of a child without visits, in [-1, 1].
        noise: the share of random noise in the root's priors, 0 to 1; the default is
            none. It takes an expansion that makes all children at once (`AllChildren`
            or `OnEvaluation`), and no subtree is kept between moves.
        concentration: of the noise, above 0: the sum of the parameters of its Dirichlet
            distribution, which all legal actions share equally (10 in the paper).

    >>> from types import SimpleNamespace as Row
    >>> puct = PUCT(c_puct=2.0)
    >>> term = puct.parent_term(Row(visits=100))
    >>> puct.score(Row(visits=9, value_sum=4.5, prior=0.1), term)
    0.7
    """

    c_puct: float = 1.5
    first_play: float = 0.0
    noise: float = static(0.0)  # without, nothing of it is compiled
    concentration: float = 10.0

    columns = (("prior", "f2"),)

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_puct=self.c_puct)
        if not -1 <= self.first_play <= 1:
            raise UsageError(f"first_play must be -1 to 1, not {self.first_play}")
        if not 0 <= self.noise <= 1:
            raise UsageError(f"noise must be 0 to 1, not {self.noise}")
        if not 0 < self.concentration < math.inf:
            raise UsageError(f"concentration must be above 0, not {self.concentration}")
        for name in ("c_puct", "first_play", "noise", "concentration"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @property
    def root_is_special(self) -> bool:
        return self.noise > 0

    def usual_expansion(self) -> Expansion:
        return AllChildren(visit_all=False) if self.noise > 0 else LikeliestFirst()

    def check_expansion(self, expansion: Expansion) -> None:
        """Complain about noise where children are made one by one.

        All of them have to share it: a draw for a single one says nothing.
        """
        at_once = isinstance(expansion, AllChildren | OnEvaluation)
        if self.noise > 0 and not at_once:
            raise UsageError(
                f"noise is for all children at once: it takes AllChildren(), not "
                f"{type(expansion).__name__}()"
            )

    def parent_term(self, parent: Row) -> float:
        return self.c_puct * math.sqrt(max(1, parent.visits))

    def score(self, child: Row, parent_term: float) -> float:
        exploration = parent_term * child.prior / (1 + child.visits)
        return child.value_sum / child.visits + exploration

    def steepness(self, child: Row) -> float:
        return float(child.prior / (1 + child.visits))

    def first_score(self, child: Row, parent_term: float) -> float:
        return self.untried_score(child.prior, parent_term)

    def untried_score(self, prior: float, parent_term: float) -> float:
        return self.first_play + parent_term * prior

    def init_children(
        self,
        game: Game,
        tree: NodeTable,
        work: Work,
        depth: int,
        first: int,
        count: int,
    ) -> None:
        if tree.nodes[first].prior > 0.0:
            return  # the expansion went by it, and has written it
        node = work.path[depth].place
        set_priors(game, tree, work, node, first, count)
        if self.noise > 0.0 and node == ROOT:
            add_noise(tree, work.rng, first, count, self.noise, self.concentration)


def set_priors(
    game: Game, tree: NodeTable, work: Work, node: int, first: int, count: int
) -> None:
    """Fill the column `prior` of new children with shares of the sum over all.

    What is looked up for each stands in `value_sum` until that sum is known.
    """
    state = work.states[CURRENT]
    nodes = tree.nodes
    total = 0.0
    work.look(game, state)
    for child in range(first, first + count):
        prior = work.prior(game, state, nodes[child].action)
        nodes[child].value_sum = prior
        total += prior
    if count != nodes[node].num_legal:
        total = 0.0
        for index in range(game.legal_actions(state, work.actions)):
            total += work.prior(game, state, int(work.actions[index]))
    for child in range(first, first + count):
        prior = nodes[child].value_sum
        nodes[child].prior = prior / total if total > 0.0 else 1.0 / count
        nodes[child].value_sum = 0.0
