"""Ratings of many players from their games with each other: Bradley and Terry's model.

Player i scores against j as a logistic function of the difference of their ratings
(R. A. Bradley, M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952). The
most likely ratings are found by the package choix.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..core.errors import UsageError
from .rating import Z
from .record import GameRecord

__all__ = ["Rating", "Results", "count_results", "rate"]

#: Elo per unit of the natural logarithm of the odds.
ELO_PER_LOGIT = 400 / math.log(10)
#: Half-wins that every player is given against each opponent it has met, so that
#: nobody's rating is infinite.
PRIOR_WINS = 0.25


@dataclass(frozen=True)
class Results:
    """Who scored how much against whom.

    Attributes:
        players: `[P]` everyone, in order of first appearance.
        points: `[P, P]` points of the row's player against the column's; a draw is 1/2.
    """

    players: tuple[str, ...]
    points: NDArray[np.float64]

    @property
    def games(self) -> NDArray[np.float64]:
        """`[P, P]` games of the row's player against the column's."""
        return self.points + self.points.T


@dataclass(frozen=True)
class Rating:
    """A player's place in a rating list.

    Attributes:
        player: its spec.
        elo: its rating; the mean of all players is 0 unless one is anchored.
        error: half of the 95 % interval, in Elo; of the difference from the anchor
            where there is one.
        games: how many it played.
        score: its share of the points, 0 to 1.
        group: players of different groups have never met, not even through others,
            and cannot be compared; the largest group is 0.
    """

    player: str
    elo: float
    error: float
    games: int
    score: float
    group: int = 0


def count_results(records: Iterable[GameRecord]) -> Results:
    """Count the points of every pair of players; games with oneself are left out."""
    points: dict[tuple[str, str], float] = {}
    players: dict[str, int] = {}
    for record in records:
        for seat, other in combinations(range(len(record.players)), 2):
            one, two = record.players[seat], record.players[other]
            if one == two:
                continue
            for name in (one, two):
                players.setdefault(name, len(players))
            score = _score(record.returns[seat], record.returns[other])
            points[one, two] = points.get((one, two), 0.0) + score
            points[two, one] = points.get((two, one), 0.0) + 1 - score
    table = np.zeros((len(players), len(players)))
    for (one, two), sum_of_points in points.items():
        table[players[one], players[two]] = sum_of_points
    return Results(tuple(players), table)


def rate(
    records: Iterable[GameRecord], anchor: tuple[str, float] | None = None
) -> list[Rating]:
    """The ratings of everyone who played, the strongest first.

    Draws are half-wins. Everyone gets a quarter of a win against each opponent on top,
    which keeps clean scores finite.

    Args:
        records: games in any order.
        anchor: a player and its rating; by default the mean rating of a group is 0.

    Raises:
        UsageError: the anchor did not play, or choix is not installed.
    """
    results = count_results(records)
    if anchor is not None and anchor[0] not in results.players:
        raise UsageError(f"{anchor[0]} has played no games to be an anchor of")
    ratings: list[Rating] = []
    for group, members in enumerate(_groups(results.games > 0)):
        ratings += _rate_group(results, members, group, anchor)
    return sorted(ratings, key=lambda row: (row.group, -row.elo))


def _rate_group(
    results: Results,
    members: Sequence[int],
    group: int,
    anchor: tuple[str, float] | None,
) -> list[Rating]:
    points = results.points[np.ix_(members, members)]
    wins = points + PRIOR_WINS * (points + points.T > 0)
    strengths = _most_likely(wins)
    names = [results.players[member] for member in members]
    zero = np.full(len(members), 1 / len(members))  # what the ratings are measured from
    shift = 0.0
    if anchor is not None and anchor[0] in names:
        zero, shift = np.eye(len(members))[names.index(anchor[0])], anchor[1]
    elos = shift + ELO_PER_LOGIT * (strengths - zero @ strengths)
    errors = Z * ELO_PER_LOGIT * _deviations(wins, strengths, zero)
    games = (points + points.T).sum(axis=1)
    return [
        Rating(
            name,
            float(elo) + 0.0,
            float(error),
            round(played),
            float(got / played),
            group,
        )
        for name, elo, error, played, got in zip(
            names, elos, errors, games, points.sum(axis=1), strict=True
        )
    ]


def _most_likely(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strengths, as logarithms of odds, under which these results are likeliest."""
    try:
        import choix
    except ImportError:
        raise UsageError(
            "rating lists need the package choix: pip install playout[ratings]"
        ) from None
    strengths: NDArray[np.float64] = choix.ilsr_pairwise_dense(wins, max_iter=10_000)
    return strengths


def _deviations(
    wins: NDArray[np.float64], strengths: NDArray[np.float64], zero: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The standard deviations of the strengths above the zero, from the information.

    The Fisher information of a game is p (1 - p) in the direction of the difference.
    """
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    weights = (wins + wins.T) * expected * (1 - expected)
    information = np.diag(weights.sum(axis=1)) - weights
    covariance = np.linalg.pinv(information, hermitian=True)
    directions = np.eye(len(zero)) - zero
    variances = np.einsum("ij,jk,ik->i", directions, covariance, directions)
    deviations: NDArray[np.float64] = np.sqrt(np.maximum(variances, 0))
    return deviations


def _groups(met: NDArray[np.bool_]) -> list[list[int]]:
    """Players connected through games, the largest group first."""
    left, groups = list(range(len(met))), []
    while left:
        group, frontier = set(), {left[0]}
        while frontier:
            group |= frontier
            frontier = {int(j) for i in frontier for j in met[i].nonzero()[0]} - group
        groups.append(sorted(group))
        left = [player for player in left if player not in group]
    return sorted(groups, key=len, reverse=True)


def _score(mine: float, yours: float) -> float:
    return 0.5 + (mine > yours) / 2 - (mine < yours) / 2
