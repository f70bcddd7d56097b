"""The process that compiles: its answers stay apart from what rules print."""

import subprocess
import sys

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
