"""Bit operations that are one instruction when compiled, and a hint to the compiler.

Each function has a plain Python body, which is what interpreted code runs, and a
compiled one made of an LLVM intrinsic.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic, lower_builtin, overload
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

__all__ = [
    "any_five", "any_run", "highest", "likely", "lowest", "nth", "nth_bit", "popcount",
    "unpack", "wide_product",
]  # fmt: skip

_ZERO, _ONE, _TWO, _THREE, _FOUR, _EIGHT = (np.uint64(n) for n in (0, 1, 2, 3, 4, 8))
_56, _BYTE = np.uint64(56), np.uint64(255)
_WORD = 2**64 - 1
#: The lowest bit of every byte, its highest, and masks to count bits by.
_EACH, _TOPS = np.uint64(_WORD // 255), np.uint64(_WORD // 255 << 7)
_EVEN, _PAIRS, _NIBBLES = (np.uint64(_WORD // n) for n in (3, 5, 17))

#: BMI2's `pdep` finds the n-th bit in three cycles, but on some of AMD's processors, up
#: to the second Zen, it is made of a hundred steps (Fog, "Instruction tables").
_HAS_PDEP = llvm.get_host_cpu_features().get("bmi2", False)
_SLOW = ("bdver4", "znver1", "znver2")
_PDEP_IS_FAST = _HAS_PDEP and llvm.get_host_cpu_name() not in _SLOW

#: `[256 * 8]` at `8 * byte + n` the index of the byte's n-th bit.
_NTH_OF_BYTE = np.zeros(256 * 8, dtype=np.uint8)
for _byte in range(256):
    _places = [place for place in range(8) if _byte >> place & 1]
    _NTH_OF_BYTE[8 * _byte : 8 * _byte + len(_places)] = _places


_TABLE_TYPE = types.Array(types.uint8, 1, "C", readonly=True)


def popcount(bits: Any) -> Any:
    """How many bits are set.

    >>> popcount(np.uint64(0b1011))
    3
    """
    return (int(bits) & _WORD).bit_count()


def lowest(bits: Any) -> Any:
    """The index of the lowest set bit; 64 if there is none.

    >>> lowest(np.uint64(0b1000))
    3
    """
    number = int(bits)
    return (number & -number).bit_length() - 1 if number else 64


def highest(bits: Any) -> Any:
    """The index of the highest set bit; -1 if there is none.

    >>> highest(np.uint64(0b1011))
    3
    """
    return (int(bits) & _WORD).bit_length() - 1


def nth(bits: Any, n: Any) -> Any:
    """The index of the `n`-th set bit, counted from 0 at the lowest; 64 if none.

    >>> nth(np.uint64(0b1011), 2)
    3
    """
    number = int(bits)
    for _ in range(n):
        number &= number - 1
    return lowest(np.uint64(number))


def wide_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The high and the low word of the product of two words.

    >>> high, low = wide_product(np.uint64(1 << 63), np.uint64(6))
    >>> int(high), int(low)
    (3, 0)
    """
    whole = int(a) * int(b)
    return np.uint64(whole >> 64), np.uint64(whole & _WORD)


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
        out[start + n] = offset + int(_NTH_OF_BYTE[8 * int(byte) + n])
    return popcount(byte)


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


def _lowers(function: Any, result: Any, *arguments: Any) -> Any:
    """Register the decorated code generator as the compiled form of a function.

    Its code is written where the function is called: nothing is to be linked.
    """
    pysig = inspect.signature(function)

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                given = pysig.bind(*args, **dict(kws)).arguments.values()
            except TypeError:
                return None
            if not all(isinstance(arg, types.Integer | types.Boolean) for arg in given):
                return None
            return signature(result, *arguments).replace(pysig=pysig)

    infer_global(function)(Template)
    return lower_builtin(function, *arguments)


@_lowers(popcount, types.int64, types.uint64)
def _lower_popcount(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@_lowers(lowest, types.int64, types.uint64)
def _lower_lowest(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))


@_lowers(highest, types.int64, types.uint64)
def _lower_highest(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)


