"""What to say of rules that failed: which method, which line, and why."""

from __future__ import annotations

import dis
import itertools
import linecache
import os
import traceback
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from ...core.errors import RulesError
from ...core.jit import views
from ...core.jit.checked import RuleFault
from ...core.jit.views import UnfitNumber
from ..contract.game import Game

__all__ = ["own_words", "place_of_fault", "rules_failure", "unsigned_fields"]

#: Where the rules are called from.
_OWN_FOLDER = Path(__file__).parent
#: What rules call: an error in there is the rules' own.
_BELOW = (str(Path(views.__file__).parent), str(Path(np.__file__).parent))


def rules_failure(game: Game, error: BaseException) -> RulesError:
    """What to say of an exception in the rules: which method, which line."""
    if isinstance(error, RuleFault):
        return RulesError(f"{place_of_fault(error, type(game))}: {error.what}")
    where, what = type(game).__qualname__, f"{type(error).__name__}: {error}"
    if isinstance(error, UnfitNumber):  # says it in the contract's words
        what = str(error)
    if isinstance(error, FrozenInstanceError):  # from a method that `dataclass` made
        what += "; put what changes during a game into the state, by state_dtype()"
    frames = traceback.extract_tb(error.__traceback__)
    frame = [f for f in frames if not f.filename.startswith((*_BELOW, "<string>"))][-1]
    if Path(frame.filename).parent == _OWN_FOLDER:  # the rules could not even be called
        return RulesError(f"{where}: {what}")
    place = f"{os.path.relpath(frame.filename)} line {frame.lineno}"
    return RulesError(f"{where}.{frame.name}, {place}: `{frame.line}`: {what}")


def unsigned_fields(game: Game) -> str:
    """What to say of fields by which rules differ interpreted and compiled, if any.

    Numba takes two unsigned numbers from each other without a sign. Of 64 bits they
    are unsigned in Python, too.
    """
    fields = (game.state_dtype().fields or {}).items()
    names = [
        name
        for name, (dtype, *_) in fields
        if dtype.base.kind == "u" and dtype.base.itemsize < 8
    ]
    if not names:
        return ""
    return (
        f" (unsigned: {', '.join(names)}; compiled, the difference of two such numbers "
        "is never below 0: take signed types, i1 to i8)"
    )


def own_words(game: Game, error: BaseException) -> str:
    """What the game's own file says by a `raise`; nothing where Python raised it.

    `raise ValueError("rows are a to h")` in a `parse_action` is for the player to read,
    while `int("x")` has words for programmers.
    """
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if code.co_filename != type(game).parse_action.__code__.co_filename:
        return ""
    raised = code.co_code[trace.tb_lasti] == dis.opmap["RAISE_VARARGS"]
    return " ".join(map(str, error.args)) if raised else ""


def place_of_fault(fault: RuleFault, *classes: type) -> str:
    """`Nim.apply, nim.py line 23: the line itself`, as far as it can be found.

    Args:
        fault: what was found.
        classes: whose methods, or functions around them, may have that line.
    """
    wanted = fault.place.function
    for function in itertools.chain(*map(_functions, classes)):
        if function.__qualname__ != wanted:
            continue
        file, line = function.__code__.co_filename, fault.place.line_in(function)
        shown = file if file.startswith("<") else os.path.relpath(file)
        source = linecache.getline(file, line).strip()
        return f"{wanted}, {shown} line {line}" + (f": `{source}`" if source else "")
    return wanted


def _functions(cls: type) -> Iterator[FunctionType]:
    """The methods of a class, then the functions that stand around them."""
    methods = [
        value
        for base in cls.__mro__
        for member in vars(base).values()
        for value in (getattr(member, "fget", getattr(member, "__func__", member)),)
        if isinstance(value, FunctionType)
    ]
    yield from methods
    spaces = {id(method.__globals__): method.__globals__ for method in methods}
    for space in spaces.values():
        yield from _functions_in(space)


def _functions_in(space: dict[str, Any]) -> Iterator[FunctionType]:
    """Functions of a module, and of the modules it names."""
    for value in list(space.values()):
        if isinstance(value, FunctionType):
            yield value
        elif isinstance(value, ModuleType):
            members = list(vars(value).values())
            yield from (m for m in members if isinstance(m, FunctionType))
