"""Elo, likelihood of superiority and the sequential test, from the results of a match.

Games come in pairs that share an opening, with colours swapped. The two results of a
pair are not independent (a lopsided opening gives one win each), so the unit of all
statistics is the pair: its five possible scores 0, 1/2, 1, 3/2 and 2 make the
*pentanomial*. Matches without finished pairs fall back on the three results of a game.

`docs/statistics.md` explains every number with its formula.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from statistics import NormalDist
from typing import Any, cast

import numpy as np

from ..core.errors import UsageError
from .likelihood import MODELS, NELO, log_likelihood_ratio

__all__ = ["SPRT", "Tally", "elo", "elo_of_score", "los", "normalized_elo"]

Pentanomial = tuple[int, int, int, int, int]

#: How far hypotheses may be from equality, in Elo.
MOST_ELO = {"logistic": 1000, "normalized": 100}
#: The share of intervals that miss the truth, half of them on each side.
MISSED = 0.05
#: Standard deviations on each side of a 95 % interval.
Z = NormalDist().inv_cdf(1 - MISSED / 2)


@dataclass(frozen=True)
class Tally:
    """The results of a match, from the side of A, its first player.

    Attributes:
        wins: games that A won.
        draws: games that were drawn.
        losses: games that A lost.
        pentanomial: `[5]` finished pairs in which A scored 0, 1/2, 1, 3/2 and 2.

    >>> tally = Tally.from_results([(0, 1), (0, 0.5), (1, 0), (1, 1), (2, 1)])
    >>> tally
    Tally(wins=3, draws=1, losses=1, pentanomial=(0, 0, 1, 1, 0))
    >>> tally.score
    0.7
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pentanomial: Pentanomial = (0, 0, 0, 0, 0)

    @classmethod
    def from_results(cls, results: Iterable[tuple[int, float]]) -> Tally:
        """Count games given as (number of the pair, score of A: 0, 1/2 or 1).

        An unfinished pair counts among the games, but not in the pentanomial.

        Raises:
            UsageError: a score that no game has, or a third game of a pair.
        """
        counts = {0.0: 0, 0.5: 0, 1.0: 0}
        pairs: defaultdict[int, list[float]] = defaultdict(list)
        for pair, score in results:
            if score not in counts:
                raise UsageError(f"a game scores 0, 0.5 or 1, not {score}")
            counts[score] += 1
            pairs[pair].append(score)
            if len(pairs[pair]) > 2:
                raise UsageError(f"pair {pair} has more than two games")
        totals = [sum(scores) for scores in pairs.values() if len(scores) == 2]
        zero, half, one, three_halves, two = (
            totals.count(points / 2) for points in range(5)
        )
        return cls(
            counts[1.0],
            counts[0.5],
            counts[0.0],
            (zero, half, one, three_halves, two),
        )

    def after_game(self, score: float) -> Tally:
        """The tally with one game more, in which A scored 0, 1/2 or 1."""
        name = {1.0: "wins", 0.5: "draws", 0.0: "losses"}[score]
        return replace(self, **{name: getattr(self, name) + 1})

    def after_pair(self, points: float) -> Tally:
        """The tally with a pair finished, in which A scored 0, 1/2, 1, 3/2 or 2."""
        counts = list(self.pentanomial)
        counts[round(2 * points)] += 1
        return replace(self, pentanomial=cast(Pentanomial, tuple(counts)))

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def pairs(self) -> int:
        """Finished pairs."""
        return sum(self.pentanomial)

    @property
    def score(self) -> float:
        """The share of the points that A has, 0 to 1; 1/2 before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def units(self) -> tuple[int, ...]:
        """How often each score of a unit came, from 0 to 1 in equal steps.

        Units are pairs where at least one is finished, and single games otherwise.
        """
        if self.pairs:
            return self.pentanomial
        return self.losses, self.draws, self.wins


def elo_of_score(score: float) -> float:
    """The logistic Elo difference at which so many points are expected.

    >>> round(elo_of_score(0.64), 2), elo_of_score(1)
    (99.95, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 0.0 - 400 * math.log10(1 / score - 1)  # of a half, not -0.0


def elo(tally: Tally) -> tuple[float, float, float]:
    """A's logistic Elo above B, and the ends of its 95 % interval.

    The interval is that of the mean score of pairs, by the central limit theorem,
    brought to Elo. Where all units have one score there is no spread to estimate, and
    the interval holds all mean scores that would give such a run in 2.5 % of matches.
    A score of 0 or 1 is an infinite difference.

    >>> [round(value, 2) for value in elo(Tally(136, 111, 96))]
    [40.7, 10.59, 71.44]
    """
    if not tally.games:
        return 0.0, -math.inf, math.inf
    mean, variance, count = _moments(tally.units)
    if variance == 0:
        low, high = _interval_without_spread(mean, count)
    else:
        error = Z * math.sqrt(variance / count)
        low, high = mean - error, mean + error
    return elo_of_score(mean), elo_of_score(low), elo_of_score(high)


def normalized_elo(tally: Tally) -> tuple[float, float, float]:
    """A's normalized Elo above B, and the ends of its 95 % interval.

    The score's distance from 1/2 in standard deviations of a game: what decides how
    many games a test needs. M. Van den Bergh, "Normalized Elo" (2020).

    >>> [round(value, 2) for value in normalized_elo(Tally(136, 111, 96))]
    [49.77, 13.0, 86.54]
    """
    if not tally.games:
        return 0.0, -math.inf, math.inf
    mean, variance, count = _moments(tally.units)
    games = 2 if tally.pairs else 1
    if variance == 0:
        far = 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
        return far, -math.inf, math.inf
    value = NELO * (mean - 0.5) / math.sqrt(games * variance)
    error = Z * NELO / math.sqrt(games * count)
    return value, value - error, value + error


def los(tally: Tally) -> float:
    """The likelihood of superiority: how sure it is that A is the stronger, 0 to 1.

    >>> round(los(Tally(136, 111, 96)), 4), los(Tally())
    (0.996, 0.5)
    """
    mean, variance, count = _moments(tally.units)
    if count == 0 or mean == 0.5:
        return 0.5
    if variance == 0:  # the sign test: n units on one side
        return NormalDist().cdf(math.copysign(math.sqrt(count), mean - 0.5))
    return NormalDist().cdf((mean - 0.5) / math.sqrt(variance / count))


def _moments(counts: Sequence[int]) -> tuple[float, float, int]:
    """Mean, variance and number of units that score 0 to 1 in equal steps."""
    count = sum(counts)
    if count == 0:
        return 0.5, 0.0, 0
    scores = [step / (len(counts) - 1) for step in range(len(counts))]
    mean = sum(n * score for n, score in zip(counts, scores, strict=True)) / count
    variance = sum(
        n * (score - mean) ** 2 for n, score in zip(counts, scores, strict=True)
    )
    return mean, variance / count, count


def _interval_without_spread(score: float, count: int) -> tuple[float, float]:
    """The mean scores under which `count` units of this score are not surprising.

    If other scores have probability q, such a run has (1 - q)^count; q is taken where
    that is 2.5 %, and the other scores are taken as low, or as high, as they can be.
    """
    other = 1 - (MISSED / 2) ** (1 / count)
    return score * (1 - other), score + (1 - score) * other


@dataclass(frozen=True)
class SPRT:
    """A test of H0 "A is `elo0` above B" against H1 "A is `elo1` above B".

    Attributes:
        elo0: Elo difference of H0.
        elo1: Elo difference of H1, above `elo0`.
        alpha: probability of accepting H1 where H0 holds, at most; in (0, 1/2).
        beta: probability of accepting H0 where H1 holds, at most; in (0, 1/2).
        model: "logistic" Elo, or "normalized", which needs the same number of games
            whatever the share of draws is, and is for small differences, up to 100.

    >>> test = SPRT(0, 2, model="normalized")
    >>> tally = Tally(pentanomial=(365, 16618, 36229, 16974, 390))
    >>> round(test.llr(tally), 2), test.state(tally)
    (2.25, None)
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise UsageError(f"model must be {' or '.join(MODELS)}, not {self.model!r}")
        most = MOST_ELO[self.model]
        if not -most <= self.elo0 < self.elo1 <= most:
            raise UsageError(
                f"elo0 must be below elo1, both in -{most} .. {most} for {self.model} "
                f"Elo, not {self.elo0:g} and {self.elo1:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise UsageError(
                    f"{name} must lie between 0 and 0.5, not {getattr(self, name):g}"
                )

    @classmethod
    def parse(cls, text: str) -> SPRT:
        """The test that a text names; what it leaves out has its default.

        >>> SPRT.parse("elo0=0,elo1=5,alpha=0.01")
        SPRT(elo0=0.0, elo1=5.0, alpha=0.01, beta=0.05, model='logistic')

        Raises:
            UsageError: an unknown name, or a value that is not accepted.
        """
        known = [field.name for field in fields(cls)]
        values: dict[str, Any] = {}
        for part in text.split(","):
            name, equals, value = (word.strip() for word in part.partition("="))
            if name not in known or not equals:
                raise UsageError(
                    f"SPRT: {part!r} is not one of {', '.join(known)} (as name=value)"
                )
            values[name] = value if name == "model" else _number(name, value)
        return cls(**values)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (A. Wald, 1945)."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, tally: Tally) -> float:
        """The log-likelihood ratio of H1 to H0; 0 before the first game."""
        if not tally.games and not tally.pairs:
            return 0.0
        counts = np.array([tally.units], dtype=np.float64)
        ratios = log_likelihood_ratio(counts, self.elo0, self.elo1, self.model)
        return float(ratios[0])

    def state(self, tally: Tally) -> str | None:
        """Either "accept H0", "accept H1", or None where the match must go on."""
        llr, (low, high) = self.llr(tally), self.bounds
        if llr <= low:
            return "accept H0"
        return "accept H1" if llr >= high else None

    def __str__(self) -> str:
        unit = "nElo" if self.model == "normalized" else "Elo"
        return f"[{self.elo0:g}, {self.elo1:g}] {unit}"


def _number(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"SPRT: {name} must be a number, not {text!r}")
    return value
