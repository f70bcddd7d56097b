"""Dirichlet noise on the priors of the root's children."""

from __future__ import annotations

import math

from ...core.rng import Rng
from ..tree.nodes import NodeTable


def add_noise(
    tree: NodeTable,
    rng: Rng,
    first: int,
    count: int,
    noise: float,
    concentration: float,
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


def draw_gamma(rng: Rng, shape: float) -> float:
    """A gamma variate of scale 1: Marsaglia and Tsang, ACM TOMS 26, 2000."""
    if shape < 1.0:
        boost = (1.0 - rng.uniform()) ** (1.0 / shape)
        return boost * gamma_of_at_least_1(rng, shape + 1.0)
    return gamma_of_at_least_1(rng, shape)


def gamma_of_at_least_1(rng: Rng, shape: float) -> float:
    """The same for shapes of at least 1."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = draw_normal(rng)
        v = (1.0 + c * x) ** 3
        u = 1.0 - rng.uniform()
        if v > 0.0 and math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
            return d * v


def draw_normal(rng: Rng) -> float:
    """A normal variate of mean 0 and variance 1: Box and Muller, 1958."""
    radius = math.sqrt(-2.0 * math.log(1.0 - rng.uniform()))
    return radius * math.cos(2.0 * math.pi * rng.uniform())
