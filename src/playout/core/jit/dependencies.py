"""`Dependencies`: what a digest has read, so that it need not be made again.

A digest of a class follows thousands of names, for a search tens of milliseconds.
Whether each name still stands for the same object is seen in less than one. Of what
can be changed in place, as a list, the content is digested anew.
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = ["Dependencies", "is_empty"]

#: Stands for a variable of an outer function that has not been set yet.
_EMPTY = object()


class _Names(NamedTuple):
    """Names in a namespace, what they stand for, and names that are not there."""

    space: Any
    names: tuple[str, ...]
    values: tuple[Any, ...]
    missing: frozenset[str]

    @classmethod
    def of(cls, space: Any, names: Any) -> _Names:
        there = tuple(name for name in names if name in space)
        values = tuple(space[name] for name in there)
        return cls(space, there, values, frozenset(names).difference(there))

    def hold(self) -> bool:
        found = map(self.space.get, self.names)
        return all(map(operator.is_, found, self.values)) and (
            self.space.keys().isdisjoint(self.missing)
        )


class Dependencies:
    """What a digest has read: `hold` says whether all of it is as it was.

    >>> depends = Dependencies()
    >>> class Rules:
    ...     size = 3
    >>> depends.note_class(Rules)
    >>> depends.hold()
    True
    >>> Rules.size = 4
    >>> depends.hold()
    False
    """

    def __init__(self) -> None:
        self._names: list[_Names] = []
        self._classes: dict[type, tuple[type, ...]] = {}  # and in which order it looks
        self._sizes: list[tuple[Any, int]] = []  # of the classes' namespaces
        self._functions: dict[types.FunctionType, tuple[Any, ...]] = {}
        self._cells: list[tuple[types.CellType, Any]] = []
        self._contents: list[tuple[Callable[[], str], str]] = []

    def note_class(self, cls: type) -> None:
        """It has looked for names in a class, and in those that this inherits from."""
        if cls in self._classes:
            return
        self._classes[cls] = cls.__mro__
        for base in cls.__mro__[1:]:
            self.note_class(base)
        space = vars(cls)
        names = [name for name in space if not name.startswith("__")]
        self._names.append(_Names.of(space, names))
        self._sizes.append((space, len(space)))

    def note_function(
        self, function: types.FunctionType, names: tuple[str, ...]
    ) -> None:
        """It has read a function, and its globals of these names."""
        if function in self._functions:
            return
        self._functions[function] = _parts(function)
        self._cells += [(cell, _held(cell)) for cell in function.__closure__ or ()]
        self.note_names(function.__globals__, names)
        keywords = function.__kwdefaults__
        if keywords:
            self.note_names(keywords, tuple(keywords))

    def note_names(self, space: dict[str, Any], names: tuple[str, ...]) -> None:
        """It has looked for names in a namespace."""
        self._names.append(_Names.of(space, names))

    def note_content(self, digest: Callable[[], str]) -> None:
        """It has read what may be changed in place, and has a digest of its own."""
        self._contents.append((digest, digest()))

    def hold(self) -> bool:
        """Whether a digest would read the same again."""
        return (
            all(cls.__mro__ is order for cls, order in self._classes.items())
            and all(len(space) == size for space, size in self._sizes)
            and all(
                all(map(operator.is_, _parts(function), parts))
                for function, parts in self._functions.items()
            )
            and all(_held(cell) is value for cell, value in self._cells)
            and all(names.hold() for names in self._names)
            and all(digest() == known for digest, known in self._contents)
        )


def _parts(function: types.FunctionType) -> tuple[Any, ...]:
    return function.__code__, function.__defaults__, function.__kwdefaults__


def _held(cell: types.CellType) -> Any:
    return _EMPTY if is_empty(cell) else cell.cell_contents


def is_empty(cell: types.CellType) -> bool:
    """Whether a variable of an outer function has not been set yet."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return True
    return False
