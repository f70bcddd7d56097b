"""Constant folding: what is known before typing is replaced by its value.

Numba would type every branch of a method before LLVM removes the dead ones. Here static
fields, members of an `IntEnum` and calls that always return the same are replaced by
their values in Numba's own representation first, so that `if self.rule == "renju":` is
decided before typing: what cannot run is neither typed nor compiled, and a field that
only exists for some parameters does no harm. A method that only says `return False`, as
most policies' hooks do, costs nothing.

A call is evaluated by following the function's representation along the branches whose
condition is known. Whatever may have an effect, or may fail, ends that: the call stays.
Numbers given to it are not followed: Numba compiles a function for types, too.
"""

from __future__ import annotations

import dis
import functools
import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .compiled import CompiledType, frozen
from .edits import remember
from .internals import (
    FunctionPass,
    cpu_target,
    definitions,
    global_type,
    ir,
    register_pass,
)
from .translation import blocks_of

__all__ = ["ConstantFolding", "constants_of", "forget_constants"]


#: What is folded, and the types of what may come of it.
_FOLDED: dict[str, tuple[type, ...]] = {
    "getattr": (bool, int, float, str),
    "unary": (bool,),
    "call": (bool, int, float, type(None)),
}


@register_pass(mutates_CFG=False, analysis_only=False)
class ConstantFolding(FunctionPass):
    """Replace what is known by its value, and lists of constants by tuples."""

    _name = "playout_constant_folding"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        arguments = dict(zip(state.func_id.arg_names, state.args, strict=False))
        code = _Code(state.func_ir, arguments, bool(state.flags.boundscheck))
        reached = code.reached()
        found = [  # first all, as one is told by what others are before
            (statement, constant)
            for label, block in state.func_ir.blocks.items()
            for statement in block.find_insts(ir.Assign)
            if (constant := _constant(code, statement, label in reached)) is not None
        ]
        for statement, constant in found:
            known = definitions(state.func_ir, statement.target.name)
            known[known.index(statement.value)] = constant
            statement.value = constant
        return bool(found)


def _constant(code: _Code, statement: Any, reached: bool) -> Any:
    """What stands for the right side of an assignment; None if it may stay."""
    old = statement.value
    if isinstance(old, (ir.Global, ir.FreeVar)) and isinstance(old.value, list):
        return ir.Global(old.name, frozen(old.value), statement.loc)
    if not (reached and isinstance(old, ir.Expr) and old.op in _FOLDED):
        return None  # what cannot run may not even be there, or take long to find out
    found = code.evaluate(old)
    if not isinstance(found, _Known) or code.is_left(old, found.value):
        return None
    value = _number(found.value)
    return ir.Const(value, statement.loc) if type(value) in _FOLDED[old.op] else None


def _number(value: Any) -> Any:
    """A member of an `IntEnum` as a number, anything else as it is."""
    return int(value) if isinstance(value, IntEnum) else value


# -- what is known ---------------------------------------------------------------------


@dataclass(frozen=True)
class _Known:
    """A value."""

    value: Any


@dataclass(frozen=True)
class _Method:
    """A method of an instance of a type."""

    owner: CompiledType
    function: FunctionType


#: A value, a method, the type of an instance; None of anything else.
_Meaning = _Known | _Method | CompiledType | None


class _Effect(Exception):
    """What was met may do something, or fail."""


