"""Which process has claimed a game, and whether it still lives."""

from __future__ import annotations

import os
import re
import socket
import time
from pathlib import Path
from typing import Any

__all__ = ["STALE_SECONDS", "lives", "this_process"]

#: When the claims of a process that cannot be seen lapse, if it does not renew them.
STALE_SECONDS = 120.0


def this_process() -> str:
    """What tells this process from all others, until the machine starts anew."""
    return f"{socket.gethostname()} {os.getpid()} {_birth(os.getpid())}"


def _birth(pid: int) -> str:
    """What tells a process from a later one of the same number; "" where unknown.

    A dead process that was not waited for yet has none.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    fields = text.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def lives(owner: Any, heartbeat: Any) -> bool:
    """Whether the process that made a claim is still at it."""
    known = isinstance(owner, str) and isinstance(heartbeat, int | float)
    parts = re.fullmatch(r"(\S+) ([0-9]{1,9}) (\S*) \S+", owner) if known else None
    if parts is None:
        return False  # no process writes that: the file is damaged
    host, pid, birth = parts.groups()
    if host == socket.gethostname():
        if birth:
            return _birth(int(pid)) == birth
        import psutil  # imported only where it is needed

        if not psutil.pid_exists(int(pid)):
            return False
    return time.time() - heartbeat < STALE_SECONDS
