"""How Numba sees `Compiled` instances: their fields, attributes and methods.

An instance is the address of its run-time fields (see `models`). Static fields,
constants and class attributes are values the compiler knows. Methods, and the plain
functions that they call, are compiled when a kernel first calls them, and with it.
"""

from __future__ import annotations

import functools
import threading
from types import FunctionType
from typing import Any

from numba import types
from numba.core.errors import ForceLiteralArg
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    models,
    register_model,
)

from .compiled import CompiledType
from .contexts import KernelContext
from .edits import forget, is_edited, remember
from .folding import forget_constants
from .internals import AbstractTemplate, AttributeTemplate, CPUDispatcher, signature
from .models import read_field
from .optimisation import optimisation
from .pipeline import KernelCompiler

__all__ = ["dispatcher_of", "forget_edited", "jit_options", "known_dispatcher"]

#: How every function of a kernel is compiled. Division by zero gives inf or nan.
_OPTIONS = {"nogil": True, "error_model": "numpy", "pipeline_class": KernelCompiler}
#: A function that only kernels call needs no entry from Python or C.
_INNER = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def jit_options(checked: bool) -> dict[str, Any]:
    """Numba's options for a function in a kernel; `checked` tests array bounds."""
    return {**_OPTIONS, "boundscheck": checked}


class _InnerDispatcher(CPUDispatcher):
    """Numba's dispatcher, for a function that only kernels call.

    A kernel holds Numba's lock while it is compiled, and is kept on disk as a whole;
    and Numba's own dispatcher would time every call of LLVM once for each function that
    is being compiled around this one.
    """

    def __init__(self, function: FunctionType, checked: bool) -> None:
        options = {**jit_options(checked), **_INNER, "nopython": True}
        compiler = options.pop("pipeline_class")
        super().__init__(function, targetoptions=options, pipeline_class=compiler)
        self._calls: dict[Any, Any] = {}

    def compile(self, sig: tuple[types.Type, ...]) -> Any:
        """Compile for types of arguments, unless that is done."""
        if sig not in self.overloads:
            with self._compiling_counter:
                try:
                    self.add_overload(self._compiler.compile(sig, None))
                except ForceLiteralArg as error:
                    raise error.bind_fold_arguments(self._fold) from None
        return self.overloads[sig].entry_point

    def call(self, args: Any, kws: Any) -> Any:
        """The signature of a call; it is compiled for such arguments now.

        Numba would look for the best of all that it was compiled for.
        """
        asked = args, tuple(kws.items())
        if asked not in self._calls:
            pysig, folded = self._compiler.fold_argument_types(args, kws)
            self.compile(tuple(folded))
            found = self.overloads[tuple(folded)].signature
            self._calls[asked] = found.replace(pysig=pysig)
        return self._calls[asked]

    def _fold(self, args: Any, kws: Any) -> Any:
        return self._compiler.fold_argument_types(args, kws)[1]


class _Inner(types.Dispatcher):
    """The type of a function that only kernels call."""

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return self.dispatcher.call(args, dict(kws))


register_model(_Inner)(models.OpaqueModel)


# -- attributes and methods ------------------------------------------------------------


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
            dispatcher = _Inner(dispatcher_of(getter, typ.checked))
            return dispatcher.get_call_type(self.context, (typ,), {}).return_type
        return _bound_method(typ, attr, _edits, optimisation(typ.checked))


@lower_getattr_generic(CompiledType)
def _lower_attribute(
    context: Any, builder: Any, typ: CompiledType, value: Any, attr: str
) -> Any:
    for position, (name, _) in enumerate(typ.members):
        if name == attr:
            return read_field(context, builder, typ, value, position)
    getter = typ.source.getter(attr)
    if getter is not None:
        return _call(context, builder, getter, signature(None, typ), (value,))
    found = typ.source.value(attr)
    if isinstance(found, str):
        return context.get_dummy_value()
    found_type = context.typing_context.resolve_value_type(found)
    return context.get_constant_generic(builder, found_type, found)


@functools.lru_cache(maxsize=2_000)
def _bound_method(typ: CompiledType, name: str, *dispatched: int) -> types.Type | None:
    """The type of a method of an instance, or None where there is none.

    Args:
        typ: of the instance.
        name: of the method.
        dispatched: what else decides which dispatcher is the function's.
    """
    function = typ.source.method(name)
    if function is None:
        return None
    dispatcher = _Inner(dispatcher_of(function, typ.checked))
    _register(name)

    class Method(AbstractTemplate):
        key = (CompiledType, name)

        def generic(self, args: Any, kws: Any) -> Any:
            args = tuple(map(_plain, args))
            kws = {key: _plain(value) for key, value in dict(kws).items()}
            call = dispatcher.get_call_type(self.context, (typ, *args), kws)
            return call.as_method()

    return types.BoundFunction(Method, typ)


def _plain(typ: types.Type) -> types.Type:
    """The type an argument is passed as, so that similar types share one compile.

    Numbers known at compile time are passed as numbers, and narrow signed integers (a
    field of a state, say) as 64 bits wide, which is how interpreted code sees them.
    """
    if isinstance(typ, types.StringLiteral):
        return typ
    typ = types.unliteral(typ)
    narrow = isinstance(typ, types.Integer) and typ.signed and typ.bitwidth < 64
    return types.int64 if narrow else typ


class _Helper(_Inner):
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
    dispatcher = _Inner(dispatcher_of(function, sig.args[0].checked))
    sig = dispatcher.get_call_type(context.typing_context, sig.args, {})
    call = context.get_function(dispatcher, sig)
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args)


@functools.cache
def _register(name: str) -> None:
    """Tell Numba, once per name, how a method of that name is called."""

    @lower_builtin((CompiledType, name), CompiledType, types.VarArg(types.Any))
    def lower_method(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        function = sig.args[0].source.method(name)
        return _call(context, builder, function, sig, args)


# -- plain functions called from compiled code -----------------------------------------


_dispatchers: dict[tuple[FunctionType, bool, int, int], Any] = {}
#: How often an edit was noticed.
_edits = 0
_lock = threading.RLock()


def dispatcher_of(function: FunctionType, checked: bool) -> Any:
    """Numba's dispatcher for a plain function, the same one every time."""
    with _lock:
        key = _key(function, checked)
        if key not in _dispatchers:
            remember(function)
            _dispatchers[key] = _InnerDispatcher(function, checked)
        return _dispatchers[key]


def forget_edited() -> None:
    """Compile anew what was, if any function of it reads something else by now.

    Former dispatchers stay: types that Numba remembers refer to them.
    """
    global _edits
    with _lock:
        if is_edited():
            _edits += 1
            forget_constants()
            forget()


def known_dispatcher(function: FunctionType, checked: bool) -> Any:
    """The dispatcher of a function that some kernel called; None if none did."""
    return _dispatchers.get(_key(function, checked))


def _key(function: FunctionType, checked: bool) -> tuple[FunctionType, bool, int, int]:
    return function, checked, optimisation(checked), _edits


def _helper_type(function: FunctionType, checked: bool) -> types.Type:
    return _Helper(dispatcher_of(function, checked))


KernelContext.helper_type = staticmethod(_helper_type)
