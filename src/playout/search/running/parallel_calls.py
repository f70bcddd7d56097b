"""`ParallelCalls`: calls of a native function side by side, one thread for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

__all__ = ["ParallelCalls"]

Call = tuple[Any, ...]


class ParallelCalls:
    """Threads for as many calls at once; the caller's own is one of them.

    Native functions run without the interpreter's lock. `with` ends the threads.

    Args:
        most: how many calls there are at once.
        in_turn: make the calls one after the other, for functions that are interpreted.
    """

    def __init__(self, most: int, in_turn: bool = False) -> None:
        self.in_turn = in_turn or most == 1
        self._pool = None
        if not self.in_turn:
            self._pool = ThreadPoolExecutor(most - 1, initializer=_let_overflow)

    def __enter__(self) -> ParallelCalls:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def run(self, function: Callable[..., Any], calls: Sequence[Call]) -> None:
        """Make all calls; those that have begun all end, even on Ctrl-C.

        Raises:
            Exception: what a call has raised, once all are over.
        """
        if self._pool is None:
            for call in calls:
                function(*call)
            return
        others: list[Future[Any]] = []
        try:
            for call in calls[1:]:
                others.append(self._pool.submit(function, *call))
            function(*calls[0])
        finally:
            _wait_for(others)
        for other in others:
            other.result()


def _let_overflow() -> None:
    """Have integers wrap on this thread, where a function asks rules in Python."""
    np.seterr(over="ignore")


def _wait_for(calls: list[Future[Any]]) -> None:
    """Wait until all are over; an interrupt comes through only then."""
    interrupt = None
    while True:
        try:
            wait(calls)
            break
        except KeyboardInterrupt as caught:
            interrupt = caught
    if interrupt is not None:
        raise interrupt
