"""What all engines share: lines in, lines out, and a thread for each direction.

The main thread reads, so that an order to stop is heard while the engine thinks; a
second one does what it is told, in order. Standard output carries nothing but the
protocol; remarks for people go to standard error.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from ...games.contract.game import Game

__all__ = ["LONGEST_LINE", "Engine", "InputLine", "clean", "note", "run", "serve"]

#: Longer lines are cut, in bytes.
LONGEST_LINE = 1 << 20
#: So many lines may wait; the sender of more is blocked.
MOST_WAITING = 10_000
#: With nothing to do for so long, an engine prepares what it will need.
IDLE_SECONDS = 0.05
#: How long a search may go on after it was told to end.
END_SECONDS = 0.4
#: How long what was asked before the order to end may take: rules may be compiled.
LEAVE_SECONDS = 60.0


@dataclass(frozen=True)
class InputLine:
    """A line that was read: its text, its number, when it came, whether it was cut."""

    text: str
    number: int
    received: float
    cut: bool = False


class Engine(ABC):
    """A protocol, from the engine's side.

    Args:
        say: sends a line.

    Attributes:
        default: the spec of the game where none is named; "" if one must be.
        games: the names of those that it can be about; all if there are none here.
        kept_games: of how many games players are kept, where a line may name another.
        leaving: whether nothing is read any more, and what waits is done still.
        ended: whether nothing more is to be done.
    """

    default: ClassVar[str] = ""
    games: ClassVar[tuple[str, ...]] = ()
    kept_games: ClassVar[int] = 1

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.ended = self.leaving = False

    @classmethod  # noqa: B027 - most engines can be about all of `games`
    def check(cls, game: Game) -> None:
        """Complain about one of these games that the protocol cannot be about.

        Raises:
            UsageError: says why.
        """

    def hear(self, line: InputLine) -> bool:
        """Deal with a line at once, while an earlier one may be in work.

        Called by the reading thread; returns whether it is done with, else `handle`
        gets it in its turn.
        """
        return False

    @abstractmethod
    def handle(self, line: InputLine) -> None:
        """Do what a line says."""

    @abstractmethod
    def fail(self, line: InputLine, error: Exception) -> None:
        """Answer a line whose handling failed."""

    def idle(self) -> None:  # noqa: B027 - most engines need nothing
        """Called when no line has come for a moment."""

    def finish(self) -> None:  # noqa: B027
        """Called when no further line will come, before the waiting ones are done."""


def serve(engine: Engine, source: IO[bytes]) -> bool:
    """Run an engine until it is told to end, or its input ends.

    Returns whether all its threads have ended.
    """
    inbox: queue.Queue[InputLine | None] = queue.Queue(MOST_WAITING)
    worker = threading.Thread(target=_work, args=(engine, inbox), daemon=True)
    worker.start()
    for number, (text, cut) in enumerate(read_lines(source), start=1):
        line = InputLine(text, number, time.monotonic(), cut)
        if not engine.hear(line):
            inbox.put(line)
        if engine.ended or engine.leaving:
            break
    else:
        engine.finish()
    if engine.ended:
        with contextlib.suppress(queue.Full):  # then the worker sees it by itself
            inbox.put_nowait(None)
    elif engine.leaving:
        with contextlib.suppress(queue.Full):
            inbox.put(None, timeout=LEAVE_SECONDS)
        worker.join(LEAVE_SECONDS)
        engine.ended = True
    else:
        inbox.put(None)
    worker.join(END_SECONDS if engine.ended else None)
    return not worker.is_alive()


def run(make: Callable[[Callable[[str], None]], Engine]) -> None:
    """Run an engine on this process's own streams, to the end of the process.

    Whatever else is printed, from when `make` begins, goes to standard error.
    """
    sys.stdout.flush()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", newline="\n")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # prints of others
    lock = threading.Lock()

    def say(line: str) -> None:
        with lock:
            try:
                output.write(f"{clean(line)}\n")
                output.flush()
            except OSError:  # the reader has gone
                os._exit(0)

    code = 0
    try:
        serve(make(say), sys.stdin.buffer if sys.stdin else io.BytesIO())
    except KeyboardInterrupt:
        code = 130
    os._exit(code)  # a thread may be compiling, which must not be waited for


def read_lines(source: IO[bytes]) -> Iterator[tuple[str, bool]]:
    """The lines of a stream as text, without their ends, and whether they were cut."""
    while chunk := source.readline(LONGEST_LINE):
        cut = len(chunk) == LONGEST_LINE and not chunk.endswith(b"\n")
        yield chunk.decode(errors="replace").strip("\r\n\ufeff\0 \t"), cut
        while chunk and not chunk.endswith(b"\n"):
            chunk = source.readline(LONGEST_LINE)


def clean(text: str) -> str:
    r"""The text as one line that can be printed.

    >>> clean("a\nb\x1b")
    'a?b?'
    """
    return "".join(c if c.isprintable() else "?" for c in text)


def note(text: str) -> None:
    """Write one line for people, on standard error."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"playout: {' '.join(text.split())[:1000]}\n")
        sys.stderr.flush()


def _work(engine: Engine, inbox: queue.Queue[InputLine | None]) -> None:
    while (line := _next(engine, inbox)) is not None and not engine.ended:
        try:
            engine.handle(line)
        except Exception as error:
            _report(error)
            engine.fail(line, error)


def _next(engine: Engine, inbox: queue.Queue[Any]) -> InputLine | None:
    with contextlib.suppress(queue.Empty):
        return inbox.get(timeout=IDLE_SECONDS)
    engine.idle()
    return inbox.get()


def _report(error: Exception) -> None:
    if os.environ.get("PLAYOUT_TRACEBACK"):
        raise error
    note(f"{type(error).__name__}: {error}")
