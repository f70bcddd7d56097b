"""What code that is written as LLVM's vectors has in common."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

__all__ = ["is_row", "spread"]


def spread(builder: Any, number: Any, lanes: int) -> Any:
    """A vector of LLVM's whose elements are all this number."""
    kind, place = ir.VectorType(number.type, lanes), ir.IntType(32)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), number, place(0))
    mask = ir.Constant(ir.VectorType(place, lanes), [0] * lanes)
    return builder.shuffle_vector(one, one, mask)


def is_row(array: Any, dtype: Any = None) -> bool:
    """Whether this is the type of a contiguous array of one dimension.

    Args:
        array: the type.
        dtype: of its elements; any by default.
    """
    is_flat = isinstance(array, types.Array) and (array.ndim, array.layout) == (1, "C")
    return is_flat and dtype in (None, array.dtype)
