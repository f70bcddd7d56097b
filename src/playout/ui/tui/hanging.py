"""Rules that hang: the screen names them, and the keys that leave still do.

A game's moves are played on the thread of the screen. Where a method of the rules hangs
there, nothing is drawn and no key is taken any more. Then the thread that watches
writes to the terminal itself, and the thread that reads the keys interrupts the rules.
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.message import Message

from ...core.watchdog import watching
from ..common.messages import one_line
from .messages import Hanging

__all__ = ["RulesWatch", "watchful"]

#: A screen that does not take a message in so long is held by the rules.
ANSWER_SECONDS = 0.5
#: The keys that leave.
LEAVING = ("q", "ctrl+q", "ctrl+c")
#: A line in bold red over the keys at the bottom, which do nothing now.
_LINE = "\x1b7\x1b[9999;1H\x1b[2K\x1b[1;31m q leaves. {}\x1b[0m\x1b8"


class RulesWatch(ExitStack):
    """Has the screen say which method hangs, and knows whether it holds the screen.

    Args:
        post: sends a message to the screen.

    Attributes:
        is_stuck: whether the thread of the screen is held by the rules.
        driver: the terminal; None before there is one, and where there is none.
        told: what hung last, in words; "" if nothing did.
    """

    def __init__(self, post: Callable[[Message], object]) -> None:
        super().__init__()
        self.is_stuck = False
        self.driver: Driver | None = None
        self.told = ""
        self._post = post
        self._lock = threading.Lock()

    def begin(self) -> None:
        """Watch from now on, until it is closed."""
        self.enter_context(watching(self.tell, compiled_too=False))

    def tell(self, what: str) -> None:
        """Show what hangs; called on the thread that watches."""
        self.told = one_line(f"Still running {what}")
        message = Hanging(self.told)
        self._post(message)
        if message.taken.wait(ANSWER_SECONDS):
            return
        with self._lock:
            self.is_stuck = not message.taken.is_set()
            if self.is_stuck and self.driver is not None:
                self.driver.write(_LINE.format(message.sentence))
                self.driver.flush()

    def take(self, message: Hanging) -> bool:
        """The screen goes on; returns whether the rules had held it until now."""
        with self._lock:
            message.taken.set()
            was_stuck, self.is_stuck = self.is_stuck, False
        return was_stuck


class _WatchfulDriver(Driver):
    """Leaves by the usual keys where the rules hold the screen."""

    watch: ClassVar[RulesWatch]

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self.watch.driver = self

    def process_message(self, message: Message) -> None:
        leaves = isinstance(message, events.Key) and message.key in LEAVING
        if leaves and self.watch.is_stuck:
            _interrupt()
        else:
            super().process_message(message)


def watchful(driver: type[Driver], watch: RulesWatch) -> type[Driver]:
    """The same driver, with keys that leave where the rules hold the screen."""
    return type("WatchfulDriver", (_WatchfulDriver, driver), {"watch": watch})


def _interrupt() -> None:
    """As Ctrl-C elsewhere; where the system can, it ends a sleep of the rules, too."""
    if hasattr(signal, "pthread_kill"):
        ident = threading.main_thread().ident
        assert ident is not None
        signal.pthread_kill(ident, signal.SIGINT)
    else:
        _thread.interrupt_main()
