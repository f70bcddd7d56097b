"""What the pipeline changes for kernels, and that nothing of it stays behind.

Also of `core/jit/lowering.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ffi
from numba import njit, types
from numba.core import event

from playout.core.errors import CompileError
from playout.core.jit import pipeline
from playout.core.jit.native import kernel, on_compile


@pytest.fixture(autouse=True)
def _nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from disk is not compiled, and tests nothing here."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


def first(number: Any, power: int) -> Any:
    return (number + 1) * number - number // 3 if number > power else number**power


def second(number: Any, power: int) -> Any:
    if number > power:
        return (number + 1) * number - number // 3
    return number**power


@pytest.mark.parametrize("number", [np.uint64(5), 5, 5.5, np.float32(0.5), True])
def test_operators_mean_the_same_from_memory(number: Any) -> None:
    pipeline._signatures.clear()
    for function in (first, second):
        known = dict(pipeline._signatures)
        compiled = kernel(function).compile(number, 2)
        assert not compiled.from_cache
        assert compiled(number, 2) == function(number, 2)
    assert len(known) > 4
    assert pipeline._signatures == known, "the second was typed from memory"
    for asked, args in known:
        assert asked.typing_key in pipeline._OPERATORS
        assert all(isinstance(arg, (types.Number, types.Boolean)) for arg in args)


def test_numba_is_not_told_of_llvm_while_compiling() -> None:
    heard: list[int] = []

    def begin(title: str) -> Callable[[], None]:
        heard.append(len(ffi.lib._lock._cblist))
        return lambda: None

    on_compile(begin)
    try:
        kernel(first).compile(2, 2)
    finally:
        on_compile(None)
    assert heard == [0]


def impossible(number: Any) -> Any:
    return number.no_such_thing


def test_numba_is_told_of_llvm_again_afterwards() -> None:
    before = list(ffi.lib._lock._cblist)
    assert before, "Numba listens no more: nothing needs to be hidden from it"
    assert not kernel(first).compile(2.5, 2).from_cache
    assert ffi.lib._lock._cblist == before
    with pytest.raises(CompileError, match="no_such_thing"):
        kernel(impossible).compile(1)
    assert ffi.lib._lock._cblist == before
    with pipeline.unobserved(), pipeline.unobserved():
        assert not ffi.lib._lock._cblist
    assert ffi.lib._lock._cblist == before
    with event.install_recorder("numba:llvm_lock") as recorder:
        njit(lambda number: number + 1)(1)
    assert recorder.buffer


def test_who_is_within_llvm_is_seen_to_come_out() -> None:
    """Numba's listeners count those that go in and come out."""
    inside, leave, went = threading.Event(), threading.Event(), []

    def stay() -> None:
        with ffi.lib._lock:
            inside.set()
            leave.wait()

    observer = (lambda: went.append("in"), lambda: went.append("out"))
    ffi.register_lock_callback(*observer)
    other = threading.Thread(target=stay)
    other.start()
    inside.wait()
    threading.Timer(0.2, leave.set).start()
    with pipeline.unobserved():
        assert went == ["in", "out"]
    other.join()
    ffi.unregister_lock_callback(*observer)
    assert went == ["in", "out"]
