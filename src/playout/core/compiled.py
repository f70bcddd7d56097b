"""`Compiled`: one class that runs as plain Python and inside native kernels.

A subclass is a frozen dataclass. Its methods are ordinary Python, and kernels call
them as Python does (`game.apply(state, action)`). For Numba, every instance has a
type of its own making:

- the type's name carries a **digest** of the code and of all constants that the
  methods reach, so an edit anywhere makes a new type and, with it, a new compile;
- **run-time fields** are members of a struct; **static fields** belong to the type,
  and the compiler sees them as constants;
- methods are resolved when a kernel first calls them: what no kernel calls (drawing,
  parsing) may be any Python;
- it pickles by name and digest, so that a process which never heard of the class can
  still read a cache index that mentions it.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, ClassVar, TypeVar, overload

import numpy as np
from numba import njit
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import (
    NativeValue,
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    register_model,
    typeof_impl,
    unbox,
)
from numba.core.registry import cpu_target
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numba.np.arrayobj import populate_array

from .digest import Digest
from .errors import CompileError
from .fields import check_fields
from .pipeline import KernelCompiler

__all__ = ["Compiled", "CompiledType", "constant", "jit_options", "static"]

T = TypeVar("T")

#: How every function of a kernel is compiled. Division by zero gives inf or nan.
_OPTIONS = {"nogil": True, "error_model": "numpy", "pipeline_class": KernelCompiler}
#: A function that only kernels call needs no entry from Python or C.
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def jit_options(checked: bool) -> dict[str, Any]:
    """Numba's options for a function in a kernel; `checked` tests array bounds."""
    return {**_OPTIONS, "boundscheck": checked}


def static(default: Any = dataclasses.MISSING) -> Any:
    """Declare a field that is part of the compiled type: a constant to the compiler.

    Every value compiles anew, so keep it for what shapes the code: a board size, a
    rule variant. Integers, floats, booleans and strings; a string is compared at
    compile time (`self.rule == "renju"`).
    """
    return dataclasses.field(default=default, metadata={"static": True})


class constant:
    """A value computed once from the static fields; the compiler sees a constant.

    Decorates a method without parameters. Scalars and NumPy arrays (read-only in
    compiled code) are accepted.
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> constant: ...
    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Any: ...
    def __get__(self, instance: object | None, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = self.function(instance)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
        vars(instance)[self.name] = value
        return value


class Compiled:
    """Base of games, policies and whatever else a kernel calls methods on."""

    #: Methods for people: never compiled, so an edit of theirs changes no digest.
    interpreted_methods: ClassVar[frozenset[str]] = frozenset()

    def __post_init__(self) -> None:
        """Check the fields against their annotations; a subclass's own calls this.

        Raises:
            UsageError: a value is of another kind; names its field.
        """
        check_fields(self)

    @property
    def _numba_type_(self) -> CompiledType:
        return compiled_type(self)


def _static_attribute(cls: type, name: str) -> Any:
    """What the class holds under a name, descriptors unbound; None if nothing."""
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name]
    return None


@dataclasses.dataclass(frozen=True)
class _Source:
    """Where a compiled type came from; only processes that run the class have it."""

    cls: type
    statics: dict[str, Any]
    runtime: frozenset[str]

    def value(self, name: str) -> Any:
        """A static field, a `constant` or a class attribute; AttributeError if none."""
        if name in self.statics:
            return self.statics[name]
        found = _static_attribute(self.cls, name)
        if isinstance(found, constant):
            return found.function(_Statics(self))
        callables = (FunctionType, property, staticmethod, classmethod)
        if found is None or isinstance(found, callables):
            raise AttributeError(name)
        return found

    def method(self, name: str) -> FunctionType | None:
        found = _static_attribute(self.cls, name)
        return found if isinstance(found, FunctionType) else None

    def getter(self, name: str) -> Any:
        found = _static_attribute(self.cls, name)
        return found.fget if isinstance(found, property) else None


class _Statics:
    """Stands in for an instance of which only the static fields are known."""

    def __init__(self, source: _Source) -> None:
        self._source = source

    def __getattr__(self, name: str) -> Any:
        source = self._source
        if name in source.runtime:
            raise CompileError(
                f"{source.cls.__qualname__}: a `constant` reads the field `{name}`, "
                f"which is set at run time; declare it `{name} = static(...)`"
            )
        found = _static_attribute(source.cls, name)
        if isinstance(found, property):
            return found.fget(self) if found.fget else None
        if isinstance(found, FunctionType):
            return found.__get__(self)
        return source.value(name)


#: digest -> where it came from, for types made in this process.
_sources: dict[str, _Source] = {}
_registered: set[str] = set()
_lock = threading.RLock()


class CompiledType(types.Type):
    """Numba's type of one compiled class with its static fields and digest."""

    checked = False

    def __init__(
        self, name: str, digest: str, members: tuple[tuple[str, types.Type], ...]
    ) -> None:
        self.class_name = name
        self.digest = digest
        self.members = members
        super().__init__(name=f"{name}<{digest}>")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.class_name, self.digest, self.members)

    @property
    def source(self) -> _Source:
        return _sources[self.digest]

    def static_value(self, name: str) -> Any:
        """A number, boolean or text known at compile time; None if there is none."""
        if any(name == member for member, _ in self.members):
            return None
        try:
            value = self.source.value(name)
        except AttributeError:
            return None
        return value if type(value) in (bool, int, float, str) else None


