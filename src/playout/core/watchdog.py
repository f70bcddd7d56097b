"""Rules that hang: names the method of a game that runs so long.

Python can be interrupted between two of its own instructions, so another thread sees
in the stacks of all threads which call does not come back. In which state it was
called cannot be read there; whoever is told adds the moves of the game.
"""

from __future__ import annotations

import gc
import os
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

from .text.plugins import load_file

__all__ = ["native_calls", "watching"]

#: A call that takes longer is told of, once.
PATIENCE_SECONDS = 5.0
#: So often the watchdog looks, within that time.
LOOKS = 10
#: What Python calls the code of a file.
_MODULE = "<module>"
#: How the paths of our own files begin, and those of what calls others' rules.
_PLAYOUT = str(Path(__file__).parents[1]) + os.sep
_ADAPTERS = _PLAYOUT + "adapters" + os.sep
#: Held while stacks are read and the garbage collector is off.
_stacks_lock = threading.Lock()


@contextmanager
def watching(
    tell: Callable[[str], object], compiled_too: bool = True
) -> Iterator[None]:
    """Watch what is called; a method of a game that hangs is told of.

    So is what an adapter calls, as a method of an object, and a user's file that is
    being loaded.

    Args:
        tell: given the name and the place of what hangs; called on another thread.
        compiled_too: tell of compiled rules by the call into them, as what runs there
            cannot be seen; not where such a call may take long, as of a search.
    """
    done = threading.Event()
    watch = threading.Thread(
        target=_watch, args=(done, tell, compiled_too), daemon=True
    )
    watch.start()
    try:
        yield
    finally:
        done.set()


def _watch(
    done: threading.Event, tell: Callable[[str], object], compiled_too: bool
) -> None:
    seen: dict[FrameType, int] = {}
    while not done.wait(PATIENCE_SECONDS / LOOKS):
        find = partial(_call_of_rules, _code_of_rules())
        seen = {call: seen.get(call, -1) + 1 for call in _calls(find)}
        for call, looks in seen.items():
            if looks == LOOKS and (compiled_too or not _is_native(call)):
                tell(_describe(call))


def native_calls() -> list[FrameType]:
    """The calls of native functions that threads are in."""
    return _calls(_native_call)


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
