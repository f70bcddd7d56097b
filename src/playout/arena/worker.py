"""A process that plays games, told by one pipe which, and telling by another how.

It leads a process group, so that it can be ended with the engines that its players
started, and it ends the group itself when the process that wants the games is gone.
Standard output belongs to the messages; what players print goes to standard error.

| message to the worker | |
|---|---|
| `("prepare", task)` | make and prepare the players |
| `("play", task)` | play a game |

| message from it | |
|---|---|
| `("ready",)` | the players are prepared |
| `("refused", exception)` | they cannot be |
| `("thinking", seat, limit, record)` | a seat's code runs; the game so far |
| `("compiling", label)`, `("compiled",)` | all clocks stand still |
| `("done", record)` | the game is over |
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import pickle
import queue
import signal
import threading
from typing import Any, BinaryIO

from ..protocols.process import process_tree
from .record import GameRecord
from .task import Listener, Table

__all__ = ["end_family", "main"]


class _Reports(Listener):
    """Sends what goes on at the table."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def send(self, *message: Any) -> None:
        self.stream.write(pickle.dumps(message))
        self.stream.flush()

    def thinking(self, seat: int, limit: float, record: GameRecord) -> None:
        self.send("thinking", seat, limit, record)

    def compiling(self, label: str) -> None:
        self.send("compiling", label)

    def compiled(self) -> None:
        self.send("compiled")


def main() -> None:
    """Play what is asked for until the pipe is closed."""
    faulthandler.enable(all_threads=False)
    gc.freeze()
    gc.enable()
    source, reports = _take_pipes()
    orders: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, orders), daemon=True).start()
    with Table(reports) as table:
        while True:
            kind, task = orders.get()
            if kind == "play":
                reports.send("done", table.play(task))
                continue
            try:
                table.prepare(task)
            except Exception as error:
                reports.send("refused", _sendable(error))
            else:
                reports.send("ready")


def _take_pipes() -> tuple[BinaryIO, _Reports]:
    """The pipes for messages, out of reach of what players read and print."""
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, _Reports(target)


def _listen(source: BinaryIO, orders: queue.SimpleQueue[tuple[str, Any]]) -> None:
    """Pass orders on; at their end, end this process and all that it started."""
    try:
        while True:
            orders.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        end_family(os.getpid())
        os._exit(0)


def end_family(pid: int) -> None:
    """Kill a worker with all that it started, its engines' process groups included."""
    if not hasattr(os, "killpg"):  # Windows, where this ends it at once
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGTERM)
        return
    for member in process_tree(pid)[1:]:
        with contextlib.suppress(OSError):
            os.kill(member, signal.SIGKILL)
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _sendable(error: Exception) -> Exception:
    """The error, or one that can be sent and says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
