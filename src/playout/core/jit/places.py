"""Where in the user's code something stands that Numba tells of by another place."""

from __future__ import annotations

import dis
import os
import re
from collections.abc import Iterable
from types import FunctionType
from typing import NamedTuple

from ..text.signatures import place_of

__all__ = ["SourceLine", "absolute", "static_method", "unknown_name"]


class SourceLine(NamedTuple):
    """A line of a file, and where in a message it is told of, or 0."""

    file: str
    line: int
    position: int


def absolute(file: str) -> str:
    """The path of a file that a message names; what is no file stays as it is."""
    return file if file.startswith("<") else os.path.realpath(file)


def unknown_name(message: str, functions: Iterable[FunctionType]) -> SourceLine | None:
    """Where a name is read that is nowhere; Numba tells of who calls its function.

    Args:
        message: of Numba.
        functions: of the user, which may read it, or call those that do.
    """
    unknown = re.search(r"NameError: name '(\w+)' is not defined", message)
    if unknown is None:
        return None
    left, seen = list(functions), set[FunctionType]()
    while left:
        function = left.pop(0)
        if function in seen:
            continue
        seen.add(function)
        code, known = function.__code__, function.__globals__
        line = code.co_firstlineno
        for step in dis.get_instructions(code):
            line = (step.positions.lineno if step.positions else None) or line
            if step.opname != "LOAD_GLOBAL":
                continue
            if step.argval == unknown[1] and unknown[1] not in known:
                return SourceLine(absolute(code.co_filename), line, 0)
            if isinstance(called := known.get(step.argval), FunctionType):
                left.append(called)
    return None


def static_method(classes: Iterable[type]) -> tuple[str, str] | None:
    """The first method without a `self` where the contract's has one, and the cure.

    Numba tells of it by the kernel that calls it.
    """
    for cls in classes:
        contract: set[str] = set()
        for base in reversed(cls.__mro__):
            for name, method in vars(base).items():
                if isinstance(method, FunctionType):
                    contract.add(name)
                elif isinstance(method, staticmethod | classmethod):
                    function, kind = method.__func__, type(method).__name__
                    if name in contract and isinstance(function, FunctionType):
                        return (
                            f"{cls.__qualname__}.{name}, {place_of(function)}: it is a "
                            f"{kind}",
                            f"leave @{kind} away, and have it take `self` first",
                        )
    return None
