"""Passes of Numba's that kernels have others in place of, and how passes are run.

Ours first ask whether there can be anything to find, or leave out what nobody asks for:
how long variables live, which matters in generators, and at the end in functions in
which a variable owns something.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType
from typing import Any

from numba import types
from numba.core.errors import new_error_context

from .internals import (
    GenericRewrites,
    InlineClosureLikes,
    IRLegalization,
    IRProcessing,
    MakeFunctionToJitFunction,
    NativeLowering,
    NopythonRewrites,
    PassManager,
    PreLowerStripPhis,
    ReconstructSSA,
    TranslateByteCode,
    canonicalize_cfg,
    ir,
    mutates_cfg,
    reconstruct_ssa,
    register_pass,
    rewrite_registry,
    set_blocks,
    without_phis,
)
from .translation import Translated
from .variables import KernelLowering, is_counted

__all__ = ["OURS", "KernelPasses"]

#: What may be an expression of arrays, by what is made and how.
_COLLECTIONS = (types.Array, types.List)
_MADE_BY = frozenset({"binop", "call", "inplace_binop", "unary"})


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
    """Expressions of arrays become one loop, and names of fields in rows constants."""

    _name = "playout_rewrites"

    def run_pass(self, state: Any) -> bool:
        found = any(
            isinstance(typ, types.StringLiteral) for typ in state.typemap.values()
        )
        if found or any(_makes_collection(*each, state) for each in _assigned(state)):
            return bool(super().run_pass(state))
        return False


def _assigned(state: Any) -> Iterator[tuple[str, Any]]:
    """The variables of a function, each with what it is set to."""
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            yield statement.target.name, statement.value


def _makes_collection(name: str, value: Any, state: Any) -> bool:
    made = isinstance(value, ir.Expr) and value.op in _MADE_BY
    return made and isinstance(state.typemap[name], _COLLECTIONS)


@register_pass(mutates_CFG=False, analysis_only=False)
class _Legalization(IRLegalization):
    """Where variables' lives end is marked, if one of them may own something."""

    _name = "playout_ir_legalization"

    def run_pass(self, state: Any) -> bool:
        counted = any(
            is_counted(state.targetctx, state.typemap[name])
            for name, _ in _assigned(state)
        )
        if counted or state.func_ir.is_generator:
            return bool(super().run_pass(state))
        return False


class _Lean:
    """Without how long variables live, which generators alone need to know by then."""

    def run_pass(self, state: Any) -> bool:
        if state.func_ir.is_generator:
            return bool(super().run_pass(state))  # type: ignore[misc]
        return self.run_lean(state)

    def run_lean(self, state: Any) -> bool:
        """What is left of the pass; whether it has changed anything."""
        raise NotImplementedError


@register_pass(mutates_CFG=True, analysis_only=False)
class _Processed(_Lean, IRProcessing):
    """The first look at a function's blocks."""

    _name = "playout_ir_processing"

    def run_lean(self, state: Any) -> bool:
        return True  # `KernelPasses` makes the blocks canonical


@register_pass(mutates_CFG=False, analysis_only=False)
class _UntypedRewrites(_Lean, GenericRewrites):
    """Indices and powers that are constant are told from others.

    Numba's pass also finds out how long variables live. Statements are replaced within
    their blocks, so these follow each other as before.
    """

    _name = "playout_untyped_rewrites"

    def run_lean(self, state: Any) -> bool:
        blocks = state.func_ir.blocks
        for kind in rewrite_registry.rewrites["before-inference"]:
            rewrite = kind(state)
            for label in blocks:
                while rewrite.match(state.func_ir, blocks[label], None, None):
                    blocks[label] = rewrite.apply()
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _StaticAssignments(_Lean, ReconstructSSA):
    """Every variable is set in one place."""

    _name = "playout_static_assignments"

    def run_lean(self, state: Any) -> bool:
        state.func_ir = reconstruct_ssa(state.func_ir)
        set_blocks(state.func_ir, state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _StrippedPhis(_Lean, PreLowerStripPhis):
    """Variables are set where blocks end, not where they meet."""

    _name = "playout_stripped_phis"

    def run_lean(self, state: Any) -> bool:
        set_blocks(state.func_ir, without_phis(self, state.func_ir))
        return True


class KernelPasses(PassManager):
    """Runs passes as Numba does, but keeps no times and tells no listeners.

    A kernel has a hundred functions and thirty passes, and to describe each function
    to nobody took a twentieth of the time. Blocks are put in order only after a pass
    that says it has changed something. Whoever compiles holds Numba's lock.
    """

    def _runPass(self, index: int, pss: Any, internal_state: Any) -> None:
        pss.analysis = self._analysis
        try:
            pss.run_initialization(internal_state)
            has_changed = pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)
        except Exception:
            with new_error_context("Pass {name}", name=pss.name()):
                raise
        if has_changed and mutates_cfg(pss):
            function = internal_state.func_ir
            function.blocks = canonicalize_cfg(function.blocks)


#: What stands for which of Numba's.
OURS = {
    GenericRewrites: _UntypedRewrites,
    IRProcessing: _Processed,
    InlineClosureLikes: _InlinedClosures,
    IRLegalization: _Legalization,
    MakeFunctionToJitFunction: _Closures,
    NativeLowering: KernelLowering,
    NopythonRewrites: _Rewrites,
    PreLowerStripPhis: _StrippedPhis,
    ReconstructSSA: _StaticAssignments,
    TranslateByteCode: Translated,
}