class _Code:
    """Numba's representation of a function, and what its arguments are.

    Args:
        function: the representation, before variables have been made static.
        arguments: of each by its name, the type.
        checked: whether indices are looked at by `CheckedUse`, later.
    """

    def __init__(self, function: Any, arguments: dict[str, Any], checked: bool) -> None:
        self._function = function
        self._arguments = arguments
        self._checked = checked
        self._found: dict[str, _Meaning] = {}

    def reached(self) -> set[int]:
        """The labels of blocks that may be run, as far as conditions are known."""
        blocks = self._function.blocks
        met, waiting = set[int](), [min(blocks)]
        while waiting:
            label = waiting.pop()
            if label not in met:
                met.add(label)
                waiting += _following(blocks[label].terminator, self._variable)
        return met

    def is_left(self, expression: Any, value: Any) -> bool:
        """Whether a call stays although it is known what it returns.

        Numba looks for `bool(...)` where branches part. And an index below 0 is an
        error where it was computed, but not where it was written as a constant.
        """
        if expression.op != "call":
            return False
        if self._checked and type(value) is int and value < 0:
            return True
        return _is_bool(self._variable(expression.func))

    def _variable(self, variable: Any) -> _Meaning:
        """What a variable is that is set once."""
        name = variable.name
        if name not in self._found:
            self._found[name] = None  # of one that is set by way of itself
            known = definitions(self._function, name)
            if len(known) == 1:
                self._found[name] = self.evaluate(known[0])
        return self._found[name]

    def evaluate(self, value: Any) -> _Meaning:
        """What the right side of an assignment is."""
        try:
            return _evaluate(value, self._variable, self._arguments)
        except _Effect:
            return None


def _following(terminator: Any, variable: Callable[[Any], _Meaning]) -> list[int]:
    """The labels of the blocks that may follow a block."""
    if isinstance(terminator, ir.Branch):
        condition = variable(terminator.cond)
        if isinstance(condition, _Known):
            return [terminator.truebr if condition.value else terminator.falsebr]
    return list(terminator.get_targets())


def _evaluate(
    value: Any, variable: Callable[[Any], _Meaning], arguments: dict[str, Any]
) -> _Meaning:
    """What the right side of an assignment is.

    Raises:
        _Effect: it may do something besides, or fail.
    """
    if isinstance(value, ir.Var):
        return variable(value)
    if isinstance(value, ir.Arg):
        typ = arguments.get(value.name)
        return typ if isinstance(typ, CompiledType) else None
    if isinstance(value, (ir.Const, ir.Global, ir.FreeVar)):
        if value.value is ir.UNDEFINED:  # a name that is nowhere
            raise _Effect
        return _Known(value.value)
    op = getattr(value, "op", None)
    if op == "cast":
        return variable(value.value)
    if op == "getattr":
        return _attribute(variable(value.value), value.attr)
    if op == "unary" and value.fn is operator.not_:
        return _Known(not _truth(variable(value.value)))
    if op == "call" and not (value.kws or value.vararg):
        called, given = variable(value.func), [variable(one) for one in value.args]
        if _is_bool(called) and len(given) == 1:
            return _Known(_truth(given[0]))
        return _call(called, given)
    raise _Effect


def _is_bool(called: _Meaning) -> bool:
    return isinstance(called, _Known) and called.value is bool


def _truth(operand: _Meaning) -> bool:
    if not isinstance(operand, _Known):
        raise _Effect
    return bool(operand.value)


def _attribute(owner: _Meaning, name: str) -> _Meaning:
    if isinstance(owner, CompiledType):
        return _part(owner, name)
    value = owner.value if isinstance(owner, _Known) else None
    if isinstance(value, IntEnum) and name == "value":
        return _Known(int(value))
    enumeration = isinstance(value, type) and issubclass(value, IntEnum)
    if enumeration and name in value.__members__:
        return _Known(value.__members__[name])
    if isinstance(value, ModuleType) and name in vars(value):
        return _Known(vars(value)[name])
    raise _Effect


def _part(owner: CompiledType, name: str) -> _Meaning:
    """An attribute of an instance of a type."""
    for member, typ in owner.members:
        if member == name:
            return typ if isinstance(typ, CompiledType) else None
    value = owner.static_value(name)
    if value is not None:
        return _Known(value)
    getter, function = owner.source.getter(name), owner.source.method(name)
    if getter is not None:
        return _call(_Method(owner, getter), [])
    if function is not None:
        return _Method(owner, function)
    raise _Effect


# -- calls -----------------------------------------------------------------------------

