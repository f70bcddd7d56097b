"""What do rules in plain Python cost, against a search written by hand in C?

`by_hand.c` is the same search of Connect Four on the same kind of tree. Both run in
turn, one thread, each the best of some searches in a process of its own; processor
time. Prints the ratio of the speeds, and, to show that they do the same, the size of
their trees and the visits of the middle column. Playout's time has all that a search
does, a new tree and the result for its user; the program in C has one tree for all its
searches.

    python benchmarks/by_hand.py [--rounds 9] [--searches 15]

Needs an x86 processor with AVX2 and BMI2, and a C compiler: `cc`, or the one that `CC`
names.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".c")
SIMULATIONS = 100_000
MIDDLE = 3

#: Arguments: simulations, searches, seed; it prints what the program in C prints.
PLAYOUT = """
import sys, time
from playout import MCTS, UCT, ConnectFour, Limit, RandomChild, Uniform, Unsolved
simulations, searches, seed = map(int, sys.argv[1:])
search = MCTS(ConnectFour(), selection=UCT(2.0), rollout=Uniform(), solver=Unsolved(),
              expansion=RandomChild(urgent="never"))
search.compile()
for number in range(searches):
    search.reset(seed * searches + number)
    began = time.process_time()
    found = search.search(limit=Limit(simulations=simulations))
    seconds = time.process_time() - began
    visits = {row.action: row.visits for row in found.actions}
    print(seconds, found.nodes, *(visits[column] for column in range(7)))
"""


class Searches(NamedTuple):
    """What one process did: its fastest search, and means over all of them."""

    seconds: float
    nodes: float
    middle: float


def run(command: list[str], searches: int, seed: int) -> Searches:
    given = [str(number) for number in (SIMULATIONS, searches, seed)]
    done = subprocess.run([*command, *given], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return Searches(
        min(float(line[0]) for line in lines),
        statistics.mean(int(line[1]) for line in lines),
        statistics.mean(int(line[2 + MIDDLE]) for line in lines),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--searches", type=int, default=15)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "by_hand")
        compiler = [os.environ.get("CC", "cc"), "-O3", "-march=native"]
        try:
            subprocess.run([*compiler, "-o", program, SOURCE, "-lm"], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"by_hand.c could not be compiled: {error}")
        ours, theirs = [], []
        for seed in range(1, given.rounds + 1):
            ours.append(run([sys.executable, "-c", PLAYOUT], given.searches, seed))
            theirs.append(run([program], given.searches, seed))
    report("Playout", ours)
    report("C", theirs)
    ratios = [b.seconds / a.seconds for a, b in zip(ours, theirs, strict=True)]
    print(
        f"speed of Playout / C: {statistics.median(ratios):.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f})"
    )


def report(name: str, runs: list[Searches]) -> None:
    speed = SIMULATIONS / statistics.median(each.seconds for each in runs)
    nodes = statistics.mean(each.nodes for each in runs)
    middle = statistics.mean(each.middle for each in runs) / SIMULATIONS
    print(f"{name:<8}{speed:>11,.0f}/s {nodes:>9,.0f} nodes, middle {middle:.1%}")


if __name__ == "__main__":
    main()
