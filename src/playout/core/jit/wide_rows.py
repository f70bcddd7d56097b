"""`WideRows`: rows whose narrow numbers are read as those of 64 bits."""

from __future__ import annotations

import functools
import platform
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import (
    infer_getattr,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    typeof_impl,
)

from .internals import AttributeTemplate
from .rows import Rows, RowsType, rows_type

__all__ = ["WideRows"]

#: Whether the code may have an instruction that reads half precision. Without it LLVM
#: calls `__extendhfsf2`, which the process does not have.
_READS_HALVES = (config.CPU_NAME, config.CPU_FEATURES) == (None, None) and (
    platform.machine().lower() in ("aarch64", "arm64")
    or llvm.get_host_cpu_features().get("f16c", False)
)


class WideRows(Rows):
    """Rows whose narrow numbers read as those of 64 bits, compiled too.

    So a `u1`, `u2`, `u4`, `f2` or `f4` is only a narrow place for a number: what is
    computed with it is what plain Python computes. Of other rows such a field is read
    as it is: compiled code counts on from 0 to the highest number where it would fall
    below 0, computes with an `f4` in 32 bits, and has no `f2`. What is read as it is
    here, too, is `u8`, and the cells of array fields.

    An `f2` (half precision) has three digits from 6e-5 up to 65504, and is infinite
    beyond; numbers below are multiples of 6e-8.

    >>> rows = WideRows(np.zeros(1, dtype=[("count", "u1"), ("share", "f2")]))
    >>> rows[0].count, rows[0].share = 250, 0.1
    >>> -rows[0].count, rows[0].share
    (-250, 0.0999755859375)
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return WideRows, (self.array,)


# -- compiled --------------------------------------------------------------------------


@typeof_impl.register(WideRows)
def _typeof_wide_rows(value: WideRows, context: Any) -> RowsType:
    return _wide_rows_type(value.array.dtype)


@functools.lru_cache(maxsize=256)
def _wide_rows_type(dtype: np.dtype[Any]) -> RowsType:
    return RowsType(_WideRecord(rows_type(dtype).record))


class _WideRecord(types.Record):
    """A record of `WideRows`.

    Attributes:
        plain: the same of other rows.
        known: the same without fields of 16 bits, for which Numba has no code.
    """

    def __init__(self, plain: types.Record) -> None:
        fields = [
            (name, {"type": field.type, "offset": field.offset, "title": field.title})
            for name, field in plain.fields.items()
        ]
        super().__init__(fields, plain.size, plain.aligned)
        known = [each for each in fields if each[1]["type"] != types.float16]
        self.plain, self.known = plain, types.Record(known, plain.size, plain.aligned)
        self.name: str = f"Wide{plain.name}"

    def can_convert_to(self, typingctx: Any, other: types.Type) -> None:
        """Not: what is alike byte by byte is copied as it is, see `rows`."""


@register_model(_WideRecord)
class _WideRowModel(models.RecordModel):
    def __init__(self, dmm: Any, fe_type: _WideRecord) -> None:
        super().__init__(dmm, fe_type.known)


@infer_getattr
class _WideFields(AttributeTemplate):
    key = _WideRecord

    def generic_resolve(self, record: _WideRecord, attr: str) -> Any:
        return _wide(record.typeof(attr))


def _wide(kind: types.Type) -> types.Type:
    """The type that a field of this one is read as."""
    if kind in (types.float16, types.float32):
        return types.float64
    narrow = isinstance(kind, types.Integer) and kind.bitwidth < 64
    return types.int64 if narrow and not kind.signed else kind


@lower_getattr_generic(_WideRecord)
def _lower_wide_field(
    context: Any, builder: Any, typ: _WideRecord, value: Any, attr: str
) -> Any:
    kind = typ.typeof(attr)
    if kind == types.float16:
        return _widen(builder, builder.load(_half(builder, typ, value, attr), align=1))
    read = context.get_getattr(typ.known, attr)
    found = read(context, builder, typ.known, value, attr)
    return context.cast(builder, found, kind, _wide(kind))


@lower_setattr_generic(_WideRecord)
def _lower_write(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> Any:
    typ, given = sig.args
    row, number = args
    if typ.typeof(attr) == types.float16:
        number = context.cast(builder, number, given, types.float64)
        place = _half(builder, typ, row, attr)
        return builder.store(_narrow(builder, number), place, align=1)
    write = context.get_setattr(attr, sig.return_type(typ.known, given))
    return write(builder, args)


def _half(builder: Any, typ: _WideRecord, row: Any, attr: str) -> Any:
    """The address of a field of 16 bits."""
    return cgutils.get_record_member(builder, row, typ.offset(attr), ir.IntType(16))


_BITS, _DOUBLE = ir.IntType(64), ir.DoubleType()
#: IEEE 754's binary16 and binary64: bits of the fraction, and by what the biases of
#: their exponents differ. The smallest normal number of binary16 is 2**_LOWEST.
_FRACTION, _FRACTION_64, _REBIAS, _LOWEST = 10, 52, 1023 - 15, -14
_DROPPED = _FRACTION_64 - _FRACTION
_INFINITY, _NAN = 0x7C00, 0x7E00


def _widen(builder: Any, half: Any) -> Any:
    """The binary64 number of a binary16 one.

    Without an instruction the exponent gets its new bias by a multiplication, so that
    subnormal numbers come out right.
    """
    if _READS_HALVES:
        return builder.fpext(builder.bitcast(half, ir.HalfType()), _DOUBLE)
    bits = builder.zext(half, _BITS)
    sign = builder.shl(builder.lshr(bits, _BITS(15)), _BITS(63))
    size = builder.and_(bits, _BITS(0x7FFF))
    scaled = builder.bitcast(builder.shl(size, _BITS(_DROPPED)), _DOUBLE)
    found = builder.bitcast(builder.fmul(scaled, _DOUBLE(2.0**_REBIAS)), _BITS)
    special = builder.icmp_unsigned(">=", size, _BITS(_INFINITY))
    highest = builder.or_(found, _BITS(0x7FF << _FRACTION_64))
    found = builder.select(special, highest, found)
    return builder.bitcast(builder.or_(found, sign), _DOUBLE)


def _narrow(builder: Any, number: Any) -> Any:
    """The binary16 number nearest to a binary64 one; half-way to even, as NumPy does.

    What is no number becomes one and the same.
    """
    bits = builder.bitcast(number, _BITS)
    sign = builder.shl(builder.lshr(bits, _BITS(63)), _BITS(15))
    size = builder.and_(bits, _BITS(2**63 - 1))
    last = builder.and_(builder.lshr(size, _BITS(_DROPPED)), _BITS(1))
    rounded = builder.add(size, builder.add(last, _BITS(2 ** (_DROPPED - 1) - 1)))
    rebias = _BITS(_REBIAS << _FRACTION)
    found = builder.sub(builder.lshr(rounded, _BITS(_DROPPED)), rebias)
    # Subnormal ones are multiples of the least; to add so much rounds to one.
    magnitude = builder.bitcast(size, _DOUBLE)
    small = builder.fcmp_ordered("<", magnitude, _DOUBLE(2.0**_LOWEST))
    base = _DOUBLE(2.0 ** (_LOWEST - _FRACTION + _FRACTION_64))
    multiple = builder.bitcast(builder.fadd(magnitude, base), _BITS)
    multiple = builder.and_(multiple, _BITS(2 ** (_FRACTION + 1) - 1))
    found = builder.select(small, multiple, found)
    large = builder.icmp_signed(">", found, _BITS(_INFINITY))
    found = builder.select(large, _BITS(_INFINITY), found)
    wrong = builder.fcmp_unordered("uno", number, number)
    found = builder.select(wrong, _BITS(_NAN), found)
    return builder.trunc(builder.or_(found, sign), ir.IntType(16))