#: Bytes of a function's code that is worth looking into.
_LONGEST = 300
#: Flags of code with `*args` or `**kwargs`, and of generators.
_SPECIAL = (
    inspect.CO_VARARGS
    | inspect.CO_VARKEYWORDS
    | inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
)
#: How the names of instructions begin whose outcome is not looked into.
_OPAQUE = ("BINARY", "BUILD", "COMPARE", "CONTAINS", "GET", "STORE_SUB", "UNPACK")
#: Functions that are being followed; whoever compiles has Numba's lock.
_under_way: set[FunctionType] = set()
#: What functions always return that were called, for the types of their arguments.
_constants: dict[FunctionType, dict[tuple[CompiledType | None, ...], Any]] = {}


def constants_of(function: FunctionType) -> dict[tuple[CompiledType | None, ...], Any]:
    """What calls of a function were replaced by, for the types of its arguments."""
    return _constants.get(function, {})


def forget_constants() -> None:
    """Follow functions anew when they are called again."""
    _constants.clear()
    _returned.cache_clear()
    _blocks_of.cache_clear()


def _call(called: _Meaning, arguments: list[_Meaning]) -> _Known:
    """What a call returns.

    Raises:
        _Effect: it is not known.
    """
    if isinstance(called, _Method):
        function, arguments = called.function, [called.owner, *arguments]
    elif isinstance(called, _Known) and isinstance(called.value, FunctionType):
        function = called.value
    else:
        raise _Effect
    types = [one if isinstance(one, CompiledType) else None for one in arguments]
    found = _returned(function, tuple(types))
    if found is None:
        raise _Effect
    return found


@functools.lru_cache(maxsize=10_000)
def _returned(
    function: FunctionType, arguments: tuple[CompiledType | None, ...]
) -> _Known | None:
    """What a function returns, always and without any effect; None if not known.

    Nothing is known of one that is being followed, nor of what depends on it.
    """
    code = function.__code__
    if code.co_kwonlyargcount or code.co_argcount != len(arguments):
        return None
    if function in _under_way or not _may_be_constant(code):
        return None
    if global_type(cpu_target.typing_context, function):  # its Python says little
        return None
    _under_way.add(function)
    try:
        remember(function)
        found = _followed(
            function, dict(zip(code.co_varnames, arguments, strict=False))
        )
    except _Effect:
        return None
    finally:
        _under_way.remove(function)
    if found is not None:
        _constants.setdefault(function, {})[arguments] = found.value
    return found


@functools.lru_cache(maxsize=10_000)
def _may_be_constant(code: CodeType) -> bool:
    """Whether code is worth following: is nothing opaque before its first branch?"""
    if len(code.co_code) > _LONGEST or code.co_flags & _SPECIAL:
        return False
    for instruction in dis.get_instructions(code):
        if "JUMP" in instruction.opname:
            return True
        if instruction.opname.startswith(_OPAQUE):
            return False
    return True


@functools.lru_cache(maxsize=1000)
def _blocks_of(function: FunctionType) -> dict[int, Any]:
    """The blocks of a function, for whatever arguments; nobody changes them."""
    return blocks_of(function)


def _followed(function: FunctionType, arguments: dict[str, Any]) -> _Known | None:
    """What is returned, statement by statement; None if it is not known.

    Raises:
        _Effect: a statement may do something, or fail.
    """
    try:
        blocks = _blocks_of(function)
    except Exception:  # what is wrong with it is told when it is compiled
        return None
    values: dict[str, _Meaning] = {}

    def variable(one: Any) -> _Meaning:
        if one.name not in values:  # not set yet
            raise _Effect
        return values[one.name]

    following, met = [min(blocks)], set[int]()
    while len(following) == 1 and following[0] not in met:
        met.add(following[0])
        *statements, end = blocks[following[0]].body
        for statement in statements:
            if not isinstance(statement, ir.Assign):
                return None
            value = _evaluate(statement.value, variable, arguments)
            values[statement.target.name] = value
        if isinstance(end, ir.Return):
            found = variable(end.value)
            return _plain(found.value) if isinstance(found, _Known) else None
        following = _following(end, variable)
    return None  # it depends, or goes round and round


def _plain(value: Any) -> _Known | None:
    """A number of 64 bits or nothing; None for anything else."""
    value = _number(value)
    if type(value) is int and not -(2**63) <= value < 2**63:
        return None
    return _Known(value) if value is None or type(value) in (bool, int, float) else None
