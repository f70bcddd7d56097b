"""Rules that hang are named on stderr, and Ctrl-C still ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
HANGS = """
from playout.core import watchdog
from tests.toys import Nim
watchdog.PATIENCE_SECONDS = 0.5
class Hangs(Nim):
    def legal_actions(self, state, actions):
        while True:
            pass
class HangsLate(Nim):
    def apply(self, state, action):
        while state.left < 10:
            state.player = 1 - state.player
        state.left -= action
        state.player = 1 - state.player
"""


LOADS = """
from playout.core import watchdog
watchdog.PATIENCE_SECONDS = 0.5
def forever():
    while True:
        pass
forever()
"""


OBJECT = """
from playout.search.mcts import MCTS
from playout.core import watchdog
watchdog.PATIENCE_SECONDS = 0.5
class Stuck:
    hangs = True
    def __init__(self, played=()):
        self.played = played
    def get_legal_actions(self):
        while self.hangs and len(self.played) > 3:
            pass
        return [0, 1]
    def is_game_over(self):
        return len(self.played) > 20
    def game_result(self):
        return 1 - 2 * (sum(self.played) % 2)
    def move(self, action):
        return type(self)((*self.played, action))
class StuckInSearch(Stuck):
    hangs = False
search = MCTS.search
def hanging(self, *args, **more):
    StuckInSearch.hangs = True
    return search(self, *args, **more)
MCTS.search = hanging
"""


@pytest.mark.parametrize(
    "command",
    [
        "analyze rules.py:StuckInSearch:reward=first --seconds 60",
        "play rules.py:StuckInSearch:reward=first --watch --plain --seconds 60",
    ],
)
def test_an_object_that_hangs_in_a_search_is_named_and_can_be_ended(tmp_path, command):
    (tmp_path / "rules.py").write_text(OBJECT)
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        named = "still running Stuck.get_legal_actions, rules.py line "
        assert any(named in line for line in process.stderr)
        for _ in range(2):  # the first has a player answer with what it has
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        assert process.wait(20) in (0, 130)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Stuck", OBJECT, "still running Stuck.get_legal_actions, rules.py line "),
        ("Hangs", HANGS, "still running Hangs.legal_actions, rules.py line "),
        ("HangsLate", HANGS, "still running HangsLate.apply, rules.py line "),
        ("Any", LOADS, "still running the loading of the file, rules.py line 7 "),
    ],
)
def test_a_rule_that_hangs_is_named_and_can_be_ended(tmp_path, name, text, said):
    (tmp_path / "rules.py").write_text(text)
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", "check", f"rules.py:{name}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        while said not in (line := process.stderr.readline()):
            assert "Compiling" in line, line
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 130
        assert "still" not in process.stderr.read()  # it is said once
    finally:
        process.kill()
        process.communicate()


SPINS = """
import sys, threading
import numpy as np
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.ui.cli import watchdog

@kernel
def spin(rows, times):
    while rows[0].turns < times:
        rows[0].turns += rows[0].step

rows = Rows(np.zeros(1, dtype=[("turns", "i8"), ("step", "i8")]))
native = spin.compile(rows, 1)
watchdog.NOTICE_SECONDS, watchdog.GRACE_SECONDS = 0.2, float(sys.argv[2])
watchdog.end_what_hangs()
rows[0].step = int(sys.argv[1])
threading.Timer(0.5, print, ["ready"], {"flush": True}).start()  # from beside it
try:
    while True:
        rows[0].turns = 0
        native(rows, 10**7)
except KeyboardInterrupt:
    sys.exit("interrupted")
"""


@pytest.mark.parametrize(
    ("step", "grace", "signals", "code", "said"),
    [
        (0, 0.5, 1, 130, "playout: compiled rules do not come back"),
        (0, 100.0, 2, 130, "playout: compiled rules do not come back"),
        (1, 0.5, 1, 1, "interrupted"),
    ],
    ids=["in the end", "at the second", "it comes back"],
)
def test_ctrl_c_ends_compiled_code_that_goes_on(step, grace, signals, code, said):
    process = subprocess.Popen(
        [sys.executable, "-c", SPINS, str(step), str(grace)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        if signals > 1:
            process.stderr.readline()
            assert "go on; Ctrl-C again ends" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
        assert process.wait(20) == code
        assert said in process.stderr.read()
    finally:
        process.kill()
        process.communicate()


COMPILES = """
import sys, time
from playout.core.interrupt import deferring
from playout.ui.cli import ctrl_c, watchdog

watchdog.NOTICE_SECONDS, watchdog.GRACE_SECONDS = 0.2, float(sys.argv[1])
ctrl_c.take_over()
watchdog.end_what_hangs()
with deferring():
    print("ready", flush=True)
    while True:  # as if LLVM took so long
        time.sleep(0.1)
"""


@pytest.mark.parametrize(("grace", "signals"), [(0.5, 1), (100.0, 2)])
def test_ctrl_c_ends_a_compilation_that_goes_on(grace, signals):
    process = subprocess.Popen(
        [sys.executable, "-c", COMPILES, str(grace)],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        process.stderr.readline()
        assert "rules are being compiled; Ctrl-C again" in process.stderr.readline()
        if signals > 1:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == ""
    finally:
        process.kill()
        process.communicate()


IMPORTING = """
import os, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == "playout.ui.cli.main":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
from playout.__main__ import main
main()
"""


def test_ctrl_c_while_modules_are_imported_ends_quietly():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == done.stdout == b""
