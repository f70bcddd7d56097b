"""Marks: variables by which processes are known, wherever they go.

A process hands its environment on to whatever it starts. So a variable that no other
process has tells who belongs to it, even who has left its group, its session and its
parent, as what runs as a daemon does. macOS hides the environments of programs that it
protects, such as its own.
"""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Mapping

import psutil

__all__ = ["bearers", "kill_bearers", "marked", "new_mark", "own_mark"]

#: How long a process may take to die, or to start others meanwhile.
PATIENCE_SECONDS = 5.0


def new_mark(name: str) -> str:
    """A variable, as `NAME=VALUE`, that no other process has."""
    return f"{name}={uuid.uuid4().hex}"


def own_mark(name: str) -> str:
    """The mark of this name that this process bears itself; empty if none."""
    value = os.environ.get(name)
    return f"{name}={value}" if value else ""


def marked(environment: Mapping[str, str], mark: str) -> dict[str, str]:
    """An environment by which the processes are known that inherit it."""
    name, _, value = mark.partition("=")
    return {**environment, name: value}


def bearers(mark: str) -> list[psutil.Process]:
    """The processes with a mark in their environment."""
    name, _, value = mark.partition("=")
    found = []
    with contextlib.suppress(OSError, IndexError):  # no process can be seen
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(name) == value:
                    found.append(process)
    return found


def kill_bearers(mark: str, spared: int | None = None) -> None:
    """Kill the processes with a mark, and those that they start before they are dead.

    Args:
        mark: none if empty.
        spared: a process that is left alone.
    """
    give_up = time.monotonic() + PATIENCE_SECONDS
    while mark and (found := [one for one in bearers(mark) if one.pid != spared]):
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if time.monotonic() > give_up:
            break
        time.sleep(0.01)
