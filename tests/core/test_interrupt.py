"""Ctrl-C while rules are compiled: an exception in Python, with nothing broken."""

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ExecutionEngine

from playout.core import interrupt
from playout.core.jit.compiled import Compiled, constant
from playout.core.jit.folding import ConstantFolding
from playout.core.jit.native import Kernel
from playout.core.jit.pipeline import KernelCompiler


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


def press_ctrl_c() -> None:
    """The handler runs before this has returned."""
    os.kill(os.getpid(), signal.SIGINT)


@dataclass(frozen=True)
class Weights(Compiled):
    factor: int = 3

    @constant
    def table(self) -> np.ndarray:
        return np.arange(8) * 2

    def weigh(self, number: int) -> int:
        return self.factor * number + int(self.table[number])


def make_kernel() -> Kernel:
    """A kernel of four functions that nobody has compiled yet."""

    def squared(number: int) -> int:
        return number * number

    def both(weights: Any, number: int) -> int:
        return squared(number) + weights.weigh(number)

    def twice(weights: Any, number: int) -> int:
        return both(weights, number) + both(weights, number + 1)

    return Kernel(twice)


@contextlib.contextmanager
def pressing_at(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, turn: int = 0
) -> Iterator[None]:
    """Press Ctrl-C within a method, when it is called for the turn-th time."""
    method, calls = getattr(owner, name), []

    def pressing(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == turn + 1:
            press_ctrl_c()
        return method(*args)

    with monkeypatch.context() as patched:
        patched.setattr(owner, name, pressing)
        yield
    assert len(calls) > turn


def test_ctrl_c_in_a_callback_of_llvm_is_not_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Python prints and drops exceptions of callbacks, so it is raised afterwards."""
    kernel = make_kernel()
    with (
        pressing_at(monkeypatch, ExecutionEngine, "_find_module_ptr"),
        pytest.raises(KeyboardInterrupt),
    ):
        kernel.compile(Weights(), 1)
    assert kernel.compile(Weights(), 1)(Weights(), 2) == kernel(Weights(), 2)


@pytest.mark.parametrize("turn", range(3))
def test_the_same_process_compiles_after_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, turn: int
) -> None:
    """Ctrl-C comes while one function is compiled and takes effect before the next."""
    kernel, begun = make_kernel(), []
    begin = KernelCompiler.compile_extra

    def beginning(self: Any, function: Any) -> Any:
        begun.append(function)
        return begin(self, function)

    monkeypatch.setattr(KernelCompiler, "compile_extra", beginning)
    with (
        pressing_at(monkeypatch, ConstantFolding, "run_pass", turn),
        pytest.raises(KeyboardInterrupt),
    ):
        kernel.compile(Weights(), 1)
    assert len(begun) <= turn + 2
    assert kernel.compile(Weights(), 1)(Weights(), 2) == kernel(Weights(), 2)


def test_a_handler_that_goes_on_is_called_for_each_ctrl_c(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kernel, handled = make_kernel(), []
    before = signal.signal(signal.SIGINT, lambda *_: handled.append(1))
    try:
        with (
            pressing_at(monkeypatch, ConstantFolding, "run_pass", 1),
            pressing_at(monkeypatch, ExecutionEngine, "_find_module_ptr"),
        ):
            native = kernel.compile(Weights(), 1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert handled == [1, 1]
    assert native(Weights(), 2) == kernel(Weights(), 2)


@dataclass(frozen=True)
class Endless(Compiled):
    @constant
    def table(self) -> int:
        threading.Timer(0.1, press_ctrl_c).start()
        time.sleep(60)
        return 1

    def first(self) -> int:
        return self.table


def test_a_constant_that_takes_too_long_can_be_interrupted() -> None:
    """It is computed in plain Python, which Ctrl-C may interrupt at any time."""

    def first(endless: Any) -> Any:
        return endless.first()

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        Kernel(first).compile(Endless())
    assert time.monotonic() - started < 30
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def wait_until(holds: Callable[[], object]) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_a_thread_left_to_itself_is_known_to_work_on() -> None:
    """The end of the process must not free what the thread uses."""
    go_on = threading.Event()

    def work() -> None:
        press_ctrl_c()
        go_on.wait(60)

    assert not interrupt.is_busy()
    with pytest.raises(KeyboardInterrupt):
        interrupt.interruptible(work)
    assert interrupt.is_busy()
    go_on.set()
    wait_until(lambda: not interrupt.is_busy())


@pytest.mark.parametrize("is_started", [False, True])
def test_a_thread_that_was_given_up_before_it_has_started_is_forgotten(
    monkeypatch: pytest.MonkeyPatch, is_started: bool
) -> None:
    """The system may have no thread left, or Ctrl-C may come that early."""
    begin, called = threading.Thread.start, []

    def start(thread: threading.Thread) -> None:
        if is_started:
            begin(thread)
            wait_until(lambda: called)
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(RuntimeError, match="new thread"):
        interrupt.interruptible(lambda: called.append(1))
    assert bool(called) == is_started
    wait_until(lambda: not interrupt.is_busy())
