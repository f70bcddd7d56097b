"""What the checked build tests besides Numba's bounds: negative indices, and widths.

An index below 0 counts from the end, which rules seldom mean where they compute it. A
number that does not fit its field wraps around, and a fraction in a field of integers
is cut off. None of it is an error in Python or in Numba, so a pass inserts a check
before every index and every assignment of checked rules. A check that fails raises a
`RuleFault`, with the function and the line.

Code that is not compiled checked has none of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir as llvm
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin

from .internals import (
    AbstractTemplate,
    FunctionPass,
    assign,
    definitions,
    infer_global,
    ir,
    register_pass,
    signature,
)

__all__ = ["CheckedUse", "CodeLine", "RuleFault"]


class RuleFault(Exception):
    """Raised by checked rules: what is wrong, and the text of a `CodeLine`."""

    @property
    def what(self) -> str:
        return str(self.args[0])

    @property
    def place(self) -> CodeLine:
        return CodeLine.of_text(self.args[1])


class CodeLine(NamedTuple):
    """A line of a function, as compiled code can keep it.

    Code is compiled once and loaded for as long as its bytes are the same, while
    functions and lines move. So a line is told by its number among the lines of the
    function that have code.

    Attributes:
        function: its qualified name.
        number: of the line, from 0.
    """

    function: str
    number: int

    @classmethod
    def of_line(cls, function: FunctionType, line: int) -> CodeLine:
        """The place of a line, as numbered in the file."""
        before = [other for other in _lines(function.__code__) if other < line]
        return cls(function.__qualname__, len(before))

    @classmethod
    def of_text(cls, text: str) -> CodeLine:
        """The reverse of `str`."""
        function, _, number = text.rpartition(":")
        return cls(function, int(number))

    def line_in(self, function: FunctionType) -> int:
        """The line's number in the file, by where the function stands now."""
        lines = _lines(function.__code__)
        return lines[min(self.number, len(lines) - 1)]

    def __str__(self) -> str:
        return f"{self.function}:{self.number}"


def _lines(code: CodeType) -> list[int]:
    """Lines with code, those of functions within it too."""
    lines = {line for *_, line in code.co_lines() if line}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            lines.update(_lines(constant))
    return sorted(lines)


# -- the pass --------------------------------------------------------------------------

#: Rooms whose code is trusted.
_TRUSTED = frozenset({"playout", "numba", "numpy"})


@register_pass(mutates_CFG=False, analysis_only=False)
class CheckedUse(FunctionPass):
    """Inserts the checks into rules that are compiled checked."""

    _name = "playout_checked_use"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        function = state.func_id.func
        trusted = (function.__module__ or "").partition(".")[0] in _TRUSTED
        if trusted or not state.flags.boundscheck:
            return False
        asking = _Asking(function, state.func_ir)
        for block in state.func_ir.blocks.values():
            block.body = [
                written
                for statement in block.body
                for written in (*asking.before(statement, block.scope), statement)
            ]
        return True


class _Asking:
    """Makes the checks of one function."""

    def __init__(self, function: FunctionType, func_ir: Any) -> None:
        self.function, self.func_ir = function, func_ir

    def before(self, statement: Any, scope: Any) -> Iterator[Any]:
        """The statements to insert before one, most often none."""
        value = getattr(statement, "value", None)
        if isinstance(statement, ir.SetItem):
            yield from self._place(statement.target, statement, scope)
            name = self._name_of(statement.target)
            yield from self._call(
                expect_fit, [statement.target, value], name, statement.loc, scope
            )
        elif isinstance(statement, ir.SetAttr):
            yield from self._call(
                expect_fit,
                [statement.target, value],
                statement.attr,
                statement.loc,
                scope,
            )
        elif getattr(value, "op", None) == "getitem":
            yield from self._place(value.value, value, scope)

    def _place(self, array: Any, use: Any, scope: Any) -> Iterator[Any]:
        computed = self._computed(use.index)
        if "1" in computed:
            yield from self._call(
                expect_place, [array, use.index], computed, use.loc, scope
            )

    def _computed(self, index: Any) -> str:
        """Which of an index's items are computed ("1"), and which written there."""
        found = self._definition(index)
        if getattr(found, "op", None) == "build_tuple":
            return "".join("01"[self._is_computed(item)] for item in found.items)
        return "01"[self._is_computed(index)]

    def _is_computed(self, number: Any) -> bool:
        """Not a constant, and not `-something`, which is negative on purpose."""
        found = self._definition(number)
        if isinstance(found, (ir.Const, ir.Global, ir.FreeVar)):
            return False
        return not (getattr(found, "op", None) == "unary" and _is_minus(found.fn))

    def _definition(self, variable: Any) -> Any:
        """What a variable is set to, if there is but one thing; else None."""
        known = definitions(self.func_ir, variable.name)
        if len(known) != 1:
            return None
        if isinstance(known[0], ir.Var):
            return self._definition(known[0])
        return known[0]

    def _name_of(self, array: Any) -> str:
        """The field of a state that an array is, or nothing."""
        found = self._definition(array)
        if getattr(found, "op", None) == "getattr":
            return str(found.attr)
        inner = getattr(found, "op", None) in ("getitem", "static_getitem")
        return self._name_of(found.value) if inner else ""

    def _call(
        self, function: Any, arguments: list[Any], word: str, loc: Any, scope: Any
    ) -> Iterator[Any]:
        """A call with two constants more: a word, and the place."""
        place = str(CodeLine.of_line(self.function, loc.line))
        callee = ir.Global(function.__name__, function, loc)
        made = []
        for value in (callee, ir.Const(word, loc), ir.Const(place, loc)):
            assignment = assign(self.func_ir, scope, "$asked", value)
            made.append(assignment.target)
            yield assignment
        call = ir.Expr.call(made[0], (*arguments, *made[1:]), (), loc)
        yield assign(self.func_ir, scope, "$asked", call)


