"""Ctrl-C while native code runs.

Python handles a signal in the main thread, between two instructions of its own: native
code that does not come back keeps it from that for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["interruptible"]

Value = TypeVar("Value")


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

    def run() -> None:
        try:
            outcome.append(function())
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)
    if failure:
        raise failure[0]
    return outcome[0]
