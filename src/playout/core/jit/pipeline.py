"""Numba's pipeline, changed in a few places for kernels of many small functions.

**Static fields become constants early.** Numba would type every branch of a method
before LLVM removes the dead ones. Here `self.rule` is replaced by its value in Numba's
own representation first, so that `if self.rule == "renju":` is decided before typing:
what cannot run is neither typed nor compiled, and a field that only exists for some
parameters does no harm.

**A kernel is optimised as a whole.** Numba would optimise every function with all it
calls, and generate its machine code, again and again on the way up. What only kernels
call stays intermediate code, simplified, until it is linked into one. There no
other code can call it, so that what is called from one place is inlined, and arguments
and errors that cannot occur are removed.

**Operators are resolved once.** At every `+` Numba tries all its implementations of
addition; here the one that fits is remembered for each pair of types. `int`, `min` and
`max` of numbers are not compiled as functions (see `scalars`).

**Kernels know more functions**, as `any`, and more operands of some (see `idioms`).

All of this applies to functions of kernels only.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable
from enum import IntEnum
from types import FunctionType
from typing import Any, ClassVar

from llvmlite.binding import Linkage
from numba import types

from ..interrupt import safe_point
from .checked import CheckedUse
from .compiled import frozen
from .idioms import TEMPLATES as IDIOMS
from .idioms import OperatorCalls, method_of_array
from .internals import (
    SUPERFLUOUS_PASSES,
    CodeLibrary,
    CompilerBase,
    Context,
    DefaultPassBuilder,
    FunctionPass,
    InlineClosureLikes,
    IRProcessing,
    definitions,
    ir,
    is_loaded,
    knows_global,
    register_pass,
    without_annotations,
)
from .optimisation import optimisation
from .passes import OURS
from .scalars import TEMPLATES as SCALARS

__all__ = [
    "KernelCompiler",
    "environments",
    "failure",
    "set_environments",
    "shrink_libraries",
]


@register_pass(mutates_CFG=False, analysis_only=False)
class StaticFields(FunctionPass):
    """Replace static fields and members of an `IntEnum` by values, lists by tuples."""

    _name = "playout_static_fields"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        arguments = _compiled_arguments(state)
        found = [  # first all, as one is told by what others are before
            (statement, constant)
            for block in state.func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if (constant := _constant(state.func_ir, statement, arguments)) is not None
        ]
        for statement, constant in found:
            known = definitions(state.func_ir, statement.target.name)
            known[known.index(statement.value)] = constant
            statement.value = constant
        return bool(found)


def _compiled_arguments(state: Any) -> dict[str, Any]:
    """Names of arguments whose type has static fields, and that type."""
    return {
        name: typ
        for name, typ in zip(state.func_id.arg_names, state.args, strict=False)
        if hasattr(typ, "static_value")
    }


def _constant(func_ir: Any, statement: Any, arguments: dict[str, Any]) -> Any:
    """What stands for the right side of an assignment; None if it may stay."""
    old = statement.value
    if isinstance(old, (ir.Global, ir.FreeVar)) and isinstance(old.value, list):
        return ir.Global(old.name, frozen(old.value), statement.loc)
    value = _static_value(old, arguments)
    if value is None:
        value = _enumerated(func_ir, old)
    return None if value is None else ir.Const(value, loc=statement.loc)


def _enumerated(func_ir: Any, expression: Any) -> int | None:
    """The number behind a member of an `IntEnum`, or behind its `value`.

    Numba has a type of its own for these, of which arrays, `max` and much else know
    nothing.
    """
    if not isinstance(expression, ir.Expr) or expression.op != "getattr":
        return None
    owner = _global_value(func_ir, expression.value)
    if isinstance(owner, IntEnum) and expression.attr == "value":
        return int(owner)
    if isinstance(owner, type) and issubclass(owner, IntEnum):
        member = owner.__members__.get(expression.attr)
        return None if member is None else int(member)
    return None


def _global_value(func_ir: Any, variable: Any) -> Any:
    """What a variable is that is set once, to a global or a part of one; else None."""
    known = definitions(func_ir, variable.name)
    if len(known) != 1:
        return None
    (found,) = known
    if isinstance(found, (ir.Global, ir.FreeVar)):
        return found.value
    if isinstance(found, ir.Expr) and found.op == "getattr":
        return getattr(_global_value(func_ir, found.value), found.attr, None)
    return None


def _static_value(expression: Any, arguments: dict[str, Any]) -> Any:
    if not isinstance(expression, ir.Expr) or expression.op != "getattr":
        return None
    typ = arguments.get(expression.value.name)
    return None if typ is None else typ.static_value(expression.attr)


class _KernelLibrary(CodeLibrary):
    """Code of a kernel: what is linked into it is its own."""

    def optimize(self) -> None:
        for function in self.module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.internal
            elif not function.is_declaration:
                # Its caller writes the structs that are constant in it.
                function.add_function_attribute("noinline")
        safe_point()
        super().optimize()
        safe_point()


class _InnerLibrary(CodeLibrary):
    """Code of a function that only kernels call: linked into them, never loaded."""

    linked_late = True

    @property
    def codegen(self) -> Any:
        return _Codegen(self.generator)

    def get_pointer_to_function(self, name: str) -> int:
        self.complete()
        return 0

    def finish(self) -> None:
        super().finish()
        _large.append(self)


#: Libraries compiled since the last kernel, whose code is still kept as modules.
_large: list[_InnerLibrary] = []


def shrink_libraries() -> None:
    """Keep libraries that were linked into a kernel as bitcode, which is smaller."""
    while _large:
        _large.pop().shrink()


class _Codegen:
    """A code generator that keeps environments until the kernel is loaded."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        environments[name] = environment