class CheckedType(CompiledType):
    """The same, its methods compiled with bounds checks (its digest differs)."""

    checked = True


def compiled_type(instance: Compiled, checked: bool = False) -> CompiledType:
    """The Numba type of an instance; a new one whenever anything it reaches changed."""
    cls = type(instance)
    if not dataclasses.is_dataclass(cls):
        raise CompileError(
            f"{cls.__qualname__} must be a dataclass: put @dataclass(frozen=True) "
            "above it"
        )
    statics, members, digest = {}, [], Digest()
    for field in dataclasses.fields(cls):
        value = getattr(instance, field.name)
        if field.metadata.get("static"):
            statics[field.name] = value
            digest.add((field.name, value))
        else:
            members.append((field.name, _member_type(cls, field.name, value, checked)))
    digest.add(cls.__qualname__).add(repr(members)).add(checked)
    for name in _methods(cls):
        digest.add_method(cls, name)
    for name, value in _class_attributes(cls):
        digest.add((name, value))
    key = digest.hexdigest()
    with _lock:
        runtime = frozenset(name for name, _ in members)
        _sources.setdefault(key, _Source(cls, statics, runtime))
        kind = CheckedType if checked else CompiledType
        for name in _methods(cls):
            _register(name)
    label = cls.__qualname__.replace("<locals>.", "")
    shown = ",".join(f"{name}={value}" for name, value in statics.items())
    return kind(f"{label}({shown})", key, tuple(members))


def _methods(cls: type) -> Iterator[str]:
    """Names of methods, properties and constants that kernels may reach."""
    seen: set[str] = set()
    interpreted: frozenset[str] = getattr(cls, "interpreted_methods", frozenset())
    for base in cls.__mro__:
        if base in (object, Compiled):
            continue
        for name, value in vars(base).items():
            if name.startswith("__") or name in seen or name in interpreted:
                continue
            if isinstance(value, (FunctionType, property, constant, staticmethod)):
                seen.add(name)
                yield name


def _class_attributes(cls: type) -> Iterator[tuple[str, Any]]:
    """What else kernels may read of a class: `zero_sum`, and a user's own."""
    fields = {field.name for field in dataclasses.fields(cls)}
    interpreted: frozenset[str] = getattr(cls, "interpreted_methods", frozenset())
    skipped = {*fields, *interpreted, "interpreted_methods"}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if not (name.startswith("_") or name in skipped or callable(value)):
                if not isinstance(
                    value, (property, constant, staticmethod, classmethod)
                ):
                    yield name, value


