"""Passes of Numba's that kernels have others in place of.

Two of them look through a function several times, in most to find nothing, which is a
fifteenth of compiling. Ours first ask whether there can be anything to find.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from numba import types

from .internals import (
    InlineClosureLikes,
    MakeFunctionToJitFunction,
    NativeLowering,
    NopythonRewrites,
    ir,
    register_pass,
)
from .variables import KernelLowering

__all__ = ["OURS"]

#: Of what the rewrites match: expressions of arrays, rows indexed by a field's name.
_REWRITTEN = (types.Array, types.List, types.StringLiteral)


@register_pass(mutates_CFG=True, analysis_only=False)
class _InlinedClosures(InlineClosureLikes):
    """Functions within a function become part of it, and lists become arrays."""

    _name = "playout_inlined_closures"

    def run_pass(self, state: Any) -> bool:
        code = state.func_id.code
        has_functions = any(isinstance(value, CodeType) for value in code.co_consts)
        if has_functions or "array" in code.co_names:
            return bool(super().run_pass(state))
        return False


@register_pass(mutates_CFG=True, analysis_only=False)
class _Closures(MakeFunctionToJitFunction):
    """Closures that are not inlined are functions of the kernel, as all else is."""

    _name = "playout_closures"

    def run_pass(self, state: Any) -> bool:
        closures = [
            statement
            for block in state.func_ir.blocks.values()
            for statement in block.find_insts(ir.Assign)
            if getattr(statement.value, "op", None) == "make_function"
        ]
        mutated = super().run_pass(state)
        for statement in closures:
            if isinstance(statement.value, ir.Global):
                function = statement.value.value.py_func
                statement.value = ir.Global(function.__name__, function, statement.loc)
        return bool(mutated)


@register_pass(mutates_CFG=True, analysis_only=False)
class _Rewrites(NopythonRewrites):
    """Expressions of arrays become one loop."""

    _name = "playout_rewrites"

    def run_pass(self, state: Any) -> bool:
        if any(isinstance(typ, _REWRITTEN) for typ in state.typemap.values()):
            return bool(super().run_pass(state))
        return False


#: What stands for which of Numba's.
OURS = {
    InlineClosureLikes: _InlinedClosures,
    MakeFunctionToJitFunction: _Closures,
    NativeLowering: KernelLowering,
    NopythonRewrites: _Rewrites,
}
