"""A guard: a small process that ends what this process has started, when this one ends.

However a process ends, even by SIGKILL, its end of a pipe is then closed, and the guard
at the other end gets another parent. The guard then kills all processes with this one's
tag that are left. Processes inherit the tag from the one that starts them, so they need
no guard of their own.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import psutil

from .process_tags import kill_tagged, new_tag, own_tag, tagged_environment

__all__ = ["guarded", "main"]

#: The variable that tags what one process has started, and all that comes of it.
TAG = "PLAYOUT_OWNER"
#: How long this process waits at its end for the guard to have done its work.
END_SECONDS = 10.0
#: How often the guard looks, in seconds, whether its parent is still the owner: a copy
#: of the owner may have the pipe open, made by a fork that Python knows nothing of.
LOOK_SECONDS = 1.0
#: Runs the guard, with no more of the installed packages than it needs.
_START = (
    "import sys; sys.path[:0] = {path!r}; "
    "from playout.protocols.guard import main; main({tag!r}, {owner})"
)


def guarded(environment: Mapping[str, str]) -> dict[str, str]:
    """An environment for processes that are to end when this process is gone."""
    if known := own_tag(TAG):
        return tagged_environment(environment, known)
    if not sys.executable:
        return {**environment}
    with _lock:
        guard = _guards.get(os.getpid())  # a copy of this process has one of its own
        if guard is None:
            guard = _guards[os.getpid()] = _Guard()
    return tagged_environment(environment, guard.tag)


class _Guard:
    """The guard as this process sees it; it ends at the latest when this one does."""

    def __init__(self) -> None:
        self.tag = new_tag(TAG)
        self._owner = os.getpid()
        path = [str(Path(__file__).parents[2]), str(Path(psutil.__file__).parents[1])]
        code = _START.format(path=path, tag=self.tag, owner=self._owner)
        self._process = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        atexit.register(self._end)

    def leave_to_owner(self) -> None:
        """Close this end of the pipe in a copy of the owner, which may outlive it."""
        assert self._process.stdin is not None
        self._process.stdin.close()

    def _end(self) -> None:
        if os.getpid() == self._owner:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                self._process.communicate(b"end", timeout=END_SECONDS)


_lock = threading.Lock()
_guards: dict[int, _Guard] = {}


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the owner may have held it
    for guard in _guards.values():
        guard.leave_to_owner()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def main(tag: str, owner: int) -> None:
    """In the guard: wait until the owner says that it ends, or is gone.

    Args:
        tag: processes with it are killed then.
        owner: the process that has started this one.
    """
    if sys.platform == "win32":  # whose pipes cannot be waited for with a limit
        sys.stdin.buffer.read()
    else:
        while os.getppid() == owner and not select.select([0], [], [], LOOK_SECONDS)[0]:
            pass
    kill_tagged(tag)
