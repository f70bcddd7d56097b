"""`ParallelCalls`: calls of a native function side by side, one thread for each."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, TypeVar

import numpy as np

from ...core.interrupt import allowing_interrupts, deferring

__all__ = ["ParallelCalls"]

Call = tuple[Any, ...]
T = TypeVar("T")


class ParallelCalls:
    """Threads for as many calls at once; the caller's own is one of them.

    Native functions run without the interpreter's lock. `with` ends the threads. A
    search with an evaluator makes such calls at every step, some of less than a tenth
    of a millisecond: the futures of a `ThreadPoolExecutor` took as long.

    Args:
        in_turn: make the calls one after the other, for functions that are interpreted.
    """

    def __init__(self, in_turn: bool = False) -> None:
        self.in_turn = in_turn
        self._queues: list[Tasks] = []  # one for each thread
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> ParallelCalls:
        return self

    def __exit__(self, *_: object) -> None:
        if self._threads:
            with deferring():
                _end(self._queues, self._threads)

    def run(self, function: Callable[..., Any], calls: Sequence[Call]) -> None:
        """Make all calls. Ctrl-C takes effect when all are over.

        Raises:
            BaseException: what a call has raised, once all are over.
        """
        if self.in_turn or len(calls) == 1:
            for call in calls:
                function(*call)
            return
        first, *others = calls
        with deferring():
            tasks = self._begin(function, others)
            try:
                function(*first)
            finally:
                _join(tasks)
        _raise_any(tasks)

    def run_beside(
        self,
        function: Callable[..., Any],
        calls: Sequence[Call],
        meanwhile: Callable[[], T],
    ) -> T:
        """Make all calls on threads, while this one does something else.

        It waits until all have begun: what holds the interpreter's lock most of the
        time, and gives it up for moments only, would keep them from that. Ctrl-C takes
        effect at once in what is done meanwhile, and comes through when the calls are
        over.

        Returns:
            What is done meanwhile gives.

        Raises:
            BaseException: what that, or else a call, has raised, once all are over.
        """
        if self.in_turn:
            self.run(function, calls)
            return meanwhile()
        with deferring():
            tasks = self._begin(function, calls)
            for task in tasks:
                task.waiting.acquire()
            try:
                with allowing_interrupts():
                    found = meanwhile()
            finally:
                with deferring():  # which Ctrl-C may just have ended
                    _join(tasks)
        _raise_any(tasks)
        return found

    def _begin(
        self, function: Callable[..., Any], calls: Sequence[Call]
    ) -> list[_Task]:
        """Have a thread begin each call."""
        self._have_threads(len(calls))
        tasks = [_Task(function, call) for call in calls]
        for queue, task in zip(self._queues, tasks, strict=False):
            queue.put(task)
        return tasks

    def _have_threads(self, count: int) -> None:
        """Begin those that are missing; most searches never need any.

        Ctrl-C may come before `__exit__` does: they end when this is collected, too.
        """
        if not self._threads:
            weakref.finalize(self, _end, self._queues, self._threads)
        for number in range(len(self._threads), count):
            queue: Tasks = SimpleQueue()
            thread = threading.Thread(
                target=_serve, args=(queue,), name=f"playout-{number + 1}", daemon=True
            )
            thread.start()
            self._queues.append(queue)
            self._threads.append(thread)


class _Task:
    """A call for another thread.

    Attributes:
        waiting: a lock that is held until the call begins.
        running: a lock that is held until the call is over.
        error: what it has raised.
    """

    __slots__ = ("call", "error", "function", "running", "waiting")

    def __init__(self, function: Callable[..., Any], call: Call) -> None:
        self.function, self.call = function, call
        self.error: BaseException | None = None
        self.waiting, self.running = threading.Lock(), threading.Lock()
        self.waiting.acquire()
        self.running.acquire()

    def run(self) -> None:
        self.waiting.release()
        try:
            self.function(*self.call)
        except BaseException as error:
            self.error = error
        finally:
            self.running.release()


#: What a thread is to run; it ends at None.
Tasks = SimpleQueue[_Task | None]


def _serve(queue: Tasks) -> None:
    """Run what is asked for, until nothing more is.

    Integers wrap on this thread, where a function asks rules in Python.
    """
    with np.errstate(over="ignore"):
        while (task := queue.get()) is not None:
            task.run()
            del task  # and with it the tree, while nothing is asked for


def _join(tasks: list[_Task]) -> None:
    """Wait until all are over."""
    for task in tasks:
        task.running.acquire()


def _raise_any(tasks: list[_Task]) -> None:
    """Raise what one of them has raised."""
    for task in tasks:
        if task.error is not None:
            raise task.error


def _end(queues: list[Tasks], threads: list[threading.Thread]) -> None:
    """End threads that have nothing to do. Both lists are empty then."""
    for queue in queues:
        queue.put(None)
    while threads:
        threads.pop().join()
    queues.clear()
