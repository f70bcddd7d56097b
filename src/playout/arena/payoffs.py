"""What players got: mean payoffs with intervals, wins, places, differences.

Payoffs are returns in the game's own units. Games of one round (see `seating`) have
chance and seats in common, so the unit of all statistics is the round. With `y` a
player's sum of payoffs in a round, `n` its games there, and `m` the mean over all
games, the standard error of `m` over `R` rounds is

    sqrt(R / (R - 1) * sum((y - m n)^2)) / sum(n)

which is that of a ratio estimator (Cochran, "Sampling Techniques", 3rd ed., 1977,
section 6.4) and, where all rounds are complete, that of the mean over rounds. The 95 %
interval is Student's, with R - 1 degrees of freedom. Differences between two players
are taken within rounds, so that luck which both had cancels out.
"""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from .rating import Z

__all__ = ["Difference", "Payoff", "Payoffs", "are_points", "student"]


@dataclass(frozen=True)
class Payoff:
    """What a player got.

    Attributes:
        player: who.
        games: how many seats it has had in games.
        mean: of its payoffs.
        error: half of the 95 % interval; infinite after a single round.
        won: its share of the wins, 0 to 1; those with the same highest payoff share.
        place: its mean place, 1 for the highest payoff; equals have the mean of theirs.
        least, median, most: of its payoffs.
    """

    player: str
    games: int
    mean: float
    error: float
    won: float
    place: float
    least: float
    median: float
    most: float


@dataclass(frozen=True)
class Difference:
    """How much more one player got than another, in rounds that both finished.

    Attributes:
        one, other: who.
        mean: of the payoffs of one, less those of the other, in a round.
        error: half of the 95 % interval; infinite after a single round.
        rounds: how many there are.
        better, worse: in how many of them one got more than the other, and less.
    """

    one: str
    other: str
    mean: float
    error: float
    rounds: int
    better: int
    worse: int


@dataclass
class _Account:
    """The payoffs of one player.

    Attributes:
        payoffs: `[G]` in order.
        won, place: sums over its games.
        rounds: by round, the sum of payoffs and the number of games.
    """

    payoffs: list[float] = field(default_factory=list)
    won: float = 0.0
    place: float = 0.0
    rounds: dict[Hashable, tuple[float, int]] = field(default_factory=dict)


class Payoffs:
    """Payoffs as they are collected, game by game.

    >>> payoffs = Payoffs()
    >>> for number, (names, returns) in enumerate(
    ...     [("AB", (2, -2)), ("BA", (1, -1)), ("AB", (-1, 1)), ("BA", (1, -1))]
    ... ):
    ...     payoffs.add(number // 2, names, returns)
    >>> [(row.player, row.mean, round(row.error, 2), row.won) for row in payoffs.table]
    [('A', -0.25, 9.53, 0.25), ('B', 0.25, 9.53, 0.75)]
    """

    def __init__(self) -> None:
        self._accounts: dict[str, _Account] = {}

    def add(
        self, number: Hashable, players: Sequence[str], returns: Sequence[float]
    ) -> None:
        """Count a game.

        Args:
            number: of the round that it belongs to.
            players: `[P]` by seat.
            returns: `[P]` their payoffs.
        """
        best = max(returns)
        for player, payoff in zip(players, returns, strict=True):
            account = self._accounts.setdefault(player, _Account())
            account.payoffs.append(payoff)
            account.won += (payoff == best) / returns.count(best)
            above = sum(other > payoff for other in returns)
            account.place += above + (returns.count(payoff) + 1) / 2
            total, games = account.rounds.get(number, (0.0, 0))
            account.rounds[number] = total + payoff, games + 1

    @property
    def players(self) -> list[str]:
        """Everyone, in order of first appearance."""
        return list(self._accounts)

    @property
    def table(self) -> list[Payoff]:
        """A row for everyone, in order of first appearance."""
        return [_row(name, account) for name, account in self._accounts.items()]

    def differences(self) -> list[Difference]:
        """Between any two players, in order of first appearance."""
        pairs = itertools.combinations(self._accounts, 2)
        found = (self._difference(one, other) for one, other in pairs)
        return [difference for difference in found if difference is not None]

    def _difference(self, one: str, other: str) -> Difference | None:
        mine, yours = self._accounts[one].rounds, self._accounts[other].rounds
        gaps = [
            total / games - yours[number][0] / yours[number][1]
            for number, (total, games) in mine.items()
            if number in yours
        ]
        if not gaps:
            return None
        return Difference(
            one,
            other,
            statistics.fmean(gaps),
            _error((gap, 1) for gap in gaps),
            len(gaps),
            sum(gap > 0 for gap in gaps),
            sum(gap < 0 for gap in gaps),
        )


def are_points(returns: Iterable[float]) -> bool:
    """Whether returns are those of a game that is won, drawn or lost.

    >>> are_points((1.0, -1.0)), are_points((0.0, 0.0)), are_points((2.0, -2.0))
    (True, True, False)
    """
    return {*returns} <= {-1.0, 0.0, 1.0}


def student(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches, by Student's distribution.

    By its expansion around the normal one (Abramowitz and Stegun, "Handbook of
    Mathematical Functions", 1964, 26.7.5), which is 0.2 % off at worst; 1 and 2 degrees
    of freedom are exact. Infinite without any.

    >>> [round(student(freedom), 2) for freedom in (1, 2, 5, 30)]
    [12.71, 4.3, 2.57, 2.04]
    """
    exact = {0: math.inf, 1: 12.7062, 2: 4.3027}
    if freedom in exact:
        return exact[freedom]
    terms = (
        Z,
        (Z**3 + Z) / 4,
        (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96,
        (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384,
        (79 * Z**9 + 776 * Z**7 + 1482 * Z**5 - 1920 * Z**3 - 945 * Z) / 92160,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def _row(player: str, account: _Account) -> Payoff:
    payoffs = account.payoffs
    return Payoff(
        player,
        len(payoffs),
        statistics.fmean(payoffs),
        _error(account.rounds.values()),
        account.won / len(payoffs),
        account.place / len(payoffs),
        min(payoffs),
        statistics.median(payoffs),
        max(payoffs),
    )


def _error(rounds: Iterable[tuple[float, int]]) -> float:
    """Half of the 95 % interval of a mean, from the rounds' sums and numbers."""
    counts = list(rounds)
    if len(counts) < 2:
        return math.inf
    games = sum(number for _, number in counts)
    mean = math.fsum(total for total, _ in counts) / games
    squares = math.fsum((total - mean * number) ** 2 for total, number in counts)
    spread = squares * len(counts) / (len(counts) - 1)
    return student(len(counts) - 1) * math.sqrt(spread) / games
