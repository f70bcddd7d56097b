"""Ctrl-C on the command line: exit code 130, but where it is how a command ends.

| it comes while                    | what it does                                    |
|-----------------------------------|-------------------------------------------------|
| the program starts (`__main__`)   | ends the process at once                        |
| a module is imported              | the same: half a module is no use to anybody    |
| rules are compiled                | waits until nothing is half made, see           |
|                                   | `core.interrupt`; for how long, see `watchdog`  |
| something else of a command runs  | KeyboardInterrupt                               |
| the command has ended             | ends the process at once                        |
| `serve` serves, or has ended      | ends it with exit code 0, see `ui.web.server`   |
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import NoReturn

from ...core.interrupt import is_busy
from .failure import EXIT_INTERRUPTED

__all__ = ["end_at_once", "leave", "take_over"]

_SHOW_CURSOR = b"\x1b[?25h"
_exit = os._exit  # before `no_sudden_end` replaces it
_restore_terminal: list[Callable[[], None]] = []


def take_over() -> None:
    """Have Ctrl-C do, from now on, what it does while a command runs.

    Not where another program's thread calls this, nor where whoever started the
    process wants Ctrl-C ignored.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and callable(signal.getsignal(signal.SIGINT))):
        return
    _restore_terminal[:] = [_terminal_as_it_is()]
    sys.excepthook = _show
    # An ending interpreter removes its handlers: Ctrl-C would then kill, by the signal,
    # a process that has done its work. What is registered first is called last.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGINT, _interrupt)


def leave(end: SystemExit) -> NoReturn:
    """End the process by its exit code, at once if a thread is in native code.

    It would still be there while the interpreter is torn down, and crash.
    """
    if signal.getsignal(signal.SIGINT) is _interrupt:
        signal.signal(signal.SIGINT, end_at_once)
    if not is_busy():
        raise end
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    _exit(end.code if isinstance(end.code, int) else 1)


def end_at_once(
    number: int = signal.SIGINT, frame: FrameType | None = None
) -> NoReturn:
    """End the process as Ctrl-C does, with its terminal as it was found."""
    for restore in _restore_terminal:
        restore()
    _exit(EXIT_INTERRUPTED)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _is_importing(frame):
        end_at_once()
    signal.default_int_handler(number, frame)


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _show(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Replace `sys.excepthook`, for a Ctrl-C while another exception is shown."""
    if issubclass(kind, KeyboardInterrupt) and not os.environ.get("PLAYOUT_TRACEBACK"):
        end_at_once()
    sys.__excepthook__(kind, error, trace)


def _terminal_as_it_is() -> Callable[[], None]:
    """What puts the terminal back as it is now, with its cursor."""
    if not hasattr(os, "tcgetpgrp"):  # Windows
        return lambda: None
    import termios

    try:
        before = termios.tcgetattr(0)
    except (OSError, termios.error):
        return lambda: None

    def restore() -> None:
        with contextlib.suppress(OSError, termios.error):
            if os.tcgetpgrp(0) != os.getpgrp():
                return  # it is another's now, who would stop us
            termios.tcsetattr(0, termios.TCSANOW, before)
            if os.isatty(2):
                os.write(2, _SHOW_CURSOR)

    return restore