def _member_type(cls: type, name: str, value: Any, checked: bool) -> types.Type:
    if isinstance(value, Compiled):
        return compiled_type(value, checked)
    if isinstance(value, str):
        raise CompileError(
            f"{cls.__qualname__}.{name} is text, which compiled rules cannot carry at "
            f"run time; declare it `{name}: str = static({value!r})`"
        )
    found = None if isinstance(value, list | set | dict) else typeof_impl(value, None)
    if found is None:
        raise CompileError(
            f"{cls.__qualname__}.{name} = {value!r}: compiled rules can carry numbers, "
            "booleans, tuples and NumPy arrays, not "
            f"{type(value).__name__}"
        )
    if isinstance(found, types.Array) and (found.ndim != 1 or found.layout != "C"):
        raise CompileError(
            f"{cls.__qualname__}.{name} is an array of {found.ndim} dimensions; "
            "compiled rules can carry contiguous arrays of one "
            "(a `constant` may have more)"
        )
    if checked and hasattr(found, "as_checked"):
        found = found.as_checked()
    return found


@typeof_impl.register(Compiled)
def _typeof_compiled(value: Compiled, context: Any) -> CompiledType:
    return value._numba_type_


# -- how Numba sees attributes and methods ---------------------------------------------


class _Borrowed(types.Type):
    """How a struct holds an array: address and length, without a reference count.

    The caller's Python objects keep the array alive while a kernel runs. Counting
    references would cost an atomic operation wherever a field is read.
    """

    def __init__(self, array: types.Array) -> None:
        self.array = array
        super().__init__(name=f"Borrowed<{array.name}>")


@register_model(_Borrowed)
class _BorrowedModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: _Borrowed) -> None:
        members = [("data", types.CPointer(fe_type.array.dtype)), ("size", types.intp)]
        super().__init__(dmm, fe_type, members)


@register_model(CompiledType)
@register_model(CheckedType)
class _CompiledModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: CompiledType) -> None:
        members = [
            (name, _Borrowed(typ) if isinstance(typ, types.Array) else typ)
            for name, typ in fe_type.members
        ]
        super().__init__(dmm, fe_type, members)


def _borrow(context: Any, builder: Any, typ: types.Array, array: Any) -> Any:
    source = context.make_array(typ)(context, builder, value=array)
    borrowed = cgutils.create_struct_proxy(_Borrowed(typ))(context, builder)
    borrowed.data, borrowed.size = source.data, source.nitems
    return borrowed._getvalue()


def _lend(context: Any, builder: Any, typ: types.Array, value: Any) -> Any:
    """An array value over borrowed memory: no owner, so nothing to count."""
    borrowed = cgutils.create_struct_proxy(_Borrowed(typ))(context, builder, value)
    array = context.make_array(typ)(context, builder)
    itemsize = context.get_constant(
        types.intp, context.get_abi_sizeof(context.get_data_type(typ.dtype))
    )
    populate_array(array, borrowed.data, [borrowed.size], [itemsize], itemsize, None)
    return array._getvalue()


@infer_getattr
class _CompiledAttributes(AttributeTemplate):
    key = CompiledType

    def generic_resolve(self, typ: CompiledType, attr: str) -> types.Type | None:
        for name, member in typ.members:
            if name == attr:
                return member
        try:
            value = typ.source.value(attr)
        except AttributeError:
            return self._method(typ, attr)
        if isinstance(value, str):
            return types.literal(value)
        return self.context.resolve_value_type(value)

    def _method(self, typ: CompiledType, attr: str) -> types.Type | None:
        getter = typ.source.getter(attr)
        if getter is not None:
            dispatcher = types.Dispatcher(dispatcher_of(getter, typ.checked))
            return dispatcher.get_call_type(self.context, (typ,), {}).return_type
        template = _method_template(typ, attr)
        return None if template is None else types.BoundFunction(template, typ)


@lower_getattr_generic(CompiledType)
def _lower_attribute(
    context: Any, builder: Any, typ: CompiledType, value: Any, attr: str
) -> Any:
    for name, member in typ.members:
        if name == attr:
            struct = cgutils.create_struct_proxy(typ)(context, builder, value=value)
            found = getattr(struct, name)
            if isinstance(member, types.Array):
                return _lend(context, builder, member, found)
            return found
    getter = typ.source.getter(attr)
    if getter is not None:
        return _call(context, builder, getter, signature(None, typ), (value,))
    found = typ.source.value(attr)
    if isinstance(found, str):
        return context.get_dummy_value()
    found_type = context.typing_context.resolve_value_type(found)
    return context.get_constant_generic(builder, found_type, found)