#: Environments of inner functions by symbol; Numba's slots for Python constants.
environments: dict[str, Any] = {}


def set_environments(codegen: Any) -> None:
    """Fill the slots of inner functions that a kernel just loaded has brought along."""
    for name, environment in environments.items():
        if is_loaded(codegen, name):
            codegen.set_env(name, environment)


#: Python's functions of numbers that stand for an operator: `operator.add` for `+`.
_OPERATORS = frozenset(getattr(operator, name) for name in operator.__all__)

#: How each is called: `{(function, types of its arguments): signature}`.
_signatures: dict[tuple[Any, Any], Any] = {}


#: Templates of kernels, by the identity of their function.
_TEMPLATES = {id(template.key): template for template in (*SCALARS, *IDIOMS)}


class _RememberingContext(Context):
    """Numba's context of types, which remembers how operators on numbers are called.

    Args:
        context: what it stands for; all it knows is shared.
    """

    #: Whether functions that are called test array bounds.
    checked = False

    def __init__(self, context: Any) -> None:
        self.__dict__ = context.__dict__

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        """The signature of a call, or None where there is none."""
        if kws or not _is_operator(func, args):
            return super().resolve_function_type(func, args, kws)
        signature = _signatures.get((func, args))
        if signature is None:
            signature = super().resolve_function_type(func, args, kws)
            if signature is not None:
                _signatures[func, args] = signature
        return signature

    def resolve_value_type(self, val: Any) -> Any:
        """The type of a constant: of some functions, and of all that Numba lacks, ours.

        Numba's own templates answer where ours do not.
        """
        ours = _TEMPLATES.get(id(val))
        if ours is None:
            if isinstance(val, FunctionType) and not knows_global(self, val):
                return KernelCompiler.helper_type(val, self.checked)
            return super().resolve_value_type(val)
        theirs = ()
        if knows_global(self, val):
            theirs = super().resolve_value_type(val).templates
        return types.Function((ours, *theirs))

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        """The type of an attribute, or None where there is none."""
        return method_of_array(typ, attr) or super().resolve_getattr(typ, attr)


class _CheckedContext(_RememberingContext):
    """The same for checked kernels."""

    checked = True


def _is_operator(func: Any, args: Any) -> bool:
    return (
        isinstance(func, types.Function)
        and func.typing_key in _OPERATORS
        and all(isinstance(arg, (types.Number, types.Boolean)) for arg in args)
    )


class _Failure(threading.local):
    """The function in which compiling failed first: Numba does not always say."""

    function: Any = None


failure = _Failure()


class KernelCompiler(CompilerBase):
    """The default pipeline with `StaticFields` and, where checked, `CheckedUse`.

    It is without a second partial inference.

    Attributes:
        helper_type: the type of a plain function that a kernel calls, checked or not;
            set by `lowering`, which needs this class to compile it.
    """

    helper_type: ClassVar[Callable[[FunctionType, bool], Any]]
    #: Runs the passes, the same for every function, as all have the same flags.
    _manager: ClassVar[Any] = None

    def compile_extra(self, func: FunctionType) -> Any:
        safe_point()
        checked = bool(self.state.flags.boundscheck)
        kind = _CheckedContext if checked else _RememberingContext
        self.state.typingctx = kind(self.state.typingctx)
        if self.state.library is None:
            is_inner = self.state.flags.no_cpython_wrapper
            library_class = _InnerLibrary if is_inner else _KernelLibrary
            library = library_class(self.state.targetctx.codegen(), func.__qualname__)
            library.level = optimisation(checked)
            library.enable_object_caching()
            self.state.library = library
        try:
            return without_annotations(super().compile_extra(func))
        except Exception:
            failure.function = failure.function or func
            raise

    def define_pipelines(self) -> list[Any]:
        if KernelCompiler._manager is None:
            KernelCompiler._manager = self._make_manager()
        return [KernelCompiler._manager]

    def _make_manager(self) -> Any:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(StaticFields, IRProcessing)
        manager.add_pass_after(CheckedUse, InlineClosureLikes)
        manager.add_pass_after(OperatorCalls, InlineClosureLikes)
        manager.passes = [
            (OURS.get(step, step), name)
            for step, name in manager.passes
            if step not in SUPERFLUOUS_PASSES
        ]
        manager.finalize()
        return manager
