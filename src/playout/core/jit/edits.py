"""Edits in a running process: is what compiled functions have read still the same?

A compiled type's name carries a digest of all that its methods reach, so that an edit
makes another type (see `compiled`). A plain function whose arguments are numbers has no
such type among them, and Numba would call the code it has made of it once for ever,
whatever a cell of a notebook has set since.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .digest import Digest, is_library, members, names_in

__all__ = ["forget", "is_edited", "remember"]

#: What each function has read when it was compiled.
_read: dict[types.FunctionType, list[Any]] = {}


def remember(function: types.FunctionType) -> None:
    """Keep what a function reads besides its arguments, which is compiled now."""
    if function not in _read and not is_library(function):
        _read[function] = list(_reads(function))


def is_edited() -> bool:
    """Whether any of them reads something else by now."""
    return any(
        not _are_same(known, list(_reads(function)))
        for function, known in _read.items()
    )


def forget() -> None:
    """Forget them all, as what was compiled of them is."""
    _read.clear()


def _reads(function: types.FunctionType) -> Iterator[Any]:
    """The code, and the values of all names in it that are not its own."""
    code = function.__code__
    yield code
    for value in function.__defaults__ or ():
        yield _content(value)
    for cell in function.__closure__ or ():
        try:
            yield _content(cell.cell_contents)
        except ValueError:  # not set yet
            yield None
    names = names_in(code)
    for name in names:
        value = function.__globals__.get(name)
        yield _content(value)
        if isinstance(value, types.ModuleType) and not is_library(value):
            for _, member in members(value, names):
                yield _content(member)


def _content(value: Any) -> Any:
    """What stands for a value, another thing when it has been changed in place."""
    if isinstance(value, list | dict | set | np.ndarray):
        return Digest().add(value).hexdigest()
    return value


def _are_same(known: list[Any], now: list[Any]) -> bool:
    return len(known) == len(now) and all(map(_is_same, known, now))


def _is_same(known: Any, now: Any) -> bool:
    if known is now:
        return True
    plain = type(known) is type(now) and isinstance(now, bool | int | float | str)
    return plain and known == now
