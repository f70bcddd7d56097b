"""Edits in a running process: is what compiled functions have read still the same?

A compiled type's name carries a digest of all that its methods reach, so that an edit
makes another type (see `compiled`). A plain function whose arguments are numbers has no
such type among them, and Numba would call the code it has made of it once for ever,
whatever a cell of a notebook has set since.
"""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .dependencies import is_empty
from .digest import is_library, names_in

__all__ = ["forget", "is_edited", "remember"]

#: Longer collections are not looked at item by item, nor what is deeper within others.
_SHORT, _DEEP = 1000, 4


class _Reading(NamedTuple):
    """What a function has read besides its arguments.

    Attributes:
        code: its own.
        parts: its defaults, and the variables of outer functions.
        names: globals, and members of modules that it may be reaching for: where they
            stand, and what stood there.
    """

    code: types.CodeType
    parts: Any
    names: list[tuple[dict[str, Any], str, Any]]


#: Of each function, when it was compiled.
_read: dict[types.FunctionType, _Reading] = {}


def remember(function: types.FunctionType) -> None:
    """Keep what a function reads besides its arguments, which is compiled now."""
    if function not in _read and not is_library(function):
        names = names_in(function.__code__)
        found = list(_found(function.__globals__, names, set()))
        _read[function] = _Reading(function.__code__, _parts(function), found)


def is_edited() -> bool:
    """Whether any of them reads something else by now."""
    return any(
        function.__code__ is not known.code
        or _parts(function) != known.parts
        or any(_content(where.get(name)) != found for where, name, found in known.names)
        for function, known in _read.items()
    )


def forget() -> None:
    """Forget them all, as what was compiled of them is."""
    _read.clear()


def _parts(function: types.FunctionType) -> Any:
    cells = (cell for cell in function.__closure__ or () if not is_empty(cell))
    held = [_content(cell.cell_contents) for cell in cells]
    return _content(function.__defaults__), held


def _found(
    where: dict[str, Any], names: tuple[str, ...], met: set[int]
) -> Iterator[tuple[dict[str, Any], str, Any]]:
    """The names that stand somewhere, and what stands there; also in modules there."""
    for name in names:
        if name in where:
            value = where[name]
            yield where, name, _content(value)
            is_module = isinstance(value, types.ModuleType) and not is_library(value)
            if is_module and id(value) not in met:
                met.add(id(value))
                yield from _found(vars(value), names, met)


class _Same:
    """Stands for an object, and is equal to what stands for the same one."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing

    __hash__ = None  # type: ignore[assignment]


def _content(value: Any, depth: int = 0) -> Any:
    """What is equal for equal values, also after one has been changed in place."""
    if value is None or isinstance(value, bool | int | float | str):
        return type(value), repr(value)  # -0.0 is not 0.0, nor 1 True
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return str(value.dtype), value.shape, hash(value.tobytes())
    if isinstance(value, list | tuple) and len(value) > _SHORT:
        with contextlib.suppress(TypeError):
            return type(value), len(value), hash(tuple(value))
    elif isinstance(value, list | tuple) and depth < _DEEP:
        return type(value), [_content(item, depth + 1) for item in value]
    elif isinstance(value, dict) and len(value) <= _SHORT and depth < _DEEP:
        return [_content(item, depth + 1) for item in (*value, *value.values())]
    return _Same(value)
