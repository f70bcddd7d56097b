"""What Playout uses of Numba that Numba does not document, each name once.

Numba documents its own names, `numba.extending` and `numba.core.cgutils`; llvmlite
documents `ir` and `binding`. Nothing else of them is named outside this file, but for
what is private to a library of code, in `libraries`. A new version may change any of
it: then importing this file fails with one sentence that says what has changed
(`canary`); `tests/core/jit/test_internals.py` tries every name.

`_take` fetches a name and tells its use: `attribute`, `method(positional, keyword=)`,
or `attribute=` for one that Numba reads and that is set here.
"""

from __future__ import annotations

from typing import Any

import numba

from .canary import TRIED, Internal, check, check_failure

__all__ = [
    "FRAMES", "INTERNALS", "OTHER_SHAPE", "SUPERFLUOUS_PASSES", "TRIED", "WRAPPED",
    "AbstractTemplate", "AttributeTemplate", "ByteCode", "CPUCallConv", "CPUContext",
    "CPUDispatcher", "CallStatus", "CompilerBase", "Context", "DefaultPassBuilder",
    "FunctionIdentity", "FunctionPass", "GenericRewrites", "IRLegalization",
    "IRProcessing", "InlineClosureLikes", "Interpreter", "JITCodeLibrary", "Lower",
    "MakeFunctionToJitFunction", "NativeLowering", "NopythonRewrites", "PassManager",
    "PreLowerStripPhis", "ReconstructSSA", "SimpleIterableType", "SimpleIteratorType",
    "StructModel", "TranslateByteCode", "assign", "canonicalize_cfg", "check",
    "check_failure", "compiler_lock", "cpu_target", "definitions", "dumps",
    "global_type", "has_place", "infer_global", "ir", "made_of", "make_place",
    "mark_try_block", "mutates_cfg", "parts_of", "parts_of_translation",
    "reconstruct_ssa", "register_pass", "rewrite_registry", "set_blocks", "signature",
    "translation_of", "with_own_code_generator", "without_annotations", "without_phis",
]  # fmt: skip

#: All of them.
INTERNALS: list[Internal] = []


def _take(path: str, *uses: str) -> Any:
    """Add a name to `INTERNALS`; the object, or a class in its place for `check`."""
    internal = Internal(path, uses)
    INTERNALS.append(internal)
    try:
        return internal.find()
    except (AttributeError, ImportError):
        return type(internal.path.rpartition(".")[2], (), {})


# -- types -----------------------------------------------------------------------------

#: How calls and attributes are typed, by arguments of which `numba.extending` cannot
#: speak: any method of a `Compiled`, a row of any record.
AbstractTemplate = _take(
    "numba.core.typing.templates.AbstractTemplate", "apply(args, kws)", "context",
    "get_impl_key(sig)", "key=",
)  # fmt: skip
AttributeTemplate = _take(
    "numba.core.typing.templates.AttributeTemplate", "context", "resolve(typ, attr)"
)
#: Has a template asked for calls of a function: `overload` would compile a function of
#: its own for every list of types.
infer_global = _take("numba.core.typing.templates.infer_global", "(function)")
#: What those templates answer.
signature = _take("numba.core.typing.templates.signature", "(result, first, second)")
_take("numba.core.typing.templates.Signature", "args", "return_type", "as_method()")
_take("numba.types.BoundFunction", "(template, this)")
_take("numba.types.Dispatcher", "(dispatcher)", "get_call_type(context, args, kws)")
_take(
    "numba.types.Function", "(templates)", "get_call_type(context, args, kws)",
    "get_impl_key(sig)", "templates", "typing_key",
)  # fmt: skip
#: What a loop goes through, and how (see `loops`).
SimpleIterableType = _take("numba.types.SimpleIterableType", "(name, iterator_type)")
SimpleIteratorType = _take("numba.types.SimpleIteratorType", "(name, yield_type)")
#: How a struct lies in memory and is passed on; ours otherwise (see `models`).
StructModel = _take(
    "numba.core.datamodel.models.StructModel", "as_argument(builder, value)",
    "as_data(builder, value)", "as_return(builder, value)", "contains_nrt_meminfo()",
    "from_argument(builder, value)", "from_return(builder, value)",
    "get_argument_type()", "get_data_type()", "get_model(position)",
    "get_return_type()", "get_value_type()",
    "load_from_data_pointer(builder, ptr, align=)", "traverse(builder)",
)  # fmt: skip
#: Where types are looked up; a kernel's own remembers and prefers (see `contexts`).
Context = _take(
    "numba.core.typing.context.Context", "resolve_function_type(func, args, kws)",
    "resolve_getattr(typ, attr)", "resolve_value_type(val)",
    "unify_types(first, second)", "refresh()", "_lookup_global(value)",
)  # fmt: skip


