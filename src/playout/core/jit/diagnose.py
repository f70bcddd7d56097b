"""From a Numba error to a few lines about the user's own method.

Numba reports the failure of a kernel from the inside out, in over a hundred lines about
itself. Three things help: the innermost frame that lies in the rules
or the policy, the first sentence of the cause, and, for the mistakes people make most,
what to write instead.
"""

from __future__ import annotations

import inspect
import linecache
import os
import re
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path
from traceback import walk_tb
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types

from ..errors import CompileError, Obstacle, UncompilableError
from ..text.signatures import parameters
from .advice import advice_on, unknown_field
from .answers import miscount, odd_answer, signatures
from .canary import TRIED
from .compiled import Compiled, compiled_type
from .fallback import objects_in
from .lowering import known_dispatcher
from .pipeline import failure
from .places import SourceLine, absolute, static_method, unknown_name
from .silence import record_of, unsaid

__all__ = [
    "NOWHERE",
    "compile_error",
    "counts_in_floats",
    "explain",
    "methods_at",
    "unwritten_method",
    "was_compiled",
]

_FRAME = re.compile(r'^File "(?P<file>[^"\n]+)", line (?P<line>\d+):$', re.MULTILINE)
_LOWERED = re.compile(
    r'^During: lowering ".*" at (?P<file>.+) \((?P<line>\d+)\)$', re.M
)
_PACKAGE = Path(__file__).resolve().parents[2]
#: Rooms whose code is not the user's, as no game stands in them.
_ROOMS = ("core", "search", "games/contract", "games/check", "games/positions")
#: Code that is passed over in an error's trace.
_OWN = tuple(
    f"{folder}{os.sep}"
    for folder in (
        *(_PACKAGE / room for room in _ROOMS),
        Path(numba.__file__).resolve().parent,
    )
)

#: Where Python's own modules are.
_PYTHON = os.path.realpath(sysconfig.get_paths()["stdlib"]) + os.sep

#: Where something is if nobody knows.
NOWHERE = "the rules"

#: Lines of a Numba message that say nothing about the cause.
_NOISE = re.compile(
    r"^(Failed in |- Resolution failure|During: |File \"|def |<source|\s*\^|None$|\s*$"
    r"|There are \d+ candidate|\s*- Of which|\s+Overload|\s+With arg|\s+Rejected"
    r"|\s+\* ?>>>|raised from|Enable logging|This error |Known signatures)"
)

#: Messages of mistakes, which are none of Numba's limits.
_MISTAKES = (
    r"is not defined|was not found in record|Cannot bind(?!.*\*, \w)|STORE_GLOBAL"
    r"|STORE_DEREF|DELETE_GLOBAL|lowering \w.*\.\w+ = |resolve setattr: \(\w+\("
    r"|Cannot modify readonly array|setitem\((Uni)?Tuple"
)

#: Types of Numba's, and what they are in Python.
_KINDS = (
    (r"array|unaligned array|nestedarray", np.ndarray),
    (r"float|u?int|bool|Literal", np.float64),
    (r"(reflected )?list|List", list),
    (r"(reflected )?set", set),
    (r"dict|Dict", dict),
    (r"unicode_type", str),
    (r"(Uni|Starargs)?Tuple", tuple),
    (r"(zip|enumerate|range|iter)\w*", set),  # how Numba misreads a set comprehension
)

#: An attribute that Numba does not know, what of, and the module where it is one's.
_UNKNOWN = re.compile(
    r"Unknown attribute '(\w+)' of type ((?:Module\(<module '([\w.]+)')?\S*)"
)

#: What stands after a name that is set: `=` or `+=`, but not `==`.
_SETS = r"(<<|>>|//|\*\*|[-+*/%&|^@])?=(?!=)"


def explain(error: Exception, args: tuple[Any, ...]) -> CompileError:
    """A `CompileError` that says what could not be compiled, where, and what to do."""
    if unwritten := unwritten_method(args):  # whatever that led to elsewhere
        return CompileError(unwritten)
    said = "" if isinstance(error, AttributeError) else str(error)  # one of Numba's own
    message = re.sub(r"\x1b\[[0-9;]*m", "", said) or unsaid(error)
    message = _cell_variable(message) or message
    frame = _lowered(message) or _innermost(message) or _statement(error)
    reason = _reason(message, frame)
    frame = unknown_name(message, (one for _, one in _theirs(args))) or frame
    advice = advice_on(reason + "\n" + message)
    wrong = _is_wrong(message, args)
    if frame is None or _is_own(frame.file):
        frame = _failed_function(message)
    if frame is not None:
        where = _describe(frame, args)
    elif (static := static_method(map(type, objects_in(args)))) is not None:
        where, advice = static
    else:
        kinds = [kind for value in objects_in(args) for kind in _types_of(value)]
        odd = odd_answer(_theirs(args), kinds)
        where, wrong = NOWHERE, wrong or odd is not None
        if odd is not None:
            where, advice = odd
    if isinstance(error, KeyError) and (record := record_of(error)):
        reason, advice = unknown_field(str(error.args[0]), record.fields)
        wrong = True
    place = None if frame is None else (frame.file, frame.line)
    return compile_error([Obstacle(where, reason, advice or "", wrong, place)])


