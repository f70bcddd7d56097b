"""Code that others wrote: Python files by path, and what installed packages offer."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import sys
import time
import zlib
from collections.abc import Iterator, Mapping
from importlib import metadata
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ..errors import PlayoutError, UsageError
from ..files import MOST_BYTES, expect_regular

__all__ = ["entry_points", "load_entry_point", "load_file"]

#: path -> (time of last edit, size, module); a file that has changed is run again.
_loaded: dict[Path, tuple[int, int, ModuleType]] = {}
#: Their folders.
_folders: set[str] = set()
#: How long, in nanoseconds, a package may be on its way into a folder.
SETTLED = 10**10


class _FromSource(SourceFileLoader):
    """Compiles what a file holds now.

    Bytecode that Python keeps is told from that of another text by the second and the
    size, so an edit within a second could run as it was before.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def load_file(path: Path) -> ModuleType:
    """The module that a Python file makes.

    Raises:
        UsageError: it is no file that may be read, or it fails; names its line.
    """
    expect_regular(path, MOST_BYTES)
    place, stat = path.resolve(), path.stat()
    if place in _loaded and _loaded[place][:2] == (stat.st_mtime_ns, stat.st_size):
        return _loaded[place][2]
    name = f"_playout_user_{path.stem}_{zlib.crc32(str(place).encode()):x}"
    loader = _FromSource(name, os.path.abspath(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _importing_from(str(place.parent)):
            spec.loader.exec_module(module)
    except PlayoutError:
        raise
    except SystemExit:
        raise UsageError(f"{path}: the file ends the program when loaded") from None
    except Exception as error:
        raise UsageError(_broken_file(path, error)) from None
    _loaded[place] = (stat.st_mtime_ns, stat.st_size, module)
    return module


@contextlib.contextmanager
def _importing_from(folder: str) -> Iterator[None]:
    """Have a file import what lies in its folder, whatever other files have imported.

    Two players may each have a `utils.py`: Python knows modules by their names alone.
    """
    _folders.add(folder)
    elsewhere = _folders - {folder}
    others = {
        name: module
        for name, module in list(sys.modules.items())
        if _folder_of(name) in elsewhere and _has(folder, name)
    }
    for name in others:
        del sys.modules[name]
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # the file may have put others before it
            sys.path.remove(folder)
        sys.modules.update(others)


def _folder_of(name: str) -> str | None:
    """The folder in which a module that was imported, or its package, was found."""
    top = sys.modules.get(name.partition(".")[0])
    file = getattr(top, "__file__", None)
    if not file:
        return None
    found = os.path.dirname(file)
    return os.path.dirname(found) if hasattr(top, "__path__") else found


def _has(folder: str, name: str) -> bool:
    """Whether a module of this name, or its package, lies in a folder."""
    return PathFinder.find_spec(name.partition(".")[0], [folder]) is not None


def entry_points(group: str) -> Mapping[str, metadata.EntryPoint]:
    """What installed packages add to a group, by name.

    To read what each package says takes milliseconds, and a server asks several times
    with every state. So it is kept until a folder of packages changes, in which one is
    installed or removed; what is edited within a package is not noticed.
    """
    folders = tuple(map(_last_change, sys.path))
    if any(changed > time.time_ns() - SETTLED for _, changed in folders):
        return _read_entry_points(group)
    return _kept_entry_points(group, folders)


def _last_change(folder: str) -> tuple[str, int]:
    """A folder and the time, in nanoseconds, at which it changed; 0 if it is none."""
    try:
        return folder, os.stat(folder or ".").st_mtime_ns
    except OSError:
        return folder, 0


def _read_entry_points(group: str) -> Mapping[str, metadata.EntryPoint]:
    return {point.name: point for point in metadata.entry_points(group=group)}


@functools.lru_cache(maxsize=8)
def _kept_entry_points(
    group: str, _folders: tuple[tuple[str, int], ...]
) -> Mapping[str, metadata.EntryPoint]:
    return _read_entry_points(group)


def load_entry_point(point: metadata.EntryPoint) -> Any:
    """What an installed package offers.

    Raises:
        UsageError: it cannot be imported; names the package.
    """
    try:
        return point.load()
    except Exception as error:
        package = point.dist.name if point.dist else "?"
        raise UsageError(
            f"{point.name}: the package {package} is broken: "
            f"{type(error).__name__}: {error}"
        ) from None


def _broken_file(path: Path, error: Exception) -> str:
    """Where a file failed, and why; the line is its own, also if an import fails."""
    place = os.path.realpath(path)
    if isinstance(error, SyntaxError) and error.filename:
        same = os.path.realpath(error.filename) == place
        file = str(path) if same else os.path.relpath(error.filename)
        return f"{file}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    line, trace = None, error.__traceback__
    while trace is not None:
        if os.path.realpath(trace.tb_frame.f_code.co_filename) == place:
            line = trace.tb_lineno
        trace = trace.tb_next
    where = f"{path}, line {line}" if line else str(path)
    return f"{where}: {type(error).__name__}: {error}{_advice(error)}"


def _advice(error: Exception) -> str:
    if isinstance(error, TypeError) and "non-frozen dataclass" in str(error):
        return ": put @dataclass(frozen=True) above the class"
    if not isinstance(error, ModuleNotFoundError):
        return ""
    return (
        "; a file can import what is installed and what lies in its own folder: put "
        "the module there or install it"
    )