def global_type(context: Any, value: Any) -> Any:
    """The type of a function that Numba has an implementation of, or None."""
    return context._lookup_global(value)


# -- the pipeline ----------------------------------------------------------------------

#: Runs the passes; a kernel's has others, and a code library of its own. `bc`, the
#: bytecode, and `func_ir` are on `state`.
CompilerBase = _take(
    "numba.core.compiler.CompilerBase", "bc", "compile_extra(func)",
    "define_pipelines()", "func_ir", "state",
)  # fmt: skip
DefaultPassBuilder = _take(
    "numba.core.compiler.DefaultPassBuilder", "define_nopython_pipeline(state)"
)
_take("numba.core.cpu.CPUTargetOptions", "no_cpython_wrapper", "no_cfunc_wrapper")
#: Runs passes one after another; ours tells nobody of each (see `passes`).
PassManager = _take(
    "numba.core.compiler_machinery.PassManager", "(name)", "_analysis",
    "_runPass(index, pss, internal_state)", "add_pass_after(ours, theirs)",
    "finalize()", "passes", "pipeline_name",
)  # fmt: skip
_registry = _take("numba.core.compiler_machinery._pass_registry", "get(kind)")
#: What Numba does after passes that may change how blocks follow each other.
canonicalize_cfg = _take("numba.core.transforms.canonicalize_cfg", "(blocks)")


def mutates_cfg(step: Any) -> bool:
    """Whether a pass may change how blocks follow each other."""
    return bool(_registry.get(type(step)).mutates_CFG)


#: A pass of our own, `ConstantFolding`, and the one it comes after. `KernelPasses`
#: calls all that a pass has.
FunctionPass = _take(
    "numba.core.compiler_machinery.FunctionPass", "name()", "run_finalizer(state)",
    "run_initialization(state)", "run_pass(state)",
)  # fmt: skip
register_pass = _take(
    "numba.core.compiler_machinery.register_pass", "(mutates_CFG=, analysis_only=)"
)
IRProcessing = _take("numba.core.untyped_passes.IRProcessing")
#: The first pass, and what it has translate; ours keeps what Numba drops too early.
TranslateByteCode = _take("numba.core.untyped_passes.TranslateByteCode")
Interpreter = _take(
    "numba.core.interpreter.Interpreter", "(func_id)", "_remove_unused_temporaries()",
    "current_block", "definitions", "dfainfo", "interpret(bytecode)",
)  # fmt: skip
#: After it, another: functions within functions are part of them then.
InlineClosureLikes = _take("numba.core.untyped_passes.InlineClosureLikes")
#: Makes functions of the closures that are left; ours has kernels compile them.
MakeFunctionToJitFunction = _take("numba.core.untyped_passes.MakeFunctionToJitFunction")
#: Passes that type every function once more, to find literals that static fields are.
SUPERFLUOUS_PASSES = (
    _take("numba.core.untyped_passes.LiteralPropagationSubPipelinePass"),
    _take("numba.core.typed_passes.PartialTypeInference"),
)
#: Passes that find out how long variables live (see `passes`), and what else they do.
ReconstructSSA = _take("numba.core.untyped_passes.ReconstructSSA", "run_pass(state)")
PreLowerStripPhis = _take(
    "numba.core.typed_passes.PreLowerStripPhis", "_strip_phi_nodes(function)",
    "run_pass(state)",
)  # fmt: skip
reconstruct_ssa = _take("numba.core.ssa.reconstruct_ssa", "(function)")
_build_definitions = _take("numba.core.ir_utils.build_definitions", "(blocks)")


