"""Where the values of `Compiled` instances lie, as LLVM sees them.

An instance is a struct of its run-time fields, and those of the instances that it holds
lie in it. It is written to memory when a kernel is called, or once where it has a place
that is kept (`keep_place`), and never changes while the kernel runs. What is passed on,
returned and stored in variables is its address, or, of few numbers, all of them. As
values of up to a hundred numbers, which every call took apart and every function put
together again, instances made up most of the intermediate code.

What lies there is borrowed: the caller's Python objects keep arrays alive while a
kernel runs. Counting references would cost an atomic operation where a field is read.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from llvmlite.ir import Argument
from numba import types
from numba.core import cgutils
from numba.extending import NativeValue, register_model, unbox
from numpy.typing import NDArray

from .compiled import KEPT, CheckedType, Compiled, CompiledType
from .elements import array_at
from .internals import StructModel, cpu_target

__all__ = ["FEW", "UncountedModel", "keep_place", "read_field"]

#: What a place takes. Its first line tells for which type the data behind is written.
PLACE_BYTES, LINE = 4096, 64

#: Instances of so many numbers or fewer are passed as values, which spares reads from
#: memory that something waits for (Gomoku's search is a twentieth faster with it).
FEW = 8


class _Place(int):
    """The address of a line of memory of its own, and that memory."""

    memory: NDArray[np.uint8]


def keep_place(instance: Compiled) -> None:
    """Have kernels write an instance's data once, and not whenever they are called.

    For what many short calls are given. Arrays may be written to; what is not frozen,
    or holds such, may have fields replaced and is written at every call.
    """
    if not instance._playout_place and _is_frozen(instance):
        memory = np.zeros(PLACE_BYTES + LINE, dtype=np.uint8)
        place = _Place(-(-memory.ctypes.data // LINE) * LINE)
        place.memory = memory
        object.__setattr__(instance, KEPT, place)


def _is_frozen(instance: Any) -> bool:
    """Whether no field can be replaced, in an instance and in all that it holds."""
    if not type(instance).__dataclass_params__.frozen:
        return False
    held = (getattr(instance, field.name) for field in fields(instance))
    return all(_is_frozen(value) for value in held if isinstance(value, Compiled))


class UncountedModel(StructModel):
    """Numba's model of a struct that owns nothing.

    Wherever a variable is set or goes, Numba would take its value apart, down to the
    last field, to look for references to count.
    """

    def traverse(self, builder: Any) -> list[Any]:
        """The fields in which there may be references."""
        return []


class _Borrowed(types.Type):
    """An array as it lies in a struct: address and length, without a reference."""

    def __init__(self, array: types.Array) -> None:
        self.array = array
        super().__init__(name=f"Borrowed<{array.name}>")


@register_model(_Borrowed)
class _BorrowedModel(UncountedModel):
    def __init__(self, dmm: Any, fe_type: _Borrowed) -> None:
        members = [("data", types.CPointer(fe_type.array.dtype)), ("size", types.intp)]
        super().__init__(dmm, fe_type, members)


class _ValueModel(UncountedModel):
    """An instance of few numbers: a value is all of them."""

    def __init__(self, dmm: Any, fe_type: CompiledType) -> None:
        members = [(name, _stored(typ)) for name, typ in fe_type.members]
        super().__init__(dmm, fe_type, members)

    def unboxed(self, builder: Any, place: Any) -> Any:
        """The value of the instance whose data was written to a place."""
        return self.load_from_data_pointer(builder, place)

    def read(self, builder: Any, value: Any, position: int) -> Any:
        """The value of a field."""
        return self.get(builder, value, position)


class _AddressModel(_ValueModel):
    """An instance of many: a value is the address of its data."""

    _size: int | None = None  # of the data, once it is known

    def get_value_type(self) -> Any:
        return self.get_data_type().as_pointer()

    get_argument_type = get_return_type = get_value_type

    def as_data(self, builder: Any, value: Any) -> Any:
        return builder.load(value)

    def load_from_data_pointer(self, builder: Any, ptr: Any, align: Any = None) -> Any:
        return ptr

    def as_argument(self, builder: Any, value: Any) -> Any:
        return value

    as_return = from_return = as_argument

    def from_argument(self, builder: Any, value: Any) -> Any:
        """The address; fields may be read before it is known that they are needed."""
        if isinstance(value, Argument):
            if self._size is None:
                target = cpu_target.target_context
                self._size = target.get_abi_sizeof(self.get_data_type())
            value.attributes.dereferenceable = self._size
            value.add_attribute("nonnull")
            value.add_attribute("noalias")
        return value

    def read(self, builder: Any, value: Any, position: int) -> Any:
        place = cgutils.gep_inbounds(builder, value, 0, position)
        before = len(builder.block.instructions)
        found = self.get_model(position).load_from_data_pointer(builder, place)
        for instruction in builder.block.instructions[before:]:
            if instruction.opname == "load":
                constant = builder.module.add_metadata([])
                instruction.set_metadata("invariant.load", constant)
        return found


@register_model(CompiledType)
@register_model(CheckedType)
def _model_of(dmm: Any, typ: CompiledType) -> _ValueModel:
    kind = _ValueModel if _numbers(dmm, typ) <= FEW else _AddressModel
    return kind(dmm, typ)


def _stored(typ: types.Type) -> types.Type:
    """The type of a field as a struct stores it."""
    return _Borrowed(typ) if isinstance(typ, types.Array) else typ


def _numbers(dmm: Any, typ: types.Type) -> int:
    """Of how many numbers and addresses a value consists."""
    if isinstance(typ, CompiledType):
        return sum(_numbers(dmm, member) for _, member in typ.members)
    return _leaves(dmm.lookup(_stored(typ)).get_argument_type())


def _leaves(kinds: Any) -> int:
    return sum(map(_leaves, kinds)) if isinstance(kinds, tuple) else 1


def read_field(
    context: Any, builder: Any, typ: CompiledType, value: Any, position: int
) -> Any:
    """Generate code that reads a field of an instance."""
    found = context.data_model_manager[typ].read(builder, value, position)
    member = typ.members[position][1]
    if not isinstance(member, types.Array):
        return found
    data, size = cgutils.unpack_tuple(builder, found)
    return array_at(context, builder, member, data, size)


@unbox(CompiledType)
def _unbox(typ: CompiledType, obj: Any, c: Any) -> NativeValue:
    """Generate code that writes an instance's data for a kernel that is called."""
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    place, written_for = _place_of(typ, obj, c)
    key = written_for.type.pointee(int(typ.digest[:15], 16))  # 0 is nobody's
    is_new = c.builder.icmp_unsigned("!=", c.builder.load(written_for), key)
    with c.builder.if_then(is_new):
        _write_fields(typ, obj, c, place, failed)
        with c.builder.if_then(c.builder.not_(c.builder.load(failed))):
            c.builder.store(key, written_for)
    value = c.context.data_model_manager[typ].unboxed(c.builder, place)
    return NativeValue(value, c.builder.load(failed))


