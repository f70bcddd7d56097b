"""What code that is written as LLVM's vectors has in common."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

__all__ = ["data_of", "halves", "is_row", "load", "spread"]


def spread(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of LLVM's whose elements are all this number."""
    kind, place = ir.VectorType(number.type, lanes), ir.IntType(32)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, place(0))
    mask = ir.Constant(ir.VectorType(place, lanes), [0] * lanes)
    return builder.shuffle_vector(one, one, mask)


def data_of(context: Any, builder: Any, sig: Any, args: Any) -> list[Any]:
    """Of arrays where their numbers are, and other arguments as they are."""
    return [
        context.make_array(kind)(context, builder, arg).data
        if isinstance(kind, types.Array)
        else arg
        for kind, arg in zip(sig.args, args, strict=True)
    ]


def load(builder: Any, kind: Any, numbers: Any, place: Any, align: int) -> Any:
    """The vector, of a type of LLVM's, of the numbers from a place on."""
    address = builder.bitcast(builder.gep(numbers, [place]), kind.as_pointer())
    return builder.load(address, align=align)


def halves(builder: Any, vector: Any) -> tuple[Any, Any]:
    """The first half of a vector's elements, and the second."""
    half, place = vector.type.count // 2, ir.IntType(32)
    first, second = (
        ir.Constant(ir.VectorType(place, half), list(range(begin, begin + half)))
        for begin in (0, half)
    )
    return (
        builder.shuffle_vector(vector, vector, first),
        builder.shuffle_vector(vector, vector, second),
    )


def is_row(array: Any, dtype: Any = None) -> bool:
    """Whether this is the type of a contiguous array of one dimension.

    Args:
        array: the type.
        dtype: of its elements; any by default.
    """
    is_flat = isinstance(array, types.Array) and (array.ndim, array.layout) == (1, "C")
    return is_flat and dtype in (None, array.dtype)
