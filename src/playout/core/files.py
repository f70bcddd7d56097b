"""Users' files: only regular ones of bounded size are read; none is half written.

A device or a pipe may never end, or never deliver anything, so both are refused; only
standard input is read, up to that size. A file that is to be replaced stays as it is
until the new one is complete, whatever happens meanwhile: a full disk, Ctrl-C, the end
of the process. Where the system forbids replacing it, its content is overwritten when
the new one is complete.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import os
import shutil
import stat
import sys
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path

from .errors import UsageError

__all__ = [
    "NoSuchFileError",
    "expect_apart",
    "expect_file_name",
    "expect_regular",
    "read_bytes",
    "read_text",
    "remove_unfinished",
    "replacing",
    "write_text",
]

#: Larger files are read only where a call allows a larger size.
MOST_BYTES = 64 << 20
#: What names standard input. It may be a pipe, and is read only once.
STANDARD_INPUT = ("-", "/dev/stdin")
#: What SQLite keeps beside a database.
COMPANIONS = ("", "-wal", "-shm", "-journal")
#: What a new file is called until it is complete.
_UNFINISHED = ".playout-*.tmp"
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

#: Errors of replacing a file that perhaps can still be written: it is a mount point, or
#: its directory forbids it.
_FIXED = {errno.EBUSY, errno.EXDEV, errno.EACCES, errno.EPERM}

#: How a file is named.
Name = str | Path


class NoSuchFileError(UsageError):
    """There is nothing by the name of a file."""


def expect_file_name(text: str, key: str = "") -> None:
    """Complain of a blank name of a file.

    It comes from a variable of the shell that nobody set, and would be taken for the
    working directory, or for no file at all.

    Args:
        text: the name.
        key: what it was given for, where that is not told anyway.

    Raises:
        UsageError: it is blank.
    """
    if not text.strip():
        where = f"{key}: " if key else ""
        raise UsageError(f"{where}{text!r} is no name of a file")


# -- reading ---------------------------------------------------------------------------


def read_bytes(path: Name, most: int = MOST_BYTES) -> bytes:
    """What a regular file of at most so many bytes contains; "-" is standard input.

    Raises:
        UsageError: it is another kind of file, is larger, or cannot be read.
    """
    if str(path) in STANDARD_INPUT:
        content = _standard_input()
        if len(content) > most:
            raise _too_large(path, most)
        return content
    expect_regular(path, most)
    try:
        with Path(path).open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    if len(content) > most:  # it grows, or its system does not tell its size
        raise _too_large(path, most)
    return content


@functools.cache
def _standard_input() -> bytes:
    """What comes by standard input, up to the most that any file may have."""
    return sys.stdin.buffer.read(MOST_BYTES + 1)


def read_text(path: Name, most: int = MOST_BYTES, encoding: str = "utf-8") -> str:
    """The same as text, line ends as they are.

    Raises:
        UsageError: as `read_bytes`, or the file is not a text.
    """
    try:
        return read_bytes(path, most).decode(encoding)
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file, or not a text in UTF-8") from None


def expect_regular(
    path: Name, most: int | None = None, wanted: str = "a regular file"
) -> None:
    """Complain of what is there instead of a file that can be read to its end.

    Args:
        path: the file.
        most: bytes that it may have, if that is bounded.
        wanted: what it should be, for the message.

    Raises:
        NoSuchFileError: there is nothing.
        UsageError: a directory, a pipe, a device; a file that is larger; what nobody
            may look at, or no file can be called.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError as error:
        raise NoSuchFileError(f"{path}: {error.strerror}") from None
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # such as a null character
        raise UsageError(f"{path}: {error}") from None
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        what = _KINDS.get(kind, "something else")
        raise UsageError(f"{path}: this is {what}, not {wanted}")
    if most is not None and status.st_size > most:
        raise _too_large(path, most)


# -- writing ---------------------------------------------------------------------------


