"""`Wire`: lines to and from an engine, and the failures that silence means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..protocols.transport import EngineClosed, Transport
from .player import PlayerFailure

__all__ = ["START_SECONDS", "EngineAnswer", "Wire"]

#: How long an engine may take to start, and between games.
START_SECONDS = 30.0
#: More lines than this for one move are a flood; without an answer, fewer are.
MOST_LINES, MANY_LINES = 100_000, 5_000

Value = TypeVar("Value")


@dataclass(frozen=True)
class EngineAnswer:
    """An engine's move, not yet known to be legal."""

    action: int
    comment: str = ""
    value: float | None = None


class Wire:
    """A transport, and the last unknown line that came over it."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.strange = ""  # the newest line that the protocol does not know
        self._count = 0

    def send(self, line: str) -> None:
        self.transport.send(line)

    def ask(self, line: str) -> None:
        """Send a line that begins a new exchange: older replies are forgotten."""
        self.transport.discard()
        self.strange, self._count = "", 0
        self.send(line)

    def wait(self, read: Callable[[str], Value | None], seconds: float) -> Value | None:
        """The first reply that `read` takes; None where there was none in time.

        Raises:
            PlayerFailure: the engine has ended, or writes without end.
        """
        deadline = self.transport.clock() + seconds
        while (left := deadline - self.transport.clock()) > 0:
            line = self._receive(left)
            if line is not None and (value := read(line)) is not None:
                return value
        return None

    def need(self, read: Callable[[str], Value | None], what: str) -> Value:
        """Like `wait`; an engine that does not answer in time has failed."""
        value = self.wait(read, START_SECONDS)
        if value is None:
            raise self.silence(f"no {what} within {START_SECONDS:g} s")
        return value

    def silence(self, what: str) -> PlayerFailure:
        """The failure of an engine that did not answer."""
        if self._count > MANY_LINES:
            return PlayerFailure("garbage", f"{what}, but {self._count:,} lines")
        if self.strange:
            return PlayerFailure("garbage", f"{what}, but {self.strange[:80]!r}")
        return PlayerFailure("hang", what)

    def _receive(self, seconds: float) -> str | None:
        try:
            line = self.transport.receive(seconds)
        except EngineClosed:
            code = getattr(self.transport, "exit_code", None)
            how = "" if code is None else f" with exit code {code}"
            raise PlayerFailure("crash", f"the engine ended{how}") from None
        if line is not None and (count := self._count + 1) > MOST_LINES:
            raise PlayerFailure("garbage", f"no answer, but {count:,} lines")
        self._count += line is not None
        return line
