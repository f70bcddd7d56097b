"""The process that compiles: its answers stay apart from what rules print."""

import json
import subprocess
import sys
from pathlib import Path

TAKE = """
from playout.ui.web.compile_worker import _take_output
answers = _take_output()
print("of the rules")
print("of the process", file=answers, flush=True)
"""


def test_what_rules_print_is_no_answer() -> None:
    done = subprocess.run(
        [sys.executable, "-c", TAKE], capture_output=True, text=True, check=True
    )
    assert done.stdout == "of the process\n"
    assert done.stderr.endswith("of the rules\n")


RULES = """
import warnings
from playout import InterpretedWarning, TicTacToe as Own

warnings.warn("Own runs as plain Python", InterpretedWarning)
warnings.warn("of the rules")
"""


def test_that_rules_run_interpreted_is_left_to_the_server_to_say(
    tmp_path: Path,
) -> None:
    """Otherwise people would read it twice, first as a warning of Python."""
    (tmp_path / "own.py").write_text(RULES)
    job = {"game": f"{tmp_path / 'own.py'}:Own", "player": "random"}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from playout.ui.web.compile_worker import main; main()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(job), file=process.stdin, flush=True)
    assert json.loads(process.stdout.readline()) == {"error": None}
    _, errors = process.communicate()
    assert "UserWarning: of the rules" in errors
    assert "plain Python" not in errors
