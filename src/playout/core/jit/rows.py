"""`Rows`: a structured array as rules see it, `rows[i].field`, compiled or not.

Compiled, a `Rows` is a pointer and a length: an index is an address, a row is a
reference, nothing is counted or copied. Interpreted, a row is a thin proxy with the
compiled row's arithmetic (see `views`).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_builtin,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)
from numpy.typing import NDArray

from .internals import AbstractTemplate, infer_global, signature
from .lanes import is_row
from .models import UncountedModel
from .views import Row, row_class

__all__ = [
    "Row",
    "Rows",
    "copy_rows",
    "fetch_ahead",
    "join_rows",
    "width",
]


class Rows:
    """A structured array; `rows[i]` is a row, and `rows[i] = rows[j]` copies.

    >>> rows = Rows(np.zeros(2, dtype=[("left", "u1"), ("marks", "i2", 3)]))
    >>> rows[1].left = 259  # wraps, as it does when compiled
    >>> rows[1].marks[2] = 7
    >>> rows[0] = rows[1]
    >>> rows[0].left, rows[0].marks[2]
    (3, 7)
    """

    __slots__ = ("_kind", "array")

    def __init__(self, array: NDArray[np.void]) -> None:
        self.array = array
        self._kind = row_class(array.dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows, (self.array,)

    def __getitem__(self, index: int) -> Row:
        return self._kind(self.array[index], self.array, index)

    def __setitem__(self, index: int, row: Row) -> None:
        self.array[index] = row._record

    def __len__(self) -> int:
        return len(self.array)


def copy_rows(array: NDArray[np.void]) -> NDArray[np.void]:
    """A copy with all bytes, those between fields too, which NumPy does not define.

    For states that are compared or hashed by their bytes.
    """
    return np.ndarray(array.shape, array.dtype, bytearray(array.tobytes()))


def join_rows(arrays: Sequence[NDArray[np.void]]) -> NDArray[np.void]:
    """One array of all rows, with all their bytes; there is at least one array.

    NumPy's `concatenate` looks at every field of every array, which takes longer than
    a move of self-play.

    >>> row = np.zeros(1, dtype=[("left", "u1"), ("marks", "i2", 3)])
    >>> len(join_rows([row, row, row]))
    3
    """
    return np.frombuffer(bytearray(b"".join(arrays)), arrays[0].dtype)


def width(rows: Rows, field: str) -> int:
    """The bytes of a field that is a number; compiled, the compiler knows them.

    >>> width(Rows(np.zeros(2, dtype=[("left", "u1"), ("sum", "f4")])), "sum")
    4
    """
    return int(rows.array.dtype[field].itemsize)


def fetch_ahead(rows: Rows | NDArray[Any], index: int) -> None:
    """Fetch the cache line of a row that will be read soon.

    Or of an element of an array of one dimension. It changes nothing, and interpreted
    does nothing; any index is allowed.
    """


# -- compiled --------------------------------------------------------------------------


class RowsType(types.Type):
    """Numba's type of `Rows`: a bare pointer and a length."""

    def __init__(self, record: types.Record, checked: bool = False) -> None:
        self.record = record
        self.checked = checked
        super().__init__(name=f"Rows<{record.name}{', checked' if checked else ''}>")

    def as_checked(self) -> RowsType:
        return RowsType(self.record, checked=True)


@register_model(RowsType)
class _RowsModel(UncountedModel):
    def __init__(self, dmm: Any, fe_type: RowsType) -> None:
        members = [("data", types.voidptr), ("size", types.intp)]
        super().__init__(dmm, fe_type, members)


@typeof_impl.register(Rows)
def _typeof_rows(value: Rows, context: Any) -> RowsType:
    return rows_type(value.array.dtype)


@typeof_impl.register(Row)
def _typeof_row(value: Row, context: Any) -> types.Record:
    return rows_type(value._record.dtype).record


@functools.lru_cache(maxsize=256)
def rows_type(dtype: np.dtype[Any]) -> RowsType:
    record = _with_flags(dtype) if _has_flags(dtype) else from_dtype(dtype)
    return RowsType(record)


class _Flags(types.NestedArray):
    """A field that is an array of booleans, which Numba has no type for."""

    size = 1

    def __init__(self, shape: tuple[int, ...]) -> None:
        self._shape = shape
        name = f"flags({shape})"
        types.Array.__init__(self, types.boolean, len(shape), "C", name=name)


register_model(_Flags)(models.NestedArrayModel)


def _has_flags(dtype: np.dtype[Any]) -> bool:
    """Whether a field, or one within a field, is an array of booleans."""
    if dtype.names:
        return any(_has_flags(dtype[name]) for name in dtype.names)
    return dtype.subdtype is not None and (
        dtype.base.kind == "b" or _has_flags(dtype.base)
    )


