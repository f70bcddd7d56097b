"""Ctrl-C while native code runs, or is being made.

Python handles a signal in the main thread, between two instructions of its own. Native
code that does not come back keeps it from that for ever: `interruptible` runs it in
another thread. Numba and LLVM cannot continue after an exception at an arbitrary place
in their code: while they compile, `deferring` has Ctrl-C wait for a `safe_point`; and
threads that have begun end before a search does.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, TypeVar

__all__ = [
    "allowing_interrupts",
    "compile_token",
    "deferring",
    "interruptible",
    "is_busy",
    "safe_point",
    "working",
]

Value = TypeVar("Value")

#: Threads that are in native code, or make some.
_working: list[threading.Thread] = []


def interruptible(function: Callable[[], Value]) -> Value:
    """Call a function in a thread, so that Ctrl-C works while it runs native code.

    Raises:
        KeyboardInterrupt: at Ctrl-C; the thread is left to itself.
        BaseException: what the function raised.

    >>> interruptible(lambda: 6 * 7)
    42
    """
    outcome: list[Value] = []
    failure: list[BaseException] = []
    done = threading.Event()
    decision = threading.Lock()  # whoever takes it decides whether the function runs

    def run() -> None:
        if not decision.acquire(blocking=False):
            return
        try:
            outcome.append(function())
        except BaseException as error:
            failure.append(error)
        finally:
            _working.remove(thread)
            done.set()

    thread = threading.Thread(target=run, daemon=True)
    try:
        _working.append(thread)
        thread.start()
    except BaseException:  # it cannot start, or Ctrl-C came before it has
        if decision.acquire(blocking=False) and thread in _working:
            _working.remove(thread)
        raise
    while not done.wait(0.1):  # an interrupted `join` would say that it has ended
        pass
    if failure:
        raise failure[0]
    return outcome[0]


@contextlib.contextmanager
def working() -> Iterator[None]:
    """While this lasts, the process must not be ended around this thread."""
    thread = threading.current_thread()
    _working.append(thread)
    try:
        yield
    finally:
        _working.remove(thread)


def is_busy() -> bool:
    """Whether the process must not be ended: another thread is in native code."""
    here = threading.current_thread()
    return any(thread is not here for thread in _working)


class _Deferral:
    """Interrupts that wait for the next safe point.

    Attributes:
        handler: what Ctrl-C calls elsewhere.
        count: how many wait.
        token: an identity token for the compile since the last one was delivered.
        is_over: whether nothing waits for it any more.
    """

    def __init__(self, handler: Callable[[int, FrameType | None], Any]) -> None:
        self.handler = handler
        self.count = 0
        self.token = object()
        self.is_over = False

    def note(self, number: int, frame: FrameType | None) -> None:
        """Take the place of the handler."""
        self.count += 1

    def deliver(self) -> None:
        """Call the handler now, which raises KeyboardInterrupt or does not."""
        while self.count:
            self.count -= 1
            self.token = object()
            self.handler(signal.SIGINT, None)


#: The deferral of the main thread, if any; no other thread is ever interrupted.
_deferral: _Deferral | None = None


@contextlib.contextmanager
def deferring() -> Iterator[None]:
    """While this lasts, Ctrl-C waits for a safe point, or for the end."""
    global _deferral
    handler = signal.getsignal(signal.SIGINT)
    if _deferral is not None or not (_is_main() and callable(handler)):
        yield
        return
    deferral = _Deferral(handler)
    try:
        signal.signal(signal.SIGINT, deferral.note)
        _deferral = deferral
        yield
    finally:
        deferral.is_over = True
        _deferral = None
        signal.signal(signal.SIGINT, handler)
        deferral.deliver()


def safe_point() -> None:
    """Have a Ctrl-C that waits take effect here: nothing is half made.

    Raises:
        KeyboardInterrupt: or whatever the handler of the signal raises.
    """
    if _deferral is not None and _is_main():
        _deferral.deliver()


def allowing_interrupts() -> contextlib.AbstractContextManager[None]:
    """Have Ctrl-C take effect at once in a user's code, where it would wait.

    What that code defers waits, as anywhere.
    """
    if _deferral is None or not _is_main():
        return contextlib.nullcontext()
    return _ending(_deferral)


@contextlib.contextmanager
def _ending(deferral: _Deferral) -> Iterator[None]:
    """End a deferral for a while."""
    global _deferral
    try:
        _deferral = None
        signal.signal(signal.SIGINT, deferral.handler)
        deferral.deliver()
        yield
    finally:
        # Where Ctrl-C comes within `contextlib`, this is run when the traceback is
        # forgotten, long after.
        if not deferral.is_over:
            signal.signal(signal.SIGINT, deferral.note)
            _deferral = deferral


def compile_token() -> object | None:
    """A token of the compile under way; None where Ctrl-C takes effect at once.

    As long as it is the same object, a Ctrl-C that came is still waiting. The thread
    that the system tells of signals compares it, as the main thread does not hear of
    them while it is in LLVM.
    """
    deferral = _deferral
    return None if deferral is None else deferral.token


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()
