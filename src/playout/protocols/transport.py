"""Lines to and from an engine: what a manager's conversation runs over.

Transport
├── ScriptedTransport   a conversation written down in a test
└── ProcessTransport    a program that runs (see `process`)
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable

__all__ = ["EngineClosed", "ScriptedTransport", "Transport"]


#: A line, a pause in seconds, or the end of an engine.
Event = str | float | None


class EngineClosed(Exception):
    """The engine has ended, or closed its output."""


class Transport(ABC):
    """An engine, as lines of text without their ends."""

    @abstractmethod
    def send(self, line: str) -> None:
        """Hand a line over; never waits for the engine to read it."""

    @abstractmethod
    def receive(self, seconds: float) -> str | None:
        """The next line, waiting for it at most so long; None where none came.

        Raises:
            EngineClosed: there will be no further line.
        """

    @abstractmethod
    def close(self) -> None:
        """End the engine and everything it started; may be called twice."""

    @property
    def stderr_tail(self) -> str:
        """The end of what the engine wrote on its standard error."""
        return ""

    def clock(self) -> float:
        """Seconds since some moment, by which this transport measures."""
        return time.monotonic()

    def memory(self) -> int:
        """Bytes that the engine and all processes under it hold for themselves."""
        return 0

    def discard(self) -> None:
        """Forget the lines that have come and were not asked for."""
        while self._receive_now() is not None:
            pass

    def _receive_now(self) -> str | None:
        try:
            return self.receive(0)
        except EngineClosed:
            return None


class ScriptedTransport(Transport):
    """An engine that follows a script, for tests.

    >>> engine = ScriptedTransport()
    >>> engine.expect("isready", ["readyok"])
    >>> engine.send("isready")
    >>> engine.receive(1)
    'readyok'

    A line that the script does not have next is an `AssertionError`; so is, in
    `finish`, one that was never sent. Time passes only in `receive`, where the script
    has no reply: the clock then goes on by the seconds asked for, at once.
    """

    def __init__(self) -> None:
        self.closed = False
        self._now = 0.0
        self._script: deque[tuple[str, list[Event]]] = deque()
        self._replies: deque[Event] = deque()

    def expect(self, line: str, replies: Iterable[Event] = ()) -> None:
        """The next line must be this one; it is then answered.

        Among the replies a number is a pause in seconds, None the engine's end.
        """
        self._script.append((line, list(replies)))

    def send(self, line: str) -> None:
        assert self._script, f"the script is over, but {line!r} was sent"
        wanted, replies = self._script.popleft()
        assert line == wanted, f"sent {line!r}, but the script has {wanted!r}"
        self._replies.extend(replies)

    def receive(self, seconds: float) -> str | None:
        if self.closed:
            raise EngineClosed
        while self._replies:
            reply = self._replies.popleft()
            if isinstance(reply, str):
                return reply
            if reply is None:
                self.close()
                raise EngineClosed
            self._now += min(reply, seconds)
            if reply > seconds:
                self._replies.appendleft(reply - seconds)
                return None
            seconds -= reply
        self._now += seconds
        return None

    def clock(self) -> float:
        return self._now

    def close(self) -> None:
        self.closed = True

    def finish(self) -> None:
        """The whole script must have been followed."""
        left = [line for line, _ in self._script]
        assert not left, f"never sent: {left}"