@contextlib.contextmanager
def replacing(path: Name) -> Iterator[Path]:
    """A new file to be written, which takes the place of `path` at the end.

    Until then, and if anything fails, `path` is as it was. A link goes on to point
    where it did, and the permissions stay. What is written to a device or a pipe, such
    as /dev/stdout, goes there at once.

    Raises:
        UsageError: the file cannot be written.
    """
    target, mode = _target(path)
    try:
        if mode is not None and not stat.S_ISREG(mode):
            yield Path(path)
            return
        with _place_for_new(target, mode) as beside:
            yield beside
            _flush(beside, mode)
            _put(beside, target)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def write_text(path: Name, text: str) -> None:
    """Make a file of a text in UTF-8, all of it or none; see `replacing`.

    Raises:
        UsageError: the file cannot be written.
    """
    with replacing(path) as file:
        file.write_bytes(text.encode("utf-8", errors="replace"))


def remove_unfinished(directory: Path) -> None:
    """Remove what a process that was killed has left of new files, as far as it may.

    Nobody else may be writing there.
    """
    for path in directory.glob(_UNFINISHED):
        with contextlib.suppress(OSError):
            path.unlink()


def _target(path: Name) -> tuple[Path, int | None]:
    """Where a path leads, and the kind and permissions of what is there, if anything.

    Raises:
        UsageError: no file can have this name.
    """
    try:
        with contextlib.suppress(FileNotFoundError):
            mode = os.stat(path).st_mode
            if not stat.S_ISREG(mode):  # a pipe may have no name that leads to it
                return Path(path), mode
        target = Path(os.path.realpath(path))
        return target, target.stat().st_mode if target.exists() else None
    except (OSError, ValueError) as error:  # such as a null character
        raise UsageError(f"{path} cannot be written: {error}") from None


@contextlib.contextmanager
def _place_for_new(target: Path, mode: int | None) -> Iterator[Path]:
    """Where a new file is written: beside the old one, if that directory allows it."""
    name = _UNFINISHED.replace("*", uuid.uuid4().hex)
    if mode is not None and not os.access(target.parent, os.W_OK):
        with tempfile.TemporaryDirectory() as directory:
            yield Path(directory) / name
        return
    beside = target.parent / name
    try:
        yield beside
    finally:
        beside.unlink(missing_ok=True)


def _put(new: Path, target: Path) -> None:
    """Have a file take the place of another, or at least its content."""
    try:
        new.replace(target)
    except OSError as error:
        if error.errno not in _FIXED or not target.exists():
            raise
        shutil.copyfile(new, target)


def _flush(file: Path, mode: int | None) -> None:
    """Flush a file with its mode to the disk, before it takes the place of another."""
    if mode is not None:
        file.chmod(stat.S_IMODE(mode))
    with file.open("rb") as stream:
        os.fsync(stream.fileno())


# -- telling files apart ---------------------------------------------------------------


def expect_apart(
    written: Mapping[str, Name | None], kept: Mapping[str, Name | None]
) -> None:
    """Complain where a file would be written over another that is needed.

    Args:
        written: what will be written, by what names it: an option or an argument.
        kept: what must stay; of databases also what SQLite keeps beside them.

    Raises:
        UsageError: two are one file, by whatever path or link.
    """
    others = {name: path for name, path in kept.items() if path is not None}
    for name, path in written.items():
        if path is None:
            continue
        for other, needed in others.items():
            if _is_part(path, needed):
                raise UsageError(
                    f"{name}: {path} is the file of {other}, which would be destroyed; "
                    "name another file"
                )
        others[name] = path


def _is_part(path: Name, needed: Name) -> bool:
    """Whether a path is a needed file or, if that is a database, belongs to it."""
    places = {os.fspath(needed), os.path.realpath(needed)}
    return any(
        _is_same(os.fspath(path), place + end) for place in places for end in COMPANIONS
    )


def _is_same(one: str, other: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        if os.path.samefile(one, other):
            return True
    return os.path.realpath(one) == os.path.realpath(other)


def _too_large(path: Name, most: int) -> UsageError:
    return UsageError(f"{path}: the file is larger than the {most:,} bytes allowed")
