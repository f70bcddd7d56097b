"""Ctrl-C ends commands with exit code 130, whatever it comes amid."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.interrupts import Command, interrupt

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")

ROOT = Path(__file__).parents[3]
RUNS = 6
#: Python makes another error of one that a descriptor raises here.
INTERRUPTED = """
import os, signal

class Descriptor:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)

class Rules:
    descriptor = Descriptor()
"""


def python(*arguments, **options):
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
        **options,
    )


def test_ctrl_c_while_rules_are_compiled(tmp_path):
    """It comes in the second half of compiling; the next start uses the cache."""
    command = Command("perft tic-tac-toe 4", str.strip)
    answer, seconds = command.run(tmp_path / "warm-up")
    moments, codes = random.Random(16), []
    for number in range(RUNS):
        moment = moments.uniform(seconds / 2, seconds)
        ending = interrupt(command, tmp_path / str(number), moment)
        assert not ending.complaint(command, answer), ending
        codes.append(ending.code)
        if ending.code == 0:  # the machine was slower when the time was taken
            seconds = min(seconds, command.run(tmp_path / f"again {number}")[1])
    assert {*codes} <= {0, 130}
    assert 130 in codes
    for number in range(RUNS):
        assert command.run(tmp_path / str(number))[0] == answer == "3024"


def test_ctrl_c_while_a_module_is_imported(tmp_path):
    (tmp_path / "rules.py").write_text(INTERRUPTED)
    done = python("-m", "playout", "check", "rules.py:Rules", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


TWICE = """
import os, signal
from playout.__main__ import main
from playout.ui.cli import main as commands

def explain(error):
    os.kill(os.getpid(), signal.SIGINT)

def begin(*arguments, **options):
    raise KeyboardInterrupt

commands.explain, commands.expect_output = explain, begin
main()
"""


def test_ctrl_c_while_another_is_explained():
    done = python("-c", TWICE)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


ENDING = """
import os, signal, sys
from playout.__main__ import main

class Late:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

late = Late()
sys.argv[1:] = ["--version"]
main()
"""


def test_ctrl_c_while_the_interpreter_ends_changes_nothing():
    done = python("-c", ENDING)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("playout ")
