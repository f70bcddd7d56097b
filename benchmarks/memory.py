"""Bytes a simulation, and the size of a process that runs ten million.

python benchmarks/memory.py
"""

import resource

from playout import (
    MCTS,
    UCT,
    ConnectFour,
    Gomoku,
    Limit,
    RandomChild,
    TicTacToe,
    UltimateTicTacToe,
    Uniform,
    Unsolved,
)

MILLION = 1_000_000


def main() -> None:
    search = MCTS(
        ConnectFour(),
        selection=UCT(),
        expansion=RandomChild(urgent="never"),
        rollout=Uniform(),
        solver=Unsolved(),
        seed=1,
    )
    result = search.search(limit=Limit(simulations=10 * MILLION))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"connect-four, ten million simulations: {result.tree_bytes / 1e6:.0f} MB of "
        f"tree, the process at most {peak:.0f} MiB"
    )
    for game in (
        TicTacToe(),
        ConnectFour(),
        UltimateTicTacToe(),
        Gomoku(),
        Gomoku(size=19),
    ):
        search = MCTS(
            game,
            selection=UCT(),
            expansion=RandomChild(urgent="never"),
            rollout=Uniform(),
            solver=Unsolved(),
            seed=1,
        )
        result = search.search(limit=Limit(simulations=MILLION))
        print(f"{result.game}: {result.tree_bytes / MILLION:.1f} bytes a simulation")
        result = MCTS(game, seed=1).search(limit=Limit(simulations=MILLION // 10))
        each = result.tree_bytes / result.simulations
        print(f"{result.game}, by default: {each:.1f} bytes a simulation")


if __name__ == "__main__":
    main()