def _place_of(typ: CompiledType, obj: Any, c: Any) -> tuple[Any, Any]:
    """Where an instance's data is written to, and where it stands for which type."""
    word = c.context.get_value_type(types.int64)
    kind = c.context.get_data_type(typ)
    place = cgutils.alloca_once(c.builder, kind)
    written_for = cgutils.alloca_once_value(c.builder, word(0))
    if c.context.get_abi_sizeof(kind) > PLACE_BYTES - LINE:
        return place, written_for
    attribute = c.pyapi.object_getattr_string(obj, KEPT)
    kept = c.pyapi.long_as_voidptr(attribute)
    c.pyapi.decref(attribute)
    data = c.builder.gep(kept, [c.context.get_constant(types.intp, LINE)])
    is_kept = cgutils.is_not_null(c.builder, kept)
    return (
        c.builder.select(is_kept, c.builder.bitcast(data, place.type), place),
        c.builder.select(
            is_kept, c.builder.bitcast(kept, written_for.type), written_for
        ),
    )


def _write_fields(typ: CompiledType, obj: Any, c: Any, place: Any, failed: Any) -> None:
    for position, (name, member) in enumerate(typ.members):
        attribute = c.pyapi.object_getattr_string(obj, name)
        field = cgutils.gep_inbounds(c.builder, place, 0, position)
        if isinstance(member, CompiledType):
            _write_fields(member, attribute, c, field, failed)
        else:
            _write_value(member, attribute, c, field, failed)
        c.pyapi.decref(attribute)


def _write_value(typ: types.Type, obj: Any, c: Any, place: Any, failed: Any) -> None:
    native = c.pyapi.to_native_value(typ, obj)
    assert native.cleanup is None  # numbers and borrowed arrays own nothing
    if isinstance(typ, types.Array):
        source = c.context.make_array(typ)(c.context, c.builder, value=native.value)
        borrowed = cgutils.create_struct_proxy(_Borrowed(typ))(c.context, c.builder)
        borrowed.data, borrowed.size = source.data, source.nitems
        c.context.pack_value(c.builder, _Borrowed(typ), borrowed._getvalue(), place)
        c.context.nrt.decref(c.builder, typ, native.value)
    else:
        c.context.pack_value(c.builder, typ, native.value, place)
    with c.builder.if_then(native.is_error):
        c.builder.store(cgutils.true_bit, failed)
