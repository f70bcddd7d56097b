"""How near is a search from rules in Python to one in C++ that is tuned for its games?

The C++ is a program of your own, and no part of Playout. `PROGRAM uct GAME SIMULATIONS
SEARCHES C_UCT` has to search the start position of `ttt`, `c4`, `uttt` or `gomoku` by
plain UCT with uniform rollouts, that many times, and to print "median" with the
simulations per second of processor time. A source (`.cpp`) is compiled first, for this
processor, by `g++` or by what `CXX` names.

Both run in turn on one processor; Playout's time has all that a search does, a new tree
and the result for its user. For each game: the medians of both, the median of the
ratios with the lowest and the highest, and what a simulation takes of memory.

    python benchmarks/anchor.py PROGRAM [GAME]... [--rounds 9] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple


class Task(NamedTuple):
    """What both are asked to search."""

    game: str
    name: str  # of the game, in the program
    simulations: int


TASKS = (
    Task("tic-tac-toe", "ttt", 100_000),
    Task("connect-four", "c4", 100_000),
    Task("ultimate-tic-tac-toe", "uttt", 100_000),
    Task("gomoku", "gomoku", 10_000),
    Task("gomoku", "gomoku", 100_000),
)
#: Searches of the program in a run, and the exploration that `playout bench` has.
SEARCHES, C_UCT = 5, 2


class Round(NamedTuple):
    """Simulations a second of both, and Playout's memory."""

    ours: float
    theirs: float
    memory: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("games", nargs="*", help="all by default")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    unknown = set(given.games) - {task.game for task in TASKS}
    if unknown or given.rounds < 1:
        parser.error(f"unknown: {', '.join(unknown)}" if unknown else "rounds: above 0")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    found = []
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(given.program, Path(folder))
        for task in TASKS:
            if not given.games or task.game in given.games:
                rounds = [one_round(program, task) for _ in range(given.rounds)]
                found.append(summary(task, rounds))
                if not given.json:
                    print(line(found[-1]), flush=True)
    if given.json:
        print(json.dumps(found, indent=2))


def compiled(program: Path, folder: Path) -> Path:
    """The program that can be run."""
    if program.suffix != ".cpp":
        return program.resolve()
    command = [os.environ.get("CXX", "g++"), "-O3", "-march=native", "-std=c++17", "-w"]
    try:
        subprocess.run([*command, program, "-o", folder / "anchor"], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{program} could not be compiled: {error}")
    return folder / "anchor"


def one_round(program: Path, task: Task) -> Round:
    """Both, one after the other."""
    bench = [sys.executable, "-m", "playout", "bench", task.game, "--json"]
    ours = json.loads(run(*bench, "--simulations", str(task.simulations)))[0]
    said = run(
        program, "uct", task.name, str(task.simulations), str(SEARCHES), str(C_UCT)
    )
    speed = re.search(r"median\s+(\d+)", said)
    if speed is None:
        sys.exit(f"{program} prints no median:\n{said}")
    return Round(
        ours["simulations_per_second"], float(speed[1]), ours["bytes_per_simulation"]
    )


def run(*command: str | Path) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"{error}\n{getattr(error, 'stderr', '')}")
    return done.stdout


def summary(task: Task, rounds: list[Round]) -> dict[str, object]:
    """Medians over the rounds; the ratio is that of a round."""
    ratios = sorted(each.ours / each.theirs for each in rounds)
    return {
        "game": task.game,
        "simulations": task.simulations,
        "simulations_per_second": statistics.median(each.ours for each in rounds),
        "anchor_per_second": statistics.median(each.theirs for each in rounds),
        "ratio": statistics.median(ratios),
        "lowest_ratio": ratios[0],
        "highest_ratio": ratios[-1],
        "bytes_per_simulation": rounds[-1].memory,
    }


def line(row: dict[str, object]) -> str:
    return (
        "{game:<21}{simulations:>8,} simulations{simulations_per_second:>12,.0f}/s "
        "against{anchor_per_second:>11,.0f}/s, ratio {ratio:.2f} ({lowest_ratio:.2f} "
        "to {highest_ratio:.2f}), {bytes_per_simulation:.1f} bytes"
    ).format(**row)


if __name__ == "__main__":
    main()
