"""`Awaiting`: what an `async def` evaluator answers to a search on another thread."""

from __future__ import annotations

import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

__all__ = ["Awaiting"]


class Awaiting:
    """Awaits in the loop of the task that searches, until that is cancelled.

    Args:
        loop: the task's.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._cancelled = threading.Event()
        self._asked: set[Future[Any]] = set()

    def result_of(self, given: Coroutine[Any, Any, Any]) -> Any:
        """What the loop gets for it; whichever thread asks waits for that.

        Raises:
            CancelledError: the task is cancelled, and with it what is awaited.
        """
        import asyncio  # which few need, and takes long

        future = asyncio.run_coroutine_threadsafe(given, self._loop)
        self._asked.add(future)
        if self.is_cancelled():  # maybe before `cancel` could see it
            future.cancel()
        try:
            return future.result()
        finally:
            self._asked.discard(future)

    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Await nothing any more: an answer may be long in coming, or never come."""
        self._cancelled.set()
        for future in tuple(self._asked):
            future.cancel()
