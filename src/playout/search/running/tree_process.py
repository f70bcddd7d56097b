"""A process with a tree: orders come by one pipe, answers go by another.

An order is the name of a method of `TreeActor` and its arguments, an answer what that
returns, both pickled. The process ends with the pipe, whatever its rules do meanwhile.
What they print goes to standard error.
"""

from __future__ import annotations

import os
import pickle
import queue
import threading
import warnings
from typing import Any, BinaryIO

from ...core.jit.fallback import InterpretedWarning
from ...core.pipes import take_pipes
from .tree_actor import TreeActor

__all__ = ["main"]


def main() -> None:
    """Do what is asked for until the pipe is closed."""
    source, target = take_pipes()
    orders: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, orders), daemon=True).start()
    warnings.simplefilter("ignore", InterpretedWarning)  # was said where it is asked
    actor = TreeActor()
    while True:
        method, arguments = orders.get()
        answer = getattr(actor, method)(*arguments)
        pickle.dump(answer, target)
        target.flush()


def _listen(
    source: BinaryIO, orders: queue.SimpleQueue[tuple[str, tuple[Any, ...]]]
) -> None:
    """Pass orders on; at their end, end this process."""
    try:
        while True:
            orders.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)
