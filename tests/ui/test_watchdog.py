"""Rules that hang are named on stderr, and Ctrl-C still ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from playout.core.native import NativeFunction
from playout.ui.cli import watchdog

ROOT = Path(__file__).parents[2]
HANGS = """
from playout.ui.cli import watchdog
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


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Hangs", "still running Hangs.legal_actions, rules.py line "),
        ("HangsLate", "still running compiled rules (Ctrl-C ends)"),
    ],
)
def test_a_rule_that_hangs_is_named_and_can_be_ended(tmp_path, name, said):
    (tmp_path / "rules.py").write_text(HANGS)
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


def test_what_comes_back_in_time_is_not_named(monkeypatch, capsys):
    monkeypatch.setattr(watchdog, "PATIENCE_SECONDS", 1.0)
    call = NativeFunction(lambda: time.sleep(0.3), 0.0, False)
    with watchdog.watching():
        for _ in range(5):
            call()
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(watchdog, "PATIENCE_SECONDS", 0.02)
    with watchdog.watching():
        call()
    assert "compiled rules" in capsys.readouterr().err
