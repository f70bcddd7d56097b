"""What others compile with Numba is as without Playout, searches compiled or not.

Also of `core/jit/idioms.py`, `core/jit/scalars.py` and `core/jit/pipeline.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from llvmlite.binding import ffi
from numba import njit
from numba.core.errors import TypingError

from playout.core.errors import CompileError
from playout.core.jit.libraries import CodeLibrary
from playout.core.jit.native import kernel
from tests.core.jit.processes import run

#: Told as JSON: how Numba compiles functions of somebody else's, and all that it asks.
OBSERVE = """
import collections, json, operator, re
import numpy as np
from llvmlite.binding import ffi
from numba import config, njit, typeof
from numba.core import event
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

def plain(a, b):
    return int(max(a, b)) - min(a, b) + int(a < b)

compiled = njit(plain)
assert compiled(1, 2.5) == 2 - 1 + 1
(result,) = compiled.overloads.values()
code = "\\n".join(compiled.inspect_llvm().values())
typing, target = cpu_target.typing_context, cpu_target.target_context
functions = (
    int, min, max, float, abs, range, any, all, sorted, plain, np.dot,
    operator.not_, operator.matmul, operator.imatmul,
)
numbers = np.arange(3)

def told(function, *args):
    try:
        return repr(njit(function)(*args))
    except Exception as error:
        return re.sub("0x[0-9a-f]+", "", f"{type(error).__name__}: {error}")

def templates(function):
    known = typing._lookup_global(function)
    return known and sorted(
        f"{template.__module__}.{template.__qualname__}" for template in known.templates
    )

print(json.dumps({
    "templates": [templates(function) for function in functions],
    "code": [len(target._defns[f].versions) for f in functions if f in target._defns],
    "asked of a function": typeof_impl.dispatch(type(plain)).__module__,
    "not of a list": told(lambda: not [1]),
    "any": told(lambda: any([1])),
    "all": told(lambda: all((1, 2))),
    "whole numbers @": told(lambda a: a @ a, numbers),
    "whole numbers dot": told(lambda a: np.dot(a, a), numbers),
    "their method": told(lambda a: a.dot(a), numbers),
    "floats @": told(lambda a: a @ a, numbers + 0.5),
    "a plain function": told(lambda: plain(1, 2)),
    "one handed on": told(lambda a: sorted([a, 2], key=lambda b: plain(b, 1)), 1),
    "division by zero": told(lambda a: 1 // a, 0),
    "told of LLVM's calls": len(ffi.lib._lock._cblist),
    "told of events": {str(k): len(v) for k, v in event._registered.items()},
    "pipeline": compiled._compiler.pipeline_class.__name__,
    "library": type(result.library).__name__,
    "linked": len(result.library._linking_libraries),
    "instructions": collections.Counter(re.findall(r"= (\\w+) ", code)),
    "settings": {k: repr(getattr(config, k)) for k in dir(config) if k.isupper()},
}))
"""
COMPILE = """
import numpy as np
import playout
from playout.core.jit.native import kernel
from tests.core.jit.processes import run

def own(a, b):
    line = np.arange(3)
    large = [number for number in line if number > 5]
    truths = not large, any(line), all(line)
    products = line @ line + np.dot(line, line) + line.dot(line)
    key = lambda number: other(number)
    return int(max(a, b)) + min(a, b) + sorted([a, 2], key=key)[0], truths, products

def other(number):
    return -number

for checked in (True, False):
    made = kernel(own).compile(1, 2.5, checked=checked)
    assert not made.from_cache
    assert made(1, 2.5) == own(1, 2.5)
playout.MCTS(playout.TicTacToe()).search(limit=playout.Limit(simulations=100))
"""


def test_what_others_compile_is_as_without_playout(tmp_path: Path) -> None:
    lines = "\n" * COMPILE.count("\n")  # what is told names them
    folder = {"PLAYOUT_CACHE_DIR": str(tmp_path)}
    done = [run(before + OBSERVE, **folder) for before in (lines, COMPILE)]
    assert [process.returncode for process in done] == [0, 0], done
    alone, beside = (json.loads(process.stdout) for process in done)
    assert beside == alone
    for refused in ("not of a list", "any", "all", "a plain function"):
        assert alone[refused].startswith("TypingError"), alone[refused]


def is_empty(count: int) -> bool:
    return not [number for number in range(count) if number > 1]


def helped(count: int) -> int:
    return halved(count)


def halved(number: float) -> float:
    return number // 2


@pytest.mark.parametrize("function", [is_empty, helped])
def test_what_others_compile_is_theirs_in_a_kernel_too(
    function: Callable[[int], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba keeps what it compiled: else it would be known from then on."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    theirs = njit(function)

    def ours(count: int) -> Any:
        return theirs(count)

    with pytest.raises(CompileError, match="leave the decorator away"):
        kernel(ours).compile(2)
    with pytest.raises(TypingError):
        theirs(2)
    assert kernel(function).compile(2)(2) == function(2)
    with pytest.raises(TypingError):
        theirs(2)


def test_others_hear_of_llvm_while_a_kernel_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numba's own timers of LLVM stay registered meanwhile."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    heard: list[bool] = []
    load = CodeLibrary.load

    def noted(self: Any) -> None:
        heard.append(bool(ffi.lib._lock._cblist))
        load(self)

    monkeypatch.setattr(CodeLibrary, "load", noted)
    assert kernel(halved).compile(9.5)(9.5) == 4
    assert heard == [True]
