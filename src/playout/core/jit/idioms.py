"""Idioms that Numba lacks: `not` of a list, `any`, `all`, `@` of whole numbers.

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

import numpy as np
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


@overload(operator.matmul, strict=False)
@overload(np.dot, strict=False)
def _product(a: Any, b: Any) -> Any:
    """Of whole numbers, as NumPy has it; Numba has that of floats."""
    if not all(isinstance(side, types.Array) for side in (a, b)):
        return None
    if not all(isinstance(side.dtype, _WHOLE) for side in (a, b)):
        return None
    # Numba's numbers bear the names that NumPy's have.
    kind = np.result_type(*(np.dtype(str(side.dtype)) for side in (a, b)))
    if kind.kind not in "iu" or (a.ndim, b.ndim) not in _PRODUCTS:
        return None
    return _PRODUCTS[a.ndim, b.ndim](kind.type)


def _lines(number: Any) -> Any:
    def product(a: Any, b: Any) -> Any:
        if len(a) != len(b):
            raise ValueError("@ of lines of different lengths")
        total = number(0)
        for i in range(len(a)):
            total = number(total + number(a[i]) * number(b[i]))
        return total

    return product


def _table_line(number: Any) -> Any:
    def product(a: Any, b: Any) -> Any:
        found = np.empty(len(a), number)
        for i in range(len(a)):
            found[i] = a[i] @ b
        return found

    return product


def _line_table(number: Any) -> Any:
    return lambda a, b: b.T @ a


def _tables(number: Any) -> Any:
    def product(a: Any, b: Any) -> Any:
        found = np.empty((a.shape[0], b.shape[1]), number)
        for i in range(b.shape[1]):
            found[:, i] = a @ b[:, i]
        return found

    return product


_WHOLE = (types.Integer, types.Boolean)
#: By the dimensions of both sides.
_PRODUCTS = {(1, 1): _lines, (2, 1): _table_line, (1, 2): _line_table, (2, 2): _tables}


def _is_line(values: Any) -> bool:
    """Whether the elements are single values, which are true or false; rows are not."""
    if isinstance(values, types.Array):
        return bool(values.ndim == 1)
    return isinstance(values, (types.List, types.Set, types.UniTuple))