def _with_flags(dtype: np.dtype[Any]) -> types.Type:
    """`from_dtype` for what has such a field."""
    if dtype.names:
        fields = [
            (name, {"type": _with_flags(kind), "offset": offset, "title": None})
            for name, (kind, offset, *_) in (dtype.fields or {}).items()
        ]
        return types.Record(fields, dtype.itemsize, dtype.isalignedstruct)
    if dtype.subdtype is None:
        return from_dtype(dtype)
    if dtype.base.kind == "b":
        return _Flags(dtype.shape)
    return types.NestedArray(_with_flags(dtype.base), dtype.shape)


@unbox(RowsType)
def _unbox_rows(typ: RowsType, obj: Any, c: Any) -> NativeValue:
    array_type = types.Array(typ.record, 1, "C")
    array = c.pyapi.object_getattr_string(obj, "array")
    native = c.pyapi.to_native_value(array_type, array)
    source = c.context.make_array(array_type)(c.context, c.builder, value=native.value)
    rows = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    rows.data = c.builder.bitcast(source.data, cgutils.voidptr_t)
    rows.size = source.nitems
    c.context.nrt.decref(c.builder, array_type, native.value)
    c.pyapi.decref(array)
    return NativeValue(rows._getvalue(), native.is_error)


def _is_place(rows: types.Type, index: types.Type) -> bool:
    """Whether these are the types of rows and of an index into them."""
    return isinstance(rows, RowsType) and isinstance(index, types.Integer)


@infer_global(operator.getitem)
class _GetRow(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        rows, index = args
        if _is_place(rows, index):
            return signature(rows.record, rows, types.intp)
        return None


@infer_global(operator.setitem)
class _SetRow(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        rows, index, row = args
        if _is_place(rows, index):
            alike = _plain(row) == _plain(rows.record)
            kind = row if alike else rows.record
            return signature(types.none, rows, types.intp, kind)
        return None


def _plain(record: types.Type) -> types.Type:
    """The type of the same record where it is not of `WideRows`."""
    return getattr(record, "plain", record)


def _address(context: Any, builder: Any, typ: RowsType, rows: Any, index: Any) -> Any:
    if typ.checked:
        size = builder.extract_value(rows, 1)
        outside = builder.icmp_unsigned(">=", index, size)
        with builder.if_then(outside, likely=False):
            context.call_conv.return_user_exc(
                builder, IndexError, ("row index out of range",)
            )
    record = context.get_data_type(typ.record)
    data = builder.bitcast(builder.extract_value(rows, 0), record.as_pointer())
    return builder.gep(data, [index], inbounds=True)


@lower_builtin(operator.getitem, RowsType, types.intp)
def _lower_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _address(context, builder, sig.args[0], *args)


@lower_builtin(operator.setitem, RowsType, types.intp, types.Record)
def _lower_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    rows, index, row = args
    typ = sig.args[0]
    target = _address(context, builder, typ, rows, index)
    size = context.get_constant(types.intp, typ.record.size)
    cgutils.raw_memcpy(builder, target, row, size, 1, align=1)
    return context.get_dummy_value()


@overload(len, strict=False)
def _len_rows(rows: Any) -> Any:
    if isinstance(rows, RowsType):
        return lambda rows: _rows_size(rows)
    return None


@overload(width, strict=False)
def _width_of_field(rows: Any, field: Any) -> Any:
    if isinstance(rows, RowsType) and isinstance(field, types.StringLiteral):
        bits = rows.record.typeof(field.literal_value).bitwidth
        found = bits // 8
        return lambda rows, field: found
    return None


@intrinsic
def _rows_size(typingctx: Any, rows: RowsType) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.extract_value(args[0], 1)

    return types.intp(rows), codegen


@infer_global(fetch_ahead)
class _FetchAhead(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        rows, index = args
        is_element = is_row(rows) and isinstance(index, types.Integer)
        if is_element or _is_place(rows, index):
            return signature(types.none, rows, types.intp)
        return None


@lower_builtin(fetch_ahead, RowsType, types.intp)
@lower_builtin(fetch_ahead, types.Array, types.intp)
def _lower_fetch_ahead(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    rows, index = args
    typ = sig.args[0]
    struct = cgutils.create_struct_proxy(typ)(context, builder, value=rows)
    kind = typ.dtype if isinstance(typ, types.Array) else typ.record
    bytes_each = context.get_abi_sizeof(context.get_data_type(kind))
    size = context.get_constant(types.intp, bytes_each)
    begin = builder.bitcast(struct.data, cgutils.voidptr_t)
    address = builder.gep(begin, [builder.mul(index, size)])
    number, pointer = ir.IntType(32), cgutils.voidptr_t
    call = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], call)
    to_read, to_keep, data = number(0), number(3), number(1)
    builder.call(fetch, [address, to_read, to_keep, data])
    return context.get_dummy_value()
