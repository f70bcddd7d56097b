"""The guard, where a copy of the owner has the pipe open and outlives it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="no /proc"
)

#: Starts what is to end with it, then a copy of itself; tells the ids of both.
OWNER = """
import ctypes, os, signal, subprocess, time
from playout.protocols import guard

guard.END_SECONDS = 600.0
quiet = {{"stdout": subprocess.DEVNULL, "start_new_session": True}}
environment = guard.guarded(os.environ)
left = subprocess.Popen(["sleep", "300"], env=environment, **quiet)
copy = {fork}()
if copy == 0:
    os.close(1)
    time.sleep(300)
    os._exit(0)
print(left.pid, copy, flush=True)
{end}
"""


def is_there(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("fork", ["os.fork", "ctypes.CDLL(None).fork"])
@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), signal.SIGKILL)"])
def test_a_copy_of_the_owner_keeps_nothing_alive(fork: str, end: str) -> None:
    """Neither a fork that Python knows of, nor one made by native code."""
    done = subprocess.run(
        [sys.executable, "-c", OWNER.format(fork=fork, end=end)],
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
    )
    left, copy = map(int, done.stdout.split())
    try:
        give_up = time.monotonic() + 60
        while is_there(left) and time.monotonic() < give_up:
            time.sleep(0.01)
        assert not is_there(left)
        assert is_there(copy)  # it has no mark: it belongs to whoever has made it
    finally:
        os.kill(copy, signal.SIGKILL)
