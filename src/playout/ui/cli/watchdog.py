"""Rules that hang: names the method that runs so long, and lets Ctrl-C end it.

Python handles Ctrl-C between two of its own instructions, so an endless loop in
compiled rules keeps it from that. Therefore the system tells another thread of the
signal. That thread ends the process if compiled rules do not return in time, or at the
next Ctrl-C.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import accumulate, repeat
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import click

from ...core.interrupt import compile_token
from ...core.text.plugins import load_file
from .ctrl_c import end_at_once

__all__ = ["end_what_hangs", "watching"]

#: A call that takes longer is reported, once.
PATIENCE_SECONDS = 5.0
#: So often the watchdog looks, within that time.
LOOKS = 10
#: When compiled rules go on for so long after Ctrl-C that is said, and after so much
#: longer they are ended; a search looks up ten times a second.
NOTICE_SECONDS, GRACE_SECONDS = 0.5, 10.0
#: What Python calls the code of a file.
_MODULE = "<module>"
#: How the paths of our own files begin, and those of what calls others' rules.
_PLAYOUT = str(Path(__file__).parents[2]) + os.sep
_ADAPTERS = _PLAYOUT + "adapters" + os.sep
#: Held while stacks are read and the garbage collector is off.
_stacks_lock = threading.Lock()


@contextmanager
def watching(compiled_too: bool = True) -> Iterator[None]:
    """Watch what is called; a method of a game that hangs is named on stderr.

    So is what an adapter calls, as a method of an object, and a user's file that is
    being loaded.

    Args:
        compiled_too: tell of compiled rules by the call into them, as what runs there
            cannot be seen; not where such a call may take long, as of a search.
    """
    done = threading.Event()
    watch = threading.Thread(target=_watch, args=(done, compiled_too), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()


def _watch(done: threading.Event, compiled_too: bool) -> None:
    seen: dict[FrameType, int] = {}
    while not done.wait(PATIENCE_SECONDS / LOOKS):
        find = partial(_call_of_rules, _code_of_rules())
        seen = {call: seen.get(call, -1) + 1 for call in _calls(find)}
        for call, looks in seen.items():
            if looks == LOOKS and (compiled_too or not _is_native(call)):
                click.echo(f"still running {_describe(call)} (Ctrl-C ends)", err=True)


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
    found: set[object] = {*_calls(_native_call), compile_token()}
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


def _calls(find: Callable[[list[FrameType]], FrameType | None]) -> list[FrameType]:
    """What is found in the stacks of all threads."""
    time.sleep(0.001)  # afterwards the others wait some milliseconds for their turn
    with _stacks_lock:
        collects = gc.isenabled()
        try:
            gc.disable()
            stacks = [_stack(frame) for frame in sys._current_frames().values()]
        finally:
            if collects:
                gc.enable()
    return [call for call in map(find, stacks) if call is not None]


# Frames of running threads are asked for their code alone, and for their callers all at
# once, in a call that no other thread comes between, nor what the garbage collector
# calls. Where one does, Python 3.11 may read what is left of a frame that has ended,
# and crash (https://github.com/python/cpython/issues/111363 looks alike).


def _stack(frame: FrameType) -> list[FrameType]:
    """A frame, its caller, and so on."""
    found: deque[Any] = deque()
    with suppress(AttributeError):  # None has no caller
        found.extend(accumulate(repeat("f_back"), getattr, initial=frame))
    return [each for each in found if each is not None]


def _call_of_rules(rules: set[CodeType], stack: list[FrameType]) -> FrameType | None:
    """The call of a method of the `Game` contract that a stack is in, if it is.

    Or what an adapter has called of others' rules, or the loading of a file of the
    user's.
    """
    module = called = None
    for here in stack:
        if here.f_code.co_filename.startswith(_ADAPTERS) and _is_foreign(called):
            return called
        called = here
        if here.f_code in rules or _is_native(here):
            return here
        if here.f_code is load_file.__code__:
            return module
        if here.f_code.co_name == _MODULE:
            module = here
    return None


def _is_foreign(frame: FrameType | None) -> bool:
    """Whether somebody else's code runs there, and no import does."""
    if frame is None or frame.f_code is import_module.__code__:
        return False
    return not frame.f_code.co_filename.startswith((_PLAYOUT, "<frozen importlib"))


def _code_of_rules() -> set[CodeType]:
    """The code of every method of the `Game` contract, in every game there is."""
    game = _loaded("games.contract.game", "Game")
    if game is None:
        return set()
    found, classes = set(), [game]
    while classes:
        cls = classes.pop()
        classes += cls.__subclasses__()
        for name in vars(game).keys() & vars(cls).keys():
            code = getattr(vars(cls)[name], "__code__", None)
            if code is not None:
                found.add(code)
    return found


def _native_call(stack: list[FrameType]) -> FrameType | None:
    """The call of a native function that a stack is in, if it is."""
    return next(filter(_is_native, stack), None)


def _is_native(frame: FrameType) -> bool:
    native = _loaded("core.jit.native", "NativeFunction")
    return native is not None and frame.f_code is native.__call__.__code__


def _loaded(module: str, name: str) -> type | None:
    """A class of ours if it was imported: to import it here would be a race."""
    found = sys.modules.get(f"playout.{module}")
    return getattr(found, name, None)


def _describe(call: FrameType) -> str:
    """The method and its file, or that it is compiled rules."""
    if _is_native(call):
        return "compiled rules"
    code = call.f_code
    place = f"{os.path.relpath(code.co_filename)} line {call.f_lineno}"
    what = "the loading of the file" if code.co_name == _MODULE else code.co_qualname
    return f"{what}, {place}"
