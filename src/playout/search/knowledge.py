"""Selections that listen to the game: `prior` and `evaluate` (see `Game`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..core.compiled import static
from ..core.errors import UsageError
from ..games.game import Game
from .expansion import AllChildren, Expansion
from .likeliest import LikeliestFirst
from .policy import CURRENT, SCRATCH, expect_own
from .selection import Selection, expect_at_least, inverse_root, root_of_log
from .tree import ROOT

__all__ = ["PUCT", "ProgressiveBias", "check_noise"]


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
            none. It takes an expansion that makes all children at once (`AllChildren`),
            and no subtree is kept between moves.
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

    columns = (("prior", "f4"),)

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

    def parent_term(self, parent: Any) -> float:
        return self.c_puct * math.sqrt(max(1, parent.visits))

    def score(self, child: Any, parent_term: float) -> float:
        exploration = parent_term * child.prior / (1 + child.visits)
        return child.value_sum / child.visits + exploration

    def first_score(self, child: Any, parent_term: float) -> float:
        return self.promise(child.prior, parent_term)

    def promise(self, prior: float, parent_term: float) -> float:
        return self.first_play + parent_term * prior

    def meet(
        self, game: Any, tree: Any, work: Any, depth: int, first: int, count: int
    ) -> None:
        if tree.nodes[first].prior > 0.0:
            return  # the expansion went by it, and has written it
        node = work.path[depth].node
        set_priors(game, tree, work, node, first, count)
        if self.noise > 0.0 and node == ROOT:
            add_noise(tree, work.rng, first, count, self.noise, self.concentration)


def check_noise(selection: Selection, expansion: Expansion) -> None:
    """Complain about noise where children are made one by one.

    All of them have to share it: a draw for a single one says nothing.

    Raises:
        UsageError: there would be none.
    """
    noisy = isinstance(selection, PUCT) and selection.noise > 0
    if noisy and not isinstance(expansion, AllChildren):
        raise UsageError(
            f"noise is for all children at once: it takes AllChildren(), not "
            f"{type(expansion).__name__}()"
        )


def set_priors(
    game: Any, tree: Any, work: Any, node: int, first: int, count: int
) -> None:
    """Fill the column `prior` of new children with shares of the sum over all."""
    state = work.states[CURRENT]
    nodes = tree.nodes
    total = 0.0
    if count == nodes[node].num_legal:
        for child in range(first, first + count):
            total += game.prior(state, nodes[child].action)
    else:
        for index in range(game.legal_actions(state, work.actions)):
            total += game.prior(state, int(work.actions[index]))
    for child in range(first, first + count):
        nodes[child].prior = game.prior(state, nodes[child].action) / total


def add_noise(
    tree: Any, rng: Any, first: int, count: int, noise: float, concentration: float
) -> None:
    """Mix the priors of new children with a draw from a Dirichlet distribution.

    Its components are independent gamma variates divided by their sum.
    """
    nodes = tree.nodes
    total = share = 0.0
    for child in range(first, first + count):
        share += nodes[child].prior
        nodes[child].value_sum = draw_gamma(rng, concentration / count)
        total += nodes[child].value_sum
    for child in range(first, first + count):
        row = nodes[child]
        drawn = share * row.value_sum / total if total > 0.0 else row.prior
        row.prior = (1.0 - noise) * row.prior + noise * drawn
        row.value_sum = 0.0


def draw_gamma(rng: Any, shape: float) -> float:
    """A gamma variate of scale 1: Marsaglia and Tsang, ACM TOMS 26, 2000."""
    if shape < 1.0:
        boost = (1.0 - rng.uniform()) ** (1.0 / shape)
        return boost * gamma_of_at_least_1(rng, shape + 1.0)
    return gamma_of_at_least_1(rng, shape)


def gamma_of_at_least_1(rng: Any, shape: float) -> float:
    """The same for shapes of at least 1."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(rng)
        v = (1.0 + c * x) ** 3
        u = 1.0 - rng.uniform()
        if v > 0.0 and math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v


def draw_normal(rng: Any) -> float:
    """A normal variate of mean 0 and variance 1: Box and Muller, 1958."""
    radius = math.sqrt(-2.0 * math.log(1.0 - rng.uniform()))
    return radius * math.cos(2.0 * math.pi * rng.uniform())


@dataclass(frozen=True)
class ProgressiveBias(Selection):
    """UCT with what the game knows, less and less: UCT's score `+ bias * H / (n + 1)`.

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

    columns = (("prior", "f4"),)

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

    def parent_term(self, parent: Any) -> float:
        return self.c_uct * root_of_log(parent.visits)

    def score(self, child: Any, parent_term: float) -> float:
        root = inverse_root(child.visits)
        known = self.bias * child.prior / (child.visits + 1)
        return (child.value_sum * root + parent_term) * root + known

    def first_score(self, child: Any, parent_term: float) -> float:
        return self.first_play + self.bias * child.prior

    def meet(
        self, game: Any, tree: Any, work: Any, depth: int, first: int, count: int
    ) -> None:
        if self.knowledge == "prior":
            set_priors(game, tree, work, work.path[depth].node, first, count)
        else:
            for child in range(first, first + count):
                tree.nodes[child].prior = value_after(
                    game, work, tree.nodes[child].action
                )


def value_after(game: Any, work: Any, action: int) -> float:
    """What an action leads to is worth for who plays it: the result, or `evaluate`."""
    mover = game.current_player(work.states[CURRENT])
    work.states[SCRATCH] = work.states[CURRENT]
    state = work.states[SCRATCH]
    game.apply(state, action)
    if game.is_terminal(state):
        return game.returns(state, mover)
    return game.evaluate(state, mover)
