"""What the pipeline changes for kernels, and that nothing of it stays behind.

Also of `core/jit/lowering.py` and `core/jit/libraries.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types

from playout.core.jit import lowering
from playout.core.jit.libraries import CodeLibrary
from playout.core.jit.native import kernel


@pytest.fixture(autouse=True)
def _nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from disk is not compiled, and tests nothing here."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


def first(number: Any, power: int) -> Any:
    return number**power


def test_checked_code_is_optimised_only_a_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It runs for some milliseconds, so optimising it would take longer."""
    levels: list[int] = []
    optimize = CodeLibrary.optimize
    monkeypatch.setattr(
        CodeLibrary,
        "optimize",
        lambda self: levels.append(self.level) or optimize(self),
    )
    assert kernel(first).compile(7, 2, checked=True)(7, 2) == first(7, 2)
    assert levels == [1]
    assert kernel(first).compile(7, 2)(7, 2) == first(7, 2)
    assert levels == [1, 3]


def halved(number: int) -> int:
    return number // 2


def one_more(number: int) -> int:
    return halved(number) + 1


def one_less(number: int) -> int:
    return halved(number) - 1


def test_what_kernels_share_takes_little_room_and_is_linked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise a process would grow by some 50 MB with each game that it compiles."""
    shrunk: list[CodeLibrary] = []
    shrink = CodeLibrary.shrink
    monkeypatch.setattr(
        CodeLibrary, "shrink", lambda self: shrunk.append(self) or shrink(self)
    )
    assert kernel(one_more).compile(9)(9) == 5
    assert [library.name.rpartition(".")[2] for library in shrunk] == ["halved"]
    assert shrunk[0].module is None
    assert kernel(one_less).compile(9)(9) == 3
    assert len(shrunk) == 1, "compiled once"


def test_what_was_annotated_is_not_kept() -> None:
    compiled = kernel(one_more).compile(9)
    result, _dispatcher = compiled._needs
    assert result.type_annotation is None
    assert result.fndesc.typemap is None


def near(number: int) -> int:
    return -halved(number)


def both(number: int) -> int:
    return one_more(number) * one_less(number) + near(number)


def farthest(number: int) -> int:
    return sorted([number, number - 1, number - 2], key=near)[0]


@pytest.mark.parametrize("function", [one_more, both, farthest])
@pytest.mark.parametrize("checked", [True, False])
def test_functions_are_linked_into_the_kernel_that_calls_them_indirectly(
    function: Callable[[int], int], checked: bool
) -> None:
    """Two callers call one function; Numba's own code calls another of ours."""
    compiled = kernel(function).compile(9, checked=checked)
    assert not compiled.from_cache
    assert [compiled(number) for number in range(9)] == [*map(function, range(9))]


def test_functions_are_linked_and_optimised_once_with_their_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Linked with each caller they would be copied and optimised many times."""
    linked: list[str] = []
    for name in ("_link_late", "optimize"):
        step = getattr(CodeLibrary, name)

        def noted(self: Any, *args: Any, step: Any = step) -> Any:
            linked.append(self.name.rpartition(".")[2])
            return step(self, *args)

        monkeypatch.setattr(CodeLibrary, name, noted)
    assert kernel(both).compile(9)(9) == both(9)
    assert linked == ["both", "both"]


def weighted(number: Any, factor: int = 3, bonus: float = 0.5) -> Any:
    return number * factor + bonus


def called_in_many_ways(number: Any) -> Any:
    first = weighted(number) + weighted(number, 2) + weighted(number, factor=5)
    return first + weighted(number, bonus=2.0) + weighted(factor=1, number=number)


@pytest.mark.parametrize("number", [3, 2.5, np.int8(-4), True])
def test_names_and_defaults_of_arguments(number: Any) -> None:
    native = kernel(called_in_many_ways).compile(number)
    assert native(number) == called_in_many_ways(number)


def called_often(number: int) -> int:
    for _ in range(3):
        number += one_more(number) + one_more(number) * one_more(number)
    return number + one_more(number)


def test_a_call_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at each, nor each time that the caller's types are inferred."""
    asked: list[tuple[str, Any]] = []
    compile_ = lowering._InnerDispatcher.compile

    def noted(self: Any, sig: Any) -> Any:
        asked.append((self.py_func.__name__, sig))
        return compile_(self, sig)

    monkeypatch.setattr(lowering._InnerDispatcher, "compile", noted)
    monkeypatch.setattr(lowering, "_dispatchers", {})
    assert kernel(called_often).compile(2)(2) == called_often(2)
    assert asked == [("one_more", (types.int64,)), ("halved", (types.int64,))]
