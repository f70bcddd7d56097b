"""What the tests that kill a match have in common."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

from playout.arena.store import Store

#: Has imported everything, and forks a command line whenever it is told to.
FORK_SERVER = """
import os, signal, sys
import playout.arena.executors, playout.arena.match, playout.arena.store
import playout.arena.report, playout.games.tic_tac_toe.rules
from playout.ui.cli.main import cli

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    log, *arguments = line.rstrip("\\n").split("\\t")
    if pid := os.fork():
        os.setpgid(pid, pid)  # before anybody can want to kill the group
        print(pid, flush=True)
        continue
    os.setpgid(0, 0)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    cli(arguments)
"""


class ForkServer:
    """Starts `playout` quickly, again and again."""

    def __init__(self, tag):
        self.process = subprocess.Popen(
            [sys.executable, "-c", FORK_SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PLAYOUT_TEST_MARK": tag},
        )

    def start(self, log, arguments):
        self.process.stdin.write("\t".join([str(log), *arguments]) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self):
        self.process.communicate(timeout=30)


def reported(log):
    """The games that a command line said were finished."""
    text = log.read_text() if log.exists() else ""
    return {int(n) - 1 for n in re.findall(r"^game (\d+): .*\)$", text, re.MULTILINE)}


def wait(seconds, condition=lambda: False):
    until = time.monotonic() + seconds
    while time.monotonic() < until and not condition():
        time.sleep(0.005)


def kept(path):
    with Store(path) as store:
        return {game.number: game.record for game in store.games()}


def survivors(tag):
    """Processes that still run with a tag in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if tag.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            pass
    return found
