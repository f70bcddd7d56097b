"""Checks of the values of a dataclass's fields against their annotations.

Python does not look at annotations: a `rows="6"` would fail far from where it was
written, or not at all. Only plain annotations are checked (bool, int, float, str,
tuples of these, and these or None); any other is left to the class. What costs memory
or time says in its annotation how much of it there may be:

    table_bits: Annotated[int, AtMost(26)] = 18
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import typing
from functools import cache
from types import NoneType, UnionType
from typing import Any

import numpy as np

from ..errors import UsageError, quote

__all__ = [
    "AtMost",
    "check_fields",
    "expect_at_most",
    "expect_whole",
    "is_number",
    "is_whole",
    "own_annotations",
    "split_kind",
]

_MOST = 2**63 - 1


@dataclasses.dataclass(frozen=True)
class AtMost:
    """The greatest value that a number may have; stands in an `Annotated`."""

    value: float


def check_fields(instance: Any) -> None:
    """Raise a `UsageError` that names the first field whose value is of another kind.

    Numbers of NumPy count as numbers; True and False do not.
    """
    for name, kind, most in _checked(instance.__class__):
        value = getattr(instance, name)
        if wanted := _misfit(kind, value):
            raise UsageError(f"{name} must be {wanted}, not {quote(value)}")
        expect_at_most(name, value, most)


def split_kind(kind: Any) -> tuple[Any, float | None]:
    """An annotation without its `AtMost`, and the greatest value, if any.

    >>> split_kind(typing.Annotated[int, AtMost(9)]), split_kind(int)
    ((<class 'int'>, 9), (<class 'int'>, None))
    """
    if typing.get_origin(kind) is not typing.Annotated:
        return kind, None
    plain, *notes = typing.get_args(kind)
    return plain, next((one.value for one in notes if isinstance(one, AtMost)), None)


def expect_at_most(name: str, value: Any, most: float | None) -> None:
    """Complain of a number that is too great to be meant.

    >>> expect_at_most("trees", 100_000_000, 1024)
    Traceback (most recent call last):
    playout.core.errors.UsageError: trees=100000000 is more than 1,024

    Raises:
        UsageError: it is more than it may be; None is no number, and no limit.
    """
    if most is not None and value is not None and value > most:
        raise UsageError(f"{name}={quote(value)} is more than {most:,}")


def expect_whole(name: str, value: Any, least: int, most: int = _MOST) -> int:
    """The value as an int, if it is a whole number in this range.

    >>> expect_whole("depth", 3, 0, 9)
    3

    Raises:
        UsageError: it is not.
    """
    if not is_whole(value) or not least <= value <= most:
        span = f"of at least {least}" if most == _MOST else f"from {least} to {most:,}"
        raise UsageError(f"{name} must be a whole number {span}, not {quote(value)}")
    return int(value)


def is_whole(value: Any) -> bool:
    """Whether it is an integer, of Python or of NumPy, and not True or False."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: Any) -> bool:
    """Whether it is an integer or a float, of Python or of NumPy."""
    return is_whole(value) or isinstance(value, float | np.floating)


def own_annotations(cls: type) -> dict[str, Any]:
    """The annotations of a class without its bases'; since Python 3.14 as texts."""
    if sys.version_info >= (3, 14):  # where a name that is nowhere would be an error
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.STRING)
    return inspect.get_annotations(cls)


@cache
def _annotations(cls: type) -> dict[str, Any]:
    """The annotation of every field; nothing where they cannot be evaluated."""
    if not dataclasses.is_dataclass(cls):
        return {}
    try:
        hints = typing.get_type_hints(cls, include_extras=True)
    except Exception:  # a name that only a type checker imports, say
        return {}
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}


@cache
def _checked(cls: type) -> list[tuple[str, Any, float | None]]:
    """The fields whose annotations are checked, with what `split_kind` says of them.

    Every search makes a dozen instances, and most of their fields are arrays.
    """
    split = [(name, *split_kind(kind)) for name, kind in _annotations(cls).items()]
    return [
        (name, kind, most)
        for name, kind, most in split
        if most is not None or _misfit(kind, _MISFIT)
    ]


#: Fits no annotation that is checked.
_MISFIT = object()


def _misfit(kind: Any, value: Any) -> str | None:
    """What the annotation wants, in words, if the value is something else."""
    if isinstance(kind, UnionType):
        kinds = [one for one in typing.get_args(kind) if one is not NoneType]
        return None if value is None or len(kinds) > 1 else _misfit(kinds[0], value)
    if typing.get_origin(kind) is tuple:
        return _tuple_misfit(typing.get_args(kind), value)
    if kind is bool:
        return None if isinstance(value, bool | np.bool_) else "True or False"
    if kind is str:
        return None if isinstance(value, str) else "a text"
    if kind is float:
        return None if is_number(value) else "a number"
    if kind is int:
        return _integer_misfit(value)
    return None


def _integer_misfit(value: Any) -> str | None:
    if not is_whole(value):
        return "a whole number"
    fits = -(2**63) <= int(value) < 2**64
    return None if fits else "a whole number of at most 64 bits"


def _tuple_misfit(kinds: tuple[Any, ...], value: Any) -> str | None:
    if not isinstance(value, tuple):
        return "a tuple"
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        return f"a tuple of {len(kinds)} values (joined by / in a text, as in 4/3)"
    for part, item in zip(kinds, value, strict=True):
        if wanted := _misfit(part, item):
            return f"a tuple in which each is {wanted}"
    return None
