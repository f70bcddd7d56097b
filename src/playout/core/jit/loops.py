"""`for i in range(n)`, written as what it is: count up from a number to another.

Numba's range also counts down, in any step, and tells how many steps are left: a
hundred of LLVM's instructions for each loop, of which it removes most again. Where a
loop goes through a range from its start, or from another number, upwards by one, the
range is of a type that can do nothing else.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model

from .internals import (
    AbstractTemplate,
    FunctionPass,
    SimpleIterableType,
    SimpleIteratorType,
    assign,
    definitions,
    ir,
    register_pass,
    signature,
)

__all__ = ["TEMPLATES", "CountedLoops", "steps"]


def steps(*limits: int) -> range:
    """The range that a loop goes through; compiled, nothing else can be done with it.

    >>> list(steps(2, 5))
    [2, 3, 4]
    """
    return range(*limits)


# What cannot be looped through is told in the word that was written.
steps.__name__ = steps.__qualname__ = "range"


# -- where a range is nothing else -----------------------------------------------------


@register_pass(mutates_CFG=False, analysis_only=False)
class CountedLoops(FunctionPass):
    """Has loops go through `steps` where they go through `range`."""

    _name = "playout_counted_loops"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        mutated = False
        for block in state.func_ir.blocks.values():
            for call in _calls(state.func_ir, block):
                known = ir.Global("steps", steps, call.loc)
                assignment = assign(state.func_ir, block.scope, "$steps", known)
                block.prepend(assignment)
                call.func = assignment.target
                mutated = True
        return mutated


def _calls(func_ir: Any, block: Any) -> list[Any]:
    """The calls of `range` in a block whose result is for nothing but a loop.

    The next statement goes through it, and it has no name by which another could.
    """
    return [
        made.value
        for made, following in pairwise(block.body)
        if _is(made, "call")
        and _is(following, "getiter")
        and following.value.value.name == made.target.name
        and made.target.is_temp
        and not (made.value.kws or made.value.vararg or made.value.varkwarg)
        and len(made.value.args) in (1, 2)
        and _is_range(definitions(func_ir, made.value.func.name))
    ]


def _is(statement: Any, op: str) -> bool:
    """Whether a variable is set to an expression of some kind."""
    value = getattr(statement, "value", None)
    return isinstance(statement, ir.Assign) and getattr(value, "op", None) == op


def _is_range(known: list[Any]) -> bool:
    """Whether a variable that is set to this is `range` and nothing else."""
    return [getattr(value, "value", None) for value in known] == [range]


# -- compiled --------------------------------------------------------------------------


class _Counted:
    """What the types of a range and of its loop have in common."""

    def __init__(self, name: str, number: types.Integer) -> None:
        self.number = number
        super().__init__(f"{name}({number})", self._next())

    def _next(self) -> types.Type:
        """What comes of it when it is gone through."""
        raise NotImplementedError

    def unify(self, typingctx: Any, other: Any) -> types.Type | None:
        """The type where a limit turns out to be of another type than at first."""
        if type(other) is not type(self):
            return None
        number = typingctx.unify_types(self.number, other.number)
        return type(self)(number) if isinstance(number, types.Integer) else None


class _Iterator(_Counted, SimpleIteratorType):
    """The type of the loop: where its next number stands, and the first that is not."""

    def __init__(self, number: types.Integer) -> None:
        super().__init__("playout_steps_iterator", number)

    def _next(self) -> types.Type:
        return self.number


class _Steps(_Counted, SimpleIterableType):
    """The type of the range: its first number, and the first that is not in it."""

    def __init__(self, number: types.Integer) -> None:
        super().__init__("playout_steps", number)

    def _next(self) -> types.Type:
        return _Iterator(self.number)


@register_model(_Steps)
class _StepsModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: _Steps) -> None:
        members = [("next", fe_type.number), ("stop", fe_type.number)]
        super().__init__(dmm, fe_type, members)


@register_model(_Iterator)
class _IteratorModel(models.StructModel):
    def __init__(self, dmm: Any, fe_type: _Iterator) -> None:
        place = types.EphemeralPointer(fe_type.number)
        members = [("next", place), ("stop", fe_type.number)]
        super().__init__(dmm, fe_type, members)


class _OfSteps(AbstractTemplate):
    """Takes the limits that Numba's range takes, and has numbers of the same type."""

    key = steps

    def generic(self, args: Any, kws: Any) -> Any:
        function = self.context.resolve_value_type(range)
        found = function.get_call_type(self.context, args, kws)
        return signature(_Steps(found.return_type.dtype), *found.args)


TEMPLATES = (_OfSteps,)


@lower_builtin(steps, types.Integer)
def _lower_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.pack_struct(builder, (args[0].type(0), *args))


@lower_builtin(steps, types.Integer, types.Integer)
def _lower_from_to(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return cgutils.pack_struct(builder, args)


@lower_builtin("getiter", _Steps)
def _lower_start(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    first, stop = cgutils.unpack_tuple(builder, args[0])
    with builder.goto_entry_block():
        place = builder.alloca(first.type)
    builder.store(first, place)
    return cgutils.pack_struct(builder, (place, stop))


@lower_builtin("iternext", _Iterator)
def _lower_step(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    place, stop = cgutils.unpack_tuple(builder, args[0])
    number = builder.load(place)
    is_signed = sig.args[0].number.signed
    compare = builder.icmp_signed if is_signed else builder.icmp_unsigned
    is_left = compare("<", number, stop)
    flags = ["nsw" if is_signed else "nuw"]
    builder.store(builder.add(number, number.type(1), flags=flags), place)
    return cgutils.pack_struct(builder, (number, is_left))
