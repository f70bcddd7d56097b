"""Idioms of Python that Numba lacks: `not` of a list, `any` and `all`.

Importing this file adds them for all code that Numba compiles in this process:

    >>> from numba import njit
    >>> @njit
    ... def has_none_above(limit):
    ...     return not [n for n in range(4) if n > limit]
    >>> has_none_above(3), has_none_above(2)
    (True, False)
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.extending import overload

__all__ = ["CONTAINERS"]

#: What is false when it is empty.
CONTAINERS = (types.List, types.Set, types.DictType, types.BaseTuple)


@overload(operator.not_, strict=False)
def _not(container: Any) -> Any:
    if isinstance(container, CONTAINERS):
        return lambda container: len(container) == 0
    return None


@overload(any, strict=False)
def _any(values: Any) -> Any:
    if not _is_line(values):
        return None

    def is_any(values: Any) -> bool:
        for value in values:
            if value:
                return True
        return False

    return is_any


@overload(all, strict=False)
def _all(values: Any) -> Any:
    if not _is_line(values):
        return None

    def are_all(values: Any) -> bool:
        for value in values:
            if not value:
                return False
        return True

    return are_all


def _is_line(values: Any) -> bool:
    """Whether these are single values; rows of a table are neither true nor false."""
    if isinstance(values, types.Array):
        return bool(values.ndim == 1)
    return isinstance(values, (types.List, types.Set, types.UniTuple))
