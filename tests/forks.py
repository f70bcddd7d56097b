"""Starts `playout` quickly, again and again: copies of a process that has imported it.

A new process would spend half a second of processor time on that. A program of the
tests (`name.py`) is started in the same way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["ForkServer"]

#: Each line it reads is a command line with the folder, the environment and the files
#: of its standard streams, and whether somebody waits for its exit code.
_SERVER = """
import json, os, runpy, sys
from numba import config
import playout.arena.executors, playout.arena.match, playout.arena.report
import playout.arena.store, playout.games.check.report, playout.games.tic_tac_toe.rules
import playout.players.registry, playout.ui.cli.conversation, rich.table
from playout.__main__ import main
import playout.ui.cli.main

for line in sys.stdin:
    asked = json.loads(line)
    if pid := os.fork():
        os.setpgid(pid, pid)  # before anybody can want to kill the group
        print(pid, flush=True)
        if asked["waited_for"]:
            print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
        continue
    os.setpgid(0, 0)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    config.reload_config()  # else Numba reads it when it compiles for the first time
    for number, path in enumerate(asked["streams"]):
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND if number else os.O_RDONLY
        os.dup2(os.open(path, flags, 0o644), number)
    sys.stdin, sys.stdout, sys.stderr = (
        open(number, "w" if number else "r", encoding="utf-8", closefd=False)
        for number in range(3)
    )
    if asked["arguments"][0].endswith(".py"):
        sys.argv[:] = asked["arguments"]
        sys.path.insert(0, asked["folder"])
        runpy.run_path(sys.argv[0], run_name="__main__")
        sys.exit()
    sys.argv[:] = ["playout", *asked["arguments"]]
    main()
"""


class ForkServer:
    """A process that becomes `playout ...`, or a program, whenever it is told to.

    Args:
        environment: of the server; that of a command line is the caller's and this.
    """

    def __init__(self, **environment: str) -> None:
        self._environment = environment
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SERVER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def start(
        self,
        arguments: Sequence[str],
        stdout: Path,
        stderr: Path | None = None,
        stdin: str | Path = os.devnull,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        waited_for: bool = False,
    ) -> int:
        """Start a command line; the number of its process, which leads a group."""
        streams = stdin, stdout, stderr or stdout
        asked = {
            "arguments": list(map(str, arguments)),
            "streams": list(map(str, streams)),
            "folder": str(folder or Path.cwd()),
            "environment": {**os.environ, **self._environment, **(environment or {})},
            "waited_for": waited_for,
        }
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return self._answer()

    def run(
        self, arguments: Sequence[str], typed: str, folder: Path
    ) -> tuple[int, str, str]:
        """Run a command line in a folder; its exit code and what it said."""
        stdin, *said = folder / ".stdin", folder / ".stdout", folder / ".stderr"
        stdin.write_text(typed, encoding="utf-8")
        for path in said:
            path.unlink(missing_ok=True)
        self.start(arguments, *said, stdin, folder, waited_for=True)
        code = self._answer()
        stdout, stderr = (path.read_text(encoding="utf-8") for path in said)
        return code, stdout, stderr

    def close(self) -> None:
        """End, and forget those that still run."""
        self.process.communicate(timeout=30)

    def _answer(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())
