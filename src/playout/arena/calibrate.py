"""`Ladder`: graded opponents, each about as much stronger than the one before.

All players are of one family, the search, ordered by a number, the rung: below 1 some
moves are random, from 1 on the search thinks longer. For each level, matches look for
the rung that wins by the wanted Elo against the level below. What the ladder states is
the result of a further match, which had no part in finding the rung.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..core.errors import UsageError
from ..core.text.fields import expect_at_most, expect_whole
from ..core.text.spec import with_values
from ..games.registry import make_game
from ..players.levels import MeasuredLevels
from .executors import Executor
from .match import MOST_GAMES, Match, MatchSettings, Observer, play_matches
from .rating import Tally, elo, elo_of_score
from .seating import expect_two_seats
from .store import Store

__all__ = [
    "ACCEPTED",
    "Family",
    "Ladder",
    "LadderLevel",
    "LadderSettings",
    "measured_levels",
    "table",
]

#: What a measured step may be, in Elo; the ladder is searched within the margins.
ACCEPTED, MARGIN = (60.0, 200.0), 15.0
#: A guess this near to the wanted step, in Elo, is measured; at most so many guesses.
NEAR, MOST_GUESSES = 30.0, 8
#: The smallest difference of rungs; and how far a guess may go beyond the farthest one
#: so far, as a multiple of that one's distance.
FINEST, MOST_LEAP = 0.005, 2.0
#: No ladder has more levels.
MOST_LEVELS = 100
#: Doublings of the simulations for each whole rung above 1.
DOUBLINGS = 8.0


@dataclass(frozen=True)
class Family:
    """Players by rung.

    Attributes:
        simulations: of the search at rung 1 and below.
        most: simulations of the strongest player that may be used.
        player: the search, with all that is not searched for.
    """

    simulations: int = 50
    most: int = 100_000
    player: str = "mcts"

    def __post_init__(self) -> None:
        expect_whole("base", self.simulations, 1)
        expect_whole("most", self.most, self.simulations, 2**32 - 1)

    def spec(self, rung: float) -> str:
        """The player of a rung, from 0 (random) up.

        >>> Family(50).spec(0.6), Family(50).spec(1.25)
        ('mcts:simulations=50,blunder=0.4', 'mcts:simulations=200')
        """
        if rung <= 0:
            return "random"
        if rung < 1:
            count, blunder = self.simulations, {"blunder": f"{1 - rung:.3g}"}
        else:
            count, blunder = self._count(rung), {}
        return with_values(self.player, {"simulations": str(count), **blunder})

    @property
    def top(self) -> float:
        """The rung of the strongest player."""
        return 1 + math.log2(self.most / self.simulations) / DOUBLINGS

    def _count(self, rung: float) -> int:
        """Simulations, rounded to two digits so that they can be read."""
        count = self.simulations * 2 ** (DOUBLINGS * (rung - 1))
        digits = max(0, math.floor(math.log10(count)) - 1)
        return round(count / 10**digits) * 10**digits


@dataclass(frozen=True)
class LadderSettings:
    """What ladder is wanted.

    Attributes:
        match: the game, openings and seed; its players are set for each match.
        family: the players.
        levels: how many, at least 2.
        start: the rung of level 1.
        step: the wanted difference of neighbours, in Elo.
        games: of the match that measures a step.
        probe: of a match that tries a guess.
        last: the player of the last level, instead of one that is searched.
    """

    match: MatchSettings
    family: Family
    levels: int = 10
    start: float = 0.1
    step: float = 130.0
    games: int = 400
    probe: int = 80
    last: str | None = None

    def __post_init__(self) -> None:
        if self.levels < 2:
            raise UsageError(f"a ladder has at least 2 levels, not {self.levels}")
        low, high = ACCEPTED
        if not low + MARGIN < self.step < high - MARGIN:
            raise UsageError(
                f"step must be between {low + MARGIN:g} and {high - MARGIN:g} Elo, "
                f"not {self.step:g}"
            )
        expect_two_seats(make_game(self.match.game), "a ladder")
        if min(self.games, self.probe) < 2:
            raise UsageError("a match has at least 2 games")
        expect_at_most("levels", self.levels, MOST_LEVELS)
        expect_at_most("games", max(self.games, self.probe), MOST_GAMES)
        if not 0 <= self.start < self.family.top:
            raise UsageError(
                f"start must be 0 to {self.family.top:.2f}, not {self.start:g}"
            )


@dataclass(frozen=True)
class LadderLevel:
    """A level, and how it did against the one below.

    Attributes:
        spec: the player.
        tally: its results; None for level 1.
    """

    spec: str
    tally: Tally | None = None

    @property
    def elo(self) -> tuple[float, float, float]:
        """Elo above the level below, with its 95 % interval; zeros for level 1."""
        return (0.0, 0.0, 0.0) if self.tally is None else elo(self.tally)


class Ladder:
    """Finds a ladder; with the same file of games it goes on where it was.

    Args:
        settings: what is wanted.
        store: keeps the games.
        executor: plays them.
        observe: told of every match: the lower player, the upper, the result.
        observe_game: told of every game.
    """

    def __init__(
        self,
        settings: LadderSettings,
        store: Store,
        executor: Executor,
        observe: Callable[[str, str, Tally], None] | None = None,
        observe_game: Observer | None = None,
    ) -> None:
        self.settings, self.store, self.executor = settings, store, executor
        self.observe = observe or (lambda *_: None)
        self.observe_game = observe_game

    def find(self) -> list[LadderLevel]:
        """The levels from the first; fewer than wanted where the family ends."""
        settings = self.settings
        rung, stride = settings.start, 0.1
        steps = [LadderLevel(settings.family.spec(rung))]
        searched = settings.levels - (settings.last is not None)
        while len(steps) < searched:
            found = self._next(steps[-1].spec, rung, stride)
            if found is None:
                break
            following, step = found
            rung, stride = following, max(FINEST, following - rung)
            steps.append(step)
        if settings.last is not None:
            below, games = steps[-1].spec, settings.games
            steps.append(
                LadderLevel(settings.last, self._play(below, settings.last, games, 1))
            )
        return steps

    def _next(
        self, below: str, rung: float, stride: float
    ) -> tuple[float, LadderLevel] | None:
        """The rung and the player of the next level; None if there is none."""
        family, wanted = self.settings.family, self.settings.step
        guess = min(rung + stride, family.top)
        tried: list[tuple[float, float, int]] = []
        for attempt in range(MOST_GUESSES):
            above = family.spec(guess)
            tally = self._play(below, above, self.settings.probe, 2 * attempt)
            found = _soft_elo(tally)
            if abs(found - wanted) <= NEAR or self._ends(guess, found):
                tally = self._play(below, above, self.settings.games, 2 * attempt + 1)
                found = _soft_elo(tally)
                if ACCEPTED[0] + MARGIN <= found <= ACCEPTED[1] - MARGIN:
                    return guess, LadderLevel(above, tally)
                if self._ends(guess, found):
                    return None
            tried.append((guess, found, tally.games))
            guess = next_guess(tried, wanted, rung, family.top)
        raise UsageError(
            f"no step of about {wanted:g} Elo above {below} was found in "
            f"{MOST_GUESSES} tries: let more games be played"
        )

    def _ends(self, rung: float, found: float) -> bool:
        """Whether even the strongest player of the family is not strong enough."""
        return rung >= self.settings.family.top and found < self.settings.step

    def _play(self, below: str, above: str, games: int, attempt: int) -> Tally:
        """The results of the upper player; different attempts share no games."""
        settings = self.settings.match
        settings = replace(
            settings,
            players=(above, below),
            seed=2 * MOST_GUESSES * settings.seed + attempt,
        )
        match = Match(settings, games + games % 2)
        play_matches([match], self.store, self.executor, self.observe_game)
        self.observe(below, above, match.tally)
        return match.tally


def next_guess(
    tried: Sequence[tuple[float, float, int]], wanted: float, rung: float, top: float
) -> float:
    """The rung at which the wanted Elo above the current rung is to be expected.

    Between the nearest rungs tried below and above it, or beyond the last by the slope
    so far; never at or below the current rung, nor beyond the family's end.

    Args:
        tried: rungs above the current one, their Elo above it, and how many games.
        wanted: the Elo.
        rung: the current one.
        top: the last there is.

    >>> round(next_guess([(0.2, 60.0, 80)], 90, 0.1, 2.0), 3)
    0.25
    >>> round(next_guess([(0.2, 60.0, 80), (0.3, 180.0, 80)], 90, 0.1, 2.0), 3)
    0.225
    """
    x0, y0 = rung, 0.0
    for x1, y1 in _increasing(tried):
        if y1 > wanted:
            guess = x0 + (x1 - x0) * (wanted - y0) / (y1 - y0)
            break
        x0, y0 = x1, y1
    else:
        leap = (wanted - y0) * (x0 - rung) / max(y0, 1e-9)
        guess = x0 + min(leap, MOST_LEAP * (x0 - rung))
    return min(max(guess, rung + FINEST), top)


def _increasing(tried: Sequence[tuple[float, float, int]]) -> list[tuple[float, float]]:
    """The Elo by rung with noise smoothed away: above 0, and never falling.

    Neighbours in the wrong order are pooled: the method of adjacent violators.
    """
    pools: list[list[float]] = []  # games, games * rung, games * Elo
    for rung, value, games in sorted(tried):
        pools.append([games, games * rung, games * max(value, 1.0)])
        while len(pools) > 1 and (
            pools[-2][2] / pools[-2][0] > pools[-1][2] / pools[-1][0]
        ):
            last = pools.pop()
            pools[-1] = [a + b for a, b in zip(pools[-1], last, strict=True)]
    return [(rungs / games, values / games) for games, rungs, values in pools]


def _soft_elo(tally: Tally) -> float:
    """Elo with half a win given to each side, so that it is finite."""
    return elo_of_score((tally.score * tally.games + 0.5) / (tally.games + 1))


def measured_levels(
    steps: Sequence[LadderLevel], openings: str | None
) -> MeasuredLevels:
    """A ladder as it is kept: whole Elo, infinite after a match without a loss.

    >>> greedy = LadderLevel("greedy", Tally(2, 0, 0, (0, 0, 0, 0, 1)))
    >>> steps = [LadderLevel("random"), greedy]
    >>> measured_levels(steps, None).steps
    (0.0, inf)
    """
    values = [(0.0, 0.0, 0.0) if each.tally is None else each.elo for each in steps]
    return MeasuredLevels(
        players=tuple(each.spec for each in steps),
        steps=tuple(_whole(value) for value, _, _ in values),
        errors=tuple(_whole((high - low) / 2) for _, low, high in values),
        games=tuple(0 if each.tally is None else each.tally.games for each in steps),
        openings=openings or "",
    )


def _whole(value: float) -> float:
    return float(round(value)) if math.isfinite(value) else value


def table(ladder: MeasuredLevels) -> str:
    """A ladder in columns: Elo above the level below, with its interval, and in all.

    >>> print(table(MeasuredLevels(("a", "b"), (0.0, 99.0), (0.0, 9.0), (0, 400))))
    level   Elo    +-  above level 1   games  player
        1                                     a
        2   +99     9            +99     400  b
    """
    lines = ["level   Elo    +-  above level 1   games  player"]
    total = 0.0
    rows = zip(ladder.players, ladder.steps, ladder.errors, ladder.games, strict=True)
    for number, (player, step, error, games) in enumerate(rows, start=1):
        total += step
        found = f"{step:>+z6.0f}{error:6.0f}{total:>+z15.0f}{games:8,}"
        lines.append(f"{number:5}{found if games else ' ' * len(found)}  {player}")
    return "\n".join(lines)
