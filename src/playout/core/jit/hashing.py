"""Hashes of rows of structured arrays, the same interpreted and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = ["MIX_1", "mix", "row_hash"]

#: The factors of `mix`: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
#: Generators", OOPSLA 2014 (SplitMix64).
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)

_WORD = ir.IntType(64)


def mix(z: Any) -> Any:
    """A bijection of 64-bit integers whose output looks random."""
    z = (z ^ (z >> _30)) * MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    return z ^ (z >> _31)


def row_hash(row: Any) -> Any:
    """64 bits that equal rows share, and unequal ones practically never.

    All bytes count, in words of eight, each mixed into those before.

    >>> from playout.core.jit.rows import Rows
    >>> rows = Rows(np.zeros(2, dtype=[("left", "u1"), ("right", "i4")]))
    >>> with np.errstate(over="ignore"):
    ...     bool(row_hash(rows[0]) == row_hash(rows[1]))
    True
    """
    words = num_words(row)
    found = np.uint64(words)
    for index in range(words - 1):
        found = mix(found ^ word(row, index))
    return mix(found ^ last_word(row))


def num_words(row: Any) -> int:
    """How many words of eight bytes a row takes, the last one begun or full."""
    return -(-int(row._record.nbytes) // 8)


def word(row: Any, index: int) -> Any:
    """A full word of a row."""
    data = row._record.tobytes()[8 * index : 8 * index + 8]
    return np.frombuffer(data, np.uint64)[0]


def last_word(row: Any) -> Any:
    """The last word of a row, zeros behind its bytes."""
    data = row._record.tobytes()[8 * num_words(row) - 8 :]
    return np.frombuffer(data.ljust(8, b"\0"), np.uint64)[0]


# -- compiled --------------------------------------------------------------------------


@intrinsic
def _num_words(typingctx: Any, row: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.get_constant(types.int64, -(-row.size // 8))

    return types.int64(row), codegen


@intrinsic
def _word(typingctx: Any, row: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = builder.bitcast(args[0], cgutils.voidptr_t)
        place = builder.gep(data, [builder.shl(args[1], args[1].type(3))])
        pointer = builder.bitcast(place, _WORD.as_pointer())
        return builder.load(pointer, align=1)

    return types.uint64(row, types.int64), codegen


@intrinsic
def _last_word(typingctx: Any, row: Any) -> Any:
    start = 8 * (-(-row.size // 8) - 1)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = builder.bitcast(args[0], cgutils.voidptr_t)
        buffer = cgutils.alloca_once_value(builder, _WORD(0))
        place = builder.gep(data, [_WORD(start)])
        size = context.get_constant(types.intp, row.size - start)
        target = builder.bitcast(buffer, cgutils.voidptr_t)
        cgutils.raw_memcpy(builder, target, place, size, 1, align=1)
        return builder.load(buffer)

    return types.uint64(row), codegen


@overload(num_words, strict=False)
def _native_num_words(row: Any) -> Any:
    if isinstance(row, types.Record):
        return lambda row: _num_words(row)
    return None


@overload(word, strict=False)
def _native_word(row: Any, index: Any) -> Any:
    if isinstance(row, types.Record):
        return lambda row, index: _word(row, np.int64(index))
    return None


@overload(last_word, strict=False)
def _native_last_word(row: Any) -> Any:
    if isinstance(row, types.Record):
        return lambda row: _last_word(row)
    return None
