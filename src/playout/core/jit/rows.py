"""`Rows`: a structured array as rules see it, `rows[i].field`, compiled or not.

Compiled, a `Rows` is a pointer and a length: an index is an address, a row is a
reference, nothing is counted or copied. Interpreted, a row is a thin proxy with the
compiled row's arithmetic: integers narrower than 64 bits read as Python ints, 64-bit
unsigned ones as `np.uint64`, and writes wrap around as they do in memory.
"""

from __future__ import annotations

import functools
import operator
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

__all__ = ["Row", "Rows", "copy_rows", "fetch_ahead", "wrap"]


class Rows:
    """A structured array; `rows[i]` is a row, and `rows[i] = rows[j]` copies.

    >>> rows = Rows(np.zeros(2, dtype=[("left", "u1"), ("marks", "i2", 3)]))
    >>> rows[1].left = 259  # wraps, as it does when compiled
    >>> rows[1].marks[2] = 7
    >>> rows[0] = rows[1]
    >>> rows[0].left, rows[0].marks[2]
    (3, 7)
    """

    __slots__ = ("array",)

    def __init__(self, array: NDArray[np.void]) -> None:
        self.array = array

    def __getitem__(self, index: int) -> Row:
        return Row(self.array[index])

    def __setitem__(self, index: int, row: Row) -> None:
        self.array[index] = row._record

    def __len__(self) -> int:
        return len(self.array)


class Row:
    """One record, read and written by attribute, with compiled arithmetic."""

    __slots__ = ("_record",)
    _record: Any

    def __init__(self, record: Any) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        try:
            return _read(self._record[name])
        except (KeyError, ValueError):
            raise AttributeError(f"the state has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        record = self._record
        if name not in record.dtype.names:
            raise AttributeError(f"the state has no field {name!r}")
        field = record[name]
        if isinstance(field, np.ndarray):
            field[...] = value
        else:
            record[name] = wrap(value, field.dtype)

    def __getitem__(self, key: Any) -> Any:
        raise TypeError(self._instead_of(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(self._instead_of(key))

    def _instead_of(self, key: Any) -> str:
        """What to write instead of an index."""
        names = self._record.dtype.names
        if isinstance(key, int) and -len(names) <= key < len(names):
            key = names[key]
        name = key if key in names else names[0]
        return f"fields are read and written by name: write state.{name}"


class _Cells:
    """A sub-array of a row."""

    __slots__ = ("_array",)

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> Any:
        return _read(self._array[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        if np.isscalar(value):
            value = wrap(value, self._array.dtype)
        elif isinstance(value, _Cells):
            value = value._array
        self._array[index] = value

    def __len__(self) -> int:
        return len(self._array)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._array.shape

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return np.array(self._array, dtype=dtype)


def _read(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return _Cells(value)
    if isinstance(value, np.void):
        return Row(value)
    return value if isinstance(value, np.uint64) else value.item()


def wrap(value: Any, dtype: np.dtype[Any]) -> Any:
    """The value as memory of this type would hold it (modulo 2 to the width).

    >>> wrap(-1, np.dtype("u1")), wrap(200, np.dtype("i1"))
    (255, -56)
    """
    if dtype.kind not in "iu":
        return value
    bits = 8 * dtype.itemsize
    value = int(value) & ((1 << bits) - 1)
    if dtype.kind == "i" and value >> (bits - 1):
        value -= 1 << bits
    return value


def copy_rows(array: NDArray[np.void]) -> NDArray[np.void]:
    """A copy with all bytes, those between fields too, which NumPy does not define.

    For states that are compared or hashed by their bytes.
    """
    whole = array.view(np.dtype((np.void, array.dtype.itemsize)))
    return whole.copy().view(array.dtype)


def fetch_ahead(rows: Rows, index: int) -> None:
    """Have the processor fetch the line of memory in which a row begins.

    For one that will be read soon. It changes nothing, and interpreted does nothing;
    any index is allowed.
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
class _RowsModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: RowsType) -> None:
        members = [("data", types.voidptr), ("size", types.intp)]
        super().__init__(dmm, fe_type, members)


@typeof_impl.register(Rows)
def _typeof_rows(value: Rows, context: Any) -> RowsType:
    return _rows_type(value.array.dtype)


@typeof_impl.register(Row)
def _typeof_row(value: Row, context: Any) -> types.Record:
    return _rows_type(value._record.dtype).record


@functools.lru_cache(maxsize=256)
def _rows_type(dtype: np.dtype[Any]) -> RowsType:
    return RowsType(from_dtype(dtype))


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
        rows, index, _row = args
        if _is_place(rows, index):
            return signature(types.none, rows, types.intp, rows.record)
        return None


def _address(context: Any, builder: Any, typ: RowsType, rows: Any, index: Any) -> Any:
    struct = cgutils.create_struct_proxy(typ)(context, builder, value=rows)
    if typ.checked:
        outside = builder.icmp_unsigned(">=", index, struct.size)
        with builder.if_then(outside, likely=False):
            context.call_conv.return_user_exc(
                builder, IndexError, ("row index out of range",)
            )
    record = context.get_data_type(typ.record)
    data = builder.bitcast(struct.data, record.as_pointer())
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


@intrinsic
def _rows_size(typingctx: Any, rows: RowsType) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        struct = cgutils.create_struct_proxy(rows)(context, builder, value=args[0])
        return struct.size

    return types.intp(rows), codegen


@infer_global(fetch_ahead)
class _FetchAhead(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        rows, index = args
        if _is_place(rows, index):
            return signature(types.none, rows, types.intp)
        return None


@lower_builtin(fetch_ahead, RowsType, types.intp)
def _lower_fetch_ahead(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    rows, index = args
    typ = sig.args[0]
    struct = cgutils.create_struct_proxy(typ)(context, builder, value=rows)
    size = context.get_constant(types.intp, typ.record.size)
    address = builder.gep(struct.data, [builder.mul(index, size)])
    number, pointer = ir.IntType(32), cgutils.voidptr_t
    kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
    fetch = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
    to_read, to_keep, data = number(0), number(3), number(1)
    builder.call(fetch, [address, to_read, to_keep, data])
    return context.get_dummy_value()
