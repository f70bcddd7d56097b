"""Calls of rules that take long are told of; how stacks are read."""

import gc
import sys
import threading
import time
import traceback
from typing import Any

import pytest

from playout.core import watchdog
from playout.core.jit.native import NativeFunction


def test_what_comes_back_in_time_is_not_told_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Though all calls together take longer than one may."""
    monkeypatch.setattr(watchdog, "PATIENCE_SECONDS", 2.0)
    call = NativeFunction(lambda: time.sleep(0.1), 0.0, False)
    said: list[str] = []
    with watchdog.watching(said.append):
        for _ in range(21):
            call()
    assert said == []


@pytest.mark.parametrize("compiled_too", [True, False])
def test_compiled_rules_that_go_on_are_told_of_where_that_is_wanted(
    monkeypatch: pytest.MonkeyPatch, compiled_too: bool
) -> None:
    told = threading.Event()
    said: list[str] = []

    def tell(what: str) -> None:
        said.append(what)
        told.set()

    monkeypatch.setattr(watchdog, "PATIENCE_SECONDS", 0.02)
    with watchdog.watching(tell, compiled_too):
        NativeFunction(lambda: told.wait(60 if compiled_too else 0.5), 0.0, False)()
    assert said == ["compiled rules"] * compiled_too


def test_a_stack_is_read_at_once_and_nothing_is_collected_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a collection calls would let the thread go on whose frames are read."""
    read, stacks, reader = watchdog._stack, [], threading.get_ident()

    def reading(frame: Any) -> Any:
        if threading.get_ident() != reader:  # a watch that an earlier test has ended
            return read(frame)
        assert not gc.isenabled()
        stacks.append(read(frame))
        return stacks[-1]

    monkeypatch.setattr(watchdog, "_stack", reading)
    found = watchdog._calls(lambda stack: stack[-1])
    with watchdog._stacks_lock:  # so that no other watch has it switched off
        assert gc.isenabled()
    assert found == [stack[-1] for stack in stacks]
    here = [frame for frame, _ in traceback.walk_stack(sys._getframe())]
    (own,) = [stack for stack in stacks if here[0] in stack]
    assert own[own.index(here[0]) :] == here


def test_one_thread_at_a_time_reads_stacks() -> None:
    """Else one would switch the garbage collector on while another reads."""
    reader = threading.Thread(target=watchdog._calls, args=(lambda stack: None,))
    with watchdog._stacks_lock:
        reader.start()
        reader.join(0.1)
        assert reader.is_alive()
    reader.join(20)
    assert not reader.is_alive()
