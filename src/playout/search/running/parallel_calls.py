"""`ParallelCalls`: calls of a native function side by side, one thread for each."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

import numpy as np

from ...core.interrupt import deferring

__all__ = ["ParallelCalls"]

Call = tuple[Any, ...]


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
        with deferring():
            self._have_threads(len(calls) - 1)
            tasks = [_Task(function, call) for call in calls[1:]]
            for queue, task in zip(self._queues, tasks, strict=False):
                queue.put(task)
            try:
                function(*calls[0])
            finally:
                for task in tasks:
                    task.running.acquire()
        for task in tasks:
            if task.error is not None:
                raise task.error

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
        running: a lock that is held until the call is over.
        error: what it has raised.
    """

    __slots__ = ("call", "error", "function", "running")

    def __init__(self, function: Callable[..., Any], call: Call) -> None:
        self.function, self.call = function, call
        self.error: BaseException | None = None
        self.running = threading.Lock()
        self.running.acquire()

    def run(self) -> None:
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


def _end(queues: list[Tasks], threads: list[threading.Thread]) -> None:
    """End threads that have nothing to do. Both lists are empty then."""
    for queue in queues:
        queue.put(None)
    while threads:
        threads.pop().join()
    queues.clear()
