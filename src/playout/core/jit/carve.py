"""Rows in memory that is there already: `rows_in(words, first, count, like)`.

Compiled code cannot make rows of a type that only its caller knows. It can have some in
a part of an array that it was given.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from .rows import Row, Rows, RowsType

__all__ = ["rows_in", "words_for"]


def words_for(like: Row, count: int) -> int:
    """How many words of eight bytes so many rows take."""
    return -(-count * row_bytes(like) // 8)


def row_bytes(like: Row) -> int:
    """How many bytes a row takes."""
    return int(like._record.nbytes)


def rows_in(words: NDArray[np.uint64], first: int, count: int, like: Row) -> Rows:
    """Rows like another one that lie in `words[first :]`, with what is stored there.

    >>> like = Rows(np.zeros(1, dtype=[("left", "i4"), ("player", "i1")]))[0]
    >>> words = np.zeros(8, dtype=np.uint64)
    >>> rows_in(words, 2, words_for(like, 3), like)[1].left = 7
    >>> np.flatnonzero(words).tolist()
    [2]
    """
    part = words[first : first + words_for(like, count)].view(np.uint8)
    return Rows(part[: count * row_bytes(like)].view(like._record.dtype))


# -- compiled --------------------------------------------------------------------------


@intrinsic
def _row_bytes(typingctx: Any, like: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.get_constant(types.int64, like.size)

    return types.int64(like), codegen


@intrinsic
def _rows_in(typingctx: Any, words: Any, first: Any, count: Any, like: Any) -> Any:
    kind = RowsType(like)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        source = context.make_array(words)(context, builder, value=args[0])
        rows = cgutils.create_struct_proxy(kind)(context, builder)
        place = builder.gep(source.data, [args[1]])
        rows.data = builder.bitcast(place, cgutils.voidptr_t)
        rows.size = args[2]
        return rows._getvalue()

    return kind(words, types.int64, types.int64, like), codegen


@overload(row_bytes, strict=False)
def _native_row_bytes(like: Any) -> Any:
    if isinstance(like, types.Record):
        return lambda like: _row_bytes(like)
    return None


@overload(rows_in, strict=False)
def _native_rows_in(words: Any, first: Any, count: Any, like: Any) -> Any:
    if isinstance(like, types.Record):
        return lambda words, first, count, like: _rows_in(
            words, np.int64(first), np.int64(count), like
        )
    return None
