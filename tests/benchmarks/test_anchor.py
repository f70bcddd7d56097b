"""The script that compares with a program in C++: what it says, and what it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "anchor.py"

#: Stands for the C++: prints what it is asked, and a speed.
PROGRAM = """#!{python}
import sys
assert sys.argv[1:] == ["uct", "ttt", "100000", "5", "2"], sys.argv
print("tic_tac_toe  sims/s median    {speed} [1, 2]")
"""


def run(folder: Path, *arguments: str, speed: str = "1000") -> tuple[int, str, str]:
    program = folder / "program"
    program.write_text(PROGRAM.format(python=sys.executable, speed=speed))
    program.chmod(0o755)
    command = [sys.executable, SCRIPT, program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_ratios_are_those_of_rounds(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, "tic-tac-toe", "--rounds", "2", "--json")
    assert code == 0, err
    (row,) = json.loads(out)
    assert row["anchor_per_second"] == 1000
    assert row["ratio"] == pytest.approx(row["simulations_per_second"] / 1000)
    assert row["lowest_ratio"] <= row["ratio"] <= row["highest_ratio"]


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_what_cannot_be_compared_is_said(tmp_path: Path) -> None:
    code, _, err = run(tmp_path, "chess")
    assert (code, "unknown: chess" in err) == (2, True)
    code, _, err = run(tmp_path, "tic-tac-toe", "--rounds", "1", speed="none")
    assert code != 0
    assert "prints no median" in err
