"""Connections to SQLite files, and what the errors of SQLite mean for games."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from ..core.errors import UsageError
from ..core.files import NoSuchFileError, expect_regular

__all__ = ["DAMAGED", "StoreError", "connect", "damage", "explained"]

#: Seconds to wait for another process's transaction.
BUSY_SECONDS = 30.0

_COUNT_TABLES = "SELECT COUNT(*) FROM sqlite_master"
_KEPT = "the games that were finished are kept; run {command} to go on"
#: What is said of a file whose pages or texts SQLite cannot read.
DAMAGED = "the file is damaged; go on with an earlier copy, or a new file"
_MEANINGS = {
    sqlite3.SQLITE_FULL: "the disk is full; make room: " + _KEPT,
    sqlite3.SQLITE_IOERR: "the disk cannot be read or written: " + _KEPT,
    sqlite3.SQLITE_READONLY: "the file cannot be written: permission denied",
    sqlite3.SQLITE_CANTOPEN: "the file cannot be opened or made",
    sqlite3.SQLITE_NOTADB: "this is not a file of games (no SQLite database); "
    "name one that games were kept in, or a new one",
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_BUSY: "another process has locked the file; " + _KEPT,
}


class StoreError(UsageError):
    """The file cannot be read or written; what it holds is as it was."""


def damage(path: object, what: str, number: int, why: object) -> StoreError:
    """The error of a game or match of a file that cannot be made sense of."""
    return StoreError(f"{path}: {what} {number} is damaged: {why}")


def connect(path: str | Path | None, read_only: bool) -> sqlite3.Connection:
    """A connection to a file, or to memory.

    Texts that are not UTF-8, as in a damaged file, hold halves of characters.

    Raises:
        StoreError: there is no file that could be opened.
    """
    connection = _connect(path, read_only)
    connection.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    return connection


def _connect(path: str | Path | None, read_only: bool) -> sqlite3.Connection:
    if path is None:
        return sqlite3.connect(":memory:", isolation_level=None)
    _expect_file(Path(path), read_only)
    if not read_only:
        return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    connection, tables = _connect_reading(Path(path).absolute().as_uri())
    if not tables:  # a disk was full before the first of them was made
        connection.close()
        raise StoreError(f"{path}: the file holds no games")
    return connection


def _connect_reading(uri: str) -> tuple[sqlite3.Connection, int]:
    """A connection that does not write, and how many tables it finds.

    It is opened for writing, for SQLite has every reader make WAL files beside the
    file, and only one who may write removes them again.
    """
    with contextlib.suppress(sqlite3.OperationalError):  # where none can be made
        return _connect_and_count(f"{uri}?mode=rw")
    return _connect_and_count(f"{uri}?mode=ro&immutable=1")


def _connect_and_count(uri: str) -> tuple[sqlite3.Connection, int]:
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS)
    try:
        connection.execute("PRAGMA query_only = ON")
        (tables,) = connection.execute(_COUNT_TABLES).fetchone()
    except BaseException:
        connection.close()
        raise
    return connection, tables


def _expect_file(path: Path, read_only: bool) -> None:
    """Say what SQLite does not: what is there instead of a file of games."""
    try:
        expect_regular(path, wanted="a file of games")
    except NoSuchFileError:
        _expect_room(path, read_only)
        return
    except UsageError as error:  # such as a directory, or a pipe
        raise StoreError(f"{error}") from None
    if read_only and not path.stat().st_size:
        raise StoreError(f"{path}: the file is empty; it holds no games")


def _expect_room(path: Path, read_only: bool) -> None:
    """Say why there is no file, unless one can be made."""
    if not path.absolute().parent.is_dir():
        raise StoreError(f"{path}: there is no directory {path.parent}")
    if read_only:
        raise StoreError(f"{path}: there is no such file")


@contextlib.contextmanager
def explained(
    path: str | Path | None, command: str = "the same command"
) -> Iterator[None]:
    """Have SQLite's errors say what to do about them.

    Args:
        path: the file.
        command: what goes on with it.
    """
    try:
        yield
    except UnicodeError as error:  # in what SQLite says of a damaged file
        raise StoreError(f"{path}: {DAMAGED}") from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        known = _MEANINGS.get(code)
        meaning = known.format(command=command) if known else f"{error}"
        if code == sqlite3.SQLITE_CANTOPEN:
            meaning += _why_not_opened(Path(path or ""))
        raise StoreError(f"{path}: {meaning}") from error


def _why_not_opened(path: Path) -> str:
    """What the system says of a file that SQLite cannot open, as far as is known."""
    folder = path.absolute().parent
    if os.access(folder, os.W_OK):
        return ""
    return (
        f", as nothing can be written in {folder}: permission denied, or the file "
        "system is read-only"
    )
