"""Calls side by side: all that have begun are over before anything comes through."""

import contextlib
import signal
import sys
import threading
import time
from types import FrameType
from typing import Any

import numpy as np
import pytest

from playout import MCTS, ConnectFour, Limit
from playout.core import interrupt
from playout.search.running import parallel_calls
from playout.search.running.parallel_calls import ParallelCalls


def test_calls_side_by_side_really_are_and_errors_come_through() -> None:
    """Two calls that wait for each other would never return one after the other."""
    barrier = threading.Barrier(2, timeout=20)
    with ParallelCalls() as parallel:
        parallel.run(barrier.wait, [(), ()])

    def fail(index: int) -> None:
        done.append(index)
        if index == 1:
            raise IndexError("broken rules")

    done: list[int] = []
    with ParallelCalls() as parallel, pytest.raises(IndexError, match="broken rules"):
        parallel.run(fail, [(0,), (1,), (2,)])
    assert sorted(done) == [0, 1, 2]
    assert not [t for t in threading.enumerate() if t.name.startswith("playout")]


def test_ctrl_c_in_the_own_call_comes_through_when_all_are_over() -> None:
    over: list[int] = []
    go_on = threading.Event()

    def work(index: int) -> None:
        if index == 0:
            threading.Timer(0.1, go_on.set).start()
            signal.raise_signal(signal.SIGINT)
        assert go_on.wait(20)
        over.append(index)

    with ParallelCalls() as parallel:
        with pytest.raises(KeyboardInterrupt):
            parallel.run(work, [(0,), (1,), (2,)])
        assert sorted(over) == [0, 1, 2]


class CtrlC:
    """Presses Ctrl-C at the n-th instruction of Python's that threads depend on."""

    files = frozenset(
        module.__file__ for module in (parallel_calls, interrupt, threading, contextlib)
    )

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename not in self.files:
            return None
        frame.f_trace_opcodes = True
        if event in ("opcode", "line"):
            self.left -= 1
            if self.left == 0:
                sys.settrace(None)
                signal.raise_signal(signal.SIGINT)
        return self


class Work:
    """Calls of which the first waits for no other, and the others for it."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.begun: list[int] = []
        self.over: list[int] = []

    def __call__(self, index: int) -> None:
        self.begun.append(index)
        if index == 0:
            self.go_on.set()
        assert self.go_on.wait(20)
        self.over.append(index)


def test_calls_beside_something_else_are_over_before_an_error_comes_through() -> None:
    barrier = threading.Barrier(3, timeout=20)

    def ends(error: type[BaseException] | None) -> int:
        barrier.wait()
        if error is not None:
            raise error("broken")
        return 7

    over: list[int] = []

    def work(index: int) -> None:
        barrier.wait()
        over.append(index)
        if index == 2:
            raise IndexError("broken rules")

    with ParallelCalls() as parallel:
        assert parallel.run_beside(barrier.wait, [(), ()], lambda: ends(None)) == 7
        for error in (ValueError, KeyboardInterrupt):
            over.clear()
            with pytest.raises(error, match=r"broken$"):
                parallel.run_beside(work, [(1,), (2,)], lambda e=error: ends(e))  # type: ignore[misc]
            assert sorted(over) == [1, 2]
        with pytest.raises(IndexError, match="broken rules"):
            parallel.run_beside(work, [(1,), (2,)], lambda: ends(None))
    with ParallelCalls(in_turn=True) as parallel:
        assert parallel.run_beside(over.append, [(3,)], lambda: over[-1]) == 3


def test_nothing_is_done_meanwhile_before_all_calls_have_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A thread that wakes late would be kept waiting by the interpreter's lock."""
    events: list[str] = []
    run = parallel_calls._Task.run

    def late(task: Any) -> None:
        time.sleep(0.05)
        events.append("begins")
        run(task)

    monkeypatch.setattr(parallel_calls._Task, "run", late)
    with ParallelCalls() as parallel:
        parallel.run_beside(len, [("",), ("",)], lambda: events.append("meanwhile"))
    assert events == ["begins", "begins", "meanwhile"]


@pytest.mark.parametrize("beside", [False, True])
def test_no_ctrl_c_leaves_a_call_or_a_thread_behind(beside: bool) -> None:
    """At every instruction of `run`, of beginning threads and of ending them."""
    before, number, interrupts = threading.active_count(), 0, 0
    handler = signal.getsignal(signal.SIGINT)
    while True:
        number += 1
        ctrl_c, work, are_over = CtrlC(number), Work(), True
        usual = sys.gettrace()
        sys.settrace(ctrl_c)
        try:
            with ParallelCalls() as parallel:
                try:
                    if beside:
                        parallel.run_beside(work, [(0,), (1,)], list)
                    else:
                        parallel.run(work, [(0,), (1,), (2,)])
                finally:
                    are_over = sorted(work.begun) == sorted(work.over)
        except KeyboardInterrupt:
            interrupts += 1
        finally:
            sys.settrace(usual)
        parallel = None
        assert are_over, number
        assert signal.getsignal(signal.SIGINT) is handler, number
        assert threading.active_count() == before, number
        if ctrl_c.left > 0:
            break
    assert interrupts > max(50, number - 50)


def test_ctrl_c_never_stops_threads_that_take_turns_at_a_tree() -> None:
    """They share a lock of Python's: Ctrl-C comes while the evaluator is asked."""
    left = 0

    def evaluate(states: Any) -> Any:
        nonlocal left
        if threading.current_thread() is threading.main_thread():
            left -= 1
            if left == 0:
                signal.raise_signal(signal.SIGINT)
        return np.zeros(len(states)), None

    search = MCTS(ConnectFour(), evaluator=evaluate, seed=1, batch=2, threads=3)
    search.search(limit=Limit(simulations=10))
    for number in range(4, 30):  # before, no move has been tried
        search.reset(seed=1)
        left = number
        result = search.search(limit=Limit(simulations=2000))
        assert result.stopped_by == ("interrupted" if left <= 0 else "simulations")
        assert search._forest._parallel._threads == []