def compile_error(obstacles: Sequence[Obstacle]) -> CompileError:
    """An error that tells of all these; of mistakes, if there is one among them."""
    lines = []
    for one in obstacles:
        lines.append(f"cannot compile {one.where}")
        lines += [f"  Numba: {one.reason}"] * bool(one.reason)
        lines += [f"  Instead: {one.advice}"] * bool(one.advice)
    if numba.__version__ not in TRIED:  # its own mistake, perhaps
        tried = ", ".join(TRIED)
        lines.append(f"  (Numba {numba.__version__} is none of those tried: {tried})")
    lines.append("  (MCTS(..., interpreted=True) runs the same code as plain Python)")
    message = "\n".join(lines)
    if any(one.wrong for one in obstacles):
        error = CompileError(message)
    else:
        error = UncompilableError(message, ";\n  and ".join(_in_short(obstacles)))
    error.obstacles = tuple(obstacles)
    return error


def _in_short(obstacles: Sequence[Obstacle]) -> Iterator[str]:
    """Each thing to do once, with the first line that needs it and the others."""
    by_advice: dict[str, list[Obstacle]] = {}
    for one in obstacles:
        by_advice.setdefault(one.advice or one.reason, []).append(one)
    for said, (first, *others) in by_advice.items():
        lines = [str(one.place[1]) for one in others if one.place is not None]
        plural = "s" * (len(lines) > 1)
        also = f" (and line{plural} {', '.join(lines)})" if lines else ""
        yield f"{first.where.removesuffix(':')}{also}: {said}"


def _is_wrong(message: str, args: tuple[Any, ...]) -> bool:
    """Whether a message tells a mistake, and not a limit of Numba.

    Mistakes are names that are nowhere, attributes that numbers, arrays and objects do
    not have, calls with other arguments, and state that is kept outside of the state.
    """
    if re.search(_MISTAKES, message):
        return True
    for name, kind, module in _UNKNOWN.findall(message):
        owners = [sys.modules.get(module)] if module else _owners(kind, args)
        if not any(hasattr(owner, name) for owner in owners):
            return True
    return False


def _cell_variable(message: str) -> str | None:
    """What to say of a name that is unknown because an inner function sets it."""
    unknown = re.search(r"Variable '(\w+)' is not defined", message)
    code = getattr(failure.function, "__code__", None)
    if unknown and code is not None and unknown[1] in code.co_cellvars:
        return f"'{unknown[1]}' is a cell variable, which an inner function sets"
    return None


def _owners(kind: str, args: tuple[Any, ...]) -> list[Any]:
    """What in Python is of a type of Numba's, to see which attributes it has."""
    for pattern, owner in _KINDS:
        if re.match(pattern, kind):
            return [owner]
    return list(objects_in(args))


def _is_own(file: str) -> bool:
    is_python = file.startswith(_PYTHON) and "site-packages" not in file
    return is_python or file.startswith(_OWN)


def _statement(error: Exception) -> SourceLine | None:
    """The statement that Numba was generating code for, if its error names none."""
    found = None
    # Numba itself fell over, mostly while it found out the types of a statement.
    fell_over = isinstance(error, AttributeError)
    for frame, _ in walk_tb(error.__traceback__):
        known = frame.f_locals.get("inst")
        if known is None and fell_over:
            known = frame.f_locals.get("constraint")
        place = getattr(known, "loc", None)
        file = None if place is None else absolute(str(place.filename))
        if file is not None and not _is_own(file):
            found = SourceLine(file, place.line, 0)
    return found


def unwritten_method(args: tuple[Any, ...]) -> str | None:
    """What to say of a method that the kernel calls and that nobody has written."""
    for value in objects_in(args):
        kinds = _types_of(value)
        for function in _methods(type(value)):
            code = function.__code__
            raises = "NotImplementedError" in code.co_names and _own_function(function)
            if raises and any(s.args[0] in kinds for s in signatures(function)):
                return (
                    f"{type(value).__qualname__} is not complete: it has no "
                    f"{function.__name__}{parameters(function)}"
                )
    return None


def _types_of(value: Compiled) -> list[types.Type]:
    """Its types in kernels, checked or not."""
    return [compiled_type(value, checked) for checked in (False, True)]


def counts_in_floats(args: tuple[Any, ...]) -> CompileError | None:
    """What to say of a game, among what a kernel is compiled with, that does."""
    for value in objects_in(args):
        if not hasattr(value, "legal_actions"):
            continue
        odd = miscount(type(value), _types_of(value))
        if odd is not None:
            where, advice = odd
            return compile_error([Obstacle(where, "", advice, True, None)])
    return None


def was_compiled(value: Compiled, function: Any) -> bool:
    """Whether a method has been compiled for an object, with every index checked."""
    kind, dispatcher = compiled_type(value, True), known_dispatcher(function, True)
    known = dispatcher.nopython_signatures if dispatcher else ()
    return any(signature.args[0] == kind for signature in known)


