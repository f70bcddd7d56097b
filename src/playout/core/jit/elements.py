"""Arrays of one dimension, and their numbers: made and accessed in few instructions.

Numba takes apart what an array is, its strides, whether an index is a slice, and reads
the shape twice, in thirty instructions for each access.
"""

from __future__ import annotations

from typing import Any

from llvmlite.ir import Constant, Undefined
from numba import types

__all__ = ["array_at", "is_element", "load_element", "store_element"]

#: Where an array's value has its length, its data and its shape.
_LENGTH, _DATA, _SHAPE = 2, 4, 5


def array_at(context: Any, builder: Any, typ: types.Array, data: Any, size: Any) -> Any:
    """Generate the value of an array, without a reference, from address and length."""
    itemsize = context.get_abi_sizeof(context.get_data_type(typ.dtype))
    known = [None, None, Undefined, itemsize, Undefined, [Undefined], [itemsize]]
    array = Constant(context.get_value_type(typ), known)
    array = builder.insert_value(array, size, _LENGTH)
    array = builder.insert_value(array, data, _DATA)
    return builder.insert_value(array, size, [_SHAPE, 0])


def is_element(context: Any, array: Any, index: Any) -> bool:
    """Whether `array[index]` is one number, of which Numba need not test the index."""
    return (
        isinstance(array, types.Array)
        and array.ndim == 1
        and array.layout == "C"
        and isinstance(array.dtype, (types.Number, types.Boolean))
        and isinstance(index, types.Integer)
        and not context.enable_boundscheck
    )


def load_element(
    context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any
) -> Any:
    """Generate code that reads an element, where `is_element`."""
    place = _place(context, builder, array_type, array, index_type, index)
    align = None if array_type.aligned else 1
    return context.unpack_value(builder, array_type.dtype, place, align=align)


def store_element(
    context: Any, builder: Any, array_type: Any, array: Any, index_type: Any,
    index: Any, value: Any,
) -> None:  # fmt: skip
    """Generate code that writes an element, where `is_element`."""
    place = _place(context, builder, array_type, array, index_type, index)
    align = None if array_type.aligned else 1
    context.pack_value(builder, array_type.dtype, value, place, align=align)


def _place(
    context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any
) -> Any:
    """The address of an element; an index below 0 counts from the end."""
    data = builder.extract_value(array, _DATA)
    if isinstance(index_type, types.IntegerLiteral):
        known = index_type.literal_value
        if known >= 0:
            return builder.gep(data, [context.get_constant(types.intp, known)])
    wide = types.intp if index_type.signed else types.uintp
    place = context.cast(builder, index, index_type, wide)
    if index_type.signed:
        size = builder.extract_value(array, [_SHAPE, 0])
        is_below = builder.icmp_signed("<", place, Constant(place.type, 0))
        place = builder.select(is_below, builder.add(place, size), place)
    return builder.gep(data, [place])
