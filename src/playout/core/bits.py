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
from numba.core import types
from numba.core.extending import intrinsic, lower_builtin, overload
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

__all__ = ["highest", "likely", "lowest", "nth", "nth_bit", "popcount"]

_ONE = np.uint64(1)
_WORD = 2**64 - 1
_HAS_PDEP = llvm.get_host_cpu_features().get("bmi2", False)


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


def _lowers(function: Any, result: Any, argument: Any) -> Any:
    """Register the decorated code generator as the compiled form of a function.

    Its code is written where the function is called: nothing is to be linked.
    """
    pysig = inspect.signature(function)

    class Template(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            given = [*args, *dict(kws).values()]
            if len(given) != 1 or not set(dict(kws)) <= set(pysig.parameters):
                return None
            if not isinstance(given[0], types.Integer | types.Boolean):
                return None
            return signature(result, argument).replace(pysig=pysig)

    infer_global(function)(Template)
    return lower_builtin(function, argument)


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
def _pdep(typingctx: Any, source: types.Type, mask: types.Type) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        function = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(function, args)

    return types.uint64(types.uint64, types.uint64), codegen


@overload(nth, strict=False)
def _nth(bits: Any, n: Any) -> Any:
    if _HAS_PDEP:
        return lambda bits, n: lowest(_pdep(_ONE << np.uint64(n), np.uint64(bits)))

    def clear_and_count(bits: Any, n: Any) -> Any:
        rest = np.uint64(bits)
        for _ in range(n):
            rest &= rest - _ONE
        return lowest(rest)

    return clear_and_count


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
    if _HAS_PDEP:
        return lambda bits, n: _pdep(_ONE << np.uint64(n), np.uint64(bits))

    def clear_and_isolate(bits: Any, n: Any) -> Any:
        rest = np.uint64(bits)
        for _ in range(n):
            rest &= rest - _ONE
        return rest & (~rest + _ONE)

    return clear_and_isolate


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
