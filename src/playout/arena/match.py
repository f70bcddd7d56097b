"""`Match`: many games of the same players; `play_matches` plays several, and resumes.

Games come in rounds, of two players in pairs: the games of a round have the same
opening and the same seeds, and the players change seats (see `seating`). With `K`
players game `n` is the game `n % K` of round `n // K`; of two, A sits in seat 0 in
games with even numbers. What a match has shown is counted in the order of these
numbers, whatever the order in which games finish, so statistics and the end of a
sequential test are the same for every number of games at once.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import __version__
from ..core.errors import UsageError
from ..core.interrupt import deferring
from ..core.text.fields import expect_at_most
from ..games.contract.game import Game
from ..games.contract.units import POINTS, declared_range
from ..games.positions.position import Position
from ..players.levels import level_spec
from .boards import Boards
from .clock import TimeControl
from .database import damage
from .executors import Executor
from .named import files_digest
from .payoffs import Payoffs, are_points
from .rating import SPRT, Tally
from .record import FORFEITS, GameRecord
from .seating import expect_players, expect_two_seats, player_of, roles_of, round_seed
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
    """What decides how the games of a match go; equal settings mean the same match.

    Attributes:
        game: the game, as on the command line.
        players: A and B, and so on.
        time: the limits of each.
        conduct: tolerances and adjudication.
        openings: `random:plies=N`, a file, or None for the start.
        seed: what openings and players' random numbers follow from.
        vary: what of the board is drawn anew for every round of games, as in
            `rows=9-12,columns=9-12,forbidden=random`; None for what `game` itself
            leaves to chance.
    """

    game: str
    players: tuple[str, ...]
    time: TimeControl = field(default_factory=TimeControl)
    conduct: Conduct = field(default_factory=Conduct)
    openings: str | None = None
    seed: int = 0
    vary: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        found = dataclasses.asdict(self)
        if self.vary is None:  # as it was before there was any variation
            del found["vary"]
        return found


@dataclass(frozen=True)
class Forfeit:
    """A game lost without the rules: its number from 1, who lost it, and why."""

    game: int
    player: str
    reason: str
    detail: str


class Match:
    """A match and its results so far.

    Args:
        settings: what is played.
        games: how many games; None to go on until the test has an answer.
        sprt: a sequential test, which ends the match after a pair.
        label: what to call it.

    Attributes:
        game: the rules.
        tally: the results of two players in a game of two seats, from A's side; empty
            in games of any other number.
        payoffs: what the players got, under their `names`.
        in_chips: whether payoffs tell more than who won: they are not all 1, 0 or -1.
        decision: the answer of the test, if there is one.
        counted: how many games count: all up to the first that is missing, or to the
            end of the test.
        forfeits: those among them.
        records: the games that count, without their moves, which only the file keeps.
        duplicates: numbers, from 1, of the games that repeat an earlier one: the same
            moves with the same player in each seat.

    Raises:
        UsageError: the players do not fit the game's seats, or the test the game; there
            is nothing to play; openings that cannot be read.
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
        self.boards = Boards(settings.game, settings.vary, settings.seed)
        game = self.boards.game_of(0)
        expect_players(game, len(settings.players))
        if Position(game).is_terminal:
            raise UsageError(f"{settings.game}: the game is over at the start")
        if sprt is not None:
            expect_two_seats(game, "a sequential test")
        self.settings, self.sprt, self.label = settings, sprt, label
        self.game = game
        self.games = MOST_GAMES if games is None else games
        self.book = self.boards.book(settings.openings, game)
        self.seats = game.num_players()
        self.tally = Tally()
        self.payoffs = Payoffs()
        self.in_chips = not _is_won_or_lost(game)
        self.decision: str | None = None
        self.counted = 0
        self.forfeits: list[Forfeit] = []
        self.records: list[GameRecord] = []
        self.duplicates: list[int] = []
        self._waiting: dict[int, GameRecord] = {}
        self._first_half = 0.0
        self._seen: set[tuple[tuple[str, ...], str, tuple[str, ...]]] = set()

    @functools.cached_property
    def identity(self) -> str:
        """What tells this match from others in a file of games.

        Besides the settings: what the Python files that it names contain, and those of
        their folders that they import, who plays the levels, and Playout's version.
        What an external engine's program contains is not looked at.
        """
        parts = self.settings.to_dict()
        parts["openings"] = self.book.identity
        specs = (self.settings.game, *self.settings.players)
        parts["files"] = [files_digest(spec) for spec in specs]
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
        round_ = self.round_of(number)
        return GameTask(
            match=self.identity,
            number=number,
            game=self.boards.spec(round_),
            players=self._seated(number),
            roles=self._roles(number),
            opening=self.book.opening(round_),
            seed=round_seed(settings.seed, round_),
            time=settings.time,
            conduct=settings.conduct,
        )

    def _seated(self, number: int) -> tuple[str, ...]:
        """The players of a game by seat."""
        return tuple(self.settings.players[one] for one in self._by_seat(number))

    def _by_seat(self, number: int) -> list[int]:
        """The numbers of a game's players by seat."""
        count = len(self.settings.players)
        return [player_of(role, count) for role in self._roles(number)]

    def _roles(self, number: int) -> tuple[int, ...]:
        return roles_of(number, len(self.settings.players), self.seats)

    def round_of(self, number: int) -> int:
        """The number of the round that a game belongs to."""
        return number // len(self.settings.players)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' specs, told apart by letters where some are equal."""
        specs = self.settings.players
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        return tuple(
            f"{spec} ({letters[at % 26]})" if specs.count(spec) > 1 else spec
            for at, spec in enumerate(specs)
        )

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
                raise damage(store.path, "game", game.id, "it is of other players")
            self.add(game.number, game.record)

    def _count(self, number: int, record: GameRecord) -> None:
        self.counted += 1
        if record.forfeit is not None and record.reason in FORFEITS:
            who = record.players[record.forfeit]
            self.forfeits.append(Forfeit(number + 1, who, record.reason, record.detail))
        self.records.append(_without_moves(record))
        names = tuple(self.names[one] for one in self._by_seat(number))
        self.payoffs.add(self.round_of(number), names, record.returns)
        self.in_chips |= not are_points(record.returns)
        key = names, record.game, record.moves
        if key in self._seen:
            self.duplicates.append(number + 1)
        self._seen.add(key)
        if self.seats == 2:
            self._count_points(number, record.points(number % 2))

    def _count_points(self, number: int, score: float) -> None:
        """Count what A scored in a game of two seats, and look at the test."""
        self.tally = self.tally.after_game(score)
        if number % 2 == 0:
            self._first_half = score
            return
        self.tally = self.tally.after_pair(self._first_half + score)
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
            match.task(match.counted + ahead)
            for match in self.matches
            if not match.done
            for ahead in range(len(match.settings.players))
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
        with deferring():  # a match that Ctrl-C ends has counted what its file has
            if number is None or not self.store.save(number, task.number, record):
                return
            if match is not None:
                match.add(task.number, record)
        if match is not None:
            self.observe(match, task.number, record)


def _one_for_every_player(tasks: list[GameTask]) -> list[GameTask]:
    """A few of these tasks, in which every player of every game takes part."""
    found, seen = [], set[tuple[str, str]]()
    for task in tasks:
        players = {(task.game, spec) for spec in task.players}
        if not players <= seen:
            found.append(task)
            seen |= players
    return found


def _is_won_or_lost(game: Game) -> bool:
    """Whether the game has two players and no results but wins, draws and losses."""
    plain = game.num_players() == 2 and game.zero_sum
    return plain and declared_range(game) == POINTS


def _without_moves(record: GameRecord) -> GameRecord:
    return dataclasses.replace(record, moves=(), seconds=(), comments=(), opening=0)
