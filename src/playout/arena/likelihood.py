"""Likelihood ratios of match results under two hypotheses about the strength.

The generalised test of X. Li, J. Liu and Z. Ying ("Generalized sequential probability
ratio test for separate families of hypotheses", 2014) on pairs of games, as M. Van den
Bergh worked it out for engine matches: each hypothesis is stood for by the most likely
distribution of scores that has its strength.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["MODELS", "NELO", "log_likelihood_ratio", "score_of_elo"]

Floats = NDArray[np.float64]

#: How Elo differences may be meant.
MODELS = ("logistic", "normalized")
#: Elo per unit of (score - 1/2) / deviation, such that normalized and logistic Elo
#: agree near 0 for games without draws: 800 / ln 10.
NELO = 800 / math.log(10)
#: What stands for a score that has not come yet, in units; keeps logarithms finite.
NEVER_SEEN = 1e-3
#: Steps after which the equations below are solved to the last digits of a double.
MOST_STEPS = 200


def score_of_elo(difference: float) -> float:
    """The share of points expected at a logistic Elo difference.

    >>> round(score_of_elo(100), 4)
    0.6401
    """
    return 1 / (1 + math.pow(10, -difference / 400))


def log_likelihood_ratio(
    counts: Floats, elo0: float, elo1: float, model: str = "logistic"
) -> Floats:
    """The log-likelihood ratios of many matches at once.

    Args:
        counts: `[M, K]` how often units scored 0 .. 1 in K equal steps; K is 5 for
            pairs and 3 for games.
        elo0: Elo difference of the first hypothesis.
        elo1: Elo difference of the second; the ratio grows with its likelihood.
        model: one of `MODELS`.
    """
    counts = np.where(counts == 0, NEVER_SEEN, counts)
    observed = counts / counts.sum(axis=1, keepdims=True)
    scores = np.linspace(0, 1, counts.shape[1])
    likeliest = _with_mean if model == "logistic" else _with_t_value
    values = [_statistic(elo, model, len(scores)) for elo in (elo0, elo1)]
    under0, under1 = (likeliest(scores, observed, value) for value in values)
    ratios: Floats = (counts * np.log(under1 / under0)).sum(axis=1)
    return ratios


def _statistic(elo: float, model: str, num_scores: int) -> float:
    """What an Elo difference says about a unit: its mean score, or its t-value."""
    if model == "logistic":
        return score_of_elo(elo)
    games = (num_scores - 1) / 2
    return elo / NELO * math.sqrt(games)


def _with_mean(scores: Floats, observed: Floats, mean: float) -> Floats:
    """The most likely distribution with this mean (Van den Bergh, Proposition 1.1).

    `observed / (1 + x (scores - mean))`, where x makes the mean right.
    """
    distances = np.broadcast_to(scores - mean, observed.shape)
    return observed / (1 + _multiplier(distances, observed) * distances)


def _with_t_value(scores: Floats, observed: Floats, t: float) -> Floats:
    """The most likely distribution with (mean - 1/2) / deviation = t.

    By iteration from the uniform distribution: "Comments on Normalized Elo", 4.1.
    """
    found = np.full_like(observed, 1 / len(scores))
    for _ in range(MOST_STEPS):
        mean = (found * scores).sum(axis=1, keepdims=True)
        deviation = np.sqrt((found * (scores - mean) ** 2).sum(axis=1, keepdims=True))
        spread = 1 + ((scores - mean) / deviation) ** 2
        distances = scores - 0.5 - t * deviation * spread / 2
        before = found
        found = observed / (1 + _multiplier(distances, observed) * distances)
        if np.abs(found - before).max() < 1e-12:
            break
    return found


def _multiplier(distances: Floats, observed: Floats) -> Floats:
    """`[M, 1]` the x with sum(observed d / (1 + x d)) = 0 for distances d.

    Some distances must be negative and some positive. The sum falls from
    +inf to -inf as x grows between the poles, so Newton's steps are kept within a
    bracket that closes from both sides.
    """
    low = -1 / distances.max(axis=1, keepdims=True)
    high = -1 / distances.min(axis=1, keepdims=True)
    x = np.zeros_like(low)
    for _ in range(MOST_STEPS):
        parts = distances / (1 + x * distances)
        slope = -(observed * parts**2).sum(axis=1, keepdims=True)
        value = (observed * parts).sum(axis=1, keepdims=True)
        low, high = np.where(value > 0, x, low), np.where(value < 0, x, high)
        newton = x - value / slope
        inside = (low < newton) & (newton < high)
        following = np.where(inside, newton, (low + high) / 2)
        if (np.abs(following - x) <= 1e-14 * (1 + np.abs(x))).all():
            break
        x = following
    return x
