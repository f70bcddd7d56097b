"""Pondering: a search in the background, while an opponent thinks."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable
from typing import Any

__all__ = ["Pondering"]


class Pondering:
    """A search on a thread of its own until it is told to end.

    Args:
        think: called on the thread, with a function that says whether it is to end.
    """

    def __init__(self, think: Callable[[Callable[[], bool]], Any]) -> None:
        self._told = threading.Event()
        self._error: BaseException | None = None
        self._think = think
        self._thread = threading.Thread(
            target=self._run, name="playout pondering", daemon=True
        )
        self._thread.start()
        atexit.register(self._leave)

    def end(self) -> None:
        """Tell it to end, and wait until it has, some milliseconds at most.

        Raises:
            Exception: what ended it before.
        """
        self._leave()
        atexit.unregister(self._leave)
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _leave(self) -> None:
        self._told.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._think(self._told.is_set)
        except BaseException as error:
            self._error = error
