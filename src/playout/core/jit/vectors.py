"""Several words, or several numbers, looked at or written at once.

Each function has a plain Python body, which is what interpreted code runs, and a
compiled one made of LLVM's vectors.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .bits import NTH_OF_BYTE, lowers, popcount
from .lanes import spread

__all__ = ["any_five", "any_run", "unpack"]

_WORD = 2**64 - 1
_TABLE = types.Array(types.uint8, 1, "C", readonly=True)


def any_run(bits: Any, length: int, a: int, b: int, c: int, d: int) -> bool:
    """Whether `length` set bits follow each other at a distance of a, b, c or d.

    On a board of bits: whether it holds a line. All four are looked at in one pass.
    A length is at most 64, a distance at least 0.

    >>> any_run(np.uint64(0b1001001), 3, 1, 2, 3, 4)
    True
    >>> any_run(np.uint64(0b1001001), 3, 1, 2, 4, 6)
    False
    """
    for distance in (a, b, c, d):
        run = int(bits) & _WORD
        for _ in range(length - 1):
            run &= run >> distance
        if run:
            return True
    return False


def any_five(rows: Any, first: Any) -> bool:
    """Whether five set bits or more lie on a line that begins in one of eight words.

    Lines run along a word, down from word to word, and on both diagonals. Compiled, all
    eight words are looked at at once, and nothing is checked.

    Args:
        rows: `[at least first + 12]` unsigned integers of 32 or 64 bits, contiguous.
        first: the first of the eight words.

    >>> any_five(np.array([1 << n for n in range(12)], dtype=np.uint32), 0)
    True
    >>> any_five(np.array([1 << 2 * n for n in range(12)], dtype=np.uint32), 0)
    False
    """
    for top in range(int(first), int(first) + 8):
        a, b, c, d, e = (int(rows[top + n]) for n in range(5))
        if (
            a & a >> 1 & a >> 2 & a >> 3 & a >> 4
            or a & b & c & d & e
            or a & b >> 1 & c >> 2 & d >> 3 & e >> 4
            or a >> 4 & b >> 3 & c >> 2 & d >> 1 & e
        ):
            return True
    return False


def unpack(byte: Any, offset: int, out: Any, start: int) -> int:
    """Write the indices of a byte's bits, plus an offset; returns how many there are.

    Eight places are written, whatever they number. Compiled, nothing is checked.

    Args:
        byte: 0 to 255.
        offset: what is added to each index.
        out: `[at least start + 8]` integers of 32 or 64 bits, contiguous.
        start: where the first index goes.

    >>> out = np.zeros(8, dtype=np.int32)
    >>> unpack(np.uint64(0b100101), 100, out, 0), out[:3].tolist()
    (3, [100, 102, 105])
    """
    for n in range(8):
        out[start + n] = offset + int(NTH_OF_BYTE[8 * int(byte) + n])
    return popcount(byte)


# -- compiled --------------------------------------------------------------------------


@lowers(any_run, types.boolean, types.uint64, *[types.int64] * 5)
def _lower_any_run(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Shift and intersect, doubling: 16 in a row after four steps, 64 after six."""
    word = ir.IntType(64)
    lanes = ir.VectorType(word, 4)
    bits, length, *distances = args

    def vector(values: Any) -> Any:
        found = ir.Constant(lanes, ir.Undefined)
        for lane, value in enumerate(values):
            place = ir.Constant(ir.IntType(32), lane)
            found = builder.insert_element(found, value, place)
        return found

    zero = ir.Constant(lanes, [0] * 4)
    runs, distance = vector([bits] * 4), vector(distances)
    for found in (word(2**power) for power in range(6)):
        missing = builder.sub(length, found)
        step = builder.select(builder.icmp_signed("<", missing, found), missing, found)
        step = builder.select(builder.icmp_signed("<", step, word(0)), word(0), step)
        shift = builder.mul(distance, vector([step] * 4))
        inside = builder.icmp_unsigned("<", shift, ir.Constant(lanes, [64] * 4))
        shifted = builder.select(inside, builder.lshr(runs, shift), zero)
        runs = builder.and_(runs, shifted)
    kind = ir.FunctionType(word, [lanes])
    function = builder.module.declare_intrinsic("llvm.vector.reduce.or.v4i64", (), kind)
    return builder.icmp_unsigned("!=", builder.call(function, [runs]), word(0))


@intrinsic
def _write_eight(typingctx: Any, byte: Any, offset: Any, out: Any, start: Any) -> Any:
    """The eight indices from the table, in one write."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, offset, out, start = args
        number = context.get_value_type(sig.args[2].dtype)
        table = context.make_constant_array(builder, _TABLE, NTH_OF_BYTE)
        table = context.make_array(_TABLE)(context, builder, table).data
        place = builder.gep(table, [builder.shl(byte, byte.type(3))])
        eight = ir.VectorType(ir.IntType(8), 8)
        indices = builder.load(builder.bitcast(place, eight.as_pointer()), align=1)
        numbers = ir.VectorType(number, 8)
        base = builder.trunc(offset, number)
        whole = builder.add(builder.zext(indices, numbers), spread(builder, base, 8))
        data = context.make_array(sig.args[2])(context, builder, out).data
        place = builder.gep(data, [start])
        builder.store(whole, builder.bitcast(place, numbers.as_pointer()), align=1)
        return context.get_dummy_value()

    return types.void(types.uint64, types.int64, out, types.int64), codegen


@overload(unpack, strict=False)
def _unpack(byte: Any, offset: Any, out: Any, start: Any) -> Any:
    if not _is_plain(out):
        return None

    def unpack(byte: Any, offset: Any, out: Any, start: Any) -> Any:
        _write_eight(byte, offset, out, start)
        return popcount(byte)

    return unpack


def _is_plain(array: Any) -> bool:
    """Whether this is the type of a row of contiguous integers of 32 or 64 bits."""
    return (
        isinstance(array, types.Array)
        and (array.ndim, array.layout) == (1, "C")
        and isinstance(array.dtype, types.Integer)
        and array.dtype.bitwidth in (32, 64)
    )


@intrinsic
def _five_in_eight(typingctx: Any, rows: Any, first: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = context.make_array(sig.args[0])(context, builder, args[0])
        width = sig.args[0].dtype.bitwidth
        words = ir.VectorType(ir.IntType(width), 8)

        def load(below: int) -> Any:
            index = builder.add(args[1], ir.IntType(64)(below))
            place = builder.gep(array.data, [index])
            place = builder.bitcast(place, words.as_pointer())
            return builder.load(place, align=1)  # rows of states are packed

        def right(word: Any, columns: int) -> Any:
            return builder.lshr(word, ir.Constant(words, [columns] * 8))

        a, b, c, d, e = (load(below) for below in range(5))
        pair = builder.and_(a, right(a, 1))
        lines = (
            (pair, right(pair, 2), right(a, 4)),
            (a, b, c, d, e),
            (a, right(b, 1), right(c, 2), right(d, 3), right(e, 4)),
            (right(a, 4), right(b, 3), right(c, 2), right(d, 1), e),
        )
        found = functools.reduce(
            builder.or_, [functools.reduce(builder.and_, line) for line in lines]
        )
        whole = ir.IntType(8 * width)
        return builder.icmp_unsigned("!=", builder.bitcast(found, whole), whole(0))

    return types.boolean(rows, types.uint64), codegen


@overload(any_five, strict=False)
def _any_five(rows: Any, first: Any) -> Any:
    if not _is_plain(rows) or rows.dtype.signed:
        return None
    return lambda rows, first: _five_in_eight(rows, np.uint64(first))
