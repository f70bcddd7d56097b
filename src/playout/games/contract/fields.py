"""The texts of fields and actions, where the game writes no better ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote

__all__ = ["field_text", "read_number", "set_field", "set_fields"]


def field_text(value: Any) -> str:
    """A number, or those of an array with commas between them, booleans as 0 and 1.

    >>> field_text(np.array([2, -1])), field_text(np.array([True, False]))
    ('2,-1', '1,0')
    """
    if np.ndim(value) or (hasattr(value, "shape") and not np.isscalar(value)):
        items = np.asarray(value).ravel().tolist()
        return ",".join(str(int(x) if isinstance(x, bool) else x) for x in items)
    return str(value)


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
    base, shape = dtype.subdtype or (dtype, ())
    convert = _CONVERT.get(base.kind, int)
    try:
        parts = text.split(",") if text else []  # of a field without numbers
        values = np.array([convert(part) for part in parts], dtype=base)
        setattr(state, name, values.reshape(shape) if shape else values.reshape(1)[0])
    except (ValueError, OverflowError):
        size = int(np.prod(shape)) if shape else 1
        raise PositionError(
            f"{name}={quote(text)[1:-1]}: expected {size} value{'s' * (size > 1)} of "
            f"type {base}"
        ) from None


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
