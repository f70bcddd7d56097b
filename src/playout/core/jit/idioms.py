"""Idioms that Numba lacks: `not` of a list, `any`, `all`, `@` of whole numbers.

Kernels alone know them. Numba asks a template which types a function takes; in a kernel
those here are asked before Numba's own (see `contexts`), and what is compiled elsewhere
in the process never meets them.

Operators are resolved once more when their code is generated, by what the whole process
knows. So `not a` and `a @ b` become calls of `operator.not_` and `operator.matmul`,
which are not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import types
from numba.extending import lower_builtin, overload

from .internals import (
    AbstractTemplate,
    FunctionPass,
    assign,
    definitions,
    ir,
    register_pass,
    signature,
)

__all__ = ["CONTAINERS", "TEMPLATES", "OperatorCalls", "method_of_array"]

#: What is false when it is empty.
CONTAINERS = (types.List, types.Set, types.DictType, types.BaseTuple)
_WHOLE = (types.Integer, types.Boolean)


# -- what they are ---------------------------------------------------------------------


def is_empty(container: Any) -> bool:
    """`not container`."""
    return not container


@overload(is_empty, strict=False)
def _is_empty(container: Any) -> Any:
    return lambda container: len(container) == 0


def any_of(values: Any) -> bool:
    """Whether a value is true."""
    return any(values)


@overload(any_of, strict=False)
def _any_of(values: Any) -> Any:
    def is_any(values: Any) -> bool:
        for value in values:
            if value:
                return True
        return False

    return is_any


def all_of(values: Any) -> bool:
    """Whether all values are true."""
    return all(values)


@overload(all_of, strict=False)
def _all_of(values: Any) -> Any:
    def are_all(values: Any) -> bool:
        for value in values:
            if not value:
                return False
        return True

    return are_all


def product(a: Any, b: Any) -> Any:
    """`a @ b` of whole numbers, as NumPy has it; Numba has that of floats."""
    return a @ b


@overload(product, strict=False)
def _product(a: Any, b: Any) -> Any:
    return _PRODUCTS[a.ndim, b.ndim](_number(a, b).type)


def _number(a: types.Array, b: types.Array) -> np.dtype[Any]:
    """The type of the numbers in a product; Numba's names of types are NumPy's."""
    return np.result_type(*(np.dtype(str(side.dtype)) for side in (a, b)))


def _lines(number: Any) -> Any:
    def multiply(a: Any, b: Any) -> Any:
        if len(a) != len(b):
            raise ValueError("@ of lines of different lengths")
        total = number(0)
        for i in range(len(a)):
            total = number(total + number(a[i]) * number(b[i]))
        return total

    return multiply


def _table_line(number: Any) -> Any:
    def multiply(a: Any, b: Any) -> Any:
        found = np.empty(len(a), number)
        for i in range(len(a)):
            found[i] = product(a[i], b)
        return found

    return multiply


def _line_table(number: Any) -> Any:
    return lambda a, b: product(b.T, a)


def _tables(number: Any) -> Any:
    def multiply(a: Any, b: Any) -> Any:
        found = np.empty((a.shape[0], b.shape[1]), number)
        for i in range(b.shape[1]):
            found[:, i] = product(a, b[:, i])
        return found

    return multiply


#: By the dimensions of both sides.
_PRODUCTS = {(1, 1): _lines, (2, 1): _table_line, (1, 2): _line_table, (2, 2): _tables}


# -- how kernels find them -------------------------------------------------------------


def _is_container(container: Any) -> bool:
    return isinstance(container, CONTAINERS)


def _is_line(values: Any) -> bool:
    """Whether the elements are single values, which are true or false; rows are not."""
    if isinstance(values, types.Array):
        return bool(values.ndim == 1)
    return isinstance(values, (types.List, types.Set, types.UniTuple))


def _are_whole(a: Any, b: Any) -> bool:
    """Whether these are arrays of whole numbers that can be multiplied."""
    return (
        all(isinstance(side, types.Array) for side in (a, b))
        and all(isinstance(side.dtype, _WHOLE) for side in (a, b))
        and (a.ndim, b.ndim) in _PRODUCTS
        and _number(a, b).kind in "iu"
    )


class _Idiom(AbstractTemplate):
    """Has some calls of a function be those of ours.

    Attributes:
        idiom: ours, how many arguments it has, and whether it takes some types.
    """

    idiom: tuple[Callable[..., Any], int, Callable[..., bool]]
    function: Any = None

    def generic(self, args: Any, kws: Any) -> Any:
        ours, arguments, takes = self.idiom
        given = [*args, *dict(kws).values()]
        if len(given) != arguments or not takes(*given):
            return None
        self.function = self.context.resolve_value_type(ours)
        return self.function.get_call_type(self.context, args, kws)

    def get_impl_key(self, sig: Any) -> Any:
        return self.function.get_impl_key(sig)


_IDIOMS: dict[Any, tuple[Callable[..., Any], int, Callable[..., bool]]] = {
    operator.not_: (is_empty, 1, _is_container),
    any: (any_of, 1, _is_line),
    all: (all_of, 1, _is_line),
    operator.matmul: (product, 2, _are_whole),
    np.dot: (product, 2, _are_whole),
}
TEMPLATES = [
    type(f"_{function.__name__}", (_Idiom,), {"key": function, "idiom": idiom})
    for function, idiom in _IDIOMS.items()
]


class _Dot(AbstractTemplate):
    """`a.dot(b)`."""

    key = "playout's dot"

    def generic(self, args: Any, kws: Any) -> Any:
        if kws or len(args) != 1 or not _are_whole(self.this, *args):
            return None
        function = self.context.resolve_value_type(product)
        found = function.get_call_type(self.context, (self.this, *args), {})
        return found.as_method()


@lower_builtin(_Dot.key, types.Array, types.Array)
def _lower_dot(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    function = context.typing_context.resolve_value_type(product)
    call = context.get_function(function, signature(sig.return_type, *sig.args))
    context.add_linking_libs(getattr(call, "libs", ()))
    return call(builder, args)


def method_of_array(typ: types.Type, name: str) -> types.Type | None:
    """The type of a method of ours; None if it is left to Numba."""
    if name == "dot" and isinstance(typ, types.Array) and isinstance(typ.dtype, _WHOLE):
        return types.BoundFunction(_Dot, typ)
    return None


# -- operators as calls ----------------------------------------------------------------


@register_pass(mutates_CFG=False, analysis_only=False)
class OperatorCalls(FunctionPass):
    """Has the operators be called as functions."""

    _name = "playout_operator_calls"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        mutated = False
        for block in state.func_ir.blocks.values():
            if any(_operands(statement) for statement in block.body):
                block.body = [
                    written
                    for statement in block.body
                    for written in _as_call(state.func_ir, statement, block.scope)
                ]
                mutated = True
        return mutated


def _operands(statement: Any) -> tuple[Any, ...]:
    """What one of the operators is applied to; nothing in other statements."""
    value = getattr(statement, "value", None)
    if getattr(value, "op", None) == "unary" and value.fn is operator.not_:
        return (value.value,)
    if getattr(value, "op", None) == "binop" and value.fn is operator.matmul:
        return value.lhs, value.rhs
    return ()


def _as_call(func_ir: Any, statement: Any, scope: Any) -> Iterator[Any]:
    operands = _operands(statement)
    if operands:
        old, loc = statement.value, statement.loc
        function = ir.Global(old.fn.__name__, old.fn, loc)
        named = assign(func_ir, scope, "$operator", function)
        yield named
        statement.value = ir.Expr.call(named.target, operands, (), loc)
        known = definitions(func_ir, statement.target.name)
        known[known.index(old)] = statement.value
    yield statement
