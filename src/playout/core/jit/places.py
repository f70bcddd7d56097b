"""Where in the user's code something stands that Numba tells of by another place."""

from __future__ import annotations

import dis
import os
import re
from collections.abc import Iterable
from types import FunctionType
from typing import NamedTuple

__all__ = ["SourceLine", "absolute", "unknown_name"]


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