def without_phis(step: Any, function: Any) -> Any:
    """The blocks of a function without phi nodes, as Numba's pass makes them."""
    return step._strip_phi_nodes(function).blocks


#: Passes that most functions of a kernel have no use for (see `passes`).
NopythonRewrites = _take("numba.core.typed_passes.NopythonRewrites", "run_pass(state)")
IRLegalization = _take("numba.core.typed_passes.IRLegalization", "run_pass(state)")
#: What is rewritten before and after types are known, and the pass that does it before.
GenericRewrites = _take("numba.core.untyped_passes.GenericRewrites", "run_pass(state)")
rewrite_registry = _take("numba.core.rewrites.rewrite_registry", "rewrites")
#: What `ConstantFolding` reads and replaces, and what `CheckedUse` writes.
ir = _take(
    "numba.core.ir", "Arg", "Assign(value, target, loc)", "Branch",
    "Const(value, loc=)", "Del", "Expr", "FreeVar", "FunctionIR",
    "Global(name, value, loc)", "Return", "SetAttr", "SetItem", "UNDEFINED", "Var",
)  # fmt: skip
FunctionIdentity = _take(
    "numba.core.bytecode.FunctionIdentity", "from_function(pyfunc)"
)
ByteCode = _take("numba.core.bytecode.ByteCode", "(func_id)")
_take(
    "numba.core.ir.Expr", "call(func, args, kws, loc)", "cast(value, loc)",
    "static_lhs", "static_rhs",
)  # fmt: skip
_take(
    "numba.core.ir.Block", "body", "find_insts(cls)", "prepend(inst)", "scope",
    "terminator",
)  # fmt: skip
#: What a statement sets, which blocks may follow one, and which variables are used.
_take("numba.core.ir.Assign", "target", "value")
_take("numba.core.ir.Branch", "cond", "falsebr", "truebr")
_take("numba.core.ir.Terminator", "get_targets()")
_take("numba.core.ir.Inst", "list_vars()")
_take("numba.core.byteflow.AdaptBlockInfo", "outgoing_phis")
_take("numba.core.ir.Scope", "redefine(name, loc)")
_take("numba.core.compiler.Flags", "no_cpython_wrapper", "boundscheck")
_take(
    "numba.core.ir.FunctionIR",
    "(blocks, is_generator, identity, loc, definitions, arg_count, arg_names)",
    "_definitions", "arg_count", "arg_names", "blocks", "is_generator", "loc",
)  # fmt: skip


def definitions(function: Any, name: str) -> list[Any]:
    """All that a variable of Numba's representation of a function is set to."""
    return function._definitions[name]


def assign(function: Any, scope: Any, name: str, value: Any) -> Any:
    """A statement that sets a new variable of a function; it has yet to be put in."""
    variable = scope.redefine(name, value.loc)
    function._definitions[variable.name].append(value)
    return ir.Assign(value, variable, value.loc)


def parts_of_translation(function: Any) -> tuple[Any, ...]:
    """What Numba's representation of a function consists of, whosesoever it is."""
    return (
        function.blocks, function.is_generator, function.loc, function._definitions,
        function.arg_count, function.arg_names,
    )  # fmt: skip


def translation_of(identity: Any, parts: tuple[Any, ...]) -> Any:
    """The representation of a function that consists of these parts."""
    blocks, is_generator, *others = parts
    return ir.FunctionIR(blocks, is_generator, identity, *others)