@intrinsic
def _write_eight(typingctx: Any, byte: Any, offset: Any, out: Any, start: Any) -> Any:
    """The eight indices from the table, in one write."""

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        byte, offset, out, start = args
        number = context.get_value_type(sig.args[2].dtype)
        table = context.make_constant_array(builder, _TABLE_TYPE, _NTH_OF_BYTE)
        table = context.make_array(_TABLE_TYPE)(context, builder, table).data
        place = builder.gep(table, [builder.shl(byte, byte.type(3))])
        eight = ir.VectorType(ir.IntType(8), 8)
        indices = builder.load(builder.bitcast(place, eight.as_pointer()), align=1)
        numbers = ir.VectorType(number, 8)
        base = builder.trunc(offset, number)
        whole = ir.Constant(numbers, ir.Undefined)
        for lane in range(8):
            whole = builder.insert_element(whole, base, ir.IntType(32)(lane))
        whole = builder.add(builder.zext(indices, numbers), whole)
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


@_lowers(wide_product, types.UniTuple(types.uint64, 2), types.uint64, types.uint64)
def _lower_product(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    word, double = ir.IntType(64), ir.IntType(128)
    whole = builder.mul(*(builder.zext(arg, double) for arg in args))
    high = builder.trunc(builder.lshr(whole, double(64)), word)
    halves = high, builder.trunc(whole, word)
    return context.make_tuple(builder, sig.return_type, halves)


@_lowers(any_run, types.boolean, types.uint64, *[types.int64] * 5)
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
def _pdep(typingctx: Any, source: types.Type, mask: types.Type) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


def _select(bits: Any, n: Any) -> Any:
    """`nth` by arithmetic on all bytes at once, for 0 <= `n` < 64.

    Source: Vigna, "Broadword Implementation of Rank/Select Queries", WEA 2008.
    """
    word, rank = np.uint64(bits), np.uint64(n)
    sums = word - (word >> _ONE & _EVEN)
    sums = (sums & _PAIRS) + (sums >> _TWO & _PAIRS)
    sums = (sums + (sums >> _FOUR) & _NIBBLES) * _EACH  # of a byte and all below
    if rank >= sums >> _56:
        return 64
    passed = ((rank * _EACH | _TOPS) - sums) & _TOPS  # bytes that end before the bit
    begin = np.uint64(popcount(passed)) * _EIGHT
    rank -= (sums << _EIGHT) >> begin & _BYTE
    return np.int64(begin) + _NTH_OF_BYTE[(word >> begin & _BYTE) << _THREE | rank]


@overload(nth, strict=False)
def _nth(bits: Any, n: Any) -> Any:
    if _PDEP_IS_FAST:
        return lambda bits, n: lowest(_pdep(_ONE << np.uint64(n), np.uint64(bits)))
    return lambda bits, n: _select(bits, n)


def nth_bit(bits: Any, n: Any) -> Any:
    """The `n`-th set bit itself, counted from 0 at the lowest; 0 if there is none.

    >>> int(nth_bit(np.uint64(0b1011), 2))
    8
    """
    number = int(bits)
    for _ in range(n):
        number &= number - 1
    return np.uint64(number & -number)


@overload(nth_bit, strict=False)
def _nth_bit(bits: Any, n: Any) -> Any:
    if _PDEP_IS_FAST:
        return lambda bits, n: _pdep(_ONE << np.uint64(n), np.uint64(bits))

    def shifted(bits: Any, n: Any) -> Any:
        place = _select(bits, n)
        return _ONE << np.uint64(place) if place < 64 else _ZERO

    return shifted


def likely(condition: Any) -> bool:
    """The condition, of which compiled code expects that it is true: no instruction.

    What is not expected then stands out of the way of what is.

    >>> likely(2 > 1), likely(0)
    (True, False)
    """
    return bool(condition)


@_lowers(likely, types.boolean, types.boolean)
def _lower_likely(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    kind = ir.FunctionType(bit, [bit, bit])
    function = builder.module.declare_intrinsic("llvm.expect", [bit], kind)
    return builder.call(function, [args[0], bit(1)])
