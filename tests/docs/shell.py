"""Runs the command lines of the pages.

`playout` itself is run by a `ForkServer`, with what it is told as in
`printf ... | playout ...`. Other command lines are the shell's.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.docs.pages import ROOT
from tests.forks import ForkServer

__all__ = ["Said", "first_word", "run_command"]

#: How long a command may take, in seconds.
_PATIENCE = 300
#: What no `playout` of ours is told by the shell.
_SHELL = re.compile(r"[|<>;&$`]|^[A-Z_]+=")


class Said(NamedTuple):
    """What a command line said, and its exit code."""

    code: int
    stdout: str
    stderr: str


def first_word(command: str) -> str:
    """The program that a command line runs, after settings of the environment."""
    words = [word for word in shlex.split(command) if not re.match(r"[A-Z_]+=", word)]
    return words[0]


def run_command(command: str, folder: Path, forks: ForkServer) -> Said:
    """Run a command line in a folder."""
    feed, _, last = command.rpartition(" | ")
    plain = last.removesuffix(" 2>&1")
    if first_word(last) != "playout" or _SHELL.search(re.sub(r'"[^"]*"', "", plain)):
        return _run_shell(command, folder)
    typed = _run_shell(feed, folder).stdout if feed else ""
    said = Said(*forks.run(shlex.split(plain)[1:], typed, folder))
    if plain != last:
        return Said(said.code, said.stdout + said.stderr, "")
    return said


def _run_shell(command: str, folder: Path) -> Said:
    """Run a command line by a shell in which `playout` and `python` are ours."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, arguments in {"playout": "-m playout", "python": ""}.items():
        program = programs / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {arguments} "$@"\n')
        program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "PYTHONIOENCODING": "utf-8",
    }
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_PATIENCE,
        check=False,
    )
    return Said(done.returncode, done.stdout, done.stderr)
