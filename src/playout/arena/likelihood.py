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
Solved = NDArray[np.bool_]

#: How Elo differences may be meant.
MODELS = ("logistic", "normalized")
#: Elo per unit of (score - 1/2) / deviation, such that normalized and logistic Elo
#: agree near 0 for games without draws: 800 / ln 10.
NELO = 800 / math.log(10)
#: What stands for a score that has not come yet, in units; keeps logarithms finite.
NEVER_SEEN = 1e-3
#: Means and probabilities are found to this precision.
PRECISION = 1e-10
#: Enough for bisection alone to reach the precision.
MOST_STEPS = 60
#: Rounds of the fixed point; it converges in three to seven, or hardly at all.
MOST_ROUNDS = 12


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
        model: one of `MODELS`; the second is for differences of at most 100.
    """
    counts = np.where(counts == 0, NEVER_SEEN, counts)
    total = counts.sum(axis=1, keepdims=True)
    observed = counts / total
    scores = np.linspace(0, 1, counts.shape[1])
    if model == "logistic":
        under = [
            _with_mean(scores, observed, score_of_elo(elo)) for elo in (elo0, elo1)
        ]
        return _ratio(counts, *under)
    games = (len(scores) - 1) / 2
    t0, t1 = (elo / NELO * math.sqrt(games) for elo in (elo0, elo1))
    with np.errstate(all="ignore"):  # rows without a solution are told apart below
        under = [_with_t_value(scores, observed, t) for t in (t0, t1)]
        exact = _ratio(counts, *under)
    solved = _solves(scores, under[0], t0) & _solves(scores, under[1], t1)
    return np.where(solved, exact, _approximate_ratio(scores, observed, total, t0, t1))


def _ratio(counts: Floats, under0: Floats, under1: Floats) -> Floats:
    ratios: Floats = (counts * np.log(under1 / under0)).sum(axis=1)
    return ratios


def _with_mean(scores: Floats, observed: Floats, mean: float) -> Floats:
    """The most likely distribution with this mean (Van den Bergh, Proposition 1.1).

    `observed / (1 + x (scores - mean))`, where x makes the mean right.
    """
    distances = np.broadcast_to(scores - mean, observed.shape)
    return observed / (1 + _multiplier(distances, observed) * distances)


def _with_t_value(scores: Floats, observed: Floats, t: float) -> Floats:
    """The most likely distribution with (mean - 1/2) / deviation = t, row by row.

    The fixed point of "Comments on Normalized Elo", 4.1. Started where the paper does,
    the iteration leaves the distributions where t is large, so t is approached in
    steps from 0, where the mean is known. A row may still have no solution.
    """
    found = _with_mean(scores, observed, 0.5)
    steps = 1 + math.ceil(abs(t) / 0.1)
    for step in range(1, steps + 1):
        rows = np.arange(len(found))  # those that have not converged
        for _ in range(MOST_ROUNDS):
            before = found[rows]
            found[rows] = _nearer(scores, observed[rows], before, t * step / steps)
            moved = np.abs(found[rows] - before) > PRECISION
            rows = rows[moved.any(axis=1)]
            if len(rows) == 0:
                break
    return found


def _nearer(scores: Floats, observed: Floats, found: Floats, t: float) -> Floats:
    """One step of the fixed point: linearise the t-value at the distribution found."""
    mean, deviation = _moments(scores, found)
    spread = 1 + ((scores - mean) / deviation) ** 2
    distances = scores - 0.5 - t * deviation * spread / 2
    return observed / (1 + _multiplier(distances, observed) * distances)


def _moments(scores: Floats, law: Floats) -> tuple[Floats, Floats]:
    """`[M, 1]` the mean and the deviation of each distribution."""
    mean = (law * scores).sum(axis=1, keepdims=True)
    return mean, np.sqrt((law * (scores - mean) ** 2).sum(axis=1, keepdims=True))


def _solves(scores: Floats, law: Floats, t: float) -> Solved:
    """`[M]` whether these are distributions with the t-value."""
    with np.errstate(all="ignore"):
        mean, deviation = _moments(scores, law)
        right = np.abs(mean - 0.5 - t * deviation)[:, 0] < 1e-6
    return right & (law > 0).all(axis=1)


def _approximate_ratio(
    scores: Floats, observed: Floats, total: Floats, t0: float, t1: float
) -> Floats:
    """The ratio for results near 1/2, in closed form; as above, 4.2."""
    mean, deviation = _moments(scores, observed)
    t = (mean - 0.5) / deviation
    ratios: Floats = total / 2 * np.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))
    return ratios[:, 0]


def _multiplier(distances: Floats, observed: Floats) -> Floats:
    """`[M, 1]` the x with sum(observed d / (1 + x d)) = 0 for distances d.

    Some distances must be negative and some positive. The sum falls from
    +inf to -inf as x grows between the poles, so Newton's steps are kept within a
    bracket that closes from both sides.
    """
    x = np.zeros((len(observed), 1))
    rows = np.arange(len(observed))  # those that are not solved
    low = -1 / distances.max(axis=1, keepdims=True)
    high = -1 / distances.min(axis=1, keepdims=True)
    for _ in range(MOST_STEPS):
        here = x[rows]
        parts = distances / (1 + here * distances)
        value = (observed * parts).sum(axis=1, keepdims=True)
        left = (np.abs(value) > PRECISION)[:, 0]
        if not left.any():
            break
        rows, distances, observed = rows[left], distances[left], observed[left]
        here, parts, value = here[left], parts[left], value[left]
        low = np.where(value > 0, here, low[left])
        high = np.where(value < 0, here, high[left])
        newton = here + value / (observed * parts**2).sum(axis=1, keepdims=True)
        inside = (low < newton) & (newton < high)
        x[rows] = np.where(inside, newton, (low + high) / 2)
    return x