def _failed_function(message: str) -> SourceLine | None:
    """Where in a function of the user's Numba was when it gave up."""
    function = failure.function
    if function is None or _own_function(function):
        return None
    line = re.search(r"Raised from .*\((\d+)\)", message)
    number = int(line[1]) if line else _line_that_names(function, message)
    return SourceLine(absolute(function.__code__.co_filename), number, 0)


def _line_that_names(function: FunctionType, message: str) -> int:
    """The first line of a function with a name the message quotes, else its first."""
    first = function.__code__.co_firstlineno
    wanted = [rf"\b{name}\b" for name in re.findall(r"'(\w+)[' ]", message)]
    wanted += [rf"\.{name}\s*{_SETS}" for name in re.findall(r"\.(\w+) = ", message)]
    for offset in range(1, 200):
        line = _source_line(function, first + offset)
        if any(re.search(pattern, line) for pattern in wanted):
            return first + offset
    return first


def _own_function(function: FunctionType) -> bool:
    return _is_own(absolute(function.__code__.co_filename))


def _innermost(message: str) -> SourceLine | None:
    """The first frame outside Numba and Playout's machinery; Numba lists inside out."""
    found = None
    for match in _FRAME.finditer(message):
        file = absolute(match["file"])
        frame = SourceLine(file, int(match["line"]), match.start())
        if not _is_own(file):
            return frame
        found = found or frame
    return found


def _lowered(message: str) -> SourceLine | None:
    """The line for which code was generated; expressions of arrays are typed then.

    What Numba quotes of these is the first line of their file.
    """
    match = _LOWERED.search(message)
    if match is None or "typing of intrinsic-call" not in message:
        return None
    return SourceLine(absolute(match["file"]), int(match["line"]), 0)


def _reason(message: str, frame: SourceLine | None) -> str:
    """The sentence before the innermost frame, without Numba's surroundings."""
    before = message[: frame.position] if frame and frame.position else message
    lines = [line for line in before.splitlines() if not _NOISE.match(line)]
    told = [line.strip() for line in lines if line.strip() and ">>>" not in line]
    calls = [line.split(">>>")[1].strip() for line in lines if ">>>" in line]
    if not told:
        return message.strip().splitlines()[0][:200]
    text = told[-1] if len(told[-1]) > 15 else " ".join(told[-2:])
    for line in told:
        if re.match(r"(No implementation|Unknown attr|Untyped|Cannot|Invalid)", line):
            text = line
    text = re.sub(r"Function\(<[^>]*function (\w+)[^>]*>\)", r"\1", text)
    text = re.sub(r"Record\([^ ]*\)", "state", text)
    text = re.sub(r"Record\(\[.*?\], \d+, \w+\)", "state", text)
    text = re.sub(r"<[0-9a-f]{16}>|\s*Raised from .*", "", text)
    text = " ".join([text, *calls[:1]])
    return re.sub(r"type\(_InnerDispatcher\(.*?>\)\)", "a function", text)[:300]


def _describe(frame: SourceLine, args: tuple[Any, ...]) -> str:
    """`Nim.legal_actions, nim.py line 23: the line itself`."""
    name, source = None, ""
    for value in objects_in(args):
        for function in methods_at(type(value), frame.file, frame.line):
            name = f"{type(value).__qualname__}.{function.__name__}"
            source = _source_line(function, frame.line)
    source = source or linecache.getline(frame.file, frame.line).strip()
    place = f"{_shown(frame.file)} line {frame.line}"
    described = f"{name}, {place}" if name else place
    return f"{described}: {source}" if source else described


def methods_at(cls: type, file: str, line: int) -> Iterator[FunctionType]:
    """The methods of a class, or of its bases, to which a line of a file belongs."""
    for function in _methods(cls):
        first = function.__code__.co_firstlineno
        last = max((n for *_, n in function.__code__.co_lines() if n), default=first)
        same = absolute(function.__code__.co_filename) == file
        if same and first <= line <= last:
            yield function


def _shown(file: str) -> str:
    return file if file.startswith("<") else os.path.relpath(file)


def _source_line(function: FunctionType, line: int) -> str:
    try:
        lines, first = inspect.getsourcelines(function)
    except (OSError, TypeError):
        return ""
    return lines[line - first].strip() if 0 <= line - first < len(lines) else ""


def _methods(cls: type) -> Iterator[FunctionType]:
    """The methods of a class, those of its bases too."""
    for base in cls.__mro__:
        for function in vars(base).values():
            if isinstance(function, FunctionType):
                yield function


def _theirs(args: tuple[Any, ...]) -> Iterator[tuple[type, FunctionType]]:
    """The methods of the user's among `_functions`."""
    return (one for one in _functions(args) if not _own_function(one[1]))


def _functions(args: tuple[Any, ...]) -> Iterator[tuple[type, FunctionType]]:
    """The methods of all compiled objects among the arguments, with their classes."""
    for value in objects_in(args):
        for function in _methods(type(value)):
            yield type(value), function
