"""`Replay`: the games of self-play on disk, in an SQLite file, and those learnt from.

    about  key, value as JSON: which game they are of, and how their states look
    games  number (from 1), moves, what player 0 got, and `[L]` for each position that
           is learnt from: states, policies `[L, A]` float16, values float32

The games that finish together are one transaction: whatever ends the process, each of
them is there, and there once. Games that were not finished begin anew.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
import uuid
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arena.database import StoreError, connect, damage, explained
from ..arena.owner import lives, this_process
from ..core.errors import UsageError
from ..core.interrupt import deferring
from ..games.contract.game import Game

__all__ = ["Lesson", "Replay"]

#: What goes on with a training.
AGAIN = "the same command with --resume"

FILE = "games.db"
_TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
  number INTEGER PRIMARY KEY, moves TEXT NOT NULL, returned REAL NOT NULL,
  positions INTEGER NOT NULL, states BLOB NOT NULL, policies BLOB NOT NULL,
  evaluations BLOB NOT NULL
);
"""
_ADD = (
    "INSERT INTO games (moves, returned, positions, states, policies, evaluations) "
    "VALUES (?, ?, ?, ?, ?, ?)"
)


@dataclass(frozen=True)
class Lesson:
    """What a finished game teaches, of the L positions that are learnt from.

    Attributes:
        moves: all its moves, as people write them.
        returned: what player 0 got.
        states: `[L]` of the game's dtype.
        policies: `[L, A]` float16, the shares that the search gave the actions.
        values: `[L]` float32, what is to be learnt, for the player to move.
    """

    moves: tuple[str, ...]
    returned: float
    states: NDArray[np.void]
    policies: NDArray[np.float16]
    values: NDArray[np.float32]


