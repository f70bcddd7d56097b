"""`ask`: a call of a Python function from compiled code.

For rules that only Python knows. The function is called by its address, which is a
number like any other: what is compiled for one is right for all, and can be kept on
disk. An exception of the function's goes through the compiled code to whoever called
that, with its traceback; Ctrl-C comes as one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = ["address_of", "ask", "ask_number", "place_of", "start_of"]


def address_of(function: Callable[[int, int, int], float]) -> int:
    """The address of a function, which must be kept as long as that is used."""
    return id(function)


def ask(address: int, first: int, second: int, third: int) -> int:
    """Call the Python function at an address; numbers have 64 bits.

    Compiled, it takes the interpreter's lock, and releases it after the call.

    >>> def add(*terms):
    ...     return sum(terms)
    >>> ask(address_of(add), 1, 2, 3)
    6
    """
    return int(_function_at(address)(int(first), int(second), int(third)))


def ask_number(address: int, first: int, second: int, third: int) -> float:
    """The same where the answer is a number that need not be whole."""
    return float(_function_at(address)(int(first), int(second), int(third)))


def _function_at(address: int) -> Callable[[int, int, int], Any]:
    return ctypes.cast(int(address), ctypes.py_object).value


def place_of(row: Any) -> int:
    """The address of a row in memory."""
    return int(row._record.__array_interface__["data"][0])


def start_of(array: Any) -> int:
    """The address of an array in memory."""
    return int(array.__array_interface__["data"][0])


def _asking(kind: Any, convert: str) -> Any:
    """An intrinsic that asks for an answer of a type.

    Args:
        kind: the type.
        convert: what makes it of Python's, a method of Numba's interface to it.
    """

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        python = context.get_python_api(builder)
        nothing = context.get_constant(kind, 0)
        result = cgutils.alloca_once_value(builder, nothing)
        lock = python.gil_ensure()
        function = builder.inttoptr(args[0], cgutils.voidptr_t)
        given = [python.long_from_longlong(arg) for arg in args[1:]]
        answer = python.call_function_objargs(function, given)
        for arg in given:
            python.decref(arg)
        with cgutils.if_likely(builder, cgutils.is_not_null(builder, answer)):
            builder.store(getattr(python, convert)(answer), result)
            python.decref(answer)
        failed = cgutils.is_not_null(builder, python.err_occurred())
        python.gil_release(lock)
        with cgutils.if_unlikely(builder, failed):
            context.call_conv.return_exc(builder)
        return builder.load(result)

    @intrinsic
    def call(typingctx: Any, address: Any, first: Any, second: Any, third: Any) -> Any:
        whole = types.int64
        return kind(whole, whole, whole, whole), generate

    return call


_ask = _asking(types.int64, "long_as_longlong")
_ask_number = _asking(types.float64, "float_as_double")


@intrinsic
def _place_of(typingctx: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ptrtoint(args[0], ir.IntType(64))

    return types.int64(row), generate


@intrinsic
def _start_of(typingctx: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, value=args[0]).data
        return builder.ptrtoint(data, ir.IntType(64))

    return types.int64(array), generate


@overload(ask, strict=False)
def _ask_compiled(address: Any, first: Any, second: Any, third: Any) -> Any:
    return lambda address, first, second, third: _ask(address, first, second, third)


@overload(ask_number, strict=False)
def _ask_number_compiled(address: Any, first: Any, second: Any, third: Any) -> Any:
    return lambda address, first, second, third: _ask_number(
        address, first, second, third
    )


@overload(place_of, strict=False)
def _place_of_compiled(row: Any) -> Any:
    return lambda row: _place_of(row)


@overload(start_of, strict=False)
def _start_of_compiled(array: Any) -> Any:
    return lambda array: _start_of(array)