def set_blocks(function: Any, blocks: Any) -> None:
    """Give a function other blocks, and find out anew what variables are set to."""
    function.blocks = blocks
    function._definitions = _build_definitions(blocks)


#: From that representation to LLVM's; a kernel's variables own nothing (`variables`).
NativeLowering = _take("numba.core.typed_passes.NativeLowering", "lowering_class")
Lower = _take(
    "numba.core.lowering.Lower", "_alloca_var(name, fetype)", "_singly_assigned_vars",
    "blocks", "builder", "context", "decref(typ, val)", "delvar(name)", "fndesc",
    "getvar(name)", "incref(typ, val)", "loadvar(name)", "loc",
    "lower_assign(ty, inst)", "lower_binop(resty, expr, op)", "lower_block(block)",
    "lower_function_body()", "lower_getitem(resty, expr, value, index, signature)",
    "lower_inst(inst)", "lower_setitem(target_var, index_var, value_var, signature)",
    "post_block(block)", "pre_block(block)", "storevar(value, name, argidx=)",
    "typeof(name)",
)  # fmt: skip


def has_place(lowering: Any, name: str) -> bool:
    """Whether a variable lives in memory, as it is set or read in several blocks."""
    return name not in lowering._singly_assigned_vars


def make_place(lowering: Any, name: str) -> Any:
    """Where in memory a variable lives."""
    lowering._alloca_var(name, lowering.typeof(name))
    return lowering.getvar(name)


#: How a function calls another, and how that has ended.
CPUCallConv = _take(
    "numba.core.callconv.CPUCallConv",
    "call_function(builder, callee, resty, argtys, args, attrs=)", "context",
    "get_return_type(typ)", "return_exc(builder)",
    "return_status_propagate(builder, status)",
    "return_user_exc(builder, exc, exc_args)",
)  # fmt: skip
CallStatus = _take(
    "numba.core.callconv.Status",
    "(code, is_ok, is_none, is_error, is_stop_iteration, is_python_exc, is_user_exc, "
    "excinfoptr)",
)  # fmt: skip
#: What a `try` begins with in Numba's representation.
mark_try_block = _take("numba.core.unsafe.eh.mark_try_block")
#: Held by whoever compiles, in Numba's code and in ours.
compiler_lock = _take(
    "numba.core.compiler_lock.global_compiler_lock", "acquire()", "release()"
)
#: The contexts that all functions for this processor are compiled in.
cpu_target = _take("numba.core.registry.cpu_target", "typing_context", "target_context")
CPUDispatcher = _take(
    "numba.core.registry.CPUDispatcher", "(function, targetoptions=, pipeline_class=)",
    "_compiler", "_compiling_counter", "add_overload(result)", "compile(sig)",
    "nopython_signatures", "overloads", "targetctx",
)  # fmt: skip
#: What a dispatcher's `_compiler` is: it puts the arguments of a call in order.
_take(
    "numba.core.dispatcher._FunctionCompiler", "compile(args, return_type)",
    "fold_argument_types(args, kws)",
)  # fmt: skip
CPUContext = _take(
    "numba.core.cpu.CPUContext", "_internal_codegen", "add_linking_libs(libs)",
    "call_conv", "cast(builder, value, given, wanted)", "codegen()",
    "compile_internal(builder, impl, sig, args)", "data_model_manager",
    "enable_boundscheck", "get_abi_sizeof(typ)", "get_arg_packer(argtypes)",
    "get_constant(typ, value)", "get_constant_generic(builder, typ, value)",
    "get_data_type(typ)", "get_dummy_value()",
    "get_function(function, sig, _firstcall=)", "get_getattr(typ, attr)",
    "get_python_api(builder)", "get_returned_value(builder, typ, value)",
    "get_setattr(attr, sig)", "get_value_type(typ)", "is_true(builder, typ, val)",
    "make_array(typ)", "make_constant_array(builder, typ, array)",
    "make_tuple(builder, typ, values)", "nrt",
    "pack_value(builder, typ, value, place, align=)", "pair_first(builder, val, ty)",
    "pair_second(builder, val, ty)", "refresh()", "subtarget(_internal_codegen=)",
    "typing_context", "unpack_value(builder, typ, place, align=)",
)  # fmt: skip

