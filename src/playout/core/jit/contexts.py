"""What Numba asks while it compiles a kernel, asked once.

At every `+` Numba tries its implementations of addition, and once more when it
generates the code; to know how large a type is, it has LLVM read a module that holds
one; and before every function it looks whether more implementations were registered. A
kernel has a hundred functions and thousands of such places. So its contexts remember
how operators are called, and all else whose code is generated where the call is, and
sizes, and look at what was registered once for a kernel.

Nothing is remembered that depends on more than types. How an operator's code is
generated does: on the function that it is generated for, on its errors of division and
whether it tests bounds.

What is generated itself is shorter than Numba's where functions call each other (see
`calls`) and where a loop asks for its next number.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType
from typing import Any, ClassVar

from numba import types

from .calls import KernelCalls
from .idioms import TEMPLATES as IDIOMS
from .idioms import method_of_array
from .internals import Context, CPUContext, cpu_target, global_type
from .loops import TEMPLATES as LOOPS
from .scalars import TEMPLATES as SCALARS

__all__ = ["KernelContext", "KernelTarget", "context_of"]

#: Templates of kernels, by the identity of their function.
_TEMPLATES = {id(template.key): template for template in (*SCALARS, *IDIOMS, *LOOPS)}

#: How functions are called: `{(function, types of arguments): signature}`.
_signatures: dict[tuple[Any, Any], Any] = {}
#: The bytes of LLVM's types, by their text: all structs have one hash.
_sizes: dict[str, int] = {}


def _is_written_in_place(function: Any, signature: Any) -> bool:
    """Whether code is generated where a call is, so that types alone decide.

    A function that is compiled for the call gets the flags of its caller, too.
    """
    key = function.get_impl_key(signature)
    return key is function.typing_key or isinstance(key, type)


class KernelContext(Context):
    """Numba's context of types, which remembers how functions are called.

    It shares all that Numba's knows. There is one for checked code and one for other:
    Numba keeps what it makes of its own functions by the identity of the context.

    Attributes:
        functions_under_way: of kernels, each within the one before.
        helper_type: the type of a plain function that a kernel calls, checked or not;
            set by `lowering`, which compiles it.
    """

    #: Whether functions that are called test array bounds.
    checked = False
    functions_under_way: ClassVar[int] = 0
    helper_type: ClassVar[Callable[[FunctionType, bool], Any]]

    def __init__(self) -> None:
        self.__dict__ = cpu_target.typing_context.__dict__

    def refresh(self) -> None:
        """Look for what was registered, once for a kernel."""
        if not KernelContext.functions_under_way:
            super().refresh()

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, or None where there is none."""
        known = func
        if isinstance(func, BuiltinFunctionType):
            known = global_type(self, func)
        if kws or not isinstance(known, types.Function):
            return super().resolve_function_type(func, args, kws)
        signature = _signatures.get((known, args))
        if signature is None:
            signature = super().resolve_function_type(known, args, kws)
            if signature is not None and _is_written_in_place(known, signature):
                _signatures[known, args] = signature
        return signature

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a constant: of some functions, and of all that Numba lacks, ours.

        Numba's own templates answer where ours do not.
        """
        ours = _TEMPLATES.get(id(val))
        if ours is None:
            if isinstance(val, FunctionType) and global_type(self, val) is None:
                return KernelContext.helper_type(val, self.checked)
            return super().resolve_value_type(val)
        theirs = global_type(self, val)
        return types.Function((ours, *(theirs.templates if theirs else ())))

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """The type of an attribute, or None where there is none."""
        return method_of_array(typ, attr) or super().resolve_getattr(typ, attr)


class _CheckedContext(KernelContext):
    """The same for checked kernels."""

    checked = True


@functools.cache
def context_of(checked: bool) -> KernelContext:
    """The context of types of kernels that test array bounds, or of others."""
    return _CheckedContext() if checked else KernelContext()


class KernelTarget(CPUContext):
    """Numba's context of machine code, which remembers what depends on types alone.

    Args:
        context: what it stands for; all it knows is shared.
    """

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__

    @property
    def call_conv(self) -> KernelCalls:
        """How functions call each other."""
        return KernelCalls(self)

    def refresh(self) -> None:
        """Look for what was registered, once for a kernel."""
        if not KernelContext.functions_under_way:
            super().refresh()

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """What generates the code of a call; where none is known, it looks again.

        Methods of rules are registered when a kernel first calls them.
        """
        try:
            return super().get_function(fn, sig, _firstcall=False)
        except NotImplementedError:
            if not _firstcall:
                raise
        super().refresh()
        return super().get_function(fn, sig, _firstcall=False)

    def pair_first(self, builder: Any, val: Any, ty: Any) -> Any:
        """Generate the first of two values, as of a step of a loop, without a place."""
        return builder.extract_value(val, 0)

    def pair_second(self, builder: Any, val: Any, ty: Any) -> Any:
        """Generate the second of two values."""
        return builder.extract_value(val, 1)

    def is_true(self, builder: Any, typ: Any, val: Any) -> Any:
        """Generate the truth of a value, without asking how again."""
        return self.get_operator(bool, (typ,))(builder, (val,))

    def get_operator(self, function: Any, args: Any) -> Any:
        """What generates the code of `operator.add` or another, for such operands."""
        known = self.typing_context.resolve_value_type(function)
        signature = _signatures.get((known, args))
        if signature is None:
            signature = known.get_call_type(self.typing_context, args, {})
        return self.get_function(known, signature)

    def get_abi_sizeof(self, ty: Any) -> int:
        """The bytes of a type of LLVM's."""
        text = str(ty)
        if text not in _sizes:
            _sizes[text] = super().get_abi_sizeof(ty)
        return _sizes[text]
