"""The highest of many bounds that rise with a number, looked at eight at a time.

A bound is `base + slope * x`. Each function has a plain Python body, which is what
interpreted code runs, and a compiled one made of LLVM's vectors. Both round alike.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numpy.typing import NDArray

from .bits import lowers
from .lanes import data_of, halves, load, spread

__all__ = ["EIGHT", "at_least", "highest_bound"]

#: Bounds that are looked at at once.
EIGHT = 8


def highest_bound(
    bases: NDArray[Any], slopes: NDArray[Any], first: int, count: int, x: float
) -> float:
    """The highest of some bounds at `x`; of none it is minus infinity.

    What is no number (NaN) is never the highest.

    Args:
        bases: float64, of which `first` is that of the first bound. From there on there
            are as many as `count`, rounded up to a multiple of `EIGHT`; those that are
            too many must be minus infinity. Compiled, nothing is checked.
        slopes: float64, likewise; those that are too many must be finite.
        first: where that is.
        count: how many bounds.
        x: what they rise with, finite.

    >>> bases, slopes = np.full(8, -np.inf), np.zeros(8)
    >>> bases[:3], slopes[:3] = (1.0, 2.0, 3.0), (1.0, 2.0, -1.0)
    >>> highest_bound(bases, slopes, 0, 3, 2.0)
    6.0
    """
    end = first + -(-int(count) // EIGHT) * EIGHT
    bounds = bases[first:end] + slopes[first:end] * x
    return float(np.fmax.reduce(bounds, initial=-np.inf))


def at_least(
    bases: NDArray[Any], slopes: NDArray[Any], first: int, x: float, low: float
) -> Any:
    """Which of eight bounds are `low` or more at `x`, as the bits of a word.

    Args:
        bases: float64, of which `first` is that of the first of the eight. Compiled,
            nothing is checked.
        slopes: float64, likewise.
        first: where that is.
        x: what they rise with.
        low: what they are compared with.

    >>> bases, slopes = np.full(8, -np.inf), np.zeros(8)
    >>> bases[:3], slopes[:3] = (1.0, 2.0, 4.0), (1.0, 2.0, -1.0)
    >>> f"{at_least(bases, slopes, 0, 2.0, 3.0):b}"
    '11'
    """
    eight = slice(first, first + EIGHT)
    found = bases[eight] + slopes[eight] * x >= low
    return np.uint64(np.packbits(found, bitorder="little")[0])


# -- compiled --------------------------------------------------------------------------

_WORD = ir.IntType(64)
_VECTOR = ir.VectorType(ir.DoubleType(), EIGHT)
_FLOATS, _PLACE, _FLOAT = types.float64[::1], types.int64, types.float64


def _bounds(builder: Any, bases: Any, slopes: Any, place: Any, x: Any) -> Any:
    """The eight bounds from a place on; `x` is a vector, too."""
    base, slope = (
        load(builder, _VECTOR, numbers, place, align=8) for numbers in (bases, slopes)
    )
    return builder.fadd(base, builder.fmul(slope, x))


def _higher(builder: Any, one: Any, other: Any) -> Any:
    return builder.select(builder.fcmp_ordered(">", one, other), one, other)


@lowers(highest_bound, _FLOAT, _FLOATS, _FLOATS, _PLACE, _PLACE, _FLOAT)
def _lower_highest_bound(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bases, slopes, first, count, x = data_of(context, builder, sig, args)
    x = spread(builder, x, EIGHT)
    tops = [cgutils.alloca_once(builder, _VECTOR) for _ in range(2)]
    for top in tops:
        builder.store(ir.Constant(_VECTOR, [float("-inf")] * EIGHT), top)

    def look(place: Any, top: Any) -> None:
        found = _bounds(builder, bases, slopes, place, x)
        builder.store(_higher(builder, found, builder.load(top)), top)

    # Two by two, so that one comparison need not wait for the other; then what is left.
    step = _WORD(2 * EIGHT)
    rounded = builder.and_(builder.add(count, _WORD(EIGHT - 1)), _WORD(-EIGHT))
    even = builder.and_(rounded, _WORD(-2 * EIGHT))
    end = builder.add(first, even)
    with cgutils.for_range_slice(builder, first, end, step, _WORD, True) as (place, _):
        look(place, tops[0])
        look(builder.add(place, _WORD(EIGHT)), tops[1])
    with builder.if_then(builder.icmp_unsigned("!=", rounded, even)):
        look(end, tops[0])
    found = _higher(builder, *map(builder.load, tops))
    while found.type.count > 1:
        found = _higher(builder, *halves(builder, found))
    return builder.extract_element(found, ir.IntType(32)(0))


@lowers(at_least, types.uint64, _FLOATS, _FLOATS, _PLACE, _FLOAT, _FLOAT)
def _lower_at_least(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bases, slopes, first, x, low = data_of(context, builder, sig, args)
    found = _bounds(builder, bases, slopes, first, spread(builder, x, EIGHT))
    enough = builder.fcmp_ordered(">=", found, spread(builder, low, EIGHT))
    return builder.zext(builder.bitcast(enough, ir.IntType(EIGHT)), _WORD)