@unbox(CompiledType)
def _unbox(typ: CompiledType, obj: Any, c: Any) -> NativeValue:
    struct = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    cleanups = []
    failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    for name, member in typ.members:
        attribute = c.pyapi.object_getattr_string(obj, name)
        native = c.pyapi.to_native_value(member, attribute)
        value = native.value
        if isinstance(member, types.Array):
            value = _borrow(c.context, c.builder, member, value)
            c.context.nrt.decref(c.builder, member, native.value)
        setattr(struct, name, value)
        with c.builder.if_then(native.is_error):
            c.builder.store(cgutils.true_bit, failed)
        c.pyapi.decref(attribute)
        if native.cleanup is not None:
            cleanups.append(native.cleanup)

    def cleanup() -> None:
        for undo in reversed(cleanups):
            undo()

    return NativeValue(
        struct._getvalue(), c.builder.load(failed), cleanup if cleanups else None
    )


def _method_template(typ: CompiledType, name: str) -> type[AbstractTemplate] | None:
    function = typ.source.method(name)
    if function is None:
        return None
    dispatcher = types.Dispatcher(dispatcher_of(function, typ.checked))

    class Method(AbstractTemplate):
        key = (CompiledType, name)

        def generic(self, args: Any, kws: Any) -> Any:
            args = tuple(map(_plain, args))
            kws = {key: _plain(value) for key, value in dict(kws).items()}
            call = dispatcher.get_call_type(self.context, (typ, *args), kws)
            return call.as_method()

    return Method


def _plain(typ: types.Type) -> types.Type:
    """The type an argument is passed as: one compile for all that differ too little.

    Numbers known at compile time are passed as numbers, and narrow signed integers (a
    field of a state, say) as 64 bits wide, which is how interpreted code sees them.
    """
    if isinstance(typ, types.StringLiteral):
        return typ
    typ = types.unliteral(typ)
    narrow = isinstance(typ, types.Integer) and typ.signed and typ.bitwidth < 64
    return types.int64 if narrow else typ


class _Helper(types.Dispatcher):
    """The type of a plain function that compiled code calls."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        args = tuple(map(_plain, args))
        kws = {key: _plain(value) for key, value in dict(kws).items()}
        return super().get_call_type(context, args, kws)


register_model(_Helper)(models.OpaqueModel)


def _call(
    context: Any, builder: Any, function: FunctionType, sig: Any, args: Any
) -> Any:
    """Generate a call of a Python function compiled for these argument types."""
    dispatcher = types.Dispatcher(dispatcher_of(function, sig.args[0].checked))
    sig = dispatcher.get_call_type(context.typing_context, sig.args, {})
    call = context.get_function(dispatcher, sig)
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args)


def _register(name: str) -> None:
    """Tell Numba, once per name, how a method of that name is called."""
    if name in _registered:
        return
    _registered.add(name)

    @lower_builtin((CompiledType, name), CompiledType, types.VarArg(types.Any))
    def lower_method(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = sig.args[0].source.method(name)
        return _call(context, builder, function, sig, args)


# -- plain functions called from compiled code -----------------------------------------


class _Compiling(threading.local):
    """Whether this thread is compiling a kernel, and with bounds checks or not."""

    active = False
    checked = False


compiling = _Compiling()
_dispatchers: dict[tuple[FunctionType, bool], Any] = {}


@typeof_impl.register(FunctionType)
def _typeof_function(value: FunctionType, context: Any) -> types.Type | None:
    """While a kernel compiles, an ordinary helper function is compiled with it."""
    if not compiling.active:
        return None
    if cpu_target.typing_context._lookup_global(value) is not None:
        return None  # Numba has an implementation of its own for this function
    return _Helper(dispatcher_of(value, compiling.checked))


def dispatcher_of(function: FunctionType, checked: bool) -> Any:
    """Numba's dispatcher for a plain function, the same one every time."""
    with _lock:
        key = (function, checked)
        if key not in _dispatchers:
            _dispatchers[key] = njit(**jit_options(checked), **_INNER)(function)
        return _dispatchers[key]


def known_dispatcher(function: FunctionType, checked: bool) -> Any:
    """The dispatcher of a function that some kernel called; None if none did."""
    return _dispatchers.get((function, checked))
