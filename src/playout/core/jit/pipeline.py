"""Numba's pipeline, changed in a few places for kernels of many small functions.

**What is known becomes constant early**, as static fields (see `folding`), so that what
cannot run is neither typed nor compiled.

**A kernel is optimised as a whole.** Numba would optimise every function with all it
calls, and generate its machine code, again and again on the way up. What only kernels
call stays intermediate code, simplified, until it is linked into one. There no
other code can call it, so that what is called from one place is inlined, and arguments
and errors that cannot occur are removed.

**Calls are resolved once.** At every `+` Numba tries all its implementations of
addition; here the one that fits is remembered for each pair of types (see `contexts`).
`int`, `min` and `max` of numbers are not compiled as functions (see `scalars`).

**LLVM is told little.** Calls, loops that count, elements of arrays and variables take
fewer instructions than Numba's (see `calls`, `loops`, `elements` and `variables`), and
passes run only where they may find something (see `passes`).

**Kernels know more functions**, as `any`, and more operands of some (see `idioms`).

All of this applies to functions of kernels only.
"""

from __future__ import annotations

import threading
from types import FunctionType
from typing import Any, ClassVar

from llvmlite.binding import Linkage

from ..interrupt import safe_point
from .checked import CheckedUse
from .contexts import KernelContext, KernelTarget, context_of
from .folding import ConstantFolding
from .idioms import OperatorCalls
from .internals import (
    SUPERFLUOUS_PASSES,
    CompilerBase,
    DefaultPassBuilder,
    InlineClosureLikes,
    IRProcessing,
    without_annotations,
)
from .libraries import CodeLibrary, is_loaded
from .loops import CountedLoops
from .optimisation import optimisation
from .passes import OURS, KernelPasses

__all__ = [
    "KernelCompiler",
    "environments",
    "failure",
    "set_environments",
    "shrink_libraries",
]


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


class _Failure(threading.local):
    """The function in which compiling failed first: Numba does not always say."""

    function: Any = None


failure = _Failure()


class KernelCompiler(CompilerBase):
    """The default pipeline with passes of ours, some of them in place of Numba's.

    It is without a second partial inference, and has contexts that remember.
    """

    #: Runs the passes, the same for every function, as all have the same flags.
    _manager: ClassVar[Any] = None

    def __init__(
        self, typingctx: Any, targetctx: Any, library: Any, args: Any,
        return_type: Any, flags: Any, locals: Any,
    ) -> None:  # fmt: skip
        # Here, as what Numba's contexts would do first is to look at all registries.
        contexts = context_of(bool(flags.boundscheck)), KernelTarget(targetctx)
        super().__init__(*contexts, library, args, return_type, flags, locals)

    def compile_extra(self, func: FunctionType) -> Any:
        safe_point()
        checked = bool(self.state.flags.boundscheck)
        if self.state.library is None:
            is_inner = self.state.flags.no_cpython_wrapper
            library_class = _InnerLibrary if is_inner else _KernelLibrary
            library = library_class(self.state.targetctx.codegen(), func.__qualname__)
            library.level = optimisation(checked)
            library.enable_object_caching()
            self.state.library = library
        KernelContext.functions_under_way += 1
        try:
            return without_annotations(super().compile_extra(func))
        except Exception:
            failure.function = failure.function or func
            raise
        finally:
            KernelContext.functions_under_way -= 1

    def define_pipelines(self) -> list[Any]:
        if KernelCompiler._manager is None:
            KernelCompiler._manager = self._make_manager()
        return [KernelCompiler._manager]

    def _make_manager(self) -> Any:
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        usual.add_pass_after(ConstantFolding, IRProcessing)
        usual.add_pass_after(CheckedUse, InlineClosureLikes)
        usual.add_pass_after(OperatorCalls, InlineClosureLikes)
        usual.add_pass_after(CountedLoops, InlineClosureLikes)
        manager = KernelPasses(usual.pipeline_name)
        manager.passes = [
            (OURS.get(step, step), name)
            for step, name in usual.passes
            if step not in SUPERFLUOUS_PASSES
        ]
        manager.finalize()
        return manager
