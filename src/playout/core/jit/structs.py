"""`Structs`: many `Compiled` objects of one type, for a kernel that works on all.

Interpreted, `structs[i]` is the object itself. Compiled, the structs stand side by side
in memory, and an index reads one. So a call with hundreds of trees costs no more than a
call with one: they are taken apart once, when the `Structs` are made.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    lower_builtin,
    register_model,
    typeof_impl,
    unbox,
)

from .compiled import Compiled, CompiledType, compiled_type
from .internals import AbstractTemplate, cpu_target, infer_global, signature
from .models import UncountedModel
from .native import kernel

__all__ = ["Structs"]


class Structs:
    """Objects of one compiled type, in a row.

    What they hold must not be replaced, as by a longer array, while this is in use.

    Args:
        items: the objects, at least one.
        interpreted: whether kernels that get it are run as plain Python.

    >>> from playout.core.rng import make_rng
    >>> Structs([make_rng(1), make_rng(2)], interpreted=True)[1].state.shape
    (1,)
    """

    __slots__ = ("address", "items", "memory")

    def __init__(self, items: Sequence[Compiled], interpreted: bool) -> None:
        self.items = list(items)
        if interpreted:
            return
        context = cpu_target.target_context
        size = context.get_abi_sizeof(
            context.get_data_type(compiled_type(self.items[0]))
        )
        self.memory = np.zeros(len(self.items) * size, dtype=np.uint8)
        self.address = self.memory.ctypes.data
        store = write.compile(self, 0, self.items[0])
        for index, item in enumerate(self.items):
            store(self, index, item)

    def __getitem__(self, index: int) -> Any:
        return self.items[index]

    def __setitem__(self, index: int, item: Any) -> None:
        self.items[index] = item

    def __len__(self) -> int:
        return len(self.items)


@kernel
def write(structs: Structs, index: int, item: Any) -> None:
    """Write an object's struct to its place."""
    structs[index] = item


# -- compiled --------------------------------------------------------------------------


class StructsType(types.Type):
    """Numba's type of `Structs`: an address."""

    def __init__(self, item: CompiledType) -> None:
        self.item = item
        super().__init__(name=f"Structs<{item.name}>")


@register_model(StructsType)
class _StructsModel(UncountedModel):
    def __init__(self, dmm: Any, fe_type: StructsType) -> None:
        super().__init__(dmm, fe_type, [("address", types.intp)])


@typeof_impl.register(Structs)
def _typeof_structs(value: Structs, context: Any) -> StructsType:
    return StructsType(compiled_type(value.items[0]))


@unbox(StructsType)
def _unbox_structs(typ: StructsType, obj: Any, c: Any) -> NativeValue:
    attribute = c.pyapi.object_getattr_string(obj, "address")
    native = c.pyapi.to_native_value(types.intp, attribute)
    structs = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    structs.address = native.value
    c.pyapi.decref(attribute)
    return NativeValue(structs._getvalue(), native.is_error)


def _is_place(structs: types.Type, index: types.Type) -> bool:
    return isinstance(structs, StructsType) and isinstance(index, types.Integer)


@infer_global(operator.getitem)
class _GetStruct(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        structs, index = args
        if _is_place(structs, index):
            return signature(structs.item, structs, types.intp)
        return None


@infer_global(operator.setitem)
class _SetStruct(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        structs, index, item = args
        if _is_place(structs, index) and item == structs.item:
            return signature(types.none, structs, types.intp, item)
        return None


def _address(
    context: Any, builder: Any, typ: StructsType, value: Any, index: Any
) -> Any:
    structs = cgutils.create_struct_proxy(typ)(context, builder, value=value)
    pointer = context.get_data_type(typ.item).as_pointer()
    first = builder.inttoptr(structs.address, pointer)
    return builder.gep(first, [index])


@lower_builtin(operator.getitem, StructsType, types.intp)
def _lower_get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    typ = sig.args[0]
    place = _address(context, builder, typ, *args)
    return context.unpack_value(builder, typ.item, place)


@lower_builtin(operator.setitem, StructsType, types.intp, CompiledType)
def _lower_set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    structs, index, item = args
    typ = sig.args[0]
    place = _address(context, builder, typ, structs, index)
    context.pack_value(builder, typ.item, item, place)
    return context.get_dummy_value()