# -- machine code ----------------------------------------------------------------------

#: Numba links each function with all it calls, and optimises it; ours do it once (see
#: `libraries`).
JITCodeLibrary: Any = _take(
    "numba.core.codegen.JITCodeLibrary", "(codegen, name)", "_codegen",
    "_ensure_finalized()", "_final_module", "_finalize_final_module()", "_finalized",
    "_get_module_for_linking()", "_linking_libraries", "_optimize_final_module()",
    "_optimize_functions(module)", "_shared_module", "codegen",
    "enable_object_caching()", "finalize()", "get_pointer_to_function(name)",
    "has_dynamic_globals",
)  # fmt: skip
_CodeGenerator = _take(
    "numba.core.codegen.JITCPUCodegen", "(name)", "_engine",
    "_module_pass_manager(opt=)", "magic_tuple()", "set_env(name, environment)",
)  # fmt: skip
_take("numba.core.codegen.JitEngine", "is_symbol_defined(name)")
#: Tells LLVM of the functions with which machine code manages memory.
_runtime = _take("numba.core.runtime.rtsys", "initialize(context)")


def with_own_code_generator(context: Any, name: str) -> Any:
    """The same target, its machine code freed with what is loaded into it."""
    _runtime.initialize(context)
    return context.subtarget(_internal_codegen=_CodeGenerator(name))


#: The disk cache keeps what Numba's own would.
_CompileResult = _take(
    "numba.core.compiler.CompileResult",
    "_rebuild(target, library, descriptor, environment, sig, objects, lifted, "
    "annotation, init, environments)", "_reduce()",
    "_replace(type_annotation=, metadata=)", "entry_point", "fndesc", "library",
)  # fmt: skip
_take("numba.core.funcdesc.PythonFunctionDescriptor", "calltypes", "typemap")
dumps = _take("numba.core.serialize.dumps", "(value)")


def without_annotations(result: Any) -> Any:
    """The same without Numba's notes: 50,000 objects for the functions of a kernel."""
    result.fndesc.typemap = result.fndesc.calltypes = None
    return result._replace(type_annotation=None, metadata=None)


def parts_of(result: Any) -> Any:
    """What a compiled function is made of, for `dumps`."""
    return result._reduce()


def made_of(parts: Any, target: Any) -> Any:
    """The compiled function that is made of these parts."""
    result = _CompileResult._rebuild(target, *parts)
    result.library._shared_module = None  # never linked into others
    return result


#: Where Numba's dispatchers and intrinsics keep the Python function they stand for.
WRAPPED = ("py_func", "_defn")
_take("numba.extending._Intrinsic", "_defn")

#: What Numba calls where an array does not fit into a slice (see `slices`). Its module
#: is loaded by who compiles, so nothing is fetched of it; where it has another name,
#: compiling takes longer.
OTHER_SHAPE = Internal(
    "numba.np.arrayobj.raise_with_shape_context", ("(src_shapes, index_shape)",)
)

#: By their frames it is told why Numba fell over, and at which statement (`silence`,
#: `diagnose`): a function, and a variable of its own. Where one is gone, less is told.
FRAMES = {
    "numba.core.lowering:Lower.lower_inst": "inst",
    "numba.core.typeinfer:ConstraintNetwork.propagate": "constraint",
    "numba.core.types:Set.__init__": "",
    "numba.core.typing.npydecl:NumpyRulesInplaceArrayOperator.generic": "",
    "numba.np.arrayobj:array_to_array": "",
    "numba.np.arrayobj:fancy_getitem": "",
    "numba.np.arrayobj:fancy_setslice": "",
}

_names = [Internal(internal.path) for internal in INTERNALS]
check(numba.__version__, _names if numba.__version__ in TRIED else INTERNALS)
