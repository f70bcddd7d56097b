"""Compiled kernels on disk: one directory per digest, never stale, bounded.

    <root>/<kernel>-<label>-<digest>/<kernel>.bin      sha256 of the payload, payload

The digest in the name covers everything the machine code depends on, so an entry is
either right or not looked at. One directory holds one kernel for one list of types:
two processes that compile at the same moment can only write the same thing, each under
a temporary name that is then renamed. Old entries of the same label (the rules as they
were before the last edits) and entries long unused are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import uuid
import warnings
from pathlib import Path
from typing import Any

import platformdirs
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

__all__ = ["DiskCache", "cache_directory", "cache_entries", "clear_cache"]

#: Versions of one kernel for one label that are kept, newest use first.
KEEP_PER_LABEL = 4
#: Entries kept in all.
KEEP_IN_ALL = 256
_CHECKSUM_BYTES = 32


def cache_directory() -> Path:
    """Where kernels are kept; the environment's `PLAYOUT_CACHE_DIR` overrides it."""
    chosen = os.environ.get("PLAYOUT_CACHE_DIR")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("playout"))


def cache_entries() -> list[Path]:
    """The entries on disk, most recently used first."""
    dated = []
    try:
        for path in cache_directory().iterdir():
            if any(path.glob("*.bin")) or any(path.glob("*.tmp")):
                dated.append((path.stat().st_mtime, path))
    except OSError:  # no directory yet, or another process removes as we look
        pass
    return [path for _, path in sorted(dated, reverse=True)]


def clear_cache() -> int:
    """Remove every entry; returns how many there were."""
    entries = cache_entries()
    for path in entries:
        shutil.rmtree(path, ignore_errors=True)
    return len(entries)


class DiskCache(_Cache):
    """Numba's cache interface over one directory that holds one compile result."""

    def __init__(self, kernel: str, label: str, digest: str) -> None:
        self._label = f"{kernel}-{label}-"
        self._directory = cache_directory() / f"{self._label}{digest}"
        self._file = self._directory / f"{kernel}.bin"

    @property
    def cache_path(self) -> str:
        return str(self._directory)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        target_context.refresh()
        try:
            content = self._file.read_bytes()
        except OSError:
            return None
        checksum, payload = content[:_CHECKSUM_BYTES], content[_CHECKSUM_BYTES:]
        if hashlib.sha256(payload).digest() != checksum:
            return None  # cut short or damaged: compile anew and overwrite it
        with contextlib.suppress(OSError):
            os.utime(self._directory)
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:
            return None  # whatever is wrong with it, it can be made again

    def save_overload(self, sig: Any, cres: CompileResult) -> None:
        if cres.library.has_dynamic_globals:
            return
        payload = dumps(cres._reduce())
        temporary = self._file.with_suffix(f".{uuid.uuid4().hex[:12]}.tmp")
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink()
            warnings.warn(
                f"the compiled rules could not be kept in {self._directory} "
                f"({error.strerror}); they will be compiled again next time",
                RuntimeWarning,
                stacklevel=2,
            )
            return
        self._evict()

    def _evict(self) -> None:
        entries = cache_entries()
        same = [path for path in entries if path.name.startswith(self._label)]
        for path in {*same[KEEP_PER_LABEL:], *entries[KEEP_IN_ALL:]}:
            shutil.rmtree(path, ignore_errors=True)
