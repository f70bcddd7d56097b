"""Rules that do not come back: say which method has been running for so long."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

__all__ = ["watching"]

#: A call that takes longer is reported, once.
PATIENCE_SECONDS = 5.0
#: So often the watchdog looks, within that time.
LOOKS = 10


@contextmanager
def watching() -> Iterator[None]:
    """Watch what this thread calls; a method of a game that hangs is named on stderr.

    Compiled rules are told by the call into them: what runs there cannot be seen.
    """
    done = threading.Event()
    watched = threading.get_ident()
    threading.Thread(target=_watch, args=(watched, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _watch(thread: int, done: threading.Event) -> None:
    last: FrameType | None = None
    seen = 0
    while not done.wait(PATIENCE_SECONDS / LOOKS):
        frame = sys._current_frames().get(thread)
        call = None if frame is None else _call_of_rules(frame)
        seen = seen + 1 if call is not None and call is last else 0
        last = call
        if seen == LOOKS and frame is not None and call is not None:
            click.echo(f"still running {_describe(call)} (Ctrl-C ends)", err=True)


def _call_of_rules(frame: FrameType) -> FrameType | None:
    """The call of a method of the `Game` contract that a stack is in, if it is."""
    game = _loaded("games.game", "Game")
    native = _loaded("core.native", "NativeFunction")
    here: FrameType | None = frame
    while here is not None:
        owner = here.f_locals.get("self")
        if game and isinstance(owner, game) and here.f_code.co_name in vars(game):
            return here
        if native and isinstance(owner, native):
            return here
        here = here.f_back
    return None


def _loaded(module: str, name: str) -> type | None:
    """A class of ours if it is there; importing it here would race with who does."""
    found = sys.modules.get(f"playout.{module}")
    return getattr(found, name, None)


def _describe(call: FrameType) -> str:
    """The method and its file, or that it is compiled rules."""
    owner, code = call.f_locals["self"], call.f_code
    native = _loaded("core.native", "NativeFunction")
    if native and isinstance(owner, native):
        return "compiled rules"
    place = f"{os.path.relpath(code.co_filename)} line {call.f_lineno}"
    return f"{type(owner).__qualname__}.{code.co_name}, {place}"
