"""The exponential of several numbers at once.

The C library's takes one at a time, and its last digit differs between machines. These
give the same digits on every processor, compiled or not: `exponential` of one number is
plain Python, `exponentials` of a row is compiled to LLVM's vectors, which take the same
steps for eight numbers.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from .bits import lowers
from .lanes import spread

__all__ = ["FARTHEST", "exponential", "exponentials"]

#: Numbers beyond these count as if they were these.
FARTHEST = 700.0
_LOG2_E = 1.4426950408889634
#: The logarithm of 2 in two parts: the first has so few digits that its products with
#: small whole numbers are exact (Cody and Waite, "Software Manual for the Elementary
#: Functions", 1980, chapter 6).
_LN2_HIGH, _LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
#: Of Taylor's series, which is taken between minus and plus half the logarithm of 2.
_C = tuple(1 / math.factorial(n) for n in range(11))


def exponential(x: float) -> float:
    """E to the power of x, to twelve digits.

    >>> round(exponential(1.0), 12), exponential(0.0)
    (2.718281828459, 1.0)
    """
    if math.isnan(x):
        return x
    x = min(max(x, -FARTHEST), FARTHEST)
    doublings = math.floor(x * _LOG2_E + 0.5)
    return math.ldexp(_series(_rest(x, float(doublings))), doublings)


def exponentials(numbers: NDArray[np.float64], count: int) -> None:
    """Put e to the power of each of the first `count` numbers in its place.

    Compiled, nothing is checked.

    >>> row = np.array([0.0, 1.0, 2.0])
    >>> exponentials(row, 2)
    >>> row.round(3).tolist()
    [1.0, 2.718, 2.0]
    """
    for index in range(count):
        numbers[index] = exponential(numbers[index])


def _rest(x: Any, doublings: Any) -> Any:
    """What is left of x after so many times the logarithm of 2."""
    return (x - doublings * _LN2_HIGH) - doublings * _LN2_LOW


def _series(r: Any) -> Any:
    """Taylor's series, as short sums that do not wait for each other."""
    square = r * r
    start = (1.0 + r) + square * (0.5 + r * _C[3])
    middle = (_C[4] + r * _C[5]) + square * (_C[6] + r * _C[7])
    end = (_C[8] + r * _C[9]) + square * _C[10]
    fourth = square * square
    return start + fourth * (middle + fourth * end)


# -- compiled --------------------------------------------------------------------------

_LANES = 8
_DOUBLES = ir.VectorType(ir.DoubleType(), _LANES)
_WORDS = ir.VectorType(ir.IntType(64), _LANES)
_BITS = ir.VectorType(ir.IntType(1), _LANES)


class _Vector:
    """Eight numbers, with the operators that `_rest` and `_series` use."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _with(self, name: str, other: Any) -> _Vector:
        if not isinstance(other, _Vector):
            other = _Vector(self.builder, ir.Constant(_DOUBLES, [other] * _LANES))
        found = getattr(self.builder, name)(self.value, other.value)
        return _Vector(self.builder, found)

    def __add__(self, other: Any) -> _Vector:
        return self._with("fadd", other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> _Vector:
        return self._with("fsub", other)

    def __mul__(self, other: Any) -> _Vector:
        return self._with("fmul", other)

    def clipped(self, sign: str, bound: float) -> _Vector:
        """Those that compare so with a bound are replaced by it."""
        limit = ir.Constant(_DOUBLES, [bound] * _LANES)
        beyond = self.builder.fcmp_ordered(sign, self.value, limit)
        return _Vector(self.builder, self.builder.select(beyond, limit, self.value))


def _eight(builder: Any, given: Any) -> Any:
    """The exponentials of a vector."""
    x = _Vector(builder, given).clipped("<", -FARTHEST).clipped(">", FARTHEST)
    kind = ir.FunctionType(_DOUBLES, [_DOUBLES])
    floor = builder.module.declare_intrinsic("llvm.floor.v8f64", (), kind)
    whole = builder.call(floor, [(x * _LOG2_E + 0.5).value])
    total = _series(_rest(x, _Vector(builder, whole)))
    nothing = ir.Constant(_DOUBLES, [0.0] * _LANES)
    is_nan = builder.fcmp_unordered("uno", whole, whole)
    number = builder.select(is_nan, nothing, whole)  # that of NaN is undefined
    short = builder.fptosi(number, ir.VectorType(ir.IntType(32), _LANES))
    bias = ir.Constant(_WORDS, [1023] * _LANES)
    places = ir.Constant(_WORDS, [52] * _LANES)
    power = builder.shl(builder.add(builder.sext(short, _WORDS), bias), places)
    return (total * _Vector(builder, builder.bitcast(power, _DOUBLES))).value


@lowers(exponentials, types.void, types.float64[::1], types.int64)
def _lower_exponentials(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    word, short = ir.IntType(64), ir.IntType(32)
    pointer = _DOUBLES.as_pointer()
    load_type = ir.FunctionType(_DOUBLES, [pointer, short, _BITS, _DOUBLES])
    store_type = ir.FunctionType(ir.VoidType(), [_DOUBLES, pointer, short, _BITS])
    declare = builder.module.declare_intrinsic
    load = declare("llvm.masked.load.v8f64.p0v8f64", (), load_type)
    store = declare("llvm.masked.store.v8f64.p0v8f64", (), store_type)
    lanes = ir.Constant(_WORDS, list(range(_LANES)))
    blank = ir.Constant(_DOUBLES, [0.0] * _LANES)
    data = context.make_array(sig.args[0])(context, builder, args[0]).data
    step = cgutils.for_range_slice(builder, word(0), args[1], word(_LANES), word, True)
    with step as (first, _):
        left = builder.sub(args[1], first)
        mask = builder.icmp_signed("<", lanes, spread(builder, left, _LANES))
        place = builder.bitcast(builder.gep(data, [first]), pointer)
        given = builder.call(load, [place, short(8), mask, blank])
        builder.call(store, [_eight(builder, given), place, short(8), mask])
    return context.get_dummy_value()