class Replay:
    """Games on disk, and in memory the newest positions.

    Args:
        folder: where the file is, or is made.
        game: the rules.
        spec: the game's name, which a file is kept for.
        window: how many positions are learnt from.

    Attributes:
        games: how many games the file holds.
        positions: positions of all of them that are learnt from.

    Raises:
        StoreError: the file cannot be opened, is damaged or of another game.
    """

    def __init__(self, folder: Path, game: Game, spec: str, window: int) -> None:
        self.path, self.game, self.window = folder / FILE, game, window
        self._lessons: deque[Lesson] = deque()
        self._kept = 0
        self._owner = f"{this_process()} {uuid.uuid4().hex}"
        with explained(self.path, AGAIN):
            self._connection = connect(self.path, read_only=False)
            try:
                self._open(spec)
            except BaseException:
                self.close()
                raise

    def add(self, lessons: list[Lesson]) -> None:
        """Keep some games, all or none of them, and learn from them from now on.

        Raises:
            StoreError: the file cannot be written; all games until then are kept.
        """
        rows = [
            (
                " ".join(lesson.moves),
                lesson.returned,
                len(lesson.states),
                lesson.states.tobytes(),
                lesson.policies.tobytes(),
                lesson.values.tobytes(),
            )
            for lesson in lessons
        ]
        with (
            deferring(),
            explained(self.path, AGAIN),
        ):  # Ctrl-C comes before all of it or after
            self._write(rows)
            for lesson in lessons:
                self.games += 1
                self.positions += len(lesson.states)
                self._keep(lesson)

    def sample(
        self, count: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.void], NDArray[np.float32], NDArray[np.float32]]:
        """`[count]` positions drawn from the window: states, policies, values.

        Raises:
            UsageError: no position is known.
        """
        if not self._kept:
            raise UsageError("there is nothing to learn from yet")
        lengths = np.array([len(lesson.states) for lesson in self._lessons])
        ends = np.cumsum(lengths)
        drawn = rng.integers(0, ends[-1], count)
        games = np.searchsorted(ends, drawn, side="right")
        places = drawn - (ends - lengths)[games]
        picked = [(self._lessons[g], p) for g, p in zip(games, places, strict=True)]
        return (
            np.array([lesson.states[p] for lesson, p in picked]),
            np.array([lesson.policies[p] for lesson, p in picked], np.float32),
            np.array([lesson.values[p] for lesson, p in picked], np.float32),
        )

    def close(self) -> None:
        """Close the file, for others to learn there; may be called twice."""
        with contextlib.suppress(sqlite3.Error):  # it is closed, or the disk is full
            self._connection.execute(
                "DELETE FROM about WHERE key = 'owner' AND value LIKE ?",
                [f'["{self._owner}"%'],
            )
        self._connection.close()

    def _open(self, spec: str) -> None:
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.executescript(_TABLES)
        self._expect_game(spec)
        self._claim()
        self.games, self.positions = self._connection.execute(
            "SELECT COUNT(*), COALESCE(SUM(positions), 0) FROM games"
        ).fetchone()
        self._load()

    def _write(self, rows: list[tuple[Any, ...]]) -> None:
        """Insert some rows of games, all or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            self._connection.executemany(_ADD, rows)
            self._beat()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def _keep(self, lesson: Lesson) -> None:
        self._lessons.append(lesson)
        self._kept += len(lesson.states)
        while self._kept - len(self._lessons[0].states) >= self.window:
            self._kept -= len(self._lessons.popleft().states)

    def _load(self) -> None:
        """Read the newest games, as many as the window holds."""
        newest: list[Lesson] = []
        missing = self.window
        query = (
            "SELECT number, moves, returned, states, policies, evaluations "
            "FROM games ORDER BY number DESC"
        )
        for row in self._connection.execute(query):
            newest.append(self._read(*row))
            missing -= len(newest[-1].states)
            if missing <= 0:
                break
        for lesson in reversed(newest):
            self._keep(lesson)

    def _read(self, number: int, moves: str, returned: float, *blobs: Any) -> Lesson:
        try:
            states = np.frombuffer(blobs[0], self.game.state_dtype())
            policies = np.frombuffer(blobs[1], np.float16)
            policies = policies.reshape(-1, self.game.num_actions())
            values = np.frombuffer(blobs[2], np.float32)
            if not len(states) == len(policies) == len(values):
                raise ValueError("a part of it is missing")
        except (TypeError, ValueError) as error:
            raise damage(self.path, "game", number, error) from None
        return Lesson(tuple(moves.split()), returned, states, policies, values)

    def _expect_game(self, spec: str) -> None:
        """Note in a new file which game it is for; complain of a file of another."""
        dtype = repr(np.dtype(self.game.state_dtype()).descr)
        own = {"game": spec, "states": dtype, "actions": self.game.num_actions()}
        known = {
            key: json.loads(value)
            for key, value in self._connection.execute("SELECT key, value FROM about")
        }
        known.pop("owner", None)
        if not known:
            rows = [(key, json.dumps(value)) for key, value in own.items()]
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("INSERT INTO about VALUES (?, ?)", rows)
            self._connection.execute("COMMIT")
        elif known != own:
            of = known.get("game")
            why = (
                f"games of {of}, not of {spec}"
                if of != spec
                else f"{spec} with other states"
            )
            raise StoreError(f"{self.path}: the file holds {why}; name another folder")

    def _claim(self) -> None:
        """Note that this process learns here, unless another one does."""
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        row = run("SELECT value FROM about WHERE key = 'owner'").fetchone()
        owner, beat = json.loads(row[0]) if row else (None, 0.0)
        if lives(owner, beat):
            run("ROLLBACK")
            raise StoreError(f"{self.path}: another process is training there")
        self._beat()
        run("COMMIT")

    def _beat(self) -> None:
        """Say that this process is still learning here."""
        claim = json.dumps([self._owner, time.time()])
        self._connection.execute(
            "INSERT OR REPLACE INTO about VALUES ('owner', ?)", (claim,)
        )


def numbers_of(path: Path) -> list[int]:
    """The numbers of all games that a file holds, ascending.

    Raises:
        StoreError: there is no such file, or it is damaged.
    """
    with explained(path):
        connection = connect(path, read_only=True)
        try:
            query = "SELECT number FROM games ORDER BY number"
            return [int(number) for (number,) in connection.execute(query)]
        except sqlite3.OperationalError:
            return []
        finally:
            connection.close()
