"""`Store`: games in an SQLite file, kept the moment they finish.

    matches  id, identity (the settings that matter), settings as JSON, created
    games    id, match, number, record as JSON; no number twice in a match
    claims   match, number, owner, heartbeat: games that are being played now

A finished game is one transaction, so whatever kills a process, the games it finished
are there and its claims are not held against anyone: a claim counts only while the
process that made it lives. Several processes may thus play one match into one file. If
two ever play the same game, the first to finish is kept.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from .database import DAMAGED, StoreError, connect, damage, explained
from .owner import lives, this_process
from .record import GameRecord
from .record_json import (
    DamagedRecord,
    record_from_json,
    record_to_json,
    settings_from_json,
)

__all__ = [
    "Store",
    "StoreError",
    "StoredGame",
    "StoredMatch",
    "record_from_json",
    "record_to_json",
]

#: Of the tables; a file of a later version is not touched.
SCHEMA = 1
#: Marks a file as ours ("PLYO").
APPLICATION_ID = 0x504C594F
#: How often claims are renewed.
BEAT_SECONDS = 5.0

T = TypeVar("T")
#: Is told of what cannot be read.
Damaged = Callable[[StoreError], None]

_MATCH_IDS = "SELECT id FROM matches ORDER BY id"
_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS matches (
  id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
  id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES matches(id),
  number INTEGER NOT NULL, record TEXT NOT NULL, UNIQUE (match, number));
CREATE TABLE IF NOT EXISTS claims (
  match INTEGER NOT NULL, number INTEGER NOT NULL, owner TEXT NOT NULL,
  heartbeat REAL NOT NULL, PRIMARY KEY (match, number));
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA};
COMMIT;
"""


@dataclass(frozen=True)
class StoredMatch:
    """A match in a file: its number there, its settings, and how many games it has."""

    id: int
    settings: dict[str, Any]
    games: int
    created: str


@dataclass(frozen=True)
class StoredGame:
    """A game in a file: its number there, its match, and its number in the match."""

    id: int
    match: int
    number: int
    record: GameRecord


