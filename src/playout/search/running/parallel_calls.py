"""`ParallelCalls`: calls of a native function side by side, one thread for each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

import numpy as np

__all__ = ["ParallelCalls"]

Call = tuple[Any, ...]


class ParallelCalls:
    """Threads for as many calls at once; the caller's own is one of them.

    Native functions run without the interpreter's lock. `with` ends the threads. A
    search with an evaluator makes such calls at every step, some of less than a tenth
    of a millisecond: the futures of a `ThreadPoolExecutor` took as long.

    Args:
        most: how many calls there are at once, at most.
        in_turn: make the calls one after the other, for functions that are interpreted.
    """

    def __init__(self, most: int, in_turn: bool = False) -> None:
        self.in_turn = in_turn or most == 1
        self._queues: list[SimpleQueue[_Task | None]] = []  # one for each thread
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> ParallelCalls:
        return self

    def __exit__(self, *_: object) -> None:
        for queue in self._queues:
            queue.put(None)
        for thread in self._threads:
            thread.join()

    def run(self, function: Callable[..., Any], calls: Sequence[Call]) -> None:
        """Make all calls; those that have begun all end, even on Ctrl-C.

        Raises:
            BaseException: what a call has raised, once all are over.
        """
        if self.in_turn:
            for call in calls:
                function(*call)
            return
        self._have_threads(len(calls) - 1)
        tasks = [_Task(function, call) for call in calls[1:]]
        begun: list[None] = []
        try:
            # One call of C: an interrupt comes before all are begun, or after.
            begun.extend(map(SimpleQueue.put, self._queues, tasks))
            function(*calls[0])
        finally:
            _wait_for(tasks[: len(begun)])
        for task in tasks:
            if task.error is not None:
                raise task.error

    def _have_threads(self, count: int) -> None:
        """Begin those that are missing; most searches never need any."""
        for number in range(len(self._threads), count):
            queue: SimpleQueue[_Task | None] = SimpleQueue()
            name = f"playout-{number + 1}"
            thread = threading.Thread(target=_serve, args=(queue,), name=name)
            thread.start()
            self._queues.append(queue)
            self._threads.append(thread)


class _Task:
    """A call for another thread, which says when it is over and what it has raised."""

    __slots__ = ("call", "error", "function", "is_over", "over")

    def __init__(self, function: Callable[..., Any], call: Call) -> None:
        self.function, self.call = function, call
        self.error: BaseException | None = None
        self.is_over = False
        self.over = threading.Lock()  # until it is over
        self.over.acquire()

    def run(self) -> None:
        try:
            self.function(*self.call)
        except BaseException as error:
            self.error = error
        finally:
            self.is_over = True
            self.over.release()


def _serve(queue: SimpleQueue[_Task | None]) -> None:
    """Run what is asked for, until nothing more is.

    Integers wrap on this thread, where a function asks rules in Python.
    """
    with np.errstate(over="ignore"):
        while (task := queue.get()) is not None:
            task.run()


def _wait_for(tasks: Sequence[_Task]) -> None:
    """Wait until all are over; an interrupt comes through only then."""
    interrupt = None
    while True:
        try:
            for task in tasks:
                while not task.is_over:
                    task.over.acquire()
            break
        except KeyboardInterrupt as caught:
            interrupt = caught
    if interrupt is not None:
        raise interrupt
