"""What noisy scores at some points say about the best point: a Gaussian process.

Scores of trials are taken as a smooth function of the parameters plus the noise of
their games. The function is a priori a Gaussian process with squared-exponential
covariance (C. E. Rasmussen, C. K. I. Williams, "Gaussian Processes for Machine
Learning", 2006, chapters 2 and 5). No single amplitude and length is chosen: the result
is an average over a grid of both, weighted by the evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Surface", "fit_surface"]

Floats = NDArray[np.float64]

#: Deviations of the function from its mean, in score; and distances, in parts of the
#: range of a parameter, over which it varies.
AMPLITUDES = (0.02, 0.05, 0.1, 0.2)
LENGTHS = (0.15, 0.3, 0.6, 1.2)
#: The mean of the function is 1/2 give or take this.
MEAN_DEVIATION = 0.25
#: Functions drawn from what is possible after the trials.
DRAWS = 1000
#: Points at which the function is looked at: on a line, and in more dimensions.
LINE_POINTS, SPACE_POINTS = 201, 600
#: Added to variances to keep matrices positive definite; a fifth of an Elo point.
JITTER = 1e-7


@dataclass(frozen=True)
class Surface:
    """What the trials say of the function.

    Attributes:
        points: `[N, D]` where it is looked at, in the unit cube.
        mean: `[N]` the expected score.
        draws: `[DRAWS, N]` functions that are as likely as the trials make them.
    """

    points: Floats
    mean: Floats
    draws: Floats

    @property
    def best(self) -> Floats:
        """`[D]` where the expected score is highest."""
        point: Floats = self.points[int(self.mean.argmax())]
        return point

    @property
    def best_scores(self) -> Floats:
        """`[DRAWS]` the possible scores there."""
        scores: Floats = self.draws[:, int(self.mean.argmax())]
        return scores

    def best_interval(self, share: float = 0.95) -> tuple[Floats, Floats]:
        """`[D]` the ends of what holds the best point in so many of the draws."""
        peaks = self.points[self.draws.argmax(axis=1)]
        outside = (1 - share) / 2
        return np.quantile(peaks, outside, axis=0), np.quantile(
            peaks, 1 - outside, axis=0
        )


def fit_surface(
    points: Floats,
    scores: Floats,
    variances: Floats,
    nearest: Callable[[Floats], Floats] = np.asarray,
) -> Surface:
    """The function behind noisy scores; the same input gives the same draws.

    Args:
        points: `[T, D]` the trials' parameters, in the unit cube.
        scores: `[T]` what they scored, 0 to 1.
        variances: `[T]` of these scores.
        nearest: gives for `[N, D]` points those that can be tried; all unless given.
    """
    rng = np.random.default_rng(0)
    where = np.unique(nearest(_places(points)), axis=0)
    laws = [
        _posterior(points, scores, variances, where, amplitude, length)
        for amplitude in AMPLITUDES
        for length in LENGTHS
    ]
    evidence = np.array([law[0] for law in laws])
    weights = np.exp(evidence - evidence.max())
    weights /= weights.sum()
    mean = sum(
        (weight * law[1] for weight, law in zip(weights, laws, strict=True)),
        np.zeros(len(where)),
    )
    shares = rng.multinomial(DRAWS, weights)
    draws = [
        _draw(law[1], law[2], int(count), rng)
        for law, count in zip(laws, shares, strict=True)
        if count
    ]
    return Surface(where, mean, np.concatenate(draws))


def _places(points: Floats) -> Floats:
    """Evenly spread points; in more dimensions Halton's, and those of the trials."""
    dimensions = points.shape[1]
    if dimensions == 1:
        return np.linspace(0, 1, LINE_POINTS)[:, None]
    primes = _primes(dimensions)
    halton = [[_radical(i, p) for p in primes] for i in range(1, SPACE_POINTS + 1)]
    return np.concatenate([np.array(halton), points])


def _primes(count: int) -> list[int]:
    found: list[int] = []
    number = 2
    while len(found) < count:
        if all(number % prime for prime in found):
            found.append(number)
        number += 1
    return found


def _radical(index: int, base: int) -> float:
    """The digits of a number behind the point, in reverse."""
    value, part = 0.0, 1.0
    while index:
        index, digit = divmod(index, base)
        part /= base
        value += digit * part
    return value


def _covariance(one: Floats, two: Floats, amplitude: float, length: float) -> Floats:
    squares = ((one[:, None, :] - two[None, :, :]) ** 2).sum(axis=2)
    values: Floats = amplitude**2 * np.exp(-squares / (2 * length**2))
    return values + MEAN_DEVIATION**2


def _posterior(
    points: Floats,
    scores: Floats,
    variances: Floats,
    where: Floats,
    amplitude: float,
    length: float,
) -> tuple[float, Floats, Floats]:
    """The logarithm of the evidence, and mean and covariance at the places.

    Rasmussen and Williams, algorithm 2.1.
    """
    own = _covariance(points, points, amplitude, length) + np.diag(variances + JITTER)
    root = np.linalg.cholesky(own)
    centred = np.linalg.solve(root, scores - 0.5)
    evidence = -0.5 * centred @ centred - np.log(np.diag(root)).sum()
    across = np.linalg.solve(root, _covariance(points, where, amplitude, length))
    mean = 0.5 + across.T @ centred
    left = _covariance(where, where, amplitude, length) - across.T @ across
    return float(evidence), mean, left


def _draw(
    mean: Floats, covariance: Floats, count: int, rng: np.random.Generator
) -> Floats:
    root = np.linalg.cholesky(covariance + JITTER * np.eye(len(mean)))
    drawn: Floats = mean + rng.standard_normal((count, len(mean))) @ root.T
    return drawn