class Store:
    """An open file of games, or games in memory.

    Args:
        path: the file, made if there is none; None for memory.
        read_only: never write; the file must exist.

    Raises:
        StoreError: the file cannot be opened, or is not one of ours.

    >>> with Store(None) as store:
    ...     match = store.open_match("identity", {"game": "tic-tac-toe"})
    ...     store.claim(match, below=2, count=5)
    [0, 1]
    """

    def __init__(self, path: str | Path | None, *, read_only: bool = False) -> None:
        self.path = path
        self.owner = f"{this_process()} {uuid.uuid4().hex[:8]}"
        self._beat = 0.0
        with self._explained():
            self._connection = connect(path, read_only)
        try:
            self._expect_ours()
            if not read_only:
                self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give unfinished games back and close the file; may be called twice."""
        with contextlib.suppress(sqlite3.Error):
            self._connection.execute("DELETE FROM claims WHERE owner = ?", [self.owner])
        self._connection.close()

    # -- writing -----------------------------------------------------------------------

    def open_match(self, identity: str, settings: dict[str, Any]) -> int:
        """The number of the match with this identity; made if there is none."""
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._transaction():
            self._execute(
                "INSERT OR IGNORE INTO matches (identity, settings, created) "
                "VALUES (?, ?, ?)",
                [identity, json.dumps(settings), created],
            )
        number = self.find_match(identity)
        if number is None:  # an index that does not fit its table
            raise self._broken()
        return number

    def claim(
        self, match: int, *, below: int, count: int = 1, start: int = 0
    ) -> list[int]:
        """The first numbers that nobody has played or is playing, now this process's.

        Args:
            match: the match.
            below: one more than the last number that is wanted.
            count: how many at most.
            start: the first number to consider.
        """
        with self._transaction():
            self._drop_stale_claims(match)
            rows = self._rows(
                "SELECT number FROM games WHERE match = ?1 AND number >= ?2 "
                "UNION SELECT number FROM claims WHERE match = ?1",
                [match, start],
            )
            taken = {number for (number,) in rows}
            free = (number for number in range(start, below) if number not in taken)
            found = [number for number, _ in zip(free, range(count), strict=False)]
            self._connection.executemany(
                "INSERT INTO claims VALUES (?, ?, ?, ?)",
                [(match, number, self.owner, time.time()) for number in found],
            )
        return found

    def save(self, match: int, number: int, record: GameRecord) -> bool:
        """Keep a finished game; False if another process has finished it before."""
        with self._transaction(durable=True):
            done = self._execute(
                "INSERT OR IGNORE INTO games (match, number, record) VALUES (?, ?, ?)",
                [match, number, record_to_json(record)],
            )
            self._execute(
                "DELETE FROM claims WHERE match = ? AND number = ?", [match, number]
            )
        return done.rowcount == 1

    def beat(self) -> None:
        """Say that the claims are still being worked on; cheap to call often."""
        if time.monotonic() - self._beat < BEAT_SECONDS:
            return
        self._beat = time.monotonic()
        with self._transaction():
            self._execute(
                "UPDATE claims SET heartbeat = ? WHERE owner = ?",
                [time.time(), self.owner],
            )

    # -- reading -----------------------------------------------------------------------

    def find_match(self, identity: str) -> int | None:
        """The number of the match with this identity; None if there is none."""
        query = "SELECT id FROM matches WHERE identity = ?"
        rows = self._rows(query, [identity])
        return self._whole(rows[0][0]) if rows else None

    def match_ids(self) -> list[int]:
        """The numbers of the matches, oldest first, also of damaged ones."""
        return [self._whole(number) for (number,) in self._rows(_MATCH_IDS)]

    def matches(self, damaged: Damaged | None = None) -> list[StoredMatch]:
        """The matches of the file, oldest first.

        Args:
            damaged: told of every match that cannot be read; it is then left out.

        Raises:
            StoreError: a match cannot be read, and nobody is told.
        """
        return list(self._each(_MATCH_IDS, [], self._match, damaged))

    def games(
        self,
        match: int | None = None,
        start: int = 0,
        damaged: Damaged | None = None,
    ) -> Iterator[StoredGame]:
        """The games of one match or of all, by match and number, from a number on.

        Args:
            match: the match, None for all.
            start: the first number in a match to consider.
            damaged: told of every game that cannot be read; it is then left out.

        Raises:
            StoreError: a game cannot be read, and nobody is told.
        """
        query = (
            "SELECT id FROM games WHERE (?1 IS NULL OR match = ?1) AND number >= ?2 "
            "ORDER BY match, number"
        )
        return self._each(query, [match, start], self.game, damaged)

    def game(self, number: int) -> StoredGame:
        """A game by its number in the file.

        Raises:
            StoreError: there is no such game, or it is damaged.
        """
        query = "SELECT match, number, record FROM games WHERE id = ?"
        rows = self._rows(query, [number]) if abs(number) < 2**63 else []
        if not rows:
            raise StoreError(f"{self.path}: there is no game {number}")
        match, in_match, text = rows[0]
        try:
            if type(match) is not int or type(in_match) is not int:
                raise DamagedRecord("it is of no match")
            return StoredGame(number, match, in_match, record_from_json(text))
        except DamagedRecord as error:
            raise damage(self.path, "game", number, error) from None

    def examine(self, damaged: Damaged) -> None:
        """Tell of every game that cannot be read, or of what else SQLite finds wrong.

        Counting games reads an index alone, which may be sound where they are not.
        """
        found: list[StoreError] = []
        for _ in self.games(damaged=found.append):
            pass
        try:
            if self._rows("PRAGMA integrity_check(1)") != [("ok",)]:
                found.append(self._broken())
        except StoreError as error:
            found.append(error)
        for fault in {str(fault): fault for fault in found}.values():
            damaged(fault)

    def _match(self, number: int) -> StoredMatch:
        query = "SELECT settings, created FROM matches WHERE id = ?"
        rows = self._rows(query, [number])
        try:
            if not rows:
                raise DamagedRecord("it is not where an index says")
            text, created = rows[0]
            settings = settings_from_json(text)
        except (DamagedRecord, ValueError) as error:
            raise damage(self.path, "match", number, error) from None
        games = self._rows("SELECT COUNT(*) FROM games WHERE match = ?", [number])
        return StoredMatch(number, settings, games[0][0], str(created))

    def _whole(self, number: Any) -> int:
        """The number in a row; an error where a damaged file has something else."""
        if type(number) is not int:
            raise self._broken()
        return number

    def _broken(self) -> StoreError:
        return StoreError(f"{self.path}: {DAMAGED}")

    def _each(
        self,
        query: str,
        values: list[Any],
        read: Callable[[int], T],
        damaged: Damaged | None,
    ) -> Iterator[T]:
        """What is read of every number that a query finds, each on its own.

        So a row that SQLite cannot read does not keep it from reading the others.
        """
        try:
            with self._explained():
                for (number,) in self._connection.execute(query, values):
                    try:
                        found = read(self._whole(number))
                    except StoreError as error:
                        if damaged is None:
                            raise
                        damaged(error)
                    else:
                        yield found
        except StoreError as error:
            if damaged is None:
                raise
            damaged(error)

    # -- details -----------------------------------------------------------------------

    def _expect_ours(self) -> None:
        tables = self._rows("SELECT COUNT(*) FROM sqlite_master")[0][0]
        found = self._rows("PRAGMA application_id")[0][0]
        if found != APPLICATION_ID and (found or tables):
            raise StoreError(f"{self.path}: a database, but not of Playout's games")
        version = self._rows("PRAGMA user_version")[0][0]
        if version > SCHEMA:
            raise StoreError(
                f"{self.path}: written by a later Playout (schema {version}, this one "
                f"knows {SCHEMA}); update Playout to use it"
            )

    def _prepare(self) -> None:
        if self._rows("PRAGMA user_version")[0][0] == SCHEMA:
            return
        with self._explained():
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_TABLES)

    def _drop_stale_claims(self, match: int) -> None:
        rows = self._rows(
            "SELECT DISTINCT owner, heartbeat FROM claims WHERE match = ?", [match]
        )
        for owner, heartbeat in rows:
            if owner != self.owner and not lives(owner, heartbeat):
                self._execute("DELETE FROM claims WHERE owner = ?", [owner])

    @contextlib.contextmanager
    def _transaction(self, *, durable: bool = False) -> Iterator[None]:
        """All of it or nothing, and no other process in between.

        If durable, a loss of power does not undo it either, which takes milliseconds.
        """
        with self._explained():
            level = "FULL" if durable else "NORMAL"
            self._connection.execute(f"PRAGMA synchronous = {level}")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    def _execute(self, query: str, values: list[Any]) -> sqlite3.Cursor:
        return self._connection.execute(query, values)

    def _rows(self, query: str, values: list[Any] | None = None) -> list[Any]:
        with self._explained():
            return self._connection.execute(query, values or []).fetchall()

    def _explained(self) -> contextlib.AbstractContextManager[None]:
        return explained(self.path)
