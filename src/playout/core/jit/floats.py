"""Vectors of float32, as the layers of a network need them: sums, clipping, products.

Each function has a plain Python body, which is what interpreted code runs, and a
compiled one made of LLVM's vectors. Both add in the same order and round after every
step, so that they agree bit for bit, on every processor.
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

__all__ = ["LANES", "SUMS", "add_layer", "add_rows", "clip", "dot", "rounded"]

#: Numbers that are added at once; widths of rows are multiples of it.
LANES = 16
#: How many sums a layer is added up in: one need not wait for another's last step.
SUMS = 4


def rounded(count: int, step: int) -> int:
    """A count, rounded up to a multiple of a step.

    >>> rounded(33, LANES), rounded(8, SUMS)
    (48, 8)
    """
    return -(-count // step) * step


def add_rows(
    out: NDArray[Any],
    numbers: NDArray[Any],
    first: int,
    width: int,
    indices: NDArray[Any],
    factors: NDArray[Any],
    count: int,
    begin: int,
    end: int,
) -> None:
    """Add some rows, each times a factor, to the first one; `out` is written over.

    `out[c] = row_0[c] + sum of factors[n] * row_(1 + indices[n])[c]`, for n below
    `count`, of the columns from `begin` up to `end`. Compiled, nothing is checked.

    Args:
        out: `[at least width]` float32.
        numbers: float32, of which the rows begin at `first`, one after another.
        first: where row 0 begins.
        width: of a row, a multiple of `LANES`.
        indices: `[at least count]` int32, the rows' numbers, less 1.
        factors: `[at least count]` float32.
        count: how many rows are added.
        begin: the first column, a multiple of `LANES`.
        end: the one after the last, a multiple of `LANES`.

    >>> rows = np.repeat(np.array([1, 2, 3], np.float32), LANES)
    >>> out = np.zeros(LANES, np.float32)
    >>> indices, factors = np.array([1, 0]), np.float32([10, 0.5])
    >>> add_rows(out, rows, 0, LANES, indices, factors, 2, 0, LANES)
    >>> float(out[0])
    32.0
    """
    total = numbers[first + begin : first + end].copy()
    for factor, index in zip(factors[:count], indices[:count], strict=True):
        start = first + (1 + int(index)) * width
        total += factor * numbers[start + begin : start + end]
    out[begin:end] = total


def add_layer(
    out: NDArray[Any],
    numbers: NDArray[Any],
    first: int,
    width: int,
    inputs: NDArray[Any],
    place: int,
    count: int,
    begin: int,
    end: int,
) -> None:
    """Add all rows behind the first one to it, each times an input; see `add_rows`.

    `out[c] = row_0[c] + sum of inputs[place + n] * row_(1 + n)[c]`, for n below `count`
    rounded up to a multiple of `SUMS`: there are so many rows and inputs. The sum is
    that of `SUMS` sums, each of every so many-th row. Compiled, nothing is checked.

    Args:
        out: `[at least width]` float32.
        numbers: float32, of which the rows begin at `first`, one after another.
        first: where row 0 begins.
        width: of a row, a multiple of `LANES`.
        inputs: float32, of which `place` is the first.
        place: where that is.
        count: how many rows are added, before it is rounded up.
        begin: the first column, a multiple of `LANES`.
        end: the one after the last, a multiple of `LANES`.

    >>> rows = np.repeat(np.array([1, 2, 3, 4, 0], np.float32), LANES)
    >>> out, inputs = np.zeros(LANES, np.float32), np.float32([9, 10, 0.5, 1, 9])
    >>> add_layer(out, rows, 0, LANES, inputs, 1, 3, 0, LANES)
    >>> float(out[0])
    26.5
    """
    row = first + width
    base = numbers[first + begin : first + end]
    totals = [base, *(np.zeros_like(base) for _ in range(SUMS - 1))]
    for term in range(rounded(int(count), SUMS)):
        product = inputs[place + term] * numbers[row + begin : row + end]
        totals[term % SUMS] = totals[term % SUMS] + product
        row += width
    out[begin:end] = (totals[0] + totals[1]) + (totals[2] + totals[3])


def clip(numbers: NDArray[Any], out: NDArray[Any], place: int, width: int) -> None:
    """Write numbers to `out`, from `place` on, those below 0 as 0, above 1 as 1.

    Args:
        numbers: `[at least width]` float32; NaN counts as 0.
        out: `[at least place + width]` float32.
        place: where the first one goes.
        width: how many, a multiple of `LANES`. Compiled, nothing is checked.

    >>> out = np.zeros(24, np.float32)
    >>> clip(np.linspace(-1, 2, LANES, dtype=np.float32), out, 8, LANES)
    >>> float(out[8]), float(out[23])
    (0.0, 1.0)
    """
    given, zero, one = numbers[:width], np.float32(0.0), np.float32(1.0)
    above = np.where(given > zero, given, zero)
    out[place : place + width] = np.where(above < one, above, one)


def dot(
    numbers: NDArray[Any], place: int, factors: NDArray[Any], first: int, width: int
) -> float:
    """The sum of products of numbers that follow each other in two rows.

    `LANES` sums, each of every so many-th product, are added up by halves: the second
    half to the first, and so on. Compiled, nothing is checked.

    Args:
        numbers: float32, of which `place` is the first.
        place: where that is.
        factors: float32, of which `first` is the first.
        first: where that is.
        width: how many, a multiple of `LANES`.

    >>> numbers = np.arange(32, dtype=np.float32)
    >>> dot(numbers, 0, numbers, 16, 16)
    3160.0
    """
    total = np.zeros(LANES, np.float32)
    for column in range(0, int(width), LANES):
        some = numbers[place + column : place + column + LANES]
        total += some * factors[first + column : first + column + LANES]
    while len(total) > 1:
        half = len(total) // 2
        total = total[:half] + total[half:]
    return float(total[0])


# -- compiled --------------------------------------------------------------------------

_VECTOR, _WORD = ir.VectorType(ir.FloatType(), LANES), ir.IntType(64)
_FLOATS, _INDICES = types.float32[::1], types.int32[::1]
_PLACE = types.int64


def _load(builder: Any, numbers: Any, place: Any) -> Any:
    """The vector of the numbers from a place on."""
    return load(builder, _VECTOR, numbers, place, align=4)


def _store(builder: Any, vector: Any, numbers: Any, place: Any) -> None:
    """Write a vector to the numbers from a place on."""
    address = builder.bitcast(builder.gep(numbers, [place]), _VECTOR.as_pointer())
    builder.store(vector, address, align=4)


def _steps(builder: Any, begin: Any, end: Any, step: int) -> Any:
    """A loop in steps of so many."""
    return cgutils.for_range_slice(builder, begin, end, _WORD(step), _WORD, True)


def _add_product(
    builder: Any, total: Any, factors: Any, term: Any, numbers: Any, place: Any
) -> None:
    """Add a factor times the vector at a place to a sum in memory."""
    factor = builder.load(builder.gep(factors, [term]))
    product = builder.fmul(
        spread(builder, factor, LANES), _load(builder, numbers, place)
    )
    builder.store(builder.fadd(builder.load(total), product), total)


@lowers(
    add_rows, types.void,
    *(_FLOATS, _FLOATS, _PLACE, _PLACE, _INDICES, _FLOATS, _PLACE, _PLACE, _PLACE),
)  # fmt: skip
def _lower_add_rows(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    given = data_of(context, builder, sig, args)
    out, numbers, first, width, indices, factors, count, begin, end = given
    total = cgutils.alloca_once(builder, _VECTOR)
    with _steps(builder, begin, end, LANES) as (column, _):
        base = builder.add(first, column)
        builder.store(_load(builder, numbers, base), total)
        rows = builder.add(base, width)
        with cgutils.for_range(builder, count) as term:
            index = builder.load(builder.gep(indices, [term.index]))
            row = builder.mul(builder.sext(index, _WORD), width)
            place = builder.add(rows, row)
            _add_product(builder, total, factors, term.index, numbers, place)
        _store(builder, builder.load(total), out, column)
    return context.get_dummy_value()


@lowers(
    add_layer, types.void,
    *(_FLOATS, _FLOATS, _PLACE, _PLACE, _FLOATS, _PLACE, _PLACE, _PLACE, _PLACE),
)  # fmt: skip
def _lower_add_layer(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    given = data_of(context, builder, sig, args)
    out, numbers, first, width, inputs, place, count, begin, end = given
    totals = [cgutils.alloca_once(builder, _VECTOR) for _ in range(SUMS)]
    zero = ir.Constant(_VECTOR, [0.0] * LANES)
    with _steps(builder, begin, end, LANES) as (column, _):
        base = builder.add(first, column)
        for total in totals:
            builder.store(zero, total)
        builder.store(_load(builder, numbers, base), totals[0])
        rows = builder.add(base, width)
        with _steps(builder, _WORD(0), count, SUMS) as (term, _):
            for number, total in enumerate(totals):
                each = builder.add(term, _WORD(number))
                row = builder.add(rows, builder.mul(each, width))
                source = builder.add(place, each)
                _add_product(builder, total, inputs, source, numbers, row)
        a, b, c, d = (builder.load(total) for total in totals)
        found = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
        _store(builder, found, out, column)
    return context.get_dummy_value()


@lowers(clip, types.void, _FLOATS, _FLOATS, _PLACE, _PLACE)
def _lower_clip(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    numbers, out, place, width = data_of(context, builder, sig, args)
    low, high = (ir.Constant(_VECTOR, [bound] * LANES) for bound in (0.0, 1.0))
    with _steps(builder, _WORD(0), width, LANES) as (column, _):
        found = _load(builder, numbers, column)
        for sign, bound in ((">", low), ("<", high)):
            inside = builder.fcmp_ordered(sign, found, bound)
            found = builder.select(inside, found, bound)
        _store(builder, found, out, builder.add(place, column))
    return context.get_dummy_value()


@lowers(dot, types.float64, _FLOATS, _PLACE, _FLOATS, _PLACE, _PLACE)
def _lower_dot(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    numbers, place, factors, first, width = data_of(context, builder, sig, args)
    zero = ir.Constant(_VECTOR, [0.0] * LANES)
    total = cgutils.alloca_once(builder, _VECTOR)
    builder.store(zero, total)
    with _steps(builder, _WORD(0), width, LANES) as (column, _):
        some = _load(builder, numbers, builder.add(place, column))
        product = builder.fmul(
            some, _load(builder, factors, builder.add(first, column))
        )
        builder.store(builder.fadd(builder.load(total), product), total)
    found = builder.load(total)
    while found.type.count > 1:
        found = builder.fadd(*halves(builder, found))
    first = ir.IntType(32)(0)
    return builder.fpext(builder.extract_element(found, first), ir.DoubleType())
