"""Playout against OpenSpiel's C++ MCTS, and against mctspy and mcts from PyPI.

The same game from the same start (backgammon: after a first roll of 3-1), the same
number of simulations with one random rollout each, one thread, in turn in one run;
processor time. Prints the ratio of the speeds of every pair of runs: its median, and
the smallest and largest.

    pip install ".[peers]"
    python benchmarks/peers.py [--rounds 5] [--json FILE] [GAME...]
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from in_turn import compare, heading, is_there

from playout import (
    MCTS,
    UCT,
    ConnectFour,
    Game,
    Gomoku,
    Limit,
    Position,
    RandomChild,
    TicTacToe,
    UltimateTicTacToe,
    Uniform,
    Unsolved,
    make_game,
)

C_UCT = 2.0
#: name -> (game, OpenSpiel's name, simulations)
GAMES: dict[str, tuple[Game, str, int]] = {
    "tic-tac-toe": (TicTacToe(), "tic_tac_toe", 100_000),
    "connect-four": (ConnectFour(), "connect_four", 100_000),
    "ultimate-tic-tac-toe": (UltimateTicTacToe(), "ultimate_tic_tac_toe", 100_000),
    "gomoku": (Gomoku(), "gomoku", 10_000),
    "othello": (make_game("othello"), "othello", 20_000),
    "breakthrough": (make_game("breakthrough"), "breakthrough", 20_000),
    "hex": (make_game("hex:swap=false"), "hex", 20_000),
    "go": (make_game("go"), "go(board_size=9)", 2_000),
    "backgammon": (make_game("backgammon"), "backgammon", 2_000),
    "dots-and-boxes": (
        make_game("dots-and-boxes"),
        "dots_and_boxes(num_rows=4,num_cols=4)",
        20_000,
    ),
}
#: What is played first where chance begins: our moves, OpenSpiel's actions.
FIRST: dict[str, tuple[tuple[str, ...], tuple[int, ...]]] = {
    "backgammon": (("3-1",), (2,)),
}


def timed(run: Callable[[], Any]) -> float:
    started = time.process_time()
    run()
    return time.process_time() - started


def playout(game: Game, simulations: int, seed: int) -> float:
    """Seconds of processor time; plain UCT, no must-play rules."""
    search = MCTS(
        game,
        selection=UCT(C_UCT),
        expansion=RandomChild(urgent="never"),
        rollout=Uniform(),
        solver=Unsolved(),
        seed=seed,
    )
    search.compile()
    moves, _ = FIRST.get(game.name, ((), ()))
    position = Position.from_moves(game, moves)
    return timed(lambda: search.search(position, Limit(simulations=simulations)))


def open_spiel(name: str, simulations: int, seed: int) -> float:
    import pyspiel

    game = pyspiel.load_game(name)
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    bot = pyspiel.MCTSBot(
        game, evaluator, C_UCT, simulations, 1_000_000, False, seed, False
    )
    state = game.new_initial_state()
    for action in FIRST.get(name, ((), ()))[1]:
        state.apply_action(action)
    return timed(lambda: bot.mcts_search(state))


class BoardOfNine:
    """Tic-tac-toe for the Python packages, as their tutorials write it."""

    def __init__(self, cells: tuple[int, ...] = (0,) * 9, player: int = 1) -> None:
        self.cells, self.player = cells, player

    LINES = (
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )

    def winner(self) -> int | None:
        for a, b, c in self.LINES:
            if self.cells[a] and self.cells[a] == self.cells[b] == self.cells[c]:
                return self.cells[a]
        return None if 0 in self.cells else 0

    def after(self, cell: int) -> "BoardOfNine":
        cells = (*self.cells[:cell], self.player, *self.cells[cell + 1 :])
        return BoardOfNine(cells, -self.player)

    # the interface of `mcts`
    def getCurrentPlayer(self) -> int:
        return self.player

    def getPossibleActions(self) -> list[int]:
        return [cell for cell in range(9) if not self.cells[cell]]

    def takeAction(self, cell: int) -> "BoardOfNine":
        return self.after(cell)

    def isTerminal(self) -> bool:
        return self.winner() is not None

    def getReward(self) -> int:
        return self.winner() or 0


def mcts_package(simulations: int) -> float:
    from mcts import mcts

    searcher = mcts(iterationLimit=simulations)
    return timed(lambda: searcher.search(initialState=BoardOfNine()))


def mctspy_package(simulations: int) -> float:
    import numpy as np
    from mctspy.games.examples.tictactoe import TicTacToeGameState
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as Node
    from mctspy.tree.search import MonteCarloTreeSearch

    root = Node(state=TicTacToeGameState(state=np.zeros((3, 3)), next_to_move=1))
    search = MonteCarloTreeSearch(root)
    return timed(lambda: search.best_action(simulations_number=simulations))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rows = []
    print(heading("Playout", "the other"))
    for name in options.games:
        game, other, n = GAMES[name]
        rows.append(
            compare(
                f"{name}, OpenSpiel's C++ bot",
                lambda seed, game=game, n=n: playout(game, n, seed) / n,
                lambda seed, other=other, n=n: open_spiel(other, n, seed) / n,
                options.rounds,
            )
        )
    if "tic-tac-toe" in options.games:
        game = GAMES["tic-tac-toe"][0]
        for label, package in (("mcts", mcts_package), ("mctspy", mctspy_package)):
            if not is_there(label):
                continue
            rows.append(
                compare(
                    f"tic-tac-toe, {label} (Python)",
                    lambda seed, game=game: playout(game, 2000, seed) / 2000,
                    lambda seed, package=package: package(2000) / 2000,
                    options.rounds,
                )
            )
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
