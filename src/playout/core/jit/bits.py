"""Bit operations that are one instruction when compiled, and a hint to the compiler.

Each function has a plain Python body, which is what interpreted code runs, and a
compiled one made of an LLVM intrinsic.
"""

from __future__ import annotations

import inspect
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, lower_builtin, overload, register_jitable

from .internals import AbstractTemplate, infer_global, signature
from .lanes import is_row

__all__ = [
    "NTH_OF_BYTE", "highest", "likely", "list_bits", "lowers", "lowest", "nth",
    "nth_bit", "popcount", "wide_product",
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
NTH_OF_BYTE = np.zeros(256 * 8, dtype=np.uint8)
for _byte in range(256):
    _places = [place for place in range(8) if _byte >> place & 1]
    NTH_OF_BYTE[8 * _byte : 8 * _byte + len(_places)] = _places


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


def list_bits(bits: Any, offset: int, out: Any, count: int) -> int:
    """Append the indices of the set bits, plus an offset, to what is in a buffer.

    Args:
        bits: a word.
        offset: what is added to each index.
        out: the buffer; it must have room.
        count: how many numbers are in it already.

    Returns:
        How many there are then.

    >>> out = np.zeros(4, dtype=np.int32)
    >>> list_bits(np.uint64(0b1011), 10, out, 1), out.tolist()
    (4, [0, 10, 11, 13])
    """
    while bits != _ZERO:
        out[count] = offset + lowest(bits)
        bits &= bits - _ONE
        count += 1
    return count


def wide_product(a: Any, b: Any) -> tuple[Any, Any]:
    """The high and the low word of the product of two words.

    >>> high, low = wide_product(np.uint64(1 << 63), np.uint64(6))
    >>> int(high), int(low)
    (3, 0)
    """
    whole = int(a) * int(b)
    return np.uint64(whole >> 64), np.uint64(whole & _WORD)


def lowers(function: Any, result: Any, *arguments: Any) -> Any:
    """Register the decorated code generator as the compiled form of a function.

    The code is generated where the function is called, so nothing has to be linked.

    Args:
        function: what has a plain Python body.
        result: the type of what it returns.
        arguments: the types of what it is given: those that whole numbers are turned
            into, and of rows such as `types.float32[::1]`, of whose elements they are.
    """
    pysig = inspect.signature(function)

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            try:
                given = pysig.bind(*args, **dict(kws)).arguments.values()
            except TypeError:
                return None
            taken = []
            for arg, kind in zip(given, arguments, strict=True):
                if isinstance(kind, types.Array):
                    fits, own = is_row(arg, kind.dtype), arg
                else:
                    whole = isinstance(kind, types.Integer | types.Boolean)
                    known = types.Integer | types.Boolean if whole else types.Number
                    fits, own = isinstance(arg, known), kind
                if not fits:
                    return None
                taken.append(own)
            return signature(result, *taken).replace(pysig=pysig)

    infer_global(function)(Template)
    return lower_builtin(
        function, *(types.Array if isinstance(k, types.Array) else k for k in arguments)
    )


@lowers(popcount, types.int64, types.uint64)
def _lower_popcount(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


@lowers(lowest, types.int64, types.uint64)
def _lower_lowest(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))


@lowers(highest, types.int64, types.uint64)
def _lower_highest(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))
    return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)


@lowers(wide_product, types.UniTuple(types.uint64, 2), types.uint64, types.uint64)
def _lower_product(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    word, double = ir.IntType(64), ir.IntType(128)
    whole = builder.mul(*(builder.zext(arg, double) for arg in args))
    high = builder.trunc(builder.lshr(whole, double(64)), word)
    halves = high, builder.trunc(whole, word)
    return context.make_tuple(builder, sig.return_type, halves)


@intrinsic
def _pdep(typingctx: Any, source: types.Type, mask: types.Type) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@register_jitable
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
    return np.int64(begin) + NTH_OF_BYTE[(word >> begin & _BYTE) << _THREE | rank]


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

    The compiler then moves the unexpected branch out of the straight path.

    >>> likely(2 > 1), likely(0)
    (True, False)
    """
    return bool(condition)


@lowers(likely, types.boolean, types.boolean)
def _lower_likely(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bit = ir.IntType(1)
    kind = ir.FunctionType(bit, [bit, bit])
    function = builder.module.declare_intrinsic("llvm.expect", [bit], kind)
    return builder.call(function, [args[0], bit(1)])
