"""`ProcessTransport`: an engine that runs as a process of its own.

Three threads carry the lines, so that no other thread waits for an engine that neither
reads nor writes. Memory is bounded: long lines are cut, few lines wait to be read
(beyond that the engine itself waits), and only the end of its standard error is kept.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO

import psutil

from ..core.errors import UsageError
from .guard import guarded
from .process_tags import kill_tagged, new_tag, tagged_environment
from .transport import EngineClosed, Transport

__all__ = [
    "ProcessTransport",
    "expect_program",
    "kill_family",
    "process_tree",
    "tree_memory",
]

#: Longer lines are cut, in bytes.
LONGEST_LINE = 1 << 18
#: So many lines wait to be read.
MOST_LINES = 256
#: So much of standard error is kept, in bytes.
TAIL_BYTES = 4096
#: How long a process has to end after it was killed.
END_SECONDS = 5.0
#: The variable that tags an engine's processes, wherever they go.
TAG = "PLAYOUT_ENGINE"
#: How long to wait for the exit code and the last words of one that closed its output.
SETTLE_SECONDS = 0.3


class ProcessTransport(Transport):
    """Starts a command, in a process group of its own.

    Args:
        command: a command line as for a shell (which is not involved), or its words.
        environment: instead of this process's own.

    Raises:
        UsageError: the command cannot be run.
    """

    def __init__(
        self, command: str | Sequence[str], environment: dict[str, str] | None = None
    ) -> None:
        words = _words(command)
        self._tag = new_tag(TAG)
        given = os.environ if environment is None else environment
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=tagged_environment(guarded(given), self._tag),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"cannot run {words[0]!r}: {why}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self._outgoing: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._tail: deque[bytes] = deque()
        self._ended = self._closing = False
        self._threads = [
            self._start(self._read_output),
            self._start(self._read_errors),
            self._start(self._write_input),
        ]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How the process ended, negative for a signal; None while it runs."""
        return self._process.poll()

    @property
    def stderr_tail(self) -> str:
        return b"".join(self._tail).decode(errors="replace").strip()

    def send(self, line: str) -> None:
        self._outgoing.put(line)

    def receive(self, seconds: float) -> str | None:
        if self._ended:
            raise EngineClosed
        try:
            line = self._lines.get(seconds > 0, max(seconds, 0) or None)
        except queue.Empty:
            return None
        if line is None:
            self._ended = True
            self.wait(SETTLE_SECONDS)
            self._threads[1].join(SETTLE_SECONDS)  # what it said at its end
            raise EngineClosed
        return line

    def memory(self) -> int:
        return tree_memory(self.pid)

    def wait(self, seconds: float) -> bool:
        """Whether the process has ended by itself after so long."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def close(self) -> None:
        self._closing = True
        kill_family(self._process.pid, self._tag)
        self._outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        for thread in self._threads:
            self._drain()
            thread.join(END_SECONDS)

    def _drain(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                self._lines.get_nowait()

    @staticmethod
    def _start(target: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=target, daemon=True)
        thread.start()
        return thread

    def _read_output(self) -> None:
        with _stream(self._process.stdout) as stream:
            while line := stream.readline(LONGEST_LINE):
                text = line.decode(errors="replace").rstrip("\r\n")
                if not self._hand_over(text):
                    return
                while line and not line.endswith(b"\n"):  # cut: pass over the rest
                    line = stream.readline(LONGEST_LINE)
        self._hand_over(None)

    def _hand_over(self, text: str | None) -> bool:
        """Wait until there is room for a line; False if it will never be read."""
        while not self._closing:
            with contextlib.suppress(queue.Full):
                self._lines.put(text, timeout=0.1)
                return True
        return False

    def _read_errors(self) -> None:
        with _stream(self._process.stderr) as stream:
            while chunk := os.read(stream.fileno(), TAIL_BYTES):
                self._tail.append(chunk)
                while sum(map(len, self._tail)) - len(self._tail[0]) >= TAIL_BYTES:
                    self._tail.popleft()

    def _write_input(self) -> None:
        with contextlib.suppress(OSError), _stream(self._process.stdin) as stream:
            while (line := self._outgoing.get()) is not None:
                stream.write(line.encode() + b"\n")
                stream.flush()


def process_tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    return [pid, *(process.pid for process in _descendants(pid))]


def tree_memory(pid: int) -> int:
    """Bytes that a process and its descendants share with no other; 0 if unknown.

    The unique set size, as Gomocup's judge counts it.
    """
    return sum(map(_unique_bytes, process_tree(pid)))


def _unique_bytes(pid: int) -> int:
    with contextlib.suppress(psutil.Error, OSError):
        # not every system tells it
        return getattr(psutil.Process(pid).memory_full_info(), "uss", 0)
    return 0


def _descendants(pid: int) -> list[psutil.Process]:
    with contextlib.suppress(psutil.Error, OSError):
        return psutil.Process(pid).children(recursive=True)
    return []


def kill_family(pid: int, tag: str = "") -> None:
    """Kill a process that leads a group, with its group and its descendants.

    Args:
        pid: the process; if it is this one, it is the last, and this does not return.
        tag: processes with it are killed too, also what has left group and parent.
    """
    for process in _descendants(pid):
        with contextlib.suppress(psutil.Error):
            process.kill()
    if pid == os.getpid():
        kill_tagged(tag, spared=pid)
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(pid, signal.SIGKILL)
        else:  # Windows, where this ends it at once
            os.kill(pid, signal.SIGTERM)
    kill_tagged(tag)


def expect_program(command: str | Sequence[str]) -> None:
    """Complain of a command that names no program, without running it.

    Raises:
        UsageError: there is no such program, or it may not be run.
    """
    program = _words(command)[0]
    if shutil.which(program) is None:
        raise UsageError(
            f"cannot run {program!r}: there is no such program, or no permission to "
            "run it; name its file, as in ./engine, or a program on the PATH"
        )


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise UsageError(f"command {command!r}: {error}") from None
    if not words:
        raise UsageError("there is no command to run")
    return [os.path.expanduser(words[0]), *words[1:]]  # no shell sees it


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None  # every stream is a pipe
    return stream
