"""How much of two processors do two threads on one tree use?

Two threads on one tree against two searches side by side that have nothing to do with
each other, in turns; the ratio of their simulations per second. Below 1 is what sharing
costs; above it is what a branch that stays in the processor's cache gains. It wants a
quiet machine with as many processors as threads.

They search by UCT with uniform rollouts and without solver, or by the defaults.

    python benchmarks/threads.py [GAME]... [--default] [--threads N] [--seconds S]
        [--rounds R]
"""

from __future__ import annotations

import argparse
import statistics
import threading
from collections.abc import Callable

from playout import MCTS, UCT, Limit, RandomChild, Uniform, Unsolved
from playout.games.registry import make_game

GAMES = ("connect-four", "gomoku")

#: What makes a search of a game, with so many threads and a seed.
MakeSearch = Callable[[str, int, int], MCTS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--default", action="store_true", help="the default policies")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=11)
    asked = parser.parse_args()
    print(f"{'game':<22}{'apart /s':>14}{'one tree /s':>14}{'ratio':>8}{'range':>14}")
    for name in asked.games:
        make = default_search if asked.default else plain_search
        report(name, make, asked.threads, asked.seconds, asked.rounds)


def report(
    name: str, make: MakeSearch, threads: int, seconds: float, rounds: int
) -> None:
    alone, together, ratios = [], [], []
    for seed in range(rounds):
        order = (apart, shared) if seed % 2 else (shared, apart)
        speeds = {run: run(name, make, threads, seconds, seed) for run in order}
        alone.append(speeds[apart])
        together.append(speeds[shared])
        ratios.append(speeds[shared] / speeds[apart])
    low, high = min(ratios), max(ratios)
    print(
        f"{name:<22}{statistics.median(alone):>14,.0f}"
        f"{statistics.median(together):>14,.0f}{statistics.median(ratios):>8.3f}"
        f"{f'{low:.2f}-{high:.2f}':>14}",
        flush=True,
    )


def default_search(name: str, threads: int, seed: int) -> MCTS:
    search = MCTS(make_game(name), threads=threads, seed=seed)
    search.compile()
    return search


def plain_search(name: str, threads: int, seed: int) -> MCTS:
    search = MCTS(
        make_game(name),
        selection=UCT(),
        expansion=RandomChild(urgent="never"),
        rollout=Uniform(),
        solver=Unsolved(),
        threads=threads,
        seed=seed,
    )
    search.compile()
    return search


def shared(
    name: str, make: MakeSearch, threads: int, seconds: float, seed: int
) -> float:
    """Simulations per second of threads on one tree."""
    search = make(name, threads, seed)
    result = search.search(limit=Limit(seconds=seconds))
    return result.simulations_per_second


def apart(
    name: str, make: MakeSearch, threads: int, seconds: float, seed: int
) -> float:
    """Simulations per second of as many searches, added up."""
    searches = [make(name, 1, seed * threads + index) for index in range(threads)]
    ready = threading.Barrier(threads)
    speeds: list[float] = []

    def run(search: MCTS) -> None:
        ready.wait()
        result = search.search(limit=Limit(seconds=seconds))
        speeds.append(result.simulations_per_second)

    runners = [threading.Thread(target=run, args=(search,)) for search in searches]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join()
    return sum(speeds)


if __name__ == "__main__":
    main()
