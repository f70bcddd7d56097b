"""Compiled kernels on disk: one directory per digest, never stale, bounded.

    <root>/<kernel>-<digest>/<kernel>.bin      checksum, payload

The digest in the name covers everything the machine code depends on, so an entry is
either right or not looked at. The checksum covers that name as well: a file that has
come to stand under another one is not loaded. One directory holds one kernel for one
list of types: two processes that compile at the same moment can only write the same
thing, each under a temporary name that is then renamed.

Entries stay until all of them together take more than `LIMIT_BYTES`; then those go that
were not used for longest, whatever they hold.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import re
import shutil
import uuid
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs
from llvmlite.binding import address_of_symbol

from .internals import dumps, made_of, parts_of

__all__ = [
    "DiskCache",
    "Entry",
    "cache_directory",
    "cache_entries",
    "can_keep",
    "clear_cache",
    "pack",
    "unpack",
]

#: What all entries may take together. Few take more than half a megabyte, so more than
#: a thousand kernels must have been used since an entry was, before that entry goes.
LIMIT_BYTES = 512 << 20
#: How an entry is laid out; part of its checksum, so that no other layout is loaded.
_FORMAT = "playout cache 3"
_CHECKSUM_BYTES = 32
#: What entries are called: nothing else in that directory is ever removed.
_NAME = re.compile(r".+-[0-9a-f]{22}")


class Entry(NamedTuple):
    """A directory of the cache.

    Attributes:
        path: where it is.
        used: when it was written or loaded last, in seconds since 1970.
        size: bytes of its files.
    """

    path: Path
    used: float
    size: int


def cache_directory() -> Path:
    """Where kernels are kept; the environment's `PLAYOUT_CACHE_DIR` overrides it."""
    chosen = os.environ.get("PLAYOUT_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("playout"))


def can_keep() -> bool:
    """Whether kernels can probably be kept there; to write one may still fail."""
    path = cache_directory()
    while not path.exists() and path != path.parent:
        path = path.parent
    return path.is_dir() and os.access(path, os.W_OK | os.X_OK)


def cache_entries() -> list[Entry]:
    """The entries on disk, most recently used first.

    Raises:
        OSError: the directory cannot be read.
    """
    found = []
    try:
        paths = list(cache_directory().iterdir())
    except FileNotFoundError:
        return []
    for path in filter(_is_entry, paths):
        with contextlib.suppress(FileNotFoundError):  # another process has removed it
            found.append(Entry(path, path.lstat().st_mtime, _size(path)))
    return sorted(found, key=lambda entry: entry.used, reverse=True)


def clear_cache() -> tuple[list[Entry], dict[Path, OSError]]:
    """Remove every entry; those that are removed, and why others are not.

    Raises:
        OSError: the directory cannot be read.
    """
    removed: list[Entry] = []
    errors: dict[Path, OSError] = {}
    for entry in cache_entries():
        try:
            _remove(entry.path)
            removed.append(entry)
        except OSError as error:
            errors[entry.path] = error
    return removed, errors


class DiskCache:
    """One directory that holds one compiled kernel."""

    def __init__(self, kernel: str, digest: str) -> None:
        self._directory = cache_directory() / f"{kernel}-{digest}"
        self._file = self._directory / f"{kernel}.bin"

    def load(self, make_target: Callable[[], Any]) -> Any:
        """What Numba compiled; None if it is not there.

        Args:
            make_target: makes the target that it is loaded for; called only if there
                is something to load.
        """
        payload = self._read()
        if payload is None:
            return None
        try:
            return unpack(payload, make_target())
        except Exception:
            return None  # whatever is wrong with it, it can be made again

    def _read(self) -> bytes | None:
        """The payload; None if there is none, or it is damaged or another entry's."""
        try:
            if not self._file.is_file():  # nor is a pipe read, which might never end
                return None
            content = self._file.read_bytes()
        except OSError:
            return None
        checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
        if self._checksum(payload) != checksum:
            return None
        with contextlib.suppress(OSError):
            os.utime(self._directory)
        return payload

    def save(self, result: Any) -> None:
        """Keep what Numba compiled, unless it holds addresses of this process."""
        if result.library.has_dynamic_globals:
            return
        payload = pack(result)
        content = self._checksum(payload) + payload
        try:
            try:
                self._write(content)
            except OSError:  # something else may stand there
                with contextlib.suppress(OSError):
                    _remove(self._directory)
                self._write(content)
        except OSError as error:
            warnings.warn(
                f"the compiled rules could not be kept in {self._directory} "
                f"({error.strerror}); they will be compiled again next time",
                RuntimeWarning,
                stacklevel=2,
            )
            return
        _make_room()

    def _checksum(self, payload: bytes) -> bytes:
        """Of the payload and of what it is: of the same bytes, one for each entry."""
        digest = hashlib.sha256(repr((_FORMAT, self._directory.name)).encode())
        digest.update(payload)
        return digest.digest()

    def _write(self, content: bytes) -> None:
        temporary = self._file.with_suffix(f".{uuid.uuid4().hex[:12]}.tmp")
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(content)
            os.replace(temporary, self._file)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise


def pack(result: Any) -> bytes:
    """A compiled function as bytes, with the names of what its code needs besides."""
    module = result.library.module
    outside = [
        thing.name
        for thing in (*module.functions, *module.global_variables)
        if thing.is_declaration and not thing.name.startswith("llvm.")
    ]
    return bytes(dumps((outside, parts_of(result))))


def unpack(content: bytes, target: Any) -> Any:
    """The compiled function that `pack` was given.

    To have Numba know all that can be compiled takes half a second, of which a function
    that is compiled needs nothing; but a name that LLVM does not know ends the process.
    """
    outside, parts = pickle.loads(content)
    missing = _unknown(outside)
    if missing:
        target.refresh()
        missing = _unknown(missing)
    if missing:
        raise LookupError(", ".join(missing))
    return made_of(parts, target)


def _unknown(names: list[str]) -> list[str]:
    """Those of which LLVM has no address."""
    return [name for name in names if not address_of_symbol(name)]


def _make_room() -> None:
    """Remove the entries least recently used, until the others are within the limit.

    Whoever reads an entry meanwhile has its one file open, and reads it to the end.
    """
    total = 0
    with contextlib.suppress(OSError):
        for entry in cache_entries():
            total += entry.size
            if total > LIMIT_BYTES:
                with contextlib.suppress(OSError):
                    _remove(entry.path)


def _is_entry(path: Path) -> bool:
    return _NAME.fullmatch(path.name) is not None


def _size(path: Path) -> int:
    """Bytes of an entry's files; 0 where they cannot be looked at."""
    try:
        return sum(file.lstat().st_size for file in path.iterdir())
    except FileNotFoundError:
        raise
    except OSError:  # no directory, or one that nobody may read
        return 0


def _remove(path: Path) -> None:
    """Remove a directory with all that is in it, or whatever stands in its place."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
