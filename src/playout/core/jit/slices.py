"""`array[:n] = values`: that values of another shape do not fit is told shortly.

Numba compiles a function that writes both shapes into a text: its strings, lists and
numbers as text take two seconds in every process, though mostly nothing ever fails. The
error says less here; rules that fail run once more as plain Python, where NumPy tells.
"""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import lower_builtin

from .contexts import KernelTarget
from .internals import OTHER_SHAPE, AbstractTemplate, Context, signature

__all__ = ["SettingTarget"]

#: What NumPy's own error begins with.
_MESSAGE = "could not broadcast input array into another shape"


class _OtherShape(AbstractTemplate):
    """The type of what Numba calls where shapes do not match."""

    key = OTHER_SHAPE.path

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.none, *args)

    def get_impl_key(self, sig: Any) -> Any:
        """The key that our code is registered under; Numba's own code uses others."""
        return type(self)


@lower_builtin(_OtherShape, types.BaseTuple, types.BaseTuple)
def _lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    context.call_conv.return_user_exc(builder, ValueError, (_MESSAGE,))
    return context.get_dummy_value()


class _Types(Context):
    """A context of types that knows this one otherwise."""

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__

    def resolve_value_type(self, val: Any) -> Any:
        name = f"{getattr(val, '__module__', '')}.{getattr(val, '__name__', '')}"
        if name == OTHER_SHAPE.path:
            return types.Function((_OtherShape,))
        return super().resolve_value_type(val)


class SettingTarget(KernelTarget):
    """A context of machine code, for statements that set parts of an array."""

    @property
    def typing_context(self) -> Any:
        return _Types(vars(self)["typing_context"])
