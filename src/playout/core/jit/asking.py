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

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

__all__ = ["address_of", "ask"]


def address_of(function: Callable[[int, int, int], int]) -> int:
    """Where a function is; it must be kept as long as the address is used."""
    return id(function)


def ask(address: int, first: int, second: int, third: int) -> int:
    """What a function at an address answers, all in 64 bits.

    Compiled, it waits for the interpreter's lock and gives it back.

    >>> def add(*terms):
    ...     return sum(terms)
    >>> ask(address_of(add), 1, 2, 3)
    6
    """
    function = ctypes.cast(int(address), ctypes.py_object).value
    return int(function(int(first), int(second), int(third)))


@intrinsic
def _ask(typingctx: Any, address: Any, first: Any, second: Any, third: Any) -> Any:
    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        python = context.get_python_api(builder)
        result = cgutils.alloca_once_value(builder, args[1])
        lock = python.gil_ensure()
        function = builder.inttoptr(args[0], cgutils.voidptr_t)
        given = [python.long_from_longlong(arg) for arg in args[1:]]
        answer = python.call_function_objargs(function, given)
        for arg in given:
            python.decref(arg)
        with cgutils.if_likely(builder, cgutils.is_not_null(builder, answer)):
            builder.store(python.long_as_longlong(answer), result)
            python.decref(answer)
        failed = cgutils.is_not_null(builder, python.err_occurred())
        python.gil_release(lock)
        with cgutils.if_unlikely(builder, failed):
            context.call_conv.return_exc(builder)
        return builder.load(result)

    whole = types.int64
    return whole(whole, whole, whole, whole), codegen


@overload(ask, strict=False)
def _ask_compiled(address: Any, first: Any, second: Any, third: Any) -> Any:
    return lambda address, first, second, third: _ask(address, first, second, third)
