"""Sums of some rows of numbers, each times a factor, by LLVM's vectors.

The function has a plain Python body, which is what interpreted code runs, and a
compiled one made of LLVM's vectors. Both add in the same order and round after every
step, so that they agree bit for bit, on every processor. See `layers`, too.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from .lanes import is_row, spread

__all__ = ["LANES", "VECTOR", "add_rows", "load", "store"]

#: Numbers that are added at once; widths of rows are multiples of it.
LANES = 16


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

    >>> import numpy as np
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


# -- compiled --------------------------------------------------------------------------

VECTOR = ir.VectorType(ir.FloatType(), LANES)


def load(builder: Any, numbers: Any, place: Any) -> Any:
    """The vector of the numbers from a place on."""
    address = builder.bitcast(builder.gep(numbers, [place]), VECTOR.as_pointer())
    return builder.load(address, align=4)


def store(builder: Any, vector: Any, numbers: Any, place: Any) -> None:
    """Write a vector to the numbers from a place on."""
    address = builder.bitcast(builder.gep(numbers, [place]), VECTOR.as_pointer())
    builder.store(vector, address, align=4)


@intrinsic
def _add_rows(
    typingctx: Any,
    out: Any,
    numbers: Any,
    first: Any,
    width: Any,
    indices: Any,
    factors: Any,
    count: Any,
    begin: Any,
    end: Any,
) -> Any:
    word = ir.IntType(64)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kinds = sig.args
        out, numbers, indices, factors = (
            context.make_array(kinds[n])(context, builder, args[n]).data
            for n in (0, 1, 4, 5)
        )
        (first, width), (count, begin, end) = args[2:4], args[6:]
        total = cgutils.alloca_once(builder, VECTOR)
        step = cgutils.for_range_slice(builder, begin, end, word(LANES), word, True)
        with step as (column, _):
            base = builder.add(first, column)
            builder.store(load(builder, numbers, base), total)
            rows = builder.add(base, width)
            with cgutils.for_range(builder, count) as term:
                index = builder.load(builder.gep(indices, [term.index]))
                index = builder.sext(index, word)
                place = builder.add(rows, builder.mul(index, width))
                factor = builder.load(builder.gep(factors, [term.index]))
                factor = spread(builder, factor, LANES)
                product = builder.fmul(factor, load(builder, numbers, place))
                builder.store(builder.fadd(builder.load(total), product), total)
            store(builder, builder.load(total), out, column)
        return context.get_dummy_value()

    result = types.void(
        out, numbers, *[types.int64] * 2, indices, factors, *[types.int64] * 3
    )
    return result, codegen


@overload(add_rows, strict=False)
def _add_rows_of(
    out: Any,
    numbers: Any,
    first: Any,
    width: Any,
    indices: Any,
    factors: Any,
    count: Any,
    begin: Any,
    end: Any,
) -> Any:
    kinds = (
        (out, types.float32),
        (numbers, types.float32),
        (indices, types.int32),
        (factors, types.float32),
    )
    if not all(is_row(array, dtype) for array, dtype in kinds):
        return None

    def add(
        out: Any,
        numbers: Any,
        first: Any,
        width: Any,
        indices: Any,
        factors: Any,
        count: Any,
        begin: Any,
        end: Any,
    ) -> None:
        _add_rows(out, numbers, first, width, indices, factors, count, begin, end)

    return add
