"""Checks that methods take the parameters that their contract says.

Python would notice at the first call, and Numba deep inside a kernel; looked at before,
the fault can be named where it was made.
"""

from __future__ import annotations

import inspect
import os
from types import FunctionType
from typing import Any

from ..errors import RulesError

__all__ = ["expect_signatures", "parameters", "place_of"]


def expect_signatures(cls: type, contract: type) -> None:
    """See that every method of the contract can be called as the contract has it.

    What the contract's bases have belongs to it, as `observe` belongs to a game.

    Raises:
        RulesError: one takes other parameters; names its class, file and line.
    """
    names = {name for base in contract.__mro__[:-1] for name in vars(base)}
    for name in sorted(names):
        wanted = inspect.getattr_static(contract, name)
        if name.startswith("__") or not isinstance(wanted, FunctionType):
            continue
        method = inspect.getattr_static(cls, name)
        if method is wanted or not isinstance(method, FunctionType):
            continue
        if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
            does = "has a yield" if inspect.isgeneratorfunction(method) else "is async"
            raise RulesError(
                f"{cls.__qualname__}.{name}, {place_of(method)}: it {does}, and does "
                "nothing when it is called: write `def`, and return"
            )
        try:
            inspect.signature(method).bind(*inspect.signature(wanted).parameters)
        except TypeError:
            raise RulesError(
                f"{cls.__qualname__}.{name}, {place_of(method)}: it takes "
                f"{parameters(method)}, the contract has {parameters(wanted)}"
            ) from None


def parameters(method: Any) -> str:
    """The names of a function's parameters.

    >>> parameters(lambda state, action: None)
    '(state, action)'
    """
    return f"({', '.join(inspect.signature(method).parameters)})"


def place_of(function: FunctionType) -> str:
    """The file and line where a function begins."""
    code = function.__code__
    file = code.co_filename
    shown = file if file.startswith("<") else os.path.relpath(os.path.realpath(file))
    return f"{shown} line {code.co_firstlineno}"
