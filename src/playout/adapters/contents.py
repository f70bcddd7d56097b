"""What a state is made of, so that one reached in two ways is known to be the same."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

__all__ = ["content_of", "is_transparent"]

_VALUES = (int, float, str, bool, bytes, complex, type(None), np.generic)
#: By these methods a class decides itself what is pickled of its objects.
_OWN_WORDS = ("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs_ex__")
_DEPTH = 6
#: The bytes of an object that has nothing but its fields.
_SIZE = type("Plain", (), {}).__basicsize__


def content_of(state: Any) -> bytes:
    """A state's contents as bytes: equal bytes mean equal contents.

    Equal contents may give different bytes. The state is then kept twice, which only
    costs time.
    """
    return pickle.dumps(vars(state), pickle.HIGHEST_PROTOCOL)


def is_transparent(state: Any) -> bool:
    """Whether `content_of` has all that there is of a state: plain values within it.

    >>> class Pile:
    ...     def __init__(self, *heaps):
    ...         self.heaps = list(heaps)
    >>> is_transparent(Pile(3, 5)), is_transparent(Pile(print))
    (True, False)
    """
    return hasattr(state, "__dict__") and _is_plain(state, _DEPTH)


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if isinstance(value, _VALUES):
        return kind.__module__ in ("builtins", "numpy")
    if depth == 0:
        return False
    if kind is np.ndarray:
        return not value.dtype.hasobject
    if kind is dict:
        inner = [*value.keys(), *value.values()]
    elif kind in (list, tuple, set, frozenset):
        inner = list(value)
    elif _is_simple(kind) and hasattr(value, "__dict__"):
        inner = list(vars(value).values())
    else:
        return False
    return all(_is_plain(one, depth - 1) for one in inner)


def _is_simple(kind: type) -> bool:
    """Whether a class is a user's own, and its objects are what their fields are."""
    own = [base for base in kind.__mro__ if base is not object]
    return not any(
        base.__module__ == "builtins"
        or base.__basicsize__ > _SIZE  # written in C, as an open file is
        or vars(base).get("__slots__")
        or any(name in vars(base) for name in _OWN_WORDS)
        for base in own
    )
