"""`Pool`: searches for many games that share a few cores.

Every search has a thread, but no more run at a time than there are cores. A search
reads the clock every few milliseconds; if it has run for `SLICE_SECONDS` while another
waits, the call that reads the clock lets the other run first. The search's time goes on
meanwhile. So each ends when its time is over, however many there are: with fewer
simulations, but late by one round of slices at most.
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

__all__ = ["COMPILER", "NICENESS", "Pool", "TurnQueue"]

Value = TypeVar("Value")

#: How long a search may keep a core while others wait.
SLICE_SECONDS = 0.008
#: More would only keep Python's interpreter from the pages, which have one thread.
SHORT_AT_A_TIME = 2
#: What the name of the thread that compiles begins with.
COMPILER = "compile"
#: Searches and compiles are this much less urgent to the system than the pages.
NICENESS = 5


class TurnQueue:
    """Lets a number of threads run at a time; others wait in order of arrival."""

    def __init__(self, places: int) -> None:
        self._lock = threading.Lock()
        self._places = self._free = places
        self._waiting: deque[threading.Lock] = deque()

    @property
    def anyone_waits(self) -> bool:
        return bool(self._waiting)

    @property
    def round_seconds(self) -> float:
        """How long it takes until all who wait have had a slice."""
        return SLICE_SECONDS * len(self._waiting) / self._places

    def take(self) -> None:
        """Wait for a place."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            gate = threading.Lock()
            gate.acquire()
            self._waiting.append(gate)
        gate.acquire()

    def leave(self) -> None:
        """Pass the place on to the thread that has waited longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


class Pool:
    """Runs searches on threads, by turns.

    Args:
        cores: how many run at a time.
        threads: how many there can be.
    """

    def __init__(self, cores: int, threads: int) -> None:
        self._turns = TurnQueue(cores)
        self._mine = threading.local()
        self._threads = ThreadPoolExecutor(threads, "search", _be_patient)
        self._short = ThreadPoolExecutor(SHORT_AT_A_TIME, "aside")
        self._compiler = ThreadPoolExecutor(1, COMPILER, _be_patient)

    @property
    def round_seconds(self) -> float:
        """How long a search may have to wait until it can look at the clock again."""
        return self._turns.round_seconds

    def clock(self) -> float:
        """`time.perf_counter`; a search that asks lets others go when it must."""
        now = time.perf_counter()
        if now >= getattr(self._mine, "until", math.inf):
            self._pass_on()
        return now  # what was waited shows at the next look

    def _pass_on(self) -> None:
        if self._turns.anyone_waits:
            self._turns.leave()
            self._turns.take()
        self._mine.until = time.perf_counter() + SLICE_SECONDS

    async def run(self, work: Callable[[], Value]) -> Value:
        """Run a search when it is its turn; the clock it asks must be `clock`."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._by_turns, work)

    async def aside(self, work: Callable[[], Value]) -> Value:
        """Run short work, so that pages need not wait for it; few at a time."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._short, work)

    async def outside(self, work: Callable[[], Value]) -> Value:
        """Run work that waits for another program: at once, and without a core."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, work)

    async def prepare(self, work: Callable[[], Value]) -> Value:
        """Run work that loads or compiles rules: one at a time, without a core."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._compiler, work)

    def _by_turns(self, work: Callable[[], Value]) -> Value:
        self._turns.take()
        try:
            self._mine.until = time.perf_counter() + SLICE_SECONDS
            return work()
        finally:
            self._mine.until = math.inf
            self._turns.leave()

    def close(self) -> None:
        """Begin nothing new; the callers must stop what runs."""
        for threads in (self._threads, self._short, self._compiler):
            threads.shutdown(wait=False, cancel_futures=True)


def _be_patient() -> None:
    """Lower this thread's priority, where the system knows such a thing."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
