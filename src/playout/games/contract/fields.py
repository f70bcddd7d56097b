"""The texts of fields and actions, where the game writes no better ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote

__all__ = ["field_text", "read_number", "set_field", "set_fields"]


def field_text(value: Any) -> str:
    """A number, or those of an array with commas between them, booleans as 0 and 1.

    A record within a state, or an array of them, is told by all of its numbers.

    >>> field_text(np.array([2, -1])), field_text(np.array([True, False]))
    ('2,-1', '1,0')
    >>> field_text(np.zeros(2, [("row", "i1"), ("column", "i1")]))
    '0,0,0,0'
    """
    value = getattr(value, "_record", value)
    is_array = np.ndim(value) or (hasattr(value, "shape") and not np.isscalar(value))
    if is_array or isinstance(value, np.void):
        values = np.asarray(value).ravel()
        items = values.tolist() if values.dtype.names is None else _numbers(values)
        return ",".join(str(int(x) if isinstance(x, bool) else x) for x in items)
    return str(value)


def _numbers(item: Any) -> Iterator[Any]:
    """The numbers in a record, an array or a list, and in what is within, in order."""
    if isinstance(item, np.ndarray):
        item = item.ravel().tolist()
    if not isinstance(item, list | tuple):
        yield item
        return
    for each in item:
        yield from _numbers(each)


def set_fields(state: Any, text: str, dtype: np.dtype[Any]) -> None:
    """Write a state's fields, each as `name=value`. Modified in place.

    Raises:
        PositionError: these are not the fields of the dtype, or not their values.
    """
    pairs = [part.partition("=")[::2] for part in text.split()]
    if [name for name, _ in pairs] != list(dtype.names or ()):
        expected = " ".join(f"{name}=..." for name in dtype.names or ())
        raise PositionError(f"not a position: {quote(text)}; expected {expected}")
    for name, value in pairs:
        set_field(state, name, value, dtype[name])


def set_field(state: Any, name: str, text: str, dtype: np.dtype[Any]) -> None:
    """Write what `field_text` gave into a field. Modified in place."""
    parts = iter(text.split(",") if text else [])  # none of a field without numbers
    try:
        value = _read(dtype, parts)
        if next(parts, None) is not None:
            raise ValueError("too many")
        setattr(state, name, value)
    except (ValueError, OverflowError):
        base, shape = dtype.subdtype or (dtype, ())
        size = int(np.prod(shape)) if shape else 1
        raise PositionError(
            f"{name}={quote(text)[1:-1]}: expected {size} value{'s' * (size > 1)} of "
            f"type {base}"
        ) from None


def _read(dtype: np.dtype[Any], parts: Iterator[str]) -> Any:
    """The next value of a type, by the texts of its numbers."""
    base, shape = dtype.subdtype or (dtype, ())
    convert = _CONVERT.get(base.kind, int)
    values: list[Any] = []
    for _ in range(math.prod(shape)):
        if base.names:
            values.append(tuple(_read(base[name], parts) for name in base.names))
        else:
            values.append(convert(next(parts, "")))
    return np.array(values, dtype=base).reshape(shape)[()]


def read_number(text: str, count: int) -> int:
    """The action that a text names by its number, of so many.

    Raises:
        UsageError: it is none.
    """
    try:
        action = int(text)
    except ValueError:
        action = -1
    if not 0 <= action < count:
        raise UsageError(f"{quote(text)} is not a move; moves are 0 to {count - 1}")
    return action


def _boolean(text: str) -> bool:
    """What 0, 1, False and True mean."""
    return ("0", "1", "False", "True").index(text) % 2 == 1


#: From text to a number, by the kind of a field's dtype; the reverse of `field_text`.
_CONVERT: dict[str, Callable[[str], Any]] = {"f": float, "b": _boolean}
