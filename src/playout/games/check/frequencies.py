"""How unlikely it is that numbers were drawn with given probabilities.

The bound of Chernoff and Hoeffding (Hoeffding, "Probability Inequalities for Sums of
Bounded Random Variables", JASA 58, 1963, theorem 1) holds for any number of draws, so
what is said of false alarms is true of few as well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["likelihood"]


def likelihood(counts: Sequence[int], probabilities: Sequence[float]) -> float:
    """An upper bound on the probability that any count is so far from its expectation.

    The bound for one count and one side is multiplied by the number of counts and by
    the two sides (union bound), as each count may be too high or too low.

    >>> likelihood([50, 50], [0.5, 0.5])
    1.0
    >>> likelihood([90, 10], [0.5, 0.5]) < 1e-12
    True
    """
    draws = sum(counts)
    exponent = max(
        draws * _divergence(count / draws, probability)
        for count, probability in zip(counts, probabilities, strict=True)
    )
    return min(1.0, 2 * len(counts) * math.exp(-exponent))


def _divergence(share: float, probability: float) -> float:
    """Kullback and Leibler's, of two coins, in nats."""
    pairs = ((share, probability), (1 - share, 1 - probability))
    return sum(_term(a, b) for a, b in pairs)


def _term(share: float, probability: float) -> float:
    if share <= 0:
        return 0.0
    return math.inf if probability <= 0 else share * math.log(share / probability)
