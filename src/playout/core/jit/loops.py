"""`for i in range(n)`, written as what it is: count up from a number to another.

Numba's range also counts down, in any step, and tells how many steps are left: a
hundred of LLVM's instructions for each loop, of which it removes most again. Where a
loop goes through a range from its start, or from another number, upwards by one, the
range is of a type that can do nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from llvmlite.ir import Constant, LiteralStructType, Undefined
from numba import types
from numba.extending import lower_builtin, models, register_model

from .internals import (
    AbstractTemplate,
    FunctionPass,
    SimpleIterableType,
    SimpleIteratorType,
    definitions,
    infer_global,
    ir,
    register_pass,
    signature,
)

__all__ = ["CountedLoops", "steps"]

_NUMBER = types.int64


def steps(*limits: int) -> range:
    """The range that a loop goes through; compiled, nothing else can be done with it.

    >>> list(steps(2, 5))
    [2, 3, 4]
    """
    return range(*limits)


# -- where a range is nothing else -----------------------------------------------------


@register_pass(mutates_CFG=False, analysis_only=False)
class CountedLoops(FunctionPass):
    """Has loops go through `steps` where they go through `range`."""

    _name = "playout_counted_loops"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        found = [
            read
            for block in state.func_ir.blocks.values()
            for read in _reads(state.func_ir, block)
        ]
        for statement in found:
            known = definitions(state.func_ir, statement.target.name)
            old, loc = statement.value, statement.loc
            statement.value = ir.Global(steps.__name__, steps, loc)
            known[known.index(old)] = statement.value
        return bool(found)


def _reads(func_ir: Any, block: Any) -> Iterator[Any]:
    """The statements of a block that read `range` for nothing but a loop.

    What is called is looped through in the next statement, so that no other has it.
    """
    body = block.body
    reads = {
        statement.target.name: statement
        for statement in block.find_insts(ir.Assign)
        if isinstance(statement.value, ir.Global) and statement.value.value is range
    }
    for call, following in pairwise(body):
        if not _is(following, "getiter") or not _is(call, "call"):
            continue
        made, name = call.target, call.value.func.name
        if (
            following.value.value.name == made.name
            and made.is_temp
            and not (call.value.kws or call.value.vararg or call.value.varkwarg)
            and len(call.value.args) in (1, 2)
            and name in reads
            and len(definitions(func_ir, name)) == 1
        ):
            yield reads[name]


def _is(statement: Any, op: str) -> bool:
    """Whether a variable is set to an expression of some kind."""
    value = getattr(statement, "value", None)
    return isinstance(statement, ir.Assign) and getattr(value, "op", None) == op


# -- compiled --------------------------------------------------------------------------


class _Iterator(SimpleIteratorType):
    """The type of the loop: where its next number stands, and the first that is not."""

    def __init__(self) -> None:
        super().__init__("playout_steps_iterator", _NUMBER)


class _Steps(SimpleIterableType):
    """The type of the range: its first number, and the first that is not in it."""

    def __init__(self) -> None:
        super().__init__("playout_steps", _Iterator())


@register_model(_Steps)
class _StepsModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: _Steps) -> None:
        super().__init__(dmm, fe_type, [("next", _NUMBER), ("stop", _NUMBER)])


@register_model(_Iterator)
class _IteratorModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: _Iterator) -> None:
        members = [("next", types.EphemeralPointer(_NUMBER)), ("stop", _NUMBER)]
        super().__init__(dmm, fe_type, members)


@infer_global(steps)
class _OfSteps(AbstractTemplate):
    """What does not fit into 64 bits with a sign goes through Numba's ranges."""

    key = steps
    function: Any = None

    def generic(self, args: Any, kws: Any) -> Any:
        if all(map(_fits, args)):
            return signature(_Steps(), *(_NUMBER for _ in args))
        self.function = self.context.resolve_value_type(range)
        return self.function.get_call_type(self.context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        return self.function.get_impl_key(sig) if self.function else steps


def _fits(typ: types.Type) -> bool:
    """Whether the values of a type are whole numbers of at most 64 bits with a sign."""
    return isinstance(typ, types.Integer) and (typ.signed or typ.bitwidth < 64)


def _struct(builder: Any, first: Any, second: Any) -> Any:
    """A value of two."""
    empty = Constant(LiteralStructType([first.type, second.type]), Undefined)
    return builder.insert_value(builder.insert_value(empty, first, 0), second, 1)


@lower_builtin(steps, _NUMBER)
def _lower_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _struct(builder, context.get_constant(_NUMBER, 0), *args)


@lower_builtin(steps, _NUMBER, _NUMBER)
def _lower_from_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _struct(builder, *args)


@lower_builtin("getiter", _Steps)
def _lower_start(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    first, stop = (builder.extract_value(args[0], position) for position in (0, 1))
    with builder.goto_entry_block():
        place = builder.alloca(first.type)
    builder.store(first, place)
    return _struct(builder, place, stop)


@lower_builtin("iternext", _Iterator)
def _lower_step(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, stop = (builder.extract_value(args[0], position) for position in (0, 1))
    number = builder.load(place)
    is_left = builder.icmp_signed("<", number, stop)
    after = builder.add(number, number.type(1), flags=["nsw"])
    builder.store(after, place)
    return _struct(builder, number, is_left)
