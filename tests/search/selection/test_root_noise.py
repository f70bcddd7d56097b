"""Noise on the root's priors, and on nothing else (row 18 of docs/checklist.md)."""

import math

import numpy as np
import pytest

from playout import MCTS, AllChildren, Limit, RandomChild, Tree, UsageError
from playout.core.rng import make_rng
from playout.search.expansion.widening import ProgressiveWidening
from playout.search.policy import compose_columns
from playout.search.selection import root_noise
from playout.search.selection.puct import PUCT
from playout.search.selection.root_noise import add_noise, draw_gamma, draw_normal
from playout.search.tree.nodes import ROOT
from tests.search.trees import SINGLE, search_of
from tests.toys import Knowing


def test_noise_is_the_roots_alone_and_keeps_no_subtree() -> None:
    search = search_of(SINGLE["puct-noise"], interpreted=True)
    search.search(limit=Limit(simulations=30))
    nodes = search.tree.nodes.array
    for node in search.tree.children(ROOT):
        children = nodes[search.tree.children(int(node))]
        sides = children["prior"][children["action"] % 2 == 1]
        assert len({round(prior, 6) for prior in sides.tolist()}) <= 1
    search.advance("b2")
    assert search.tree.visits == 0


def test_noise_takes_all_children_at_once() -> None:
    """For one child alone, noise would always be a share of 1, which is no noise."""
    for one_by_one in (RandomChild(), ProgressiveWidening()):
        with pytest.raises(UsageError, match=r"takes AllChildren\(\), not .*\(\)"):
            MCTS(Knowing(), selection=PUCT(noise=0.9), expansion=one_by_one)
        MCTS(Knowing(), selection=PUCT(), expansion=one_by_one)
    priors = []
    for noise in (0.0, 0.9):
        search = MCTS(
            Knowing(),
            seed=1,
            selection=PUCT(noise=noise),
            expansion=AllChildren(),
            interpreted=True,
        )
        search.search(limit=Limit(simulations=9))
        rows = search.tree.nodes.array[search.tree.children(ROOT)]
        priors.append(rows["prior"][np.argsort(rows["action"])])
        assert priors[-1].sum() == pytest.approx(1)
    assert np.abs(priors[0] - priors[1]).max() > 0.05


def children_with(*priors: float) -> Tree:
    """A root whose children, the nodes from 1 on, have these priors."""
    tree = Tree.reserve(10, compose_columns([PUCT()]))
    for node, prior in enumerate(priors, 1):
        tree.nodes[node].prior = prior
    return tree


def test_noise_is_mixed_with_the_priors() -> None:
    """With rates of 3 and 1, 3/4 and 1/4 of what the priors add up to."""
    tree, drawn = children_with(0.5, 0.25), iter([3.0, 1.0])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root_noise, "draw_gamma", lambda rng, shape: next(drawn))
        add_noise(tree, None, 1, 2, noise=0.4, concentration=10.0)
    rows = tree.nodes.array[1:3]
    expected = [0.6 * 0.5 + 0.4 * 0.75 * 0.75, 0.6 * 0.25 + 0.4 * 0.75 * 0.25]
    assert rows["prior"] == pytest.approx(expected)
    assert rows["value_sum"].tolist() == [0.0, 0.0]


def test_the_parameters_of_the_distribution_add_up_to_the_concentration() -> None:
    shapes: list[float] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root_noise, "draw_gamma", lambda rng, a: shapes.append(a) or 1.0)
        add_noise(children_with(0.2, 0.3, 0.5), None, 1, 3, 0.5, concentration=6.0)
    assert shapes == [2.0, 2.0, 2.0]


def test_noise_too_concentrated_to_be_drawn_is_none() -> None:
    """Variates of a shape near 0 are 0, all of them."""
    tree = children_with(0.5, 0.3)
    with np.errstate(over="ignore", under="ignore"):
        add_noise(tree, make_rng(1), 1, 2, noise=0.9, concentration=1e-9)
    assert tree.nodes.array["prior"][1:3] == pytest.approx([0.5, 0.3])


def test_gamma_and_normal_variates_have_their_moments() -> None:
    """20,000 draws; a mean off by 5 standard errors: false alarm below 1e-6."""
    with np.errstate(over="ignore"):
        rng = make_rng(3)
        normal = np.array([draw_normal(rng) for _ in range(20_000)])
        assert abs(normal.mean()) < 5 / math.sqrt(20_000)
        assert abs(normal.var() - 1) < 5 * math.sqrt(2 / 20_000)
        for shape in (0.3, 1.0, 4.0):
            drawn = np.array([draw_gamma(rng, shape) for _ in range(20_000)])
            assert abs(drawn.mean() - shape) < 5 * math.sqrt(shape / 20_000)
            spread = math.sqrt((2 * shape**2 + 6 * shape) / 20_000)
            assert abs(drawn.var() - shape) < 5 * spread
