"""How fast is one thread, against another commit of this repository?

Plain UCT with uniform rollouts and no solver, from the start; with --default the search
that the game gets where nothing is asked for. By the clock: processes of both commits
in turn, each with the best of some searches; the ratio of their speeds. With
--instructions, which needs valgrind and a minute or two a game: the instructions of a
simulation, which do not depend on what else the machine does. Tic-tac-toe's default
search then goes without the solver, which would end it early.

    python benchmarks/commits.py COMMIT [GAME]... [--default] [--rounds R]
                                 [--instructions]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

GAMES = ("tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku")
HERE = Path(__file__).resolve().parents[1]

#: For both commits, so it asks what there is. Arguments: game, simulations, searches,
#: which search, and "counted" for valgrind to count the last search alone.
#: In one chunk: under valgrind one that should take milliseconds is a few simulations,
#: and what the interpreter does between two of them would be counted with them.
SEARCH = """
import os, subprocess, sys, time, playout
from playout import MCTS, UCT, Limit, RandomChild, Uniform
from playout.games.registry import make_game
policies = {}
if sys.argv[4] == "plain":
    policies = dict(selection=UCT(2.0), rollout=Uniform(),
                    expansion=RandomChild(urgent="never"), solver=playout.Unsolved())
elif sys.argv[1] == "tic-tac-toe" and sys.argv[5:]:
    policies = dict(solver=playout.Unsolved())
search = MCTS(make_game(sys.argv[1]), seed=1, **policies)
search.compile()
for module in list(sys.modules.values()):
    if module.__name__.startswith("playout") and hasattr(module, "CHUNK_SECONDS"):
        module.CHUNK_SECONDS = 1e9
def count(which):
    if sys.argv[5:]:
        order = ["callgrind_control", f"--instr={which}", str(os.getpid())]
        asking = subprocess.Popen(order, stdout=subprocess.DEVNULL)
        while asking.poll() is None:  # it is answered between two calls of the system
            time.sleep(0.01)
best = float("inf")
for _ in range(int(sys.argv[3])):
    search.reset(1)
    count("on")
    began = time.process_time()
    search.search(limit=Limit(simulations=int(sys.argv[2])))
    best = min(best, time.process_time() - began)
    count("off")
print(int(sys.argv[2]) / best)
"""
#: What valgrind can run, for the same instructions on every machine.
PLAIN = {
    "NUMBA_CPU_NAME": "haswell",
    "NUMBA_CPU_FEATURES": "+avx2,+bmi,+bmi2,+popcnt,+lzcnt,+fma,+sse4.2",
    "PYTHONHASHSEED": "0",
    # A second process that compiles some of it made codegen differ from run to run.
    "PLAYOUT_COMPILE_ALONE": "1",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--default", action="store_true")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--instructions", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "other"
        which = "default" if asked.default else "plain"
        git = ["git", "-C", str(HERE), "worktree"]
        subprocess.run(
            [*git, "add", "--quiet", "--detach", other, asked.commit], check=True
        )
        try:
            for game in asked.games:
                if asked.instructions:
                    report_instructions(game, which, other)
                else:
                    report_speed(game, which, other, asked.rounds)
        finally:
            subprocess.run([*git, "remove", "--force", other], check=True)


def report_speed(game: str, which: str, other: Path, rounds: int) -> None:
    simulations = "10000" if game.startswith("gomoku") else "100000"
    ratios = []
    for number in range(rounds):
        order = (HERE, other) if number % 2 else (other, HERE)
        speed = {
            root: float(run(root, game, simulations, "8", which)[0]) for root in order
        }
        ratios.append(speed[HERE] / speed[other])
    low, high, median = min(ratios), max(ratios), statistics.median(ratios)
    print(f"{game:<22}speed {median:.2f} times ({low:.2f} to {high:.2f})", flush=True)


def report_instructions(game: str, which: str, other: Path) -> None:
    then, now = instructions(other, game, which), instructions(HERE, game, which)
    change = 100 * (now / then - 1)
    print(
        f"{game:<22}{then:>9,.0f}{now:>9,.0f} instructions {change:+.1f} %",
        flush=True,
    )


def instructions(root: Path, game: str, which: str) -> float:
    """Of a simulation: the difference between a long search and a short one."""
    run(root, game, "10", "1", which, **PLAIN)  # compiles
    more = 100_000 if game.startswith("gomoku") else 200_000
    short, long = (counted(root, game, which, each) for each in (1_000, 1_000 + more))
    return (long - short) / more


def counted(root: Path, game: str, which: str, simulations: int) -> int:
    callgrind = ("--tool=callgrind", "--callgrind-out-file=/dev/null")
    valgrind = ("valgrind", *callgrind, "--instr-atstart=no")
    arguments = (game, str(simulations), "1", which, "counted")
    _, said = run(root, *arguments, before=valgrind, **PLAIN)
    found = re.search(r"Collected : (\d+)", said)
    if found is None:
        sys.exit(f"valgrind did not count:\n{said}")
    return int(found[1])


def run(
    root: Path, *arguments: str, before: tuple[str, ...] = (), **variables: str
) -> tuple[str, str]:
    """What a process with the Playout of this folder says."""
    done = subprocess.run(
        [*before, sys.executable, "-c", SEARCH, *arguments],
        env={**os.environ, **variables, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout, done.stderr


if __name__ == "__main__":
    main()
