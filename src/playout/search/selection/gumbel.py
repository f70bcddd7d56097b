"""Gumbel AlphaZero: a root that shares its simulations out, and a policy that improves.

    Danihelka, Guez, Schrittwieser, Silver, "Policy improvement by planning with
    Gumbel", ICLR 2022: section 3 and algorithm 2 for the root, section 5 for all other
    nodes, appendix D for the value of children that were not visited.

At the root every action gets a draw g of the Gumbel distribution. Of the actions the
`considered` ones with the highest g + logit are visited equally often, then the better
half of these, and so on (sequential halving), until the simulations are used up. The
action with the highest g + logit + sigma(q) among those most visited is played
(`MostPromising`); with exact values it is no worse than a draw from the priors.

Elsewhere the child is taken whose share of the visits is furthest behind what it should
be by the improved policy, softmax(logit + sigma(q)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError
from ...core.jit.compiled import Compiled
from ...core.rng import Rng
from ...games.contract.game import Game
from ..choice import Choice, MostPromising
from ..expansion.base import Expansion
from ..expansion.on_evaluation import OnEvaluation
from ..tree.children import list_children
from ..tree.nodes import CLOSED, ROOT, NodeTable
from ..work import CURRENT, Work
from .base import Selection, expect_at_least
from .puct import set_priors

__all__ = ["Gumbel"]

#: A prior counts as at least this, so that its logarithm is a number.
LEAST_PRIOR = 1e-30


@dataclass(frozen=True)
class GumbelTable(Compiled):
    """What a search keeps.

    Attributes:
        planned: `[1]` int64, the simulations that the root is to have.
        logits: `[A]` float64, scores of the children of one node, to work in.
    """

    planned: NDArray[np.int64]
    logits: NDArray[np.float64]


@dataclass(frozen=True)
class Gumbel(Selection):
    """Sequential halving at the root, and below it what improves the policy.

    `sigma(q) = (c_visit + max n) * c_scale * q`, where max n is the visits of the most
    visited child. A child that was not visited has the q of the mixed value estimate.

    Attributes:
        considered: how many actions the root considers at first, at least 1.
        c_visit: visits that are added to those of the most visited child, at least 0.
        c_scale: what a value counts beside a logit, at least 0, for returns in [-1, 1].
    """

    considered: int = 16
    c_visit: float = 50.0
    c_scale: float = 1.0

    columns = (
        ("prior", "f4"),
        ("logit", "f4"),  # of the prior, which takes long to compute
        ("gumbel", "f4"),
        ("own_value", "f4"),
        ("chooser", "i1"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(1, considered=self.considered)
        expect_at_least(0, c_visit=self.c_visit, c_scale=self.c_scale)
        for name in ("c_visit", "c_scale"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @property
    def root_is_special(self) -> bool:
        return True

    def usual_expansion(self) -> Expansion:
        return OnEvaluation()

    def usual_choice(self) -> Choice | None:
        return MostPromising(self.c_visit, self.c_scale)

    def check_expansion(self, expansion: Expansion) -> None:
        if not isinstance(expansion, OnEvaluation):
            raise UsageError(
                "Gumbel compares all children with the leaf's own value: it takes "
                f"OnEvaluation(), not {type(expansion).__name__}()"
            )

    def tables(self, game: Game) -> Compiled:
        return GumbelTable(np.zeros(1, np.int64), np.zeros(max(1, game.num_actions())))

    def expect_limit(self, simulations: int | None) -> None:
        if simulations is None:
            raise UsageError(
                "Gumbel shares out a number of simulations: it takes a limit of them, "
                "such as Limit(simulations=64)"
            )

    def plan(self, tables: Any, simulations: int | None) -> None:
        self.expect_limit(simulations)
        tables.planned[0] = simulations

    # -- compiled ----------------------------------------------------------------------

    def init_children(
        self,
        game: Game,
        tree: NodeTable,
        work: Work,
        depth: int,
        first: int,
        count: int,
    ) -> None:
        node = work.path[depth].place
        tree.nodes[node].chooser = game.current_player(work.states[CURRENT])
        set_priors(game, tree, work, node, first, count)
        for number in range(first, first + count):
            child = tree.nodes[number]
            child.logit = math.log(max(child.prior, LEAST_PRIOR))
            if node == ROOT:
                child.gumbel = draw_gumbel(work.rng)

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        """Note what the leaf itself is worth to whoever chooses there.

        That is known once it has children; till then it is evaluated again.
        """
        leaf = tree.nodes[work.path[depth].node]
        leaf.own_value = work.returns[leaf.chooser]

    def select(
        self, game: Game, tree: NodeTable, node: int, work: Work, depth: int
    ) -> int:
        count = list_children(tree, node, work.actions)
        visits = self.improve(tree, node, work, count)
        if node == ROOT:
            planned = work.selection_tables.planned[0] - 1  # one was the root's own
            wanted = considered_visits(visits, planned, min(self.considered, count))
            return most_promising(tree, work, count, wanted)
        return furthest_behind(tree, work, count, visits)

    def improve(self, tree: NodeTable, node: int, work: Work, count: int) -> int:
        """Write `logit + sigma(q)` of a node's children; returns all their visits.

        Their numbers are the first `count` of `work.actions`; the scores go into
        `work.selection_tables.logits`, in the same order.
        """
        visits = most = 0
        weight = total = 0.0
        for index in range(count):
            child = tree.nodes[work.actions[index]]
            if child.visits > 0:
                visits += child.visits
                most = max(most, child.visits)
                weight += child.prior
                total += child.prior * (child.value_sum / child.visits)
        mixed = mixed_value(tree.nodes[node].own_value, visits, weight, total)
        scale = (self.c_visit + most) * self.c_scale
        for index in range(count):
            child = tree.nodes[work.actions[index]]
            value = child.value_sum / child.visits if child.visits > 0 else mixed
            work.selection_tables.logits[index] = child.logit + scale * value
        return visits


def mixed_value(own: float, visits: int, weight: float, total: float) -> float:
    """What children that were not visited are worth (appendix D).

    Args:
        own: what the node itself was said to be worth, for the one who chooses.
        visits: of all children.
        weight: the sum of the priors of those that were visited.
        total: the sum of their priors times their means.

    >>> mixed_value(0.5, 0, 0.0, 0.0), mixed_value(0.5, 3, 0.4, 0.1)
    (0.5, 0.3125)
    """
    if visits == 0 or weight <= 0.0:
        return own
    return (own + visits * (total / weight)) / (1 + visits)


def considered_visits(done: int, planned: int, considered: int) -> int:
    """How often an action was visited that is visited next, by sequential halving.

    Args:
        done: visits of all children of the root.
        planned: what these are to be in the end.
        considered: how many actions are considered at first.

    >>> [considered_visits(done, 16, 4) for done in range(16)]
    [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    """
    if considered <= 1:
        return done
    rounds = math.ceil(math.log2(considered))
    visits = 0
    while True:
        more = max(1, planned // (rounds * considered))
        if done < more * considered:
            return visits + done // considered
        done -= more * considered
        visits += more
        considered = max(2, considered // 2)


def most_promising(tree: NodeTable, work: Work, count: int, wanted: int) -> int:
    """Of the root's children with so many visits the highest `g + logit + sigma(q)`.

    Where there is none that may be entered, it is the highest of all that may.
    """
    best, top, matches = work.actions[0], -math.inf, False
    for index in range(count):
        number = work.actions[index]
        child = tree.nodes[number]
        score = work.selection_tables.logits[index] + child.gumbel
        fits = child.visits == wanted
        if child.proven & CLOSED or (matches and not fits):
            continue
        if score > top or (fits and not matches):
            best, top, matches = number, score, fits
    return int(best)


def furthest_behind(tree: NodeTable, work: Work, count: int, visits: int) -> int:
    """The child with the highest `pi - n / (1 + sum of n)`, pi the improved policy."""
    logits = work.selection_tables.logits
    highest = -math.inf
    for index in range(count):
        highest = max(highest, logits[index])
    total = 0.0
    for index in range(count):
        logits[index] = math.exp(logits[index] - highest)
        total += logits[index]
    best, top = work.actions[0], -math.inf
    for index in range(count):
        number = work.actions[index]
        child = tree.nodes[number]
        behind = logits[index] / total - child.visits / (1 + visits)
        if behind > top and child.proven & CLOSED == 0:
            best, top = number, behind
    return int(best)


def draw_gumbel(rng: Rng) -> float:
    """A variate of the standard Gumbel distribution: `-ln(-ln u)`, u above 0 to 1."""
    exponential = -math.log(1.0 - rng.uniform())
    return -math.log(max(exponential, 1e-300))
