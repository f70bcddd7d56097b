"""Rules that hang: names the method that runs so long, and lets Ctrl-C end it.

Python handles Ctrl-C between two of its own instructions, so an endless loop in
compiled rules keeps it from that. Therefore the system tells another thread of the
signal. That thread ends the process if compiled rules do not return in time, or at the
next Ctrl-C.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial

import click

from ...core import watchdog
from ...core.interrupt import compile_token
from .ctrl_c import end_at_once

__all__ = ["end_what_hangs", "watching"]

#: When compiled rules go on for so long after Ctrl-C that is said, and after so much
#: longer they are ended; a search looks up ten times a second.
NOTICE_SECONDS, GRACE_SECONDS = 0.5, 10.0


def watching(
    compiled_too: bool = True, say: Callable[[str], object] | None = None
) -> AbstractContextManager[None]:
    """Tell people what hangs; see `core.watchdog`.

    Args:
        compiled_too: as there.
        say: shows a line; on stderr by default.
    """
    show = say or partial(click.echo, err=True)
    return watchdog.watching(
        lambda what: show(f"still running {what} (Ctrl-C ends)"), compiled_too
    )


def end_what_hangs() -> None:
    """From now on Ctrl-C ends this process even if compiled rules do not return.

    For a process that belongs to the command line; not where a thread of somebody
    else's calls this, nor on Windows, where only sockets are told of signals.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and hasattr(os, "fork")):
        return
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    threading.Thread(target=_await_signals, args=(told,), daemon=True).start()


def _await_signals(told: int) -> None:
    while True:
        if signal.SIGINT not in os.read(told, 512):
            continue
        going_on = _going_on()
        if not _go_on(going_on, NOTICE_SECONDS):
            continue
        is_compiling = compile_token() in going_on
        what = "rules are being compiled" if is_compiling else "compiled rules go on"
        _say(f"{what}; Ctrl-C again ends that, or some seconds do")
        if _go_on(going_on, GRACE_SECONDS, told):
            if not is_compiling:
                _say("compiled rules do not come back (`playout check` may say which)")
            end_at_once()


def _going_on() -> set[object]:
    """What a Ctrl-C may have to wait for: native calls, and compiling."""
    found: set[object] = {*watchdog.native_calls(), compile_token()}
    return found - {None}


def _go_on(what: set[object], seconds: float, told: int | None = None) -> bool:
    """Whether one of these lasts this long, or until the next Ctrl-C."""
    end = time.monotonic() + seconds
    while what and time.monotonic() < end:
        time.sleep(0.05)
        what &= _going_on()
        if told is not None and select.select([told], [], [], 0)[0]:
            if signal.SIGINT in os.read(told, 512):
                break
    return bool(what)


def _say(text: str) -> None:
    """Not by `print`, in the middle of which the main thread may be."""
    with suppress(OSError):
        os.write(2, f"\nplayout: {text}\n".encode())
