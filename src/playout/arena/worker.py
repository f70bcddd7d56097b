"""A process that plays games: orders come by one pipe, reports go by another.

It leads a process group and has a tag, so that it can be ended with the engines that
its players started. It ends all these itself when the process that wants the games is
gone; the guard of that process does so too, whatever this one is doing.
Standard output belongs to the messages; what players print goes to standard error.

| message to the worker | |
|---|---|
| `("prepare", task)` | make and prepare the players |
| `("play", task)` | play a game |

| message from it | |
|---|---|
| `("ready",)` | the players are prepared |
| `("refused", exception)` | they cannot be |
| `("thinking", seat, limit, record)` | a seat's code runs; what is new of the game |
| `("answered",)` | it has ended, and the rules run |
| `("compiling", label)`, `("compiled",)` | all clocks stand still |
| `("noting", text)` | rules run as plain Python, as is to be said once |
| `("hanging", text)` | a method of the rules does not come back; its name and place |
| `("done", record)` | the game is over |
| `("failed", exception)` | it cannot be played, which is no player's fault |
"""

from __future__ import annotations

import faulthandler
import os
import pickle
import queue
import sys
import threading
import warnings
from typing import Any, BinaryIO

from ..core.errors import PlayoutError
from ..core.garbage import start_collecting
from ..core.jit.fallback import InterpretedWarning
from ..core.pipes import take_pipes
from ..core.watchdog import watching
from ..protocols.process import kill_family
from ..protocols.process_tags import own_tag
from .record import GameRecord
from .task import GameRunner, GameTask, Listener

__all__ = ["TAG", "main"]

#: The variable that tags a worker's processes, wherever they go.
TAG = "PLAYOUT_WORKER"


class _Reports(Listener):
    """Sends what goes on in the game; a buffered stream may be used by any thread."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def send(self, *message: Any) -> None:
        self.stream.write(pickle.dumps(message))
        self.stream.flush()

    def hanging(self, what: str) -> None:
        self.send("hanging", what)

    def thinking(self, seat: int, limit: float, record: GameRecord) -> None:
        self.send("thinking", seat, limit, record)

    def answered(self) -> None:
        self.send("answered")

    def compiling(self, label: str) -> None:
        self.send("compiling", label)

    def compiled(self) -> None:
        self.send("compiled")


def main() -> None:
    """Play what is asked for until the pipe is closed."""
    # Of a crash the beginning says what it was; since 3.14 a C stack would push it out.
    brief = {"c_stack": False} if sys.version_info >= (3, 14) else {}
    faulthandler.enable(all_threads=False, **brief)
    start_collecting()
    source, target = take_pipes()
    reports = _Reports(target)
    orders: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, orders), daemon=True).start()
    show = warnings.showwarning

    def note(message: Any, category: type[Warning], *others: Any, **more: Any) -> None:
        if issubclass(category, InterpretedWarning):
            reports.send("noting", f"{message}")
        else:
            show(message, category, *others, **more)

    warnings.showwarning = note
    with watching(reports.hanging, compiled_too=False), GameRunner(reports) as runner:
        while True:
            kind, task = orders.get()
            reports.send(*(_play if kind == "play" else _prepare)(runner, task))


def _play(runner: GameRunner, task: GameTask) -> tuple[str, Any]:
    try:
        return "done", runner.play(task)
    except PlayoutError as error:
        return "failed", _sendable(error)


def _prepare(runner: GameRunner, task: GameTask) -> tuple[str, *tuple[Any, ...]]:
    try:
        runner.prepare(task)
    except Exception as error:
        return "refused", _sendable(error)
    return ("ready",)


def _listen(source: BinaryIO, orders: queue.SimpleQueue[tuple[str, Any]]) -> None:
    """Pass orders on; at their end, end this process and all that it started."""
    try:
        while True:
            orders.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        kill_family(os.getpid(), own_tag(TAG))
        os._exit(0)


def _sendable(error: Exception) -> Exception:
    """The error, or one that can be sent and says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
