"""`Match`: many games of A against B; `play_matches` plays several, and resumes them.

Games come in pairs: both games of a pair have the same opening and the same seeds, and
the players change seats. Game `n` is the game `n % 2` of pair `n // 2`; A sits in seat
0 in games with even numbers. What a match has shown is counted in the order of these
numbers, whatever the order in which games finish, so statistics and the end of a
sequential test are the same for every number of games at once.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from .. import __version__
from ..core.errors import UsageError
from ..core.files import read_bytes
from ..core.text.fields import expect_at_most
from ..games.registry import make_game
from ..players.levels import level_spec
from .clock import TimeControl
from .executors import Executor
from .openings import make_book
from .rating import SPRT, Pentanomial, Tally
from .record import FORFEITS, GameRecord
from .session import Conduct
from .store import Store
from .task import GameTask

__all__ = [
    "MOST_GAMES",
    "Forfeit",
    "Match",
    "MatchSettings",
    "Observer",
    "play_matches",
]

#: How often another process's games are looked for, in seconds.
LOOK_SECONDS = 0.5
#: No match has more games; a test without a number of them ends here.
MOST_GAMES = 10_000_000


@dataclass(frozen=True)
class MatchSettings:
    """What decides how the games of a match go; equal settings, the same match.

    Attributes:
        game: the game, as on the command line.
        players: A and B.
        time: the limits of both.
        conduct: tolerances and adjudication.
        openings: `random:plies=N`, a file, or None for the start.
        seed: what openings and players' random numbers follow from.
    """

    game: str
    players: tuple[str, str]
    time: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)
    openings: str | None = None
    seed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return dataclasses.asdict(self)


@dataclass(frozen=True)
class Forfeit:
    """A game lost without the rules: its number from 1, who lost it, and why."""

    game: int
    player: str
    reason: str
    detail: str


class Match:
    """A match as it stands.

    Args:
        settings: what is played.
        games: how many games; None to go on until the test has an answer.
        sprt: a sequential test, which ends the match after a pair.
        label: what to call it.

    Attributes:
        game: the rules.
        tally: the results, from A's side, of the games that count.
        decision: the answer of the test, if there is one.
        counted: how many games count: all up to the first that is missing, or to the
            end of the test.
        forfeits: those among them.
        records: the games that count, without their moves, which only the file keeps.
        duplicates: numbers, from 1, of the games that repeat an earlier one: the same
            moves with the same player in each seat.

    Raises:
        UsageError: the game has not two seats; openings that cannot be read.
    """

    def __init__(
        self,
        settings: MatchSettings,
        games: int | None = None,
        sprt: SPRT | None = None,
        label: str = "",
    ) -> None:
        if games is None and sprt is None:
            raise UsageError("a match needs a number of games, or a test")
        if games is not None and games < 1:
            raise UsageError(f"games must be at least 1, not {games}")
        expect_at_most("games", games, MOST_GAMES)
        game = make_game(settings.game)
        if game.num_players() != 2:
            raise UsageError(
                f"{settings.game} has {game.num_players()} seats; a match is between "
                "two players"
            )
        self.settings, self.sprt, self.label = settings, sprt, label
        self.game = game
        self.games = MOST_GAMES if games is None else games
        self.book = make_book(settings.openings, game, settings.seed)
        self.tally = Tally()
        self.decision: str | None = None
        self.counted = 0
        self.forfeits: list[Forfeit] = []
        self.records: list[GameRecord] = []
        self.duplicates: list[int] = []
        self._waiting: dict[int, GameRecord] = {}
        self._first_half = 0.0
        self._seen: set[tuple[int, tuple[str, ...]]] = set()

    @functools.cached_property
    def identity(self) -> str:
        """What tells this match from others in a file of games.

        Besides the settings: what the Python files that it names contain, who plays the
        levels that it names, and Playout's version. What an external engine's program
        contains is not looked at.
        """
        parts = self.settings.to_dict()
        parts["openings"] = self.book.identity
        specs = (self.settings.game, *self.settings.players)
        parts["files"] = [_file_digest(spec) for spec in specs]
        if levels := self._levels():
            parts["levels"] = levels
        parts["version"] = __version__
        text = json.dumps(parts, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def _levels(self) -> dict[str, str]:
        """The players of levels, which change when a ladder is measured anew."""
        return {
            spec: level_spec(spec.removeprefix("level:"), self.game)
            for spec in self.settings.players
            if spec.startswith("level:")
        }

    @property
    def done(self) -> bool:
        return self.decision is not None or self.counted >= self.games

    def task(self, number: int) -> GameTask:
        """What it takes to play a game of the match."""
        settings = self.settings
        roles, pair = _roles(number), number // 2
        return GameTask(
            match=self.identity,
            number=number,
            game=settings.game,
            players=self._seated(number),
            roles=roles,
            opening=self.book.opening(pair),
            seed=pair_seed(settings.seed, pair),
            time=settings.time,
            conduct=settings.conduct,
        )

    def _seated(self, number: int) -> tuple[str, ...]:
        """The players of a game by seat."""
        return tuple(self.settings.players[role] for role in _roles(number))

    def add(self, number: int, record: GameRecord) -> None:
        """Take note of a finished game, and count what can be counted now."""
        if number >= self.counted:
            self._waiting.setdefault(number, record)
        while not self.done and self.counted in self._waiting:
            self._count(self.counted, self._waiting.pop(self.counted))

    def load(self, store: Store, match: int) -> None:
        """Take note of the games that a file has of this match."""
        for game in store.games(match, start=self.counted):
            if game.record.players != self._seated(game.number):
                raise store.damage("game", game.id, "it is of other players")
            self.add(game.number, game.record)

    def _count(self, number: int, record: GameRecord) -> None:
        self.counted += 1
        seat = number % 2  # A's
        score = record.points(seat)
        self.tally = _add_game(self.tally, score)
        if record.forfeit is not None and record.reason in FORFEITS:
            who = record.players[record.forfeit]
            self.forfeits.append(Forfeit(number + 1, who, record.reason, record.detail))
        self.records.append(_without_moves(record))
        key = seat, record.moves
        if key in self._seen:
            self.duplicates.append(number + 1)
        self._seen.add(key)
        if number % 2 == 0:
            self._first_half = score
            return
        self.tally = _add_pair(self.tally, self._first_half + score)
        if self.sprt is not None:
            self.decision = self.sprt.state(self.tally)


#: Told which match has changed, and the game that it has finished, if that is why.
Observer = Callable[[Match, int, GameRecord], None]


def play_matches(
    matches: Sequence[Match],
    store: Store,
    executor: Executor,
    observe: Observer | None = None,
) -> None:
    """Play what the file does not yet have of these matches, in their order.

    Other processes may play the same matches into the same file at the same time; the
    games are then shared out. Ends when every match is done.

    Raises:
        UsageError: a player cannot be started.
        StoreError: the file cannot be written; all games until then are kept.
    """
    _Campaign(matches, store, executor, observe or (lambda *_: None)).run()


class _Campaign:
    """The games of several matches, on their way between file and executor."""

    def __init__(
        self,
        matches: Sequence[Match],
        store: Store,
        executor: Executor,
        observe: Observer,
    ) -> None:
        self.matches, self.store, self.executor = matches, store, executor
        self.observe = observe
        self.ids = [
            store.open_match(match.identity, match.settings.to_dict())
            for match in matches
        ]
        self.by_identity = {match.identity: match for match in matches}
        self.looked = -math.inf

    def run(self) -> None:
        """Play until every match is done."""
        self.look()
        unfinished = [
            match.task(match.counted) for match in self.matches if not match.done
        ]
        self.executor.prepare(_one_for_every_player(unfinished))
        while not all(match.done for match in self.matches):
            self.fill()
            for task, record in self.executor.wait(LOOK_SECONDS):
                self.finish(task, record)
            self.store.beat()
            self.look()

    def look(self) -> None:
        """Take note of the games that others have finished, now and then."""
        if time.monotonic() - self.looked < LOOK_SECONDS:
            return
        for match, number in zip(self.matches, self.ids, strict=True):
            if not match.done:
                match.load(self.store, number)
        self.looked = time.monotonic()

    def fill(self) -> None:
        """Begin as many games as there is room for."""
        for index, match in enumerate(self.matches):
            room = self.executor.room
            if room <= 0:
                return
            if match.done:
                continue
            numbers = self.store.claim(
                self.ids[index], below=match.games, count=room, start=match.counted
            )
            for number in numbers:
                self.executor.submit(match.task(number))

    def finish(self, task: GameTask, record: GameRecord) -> None:
        """Keep a game and count it, unless another process had finished it before.

        It may be left over from a match that the executor played before these, and
        that did not need it any more.
        """
        match = self.by_identity.get(task.match)
        number = self.store.find_match(task.match)
        if number is not None and self.store.save(number, task.number, record):
            if match is not None:
                match.add(task.number, record)
                self.observe(match, task.number, record)


def _one_for_every_player(tasks: list[GameTask]) -> list[GameTask]:
    """Enough of these tasks that every player of every game has a part in one."""
    found, seen = [], set[tuple[str, str]]()
    for task in tasks:
        players = {(task.game, spec) for spec in task.players}
        if not players <= seen:
            found.append(task)
            seen |= players
    return found


def _roles(number: int) -> tuple[int, int]:
    """Who sits in which seat of a game: 0 is A, 1 is B."""
    return (0, 1) if number % 2 == 0 else (1, 0)


def pair_seed(seed: int, pair: int) -> int:
    """The seed of a pair of games; small, so that people can pass it on.

    >>> pair_seed(0, 0), pair_seed(0, 1), pair_seed(1, 0)
    (2469594617, 1556325973, 2410493115)
    """
    digest = hashlib.sha256(f"{seed} {pair}".encode()).digest()
    return int.from_bytes(digest[:4], "big")


def _add_game(tally: Tally, score: float) -> Tally:
    name = {1.0: "wins", 0.5: "draws", 0.0: "losses"}[score]
    return dataclasses.replace(tally, **{name: getattr(tally, name) + 1})


def _add_pair(tally: Tally, points: float) -> Tally:
    counts = list(tally.pentanomial)
    counts[round(2 * points)] += 1
    return dataclasses.replace(tally, pentanomial=cast(Pentanomial, tuple(counts)))


def _without_moves(record: GameRecord) -> GameRecord:
    return dataclasses.replace(record, moves=(), seconds=(), comments=(), opening=0)


def _file_digest(spec: str) -> str | None:
    """What the Python file that a spec names contains; None if it names none."""
    match = re.match(r"(.*\.py):", spec)
    if match is None or not (path := Path(match[1])).is_file():
        return None
    return hashlib.sha256(read_bytes(path)).hexdigest()
