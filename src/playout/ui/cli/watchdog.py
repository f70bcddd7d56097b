"""Rules that do not come back: say which method runs so long; let Ctrl-C end it.

Python handles Ctrl-C between two instructions of its own, so a loop without end in
compiled rules keeps it from that. The system tells a thread of ours of the signal; it
ends the process if compiled rules go on and on, or at the next Ctrl-C.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import click

from .failure import EXIT_INTERRUPTED

__all__ = ["end_what_hangs", "watching"]

#: A call that takes longer is reported, once.
PATIENCE_SECONDS = 5.0
#: So often the watchdog looks, within that time.
LOOKS = 10
#: When compiled rules go on for so long after Ctrl-C that is said, and after so much
#: longer they are ended; a search looks up ten times a second.
NOTICE_SECONDS, GRACE_SECONDS = 0.5, 10.0

_SHOW_CURSOR = b"\x1b[?25h"


@contextmanager
def watching() -> Iterator[None]:
    """Watch what is called; a method of a game that hangs is named on stderr.

    Compiled rules are told by the call into them: what runs there cannot be seen.
    """
    done = threading.Event()
    threading.Thread(target=_watch, args=(done,), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(done: threading.Event) -> None:
    seen: dict[FrameType, int] = {}
    while not done.wait(PATIENCE_SECONDS / LOOKS):
        seen = {call: seen.get(call, -1) + 1 for call in _calls(_call_of_rules)}
        for call, looks in seen.items():
            if looks == LOOKS:
                click.echo(f"still running {_describe(call)} (Ctrl-C ends)", err=True)


def end_what_hangs() -> None:
    """From now on Ctrl-C ends this process even where compiled rules do not come back.

    For a process that belongs to the command line; not where a thread of somebody
    else's calls this, nor on Windows, where only sockets are told of signals.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and hasattr(os, "fork")):
        return
    told, tell = os.pipe()
    os.set_blocking(tell, False)
    signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
    restore = _terminal_as_it_is()
    threading.Thread(target=_await_signals, args=(told, restore), daemon=True).start()


def _await_signals(told: int, restore: Callable[[], None]) -> None:
    while True:
        if signal.SIGINT not in os.read(told, 512):
            continue
        calls = set(_calls(_native_call))
        if not _go_on(calls, NOTICE_SECONDS):
            continue
        _say("compiled rules go on; Ctrl-C again ends them, or some seconds do")
        if _go_on(calls, GRACE_SECONDS, told):
            restore()
            _say("compiled rules do not come back (`playout check` may say which)")
            os._exit(EXIT_INTERRUPTED)


def _go_on(calls: set[FrameType], seconds: float, told: int | None = None) -> bool:
    """Whether one of these calls goes on for so long, or until the next Ctrl-C."""
    end = time.monotonic() + seconds
    while calls and time.monotonic() < end:
        time.sleep(0.05)
        calls &= set(_calls(_native_call))
        if told is not None and select.select([told], [], [], 0)[0]:
            if signal.SIGINT in os.read(told, 512):
                break
    return bool(calls)


def _say(text: str) -> None:
    """Not by `print`, in the middle of which the main thread may be."""
    with suppress(OSError):
        os.write(2, f"\nplayout: {text}\n".encode())


def _terminal_as_it_is() -> Callable[[], None]:
    """What puts the terminal back as it is now, with its cursor."""
    import termios

    try:
        before = termios.tcgetattr(0)
    except (OSError, termios.error):
        return lambda: None

    def restore() -> None:
        with suppress(OSError, termios.error):
            if os.tcgetpgrp(0) != os.getpgrp():
                return  # it is another's now, who would stop us
            termios.tcsetattr(0, termios.TCSANOW, before)
            if os.isatty(2):
                os.write(2, _SHOW_CURSOR)

    return restore


def _calls(find: Callable[[FrameType], FrameType | None]) -> list[FrameType]:
    """What is found in the stacks of all threads."""
    found = map(find, sys._current_frames().values())
    return [call for call in found if call is not None]


def _call_of_rules(frame: FrameType) -> FrameType | None:
    """The call of a method of the `Game` contract that a stack is in, if it is."""
    game = _loaded("games.game", "Game")
    here: FrameType | None = frame
    while here is not None:
        owner = here.f_locals.get("self")
        if game and isinstance(owner, game) and here.f_code.co_name in vars(game):
            return here
        if _is_native(here):
            return here
        here = here.f_back
    return None


def _native_call(frame: FrameType) -> FrameType | None:
    """The call of a native function that a stack is in, if it is."""
    here: FrameType | None = frame
    while here is not None and not _is_native(here):
        here = here.f_back
    return here


def _is_native(frame: FrameType) -> bool:
    native = _loaded("core.native", "NativeFunction")
    return native is not None and isinstance(frame.f_locals.get("self"), native)


def _loaded(module: str, name: str) -> type | None:
    """A class of ours if it is there; importing it here would race with who does."""
    found = sys.modules.get(f"playout.{module}")
    return getattr(found, name, None)


def _describe(call: FrameType) -> str:
    """The method and its file, or that it is compiled rules."""
    if _is_native(call):
        return "compiled rules"
    owner, code = call.f_locals["self"], call.f_code
    place = f"{os.path.relpath(code.co_filename)} line {call.f_lineno}"
    return f"{type(owner).__qualname__}.{code.co_name}, {place}"
