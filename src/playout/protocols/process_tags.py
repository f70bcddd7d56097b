"""Tags: environment variables by which processes are found, wherever they go.

Processes inherit the environment of their parent. So a variable with a unique value
finds all descendants, even daemons, which have left the group, the session and the
parent. macOS hides the environments of programs that it
protects, such as its own.
"""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Mapping

import psutil

__all__ = [
    "kill_tagged",
    "new_tag",
    "own_tag",
    "tagged_environment",
    "tagged_processes",
]

#: How long a process may take to die, or to start others meanwhile.
PATIENCE_SECONDS = 5.0


def new_tag(name: str) -> str:
    """A variable, as `NAME=VALUE`, that no other process has."""
    return f"{name}={uuid.uuid4().hex}"


def own_tag(name: str) -> str:
    """The tag of this name that this process has itself; empty if none."""
    value = os.environ.get(name)
    return f"{name}={value}" if value else ""


def tagged_environment(environment: Mapping[str, str], tag: str) -> dict[str, str]:
    """An environment by which the processes are known that inherit it."""
    name, _, value = tag.partition("=")
    return {**environment, name: value}


def tagged_processes(tag: str) -> list[psutil.Process]:
    """The processes with a tag in their environment."""
    name, _, value = tag.partition("=")
    found = []
    with contextlib.suppress(OSError, IndexError):  # no process can be seen
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error, OSError):
                if process.environ().get(name) == value:
                    found.append(process)
    return found


def kill_tagged(tag: str, spared: int | None = None) -> None:
    """Kill the processes with a tag, and those that they start before they are dead.

    Args:
        tag: none if empty.
        spared: a process that is left alone.
    """
    give_up = time.monotonic() + PATIENCE_SECONDS
    while tag and (
        found := [one for one in tagged_processes(tag) if one.pid != spared]
    ):
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if time.monotonic() > give_up:
            break
        time.sleep(0.01)
