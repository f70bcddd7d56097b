"""What does a search cost besides its simulations?

Searches of one and of a thousand simulations, from two positions in turn so that no
tree is kept, and the same simulations without a search around them: the clock of each,
the median of many, with the tenth from below and above.

    python benchmarks/small_searches.py [GAME...] [--rounds 500]
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from playout import MCTS, Limit, Position, make_game
from playout.core.rng import make_rng
from playout.search.kernels.policies import make_work
from playout.search.kernels.simulate import simulate
from playout.search.work import AT_ROOT

GAMES = ("tic-tac-toe", "connect-four", "ultimate-tic-tac-toe", "gomoku")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--rounds", type=int, default=500)
    given = parser.parse_args()
    print(f"{'game':<22}{'simulations':>11}{'search':>26}{'simulations alone':>26}")
    for name in given.games:
        for count in (1, 1000):
            search, alone = both(name, count)
            clocks: tuple[list[float], list[float]] = ([], [])
            for turn in range(given.rounds):
                clocks[0].append(clock(search, turn % 2))
                clocks[1].append(clock(alone, turn % 2))
            print(f"{name:<22}{count:>11,}", *map(spread, clocks))


def both(name: str, count: int) -> tuple[Callable[[int], object], ...]:
    """A search after the first or the second legal move, and its simulations alone."""
    game = make_game(name)
    start = Position(game)
    positions = [Position(game).play(move) for move in start.legal_actions()[:2]]
    mcts, limit = MCTS(game, seed=1), Limit(simulations=count)
    mcts.search(positions[0], limit)
    tree = mcts.policies.structure.reserve(game, 100_000, mcts.policies.node_dtype)
    work = make_work(mcts.policies, make_rng(1))
    native = simulate.compile(mcts.policies, tree, work, 0, 0)

    def alone(which: int) -> None:
        tree.clear(0)
        work.states.array[AT_ROOT] = positions[which].array[0]
        with np.errstate(over="ignore"):
            native(mcts.policies, tree, work, count, count)

    return (lambda which: mcts.search(positions[which], limit)), alone


def clock(function: Callable[[int], object], which: int) -> float:
    started = time.perf_counter()
    function(which)
    return 1000 * (time.perf_counter() - started)


def spread(clocks: list[float]) -> str:
    low, median, high = np.percentile(clocks, (10, 50, 90))
    return f"{median:9.3f} ms ({low:.3f}-{high:.3f})"


if __name__ == "__main__":
    main()
