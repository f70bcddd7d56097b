"""Layers of a network: sums of whole layers, numbers clipped, and products added up.

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
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from .floats import LANES, VECTOR, load, store
from .lanes import is_row, spread

__all__ = ["SUMS", "add_layer", "clip", "dot"]

#: How many sums a layer is added up in: one need not wait for another's last step.
SUMS = 4


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
    for term in range(-(-int(count) // SUMS) * SUMS):
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


@intrinsic
def _add_layer(
    typingctx: Any,
    out: Any,
    numbers: Any,
    first: Any,
    width: Any,
    inputs: Any,
    place: Any,
    count: Any,
    begin: Any,
    end: Any,
) -> Any:
    word = ir.IntType(64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        out, numbers, inputs = (
            context.make_array(sig.args[n])(context, builder, args[n]).data
            for n in (0, 1, 4)
        )
        (first, width), (place, count, begin, end) = args[2:4], args[5:]
        totals = [cgutils.alloca_once(builder, VECTOR) for _ in range(SUMS)]
        zero = ir.Constant(VECTOR, [0.0] * LANES)
        step = cgutils.for_range_slice(builder, begin, end, word(LANES), word, True)
        with step as (column, _):
            base = builder.add(first, column)
            for total in totals:
                builder.store(zero, total)
            builder.store(load(builder, numbers, base), totals[0])
            rows = builder.add(base, width)
            terms = cgutils.for_range_slice(
                builder, word(0), count, word(SUMS), word, True
            )
            with terms as (term, _):
                for number, total in enumerate(totals):
                    each = builder.add(term, word(number))
                    factor = builder.gep(inputs, [builder.add(place, each)])
                    factor = spread(builder, builder.load(factor), LANES)
                    row = builder.add(rows, builder.mul(each, width))
                    product = builder.fmul(factor, load(builder, numbers, row))
                    builder.store(builder.fadd(builder.load(total), product), total)
            a, b, c, d = (builder.load(total) for total in totals)
            found = builder.fadd(builder.fadd(a, b), builder.fadd(c, d))
            store(builder, found, out, column)
        return context.get_dummy_value()

    kinds = out, numbers, *[types.int64] * 2, inputs, *[types.int64] * 4
    return types.void(*kinds), codegen


@overload(add_layer, strict=False)
def _add_layer_of(
    out: Any,
    numbers: Any,
    first: Any,
    width: Any,
    inputs: Any,
    place: Any,
    count: Any,
    begin: Any,
    end: Any,
) -> Any:
    if not all(is_row(array, types.float32) for array in (out, numbers, inputs)):
        return None

    def add(
        out: Any,
        numbers: Any,
        first: Any,
        width: Any,
        inputs: Any,
        place: Any,
        count: Any,
        begin: Any,
        end: Any,
    ) -> None:
        _add_layer(out, numbers, first, width, inputs, place, count, begin, end)

    return add


@intrinsic
def _clip(typingctx: Any, numbers: Any, out: Any, place: Any, width: Any) -> Any:
    word = ir.IntType(64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers, out = (
            context.make_array(sig.args[n])(context, builder, args[n]).data
            for n in (0, 1)
        )
        place, width = args[2:]
        low, high = (ir.Constant(VECTOR, [bound] * LANES) for bound in (0.0, 1.0))
        step = cgutils.for_range_slice(builder, word(0), width, word(LANES), word, True)
        with step as (column, _):
            found = load(builder, numbers, column)
            for sign, bound in ((">", low), ("<", high)):
                inside = builder.fcmp_ordered(sign, found, bound)
                found = builder.select(inside, found, bound)
            store(builder, found, out, builder.add(place, column))
        return context.get_dummy_value()

    return types.void(numbers, out, types.int64, types.int64), codegen


@overload(clip, strict=False)
def _clip_of(numbers: Any, out: Any, place: Any, width: Any) -> Any:
    if not all(is_row(array, types.float32) for array in (numbers, out)):
        return None

    def clip(numbers: Any, out: Any, place: Any, width: Any) -> None:
        _clip(numbers, out, place, width)

    return clip


@intrinsic
def _dot(
    typingctx: Any, numbers: Any, place: Any, factors: Any, first: Any, width: Any
) -> Any:
    word = ir.IntType(64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        numbers, factors = (
            context.make_array(sig.args[n])(context, builder, args[n]).data
            for n in (0, 2)
        )
        place, first, width = args[1], args[3], args[4]
        total = cgutils.alloca_once_value(builder, ir.Constant(VECTOR, [0.0] * LANES))
        step = cgutils.for_range_slice(builder, word(0), width, word(LANES), word, True)
        with step as (column, _):
            a = load(builder, numbers, builder.add(place, column))
            b = load(builder, factors, builder.add(first, column))
            found = builder.fadd(builder.load(total), builder.fmul(a, b))
            builder.store(found, total)
        found, half = builder.load(total), LANES // 2
        while half:
            low, high = (
                builder.shuffle_vector(
                    found,
                    found,
                    ir.Constant(
                        ir.VectorType(ir.IntType(32), half),
                        list(range(begin, begin + half)),
                    ),
                )
                for begin in (0, half)
            )
            found, half = builder.fadd(low, high), half // 2
        lone = builder.extract_element(found, ir.IntType(32)(0))
        return builder.fpext(lone, ir.DoubleType())

    kinds = numbers, types.int64, factors, types.int64, types.int64
    return types.float64(*kinds), codegen


@overload(dot, strict=False)
def _dot_of(numbers: Any, place: Any, factors: Any, first: Any, width: Any) -> Any:
    if not all(is_row(array, types.float32) for array in (numbers, factors)):
        return None

    def dot(numbers: Any, place: Any, factors: Any, first: Any, width: Any) -> Any:
        return _dot(numbers, place, factors, first, width)

    return dot
