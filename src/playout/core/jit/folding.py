"""Constant folding: what is known before typing is replaced by its value.

Numba would type every branch of a method before LLVM removes the dead ones. Here static
fields, members of an `IntEnum` and calls that always return the same are replaced by
their values in Numba's own representation first, so that `if self.rule == "renju":` is
decided before typing: what cannot run is neither typed nor compiled, and a field that
only exists for some parameters does no harm. A method that only says `return False`, as
most policies' hooks do, costs nothing.

A call is evaluated by following the function's representation along the branches whose
condition is known. Whatever may have an effect, or may fail, ends that: the call stays.
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
    front_end,
    ir,
    knows_global,
    register_pass,
)

__all__ = ["ConstantFolding", "constants_of", "forget_constants"]


@register_pass(mutates_CFG=False, analysis_only=False)
class ConstantFolding(FunctionPass):
    """Replace what is known by its value, and lists of constants by tuples."""

    _name = "playout_constant_folding"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        arguments = dict(zip(state.func_id.arg_names, state.args, strict=False))
        code = _Code(state.func_ir, arguments)
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
    if not isinstance(old, ir.Expr) or old.op not in _FOLDED:
        return None
    if old.op == "call" and (not reached or code.asks_for_truth(old)):
        return None
    found = code.evaluate(old)
    if isinstance(found, _Known) and type(found.value) in _FOLDED[old.op]:
        return ir.Const(found.value, loc=statement.loc)
    return None


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


#: What is folded, and the types of what may come of it.
_FOLDED: dict[str, tuple[type, ...]] = {
    "getattr": (bool, int, float, str),
    "unary": (bool,),
    "call": (bool, int, float, type(None)),
}
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
#: What instructions are called, in part, whose outcome is not looked into.
_UNKNOWN = ("BINARY", "BUILD", "COMPARE", "CONTAINS", "GET", "STORE_SUB", "UNPACK")
#: Functions that are being followed; whoever compiles has Numba's lock.
_under_way: set[FunctionType] = set()
#: What functions always return that were called.
_constants: dict[FunctionType, list[Any]] = {}


def constants_of(function: FunctionType) -> list[Any]:
    """What calls of a function were replaced by."""
    return _constants.get(function, [])


def forget_constants() -> None:
    """Follow functions anew when they are called again."""
    _constants.clear()
    _returned.cache_clear()


class _Effect(Exception):
    """What was met may do something, or fail."""


class _Code:
    """Numba's representation of a function, and what its arguments are.

    Args:
        function: the representation, before variables have been made static.
        arguments: of each by its name, the type.
    """

    def __init__(self, function: Any, arguments: dict[str, Any]) -> None:
        self._function = function
        self._arguments = arguments
        self._found: dict[str, _Meaning] = {}

    def reached(self) -> set[int]:
        """The labels of blocks that may be run, as far as conditions are known."""
        blocks = self._function.blocks
        met, waiting = set[int](), [min(blocks)]
        while waiting:
            label = waiting.pop()
            if label not in met:
                met.add(label)
                waiting += self._next(blocks[label].terminator)
        return met

    def asks_for_truth(self, call: Any) -> bool:
        """Whether it is a `bool(...)`, which Numba looks for where branches part."""
        called = self._variable(call.func)
        return isinstance(called, _Known) and called.value is bool

    def _next(self, terminator: Any) -> list[int]:
        """The blocks that may follow."""
        if isinstance(terminator, ir.Branch):
            condition = self._variable(terminator.cond)
            if isinstance(condition, _Known):
                return [terminator.truebr if condition.value else terminator.falsebr]
        return list(terminator.get_targets())

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
        return _Known(value.value)
    if not isinstance(value, ir.Expr):
        raise _Effect
    if value.op == "cast":
        return variable(value.value)
    if value.op == "getattr":
        return _attribute(variable(value.value), value.attr)
    if value.op == "unary" and value.fn is operator.not_:
        operand = variable(value.value)
        return _Known(not operand.value) if isinstance(operand, _Known) else None
    if value.op == "call" and not (value.kws or value.vararg):
        called, given = variable(value.func), [variable(one) for one in value.args]
        if isinstance(called, _Known) and called.value is bool and len(given) == 1:
            (one,) = given
            return _Known(bool(one.value)) if isinstance(one, _Known) else None
        return _call(called, given)
    raise _Effect


def _attribute(owner: _Meaning, name: str) -> _Meaning:
    if isinstance(owner, CompiledType):
        members = dict(owner.members)
        if name in members:
            member = members[name]
            return member if isinstance(member, CompiledType) else None
        value = owner.static_value(name)
        if value is not None:
            return _Known(value)
        getter = owner.source.getter(name)
        if getter is not None:
            return _call(_Method(owner, getter), [])
        function = owner.source.method(name)
        return None if function is None else _Method(owner, function)
    if not isinstance(owner, _Known):
        return None
    if isinstance(owner.value, IntEnum) and name == "value":
        return _Known(int(owner.value))
    if isinstance(owner.value, type) and issubclass(owner.value, IntEnum):
        member = owner.value.__members__.get(name)
        return None if member is None else _Known(int(member))
    if isinstance(owner.value, ModuleType):
        return _Known(getattr(owner.value, name, None))
    return None


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
    given = [one if isinstance(one, CompiledType) else None for one in arguments]
    found = _returned(function, tuple(given))
    if found is None:
        raise _Effect
    return found


@functools.lru_cache(maxsize=10_000)
def _returned(
    function: FunctionType, arguments: tuple[CompiledType | None, ...]
) -> _Known | None:
    """What a function returns, always and without any effect; None if not known."""
    code = function.__code__
    if code.co_kwonlyargcount or code.co_argcount != len(arguments):
        return None
    if function in _under_way or not _may_be_constant(code):
        return None
    if knows_global(cpu_target.typing_context, function):  # its Python says little
        return None
    _under_way.add(function)
    remember(function)
    try:
        named = dict(zip(code.co_varnames, arguments, strict=False))
        found = _followed(function, named)
    except _Effect:
        return None
    finally:
        _under_way.remove(function)
    if found is not None:
        _constants.setdefault(function, []).append(found.value)
    return found


@functools.lru_cache(maxsize=10_000)
def _may_be_constant(code: CodeType) -> bool:
    """Whether it is worth following: most code soon does what has no known outcome."""
    if len(code.co_code) > _LONGEST or code.co_flags & _SPECIAL:
        return False
    for instruction in dis.get_instructions(code):
        if "JUMP" in instruction.opname:
            return True
        if instruction.opname.startswith(_UNKNOWN):
            return False
    return True


def _followed(function: FunctionType, arguments: dict[str, Any]) -> _Known | None:
    """What is returned, statement by statement.

    Raises:
        _Effect: a statement may do something, or fail.
    """
    try:
        blocks = front_end(function).blocks
    except Exception:  # what is wrong with it is told when it is compiled
        return None
    values: dict[str, _Meaning] = {}

    def variable(one: Any) -> _Meaning:
        return values.get(one.name)

    label, met = min(blocks), set[int]()
    while label not in met:
        met.add(label)
        for statement in blocks[label].body:
            if isinstance(statement, ir.Assign):
                value = _evaluate(statement.value, variable, arguments)
                values[statement.target.name] = value
            elif not isinstance(statement, (ir.Del, ir.Jump, ir.Branch, ir.Return)):
                return None
        end = blocks[label].terminator
        if isinstance(end, ir.Jump):
            label = end.target
            continue
        if isinstance(end, ir.Branch):
            condition = variable(end.cond)
            if not isinstance(condition, _Known):
                return None
            label = end.truebr if condition.value else end.falsebr
            continue
        found = variable(end.value)
        return found if isinstance(found, _Known) and _is_plain(found.value) else None
    return None  # round and round


def _is_plain(value: Any) -> bool:
    """Whether it is a number of 64 bits or nothing."""
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return value is None or type(value) in (bool, float)