def _is_minus(function: Any) -> bool:
    return getattr(function, "__name__", function) in ("neg", "-")


# -- the checks ------------------------------------------------------------------------

_NEGATIVE = (
    "a computed index is below 0, where it would count from the end; test it first, or "
    "write % len(...) where that is meant"
)


def expect_place(array: Any, index: Any, computed: str, place: str) -> None:
    """Complain if an index was computed and is below 0."""


def expect_fit(target: Any, value: Any, name: str, place: str) -> None:
    """Complain if a value does not fit an array, or the field of that name."""


class _CheckedCall(AbstractTemplate):
    """Takes any arguments; the last two are known while compiling."""

    prefer_literal = True

    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.none, *args)


infer_global(expect_place)(type("_ExpectPlace", (_CheckedCall,), {}))
infer_global(expect_fit)(type("_ExpectFit", (_CheckedCall,), {}))


@lower_builtin(expect_place, types.Any, types.Any, types.Any, types.Any)
def _lower_expect_place(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    array, index, computed, place = sig.args
    if isinstance(array, (types.Array, types.BaseTuple, types.List)):
        whole = isinstance(index, types.BaseTuple)
        kinds = tuple(index) if whole else (index,)
        items = cgutils.unpack_tuple(builder, args[1]) if whole else [args[1]]
        for number, (kind, item) in enumerate(zip(kinds, items, strict=True)):
            asked = computed.literal_value[min(number, len(computed.literal_value) - 1)]
            if asked == "1" and isinstance(kind, types.Integer) and kind.signed:
                below = builder.icmp_signed("<", item, item.type(0))
                _complain(context, builder, below, _NEGATIVE, place)
    return context.get_dummy_value()


@lower_builtin(expect_fit, types.Any, types.Any, types.Any, types.Any)
def _lower_expect_fit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    target, kind, name, place = sig.args
    field = name.literal_value
    number = _held(target, field)
    where = f"the field {field!r}" if field else f"an array of {number}"
    there = " in state_dtype()" * bool(field)
    if isinstance(number, types.Integer) and number.bitwidth < 64:
        outside = _outside(context, builder, number, kind, args[1])
        if outside is not None:
            what = (
                f"a number does not fit {where}, which holds {number.minval} to "
                f"{number.maxval}; give it a wider type{there}"
            )
            _complain(context, builder, outside, what, place)
    if isinstance(number, types.Integer):
        fraction = _has_fraction(context, builder, kind, args[1])
        if fraction is not None:
            what = (
                f"{where} holds whole numbers, so that a fraction is cut off: write "
                f"int(...) or // where that is meant, or give it a float type{there}"
            )
            _complain(context, builder, fraction, what, place)
    return context.get_dummy_value()


def _held(target: Any, name: str) -> Any:
    """The type of number that is written to; None if this is nothing of the kind."""
    if isinstance(target, types.Record):
        target = target.typeof(name) if name in target.fields else None
    return getattr(target, "dtype", target)


def _outside(context: Any, builder: Any, number: Any, kind: Any, value: Any) -> Any:
    """Whether a value lies outside a type's range; None if it cannot."""
    if isinstance(kind, types.Array):
        return _any_outside(context, builder, number, kind, value)
    if isinstance(kind, types.Float):
        low = builder.fcmp_unordered("<=", value, value.type(number.minval - 1.0))
        high = builder.fcmp_unordered(">=", value, value.type(number.maxval + 1.0))
        return builder.or_(low, high)
    fits = not isinstance(kind, types.Integer) or (
        kind.minval >= number.minval and kind.maxval <= number.maxval
    )
    if fits:
        return None
    if not kind.signed:
        most = value.type(number.maxval)
        return builder.icmp_unsigned(">", value, most)
    wide = context.cast(builder, value, kind, types.int64)
    least, most = (llvm.IntType(64)(n) for n in (number.minval, number.maxval))
    low = builder.icmp_signed("<", wide, least)
    return builder.or_(low, builder.icmp_signed(">", wide, most))


def _any_outside(context: Any, builder: Any, number: Any, kind: Any, value: Any) -> Any:
    if not isinstance(kind.dtype, (types.Integer, types.Float)) or kind.dtype == number:
        return None
    least, most = number.minval, number.maxval

    def any_outside(values: Any) -> bool:
        for item in values.flat:
            if not least - 1 < item < most + 1:
                return True
        return False

    sig = signature(types.boolean, kind)
    return context.compile_internal(builder, any_outside, sig, (value,))


def _has_fraction(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Whether a number, or one of an array, is not whole; None if all are."""

    def is_cut(number: Any) -> bool:
        return bool(number != np.floor(number))

    def any_is_cut(values: Any) -> bool:
        for item in values.flat:
            if item != np.floor(item):
                return True
        return False

    if not isinstance(getattr(kind, "dtype", kind), types.Float):
        return None
    function = any_is_cut if isinstance(kind, types.Array) else is_cut
    sig = signature(types.boolean, kind)
    return context.compile_internal(builder, function, sig, (value,))


def _complain(
    context: Any, builder: Any, when: Any, what: str, place: types.StringLiteral
) -> None:
    with builder.if_then(when, likely=False):
        context.call_conv.return_user_exc(
            builder, RuleFault, (what, place.literal_value)
        )
