"""Objects as games: Playout, mctspy and mcts (PyPI) on the same two classes.

Each class is written as tutorials write them and has the methods of both packages. The
same start, the same number of simulations with one random rollout each, one thread, in
turn in one run; processor time. The same with a tree in each of several processes, by
the clock on the wall, for the packages as well. One row compares the object with the
same rules as a compiled `Game`, by the same search. Another shows the bound: the
class's own methods alone, in a bare loop of random games of as many moves as the search
has played, which no search that asks the class in one process can be faster than.
Prints ratios: the median of the rounds, the smallest and the largest; and how many of
the class's moves a simulation of each program plays.

    pip install --target /tmp/peers --no-deps "mctspy>=0.1.1" "mcts>=1.0.4"
    PYTHONPATH=/tmp/peers python benchmarks/objects.py [--rounds 5] [--processes N]

A package that is missing is left out.
"""

import argparse
import functools
import gc
import json
import os
import random
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

from in_turn import compare, heading, is_there

from playout import (
    MCTS,
    UCT,
    ConnectFour,
    Game,
    Limit,
    RandomChild,
    TicTacToe,
    Uniform,
    Unsolved,
    from_object,
)


class BothPackages:
    """The names of both packages, for the same rules."""

    winner: int
    next_to_move: int

    def get_legal_actions(self) -> list[int]:
        raise NotImplementedError

    def move(self, action: int) -> "BothPackages":
        raise NotImplementedError

    def is_game_over(self) -> bool:
        return self.winner != 0 or not self.get_legal_actions()

    @property
    def game_result(self) -> int:
        return self.winner

    def getCurrentPlayer(self) -> int:
        return self.next_to_move

    def getPossibleActions(self) -> list[int]:
        return self.get_legal_actions()

    def takeAction(self, action: int) -> "BothPackages":
        return self.move(action)

    def isTerminal(self) -> bool:
        return self.is_game_over()

    def getReward(self) -> int:
        return self.winner


class NineCells(BothPackages):
    """Tic-tac-toe on a list of cells."""

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

    def __init__(self, cells: list[int] | None = None, player: int = 1) -> None:
        self.cells = cells or [0] * 9
        self.next_to_move = player
        self.winner = 0
        for a, b, c in self.LINES:
            if self.cells[a] and self.cells[a] == self.cells[b] == self.cells[c]:
                self.winner = self.cells[a]

    def get_legal_actions(self) -> list[int]:
        return [cell for cell in range(9) if not self.cells[cell]]

    def move(self, action: int) -> "NineCells":
        cells = self.cells[:]
        cells[action] = self.next_to_move
        return NineCells(cells, -self.next_to_move)


class SevenColumns(BothPackages):
    """Connect Four on a list of columns; a move looks for its own line of four."""

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(7)]
        self.next_to_move = 1
        self.winner = 0

    def get_legal_actions(self) -> list[int]:
        return [column for column in range(7) if len(self.columns[column]) < 6]

    def move(self, action: int) -> "SevenColumns":
        after = SevenColumns.__new__(SevenColumns)
        after.columns = [column[:] for column in self.columns]
        after.columns[action].append(self.next_to_move)
        after.next_to_move = -self.next_to_move
        after.winner = self.next_to_move if after.has_line(action) else 0
        return after

    def has_line(self, column: int) -> bool:
        row = len(self.columns[column]) - 1
        player = self.columns[column][row]
        for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for way in (1, -1):
                c, r = column + way * right, row + way * up
                while 0 <= c < 7 and 0 <= r < len(self.columns[c]):
                    if self.columns[c][r] != player:
                        break
                    count += 1
                    c, r = c + way * right, r + way * up
            if count >= 4:
                return True
        return False


#: label -> (the object's class, the same rules as a `Game`, simulations)
GAMES: dict[str, tuple[Callable[[], BothPackages], Game, int]] = {
    "tic-tac-toe": (NineCells, TicTacToe(), 20_000),
    "connect-four": (SevenColumns, ConnectFour(), 5_000),
}
#: How many times as many simulations the compiled game does.
MORE = 20


#: Seconds of this process, or of the clock on the wall.
Clock = Callable[[], float]


def timed(run: Callable[[], Any], clock: Clock = time.process_time) -> float:
    gc.collect()
    gc.freeze()  # whoever is measured need not look through what was there before
    started = clock()
    run()
    return clock() - started


def searching(game: Game, seed: int, **where: Any) -> MCTS:
    """Plain UCT, which proves nothing, as the packages do."""
    search = MCTS(
        game,
        **where,
        selection=UCT(),
        expansion=RandomChild(urgent="never"),
        rollout=Uniform(),
        solver=Unsolved(),
        seed=seed,
    )
    search.compile()
    return search


def as_object(cls: Callable[[], BothPackages], simulations: int, seed: int) -> float:
    """A search of an object that nothing is known of yet."""
    search = searching(from_object(cls), seed)
    return timed(lambda: search.search(limit=Limit(simulations=simulations)))


def in_processes(
    cls: Callable[[], BothPackages], simulations: int, seed: int, count: int
) -> float:
    """The same with a tree in each of so many processes, which have started."""
    search = searching(from_object(cls), seed, trees=count, executor="processes")
    limit = Limit(simulations=simulations)
    return timed(lambda: search.search(limit=limit), time.perf_counter)


def as_game(game: Game, simulations: int, seed: int) -> float:
    search = searching(game, seed)
    return timed(lambda: search.search(limit=Limit(simulations=simulations)))


def moves_of(
    cls: Callable[[], BothPackages], prepare: Callable[[], Callable[[], object]]
) -> int:
    """How many moves the class is asked to play by the search that was prepared."""
    played = 0
    move: Any = cls.move  # type: ignore[attr-defined]

    def counted(state: BothPackages, action: int) -> BothPackages:
        nonlocal played
        played += 1
        return move(state, action)

    with mock.patch.object(cls, "move", counted):
        search = prepare()
        played = 0
        search()
    return played


def by_class_alone(cls: Callable[[], BothPackages], moves: int, seed: int) -> float:
    """Random games of so many moves, as fast as the class's methods are."""
    choice = random.Random(seed).choice

    def play() -> None:
        left = moves
        while left > 0:
            state = cls()
            while not state.is_game_over():
                state = state.move(choice(state.get_legal_actions()))
                left -= 1
            _ = state.game_result

    return timed(play)


def by_mctspy(
    cls: Callable[[], BothPackages], simulations: int, clock: Clock = time.process_time
) -> float:
    from mctspy.tree.nodes import TwoPlayersGameMonteCarloTreeSearchNode as Node
    from mctspy.tree.search import MonteCarloTreeSearch

    search = MonteCarloTreeSearch(Node(state=cls()))
    return timed(lambda: search.best_action(simulations_number=simulations), clock)


def by_mcts(
    cls: Callable[[], BothPackages], simulations: int, clock: Clock = time.process_time
) -> float:
    from mcts import mcts

    searcher = mcts(iterationLimit=simulations)
    return timed(lambda: searcher.search(initialState=cls()), clock)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), metavar="N")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    rows = []
    known = {"mctspy": by_mctspy, "mcts": by_mcts}
    packages = {name: by for name, by in known.items() if is_there(name)}
    print(heading("the first", "the second"))
    for name in options.games:
        cls, game, n = GAMES[name]

        def ours(seed: int, cls: Any = cls, n: int = n) -> float:
            return as_object(cls, n, seed) / n

        for package, other in packages.items():
            rows.append(
                compare(
                    f"{name}: the object, and {package}",
                    ours,
                    lambda seed, other=other, cls=cls, n=n: other(cls, n) / n,
                    options.rounds,
                )
            )
        for package, other in packages.items() if options.processes > 1 else ():
            count, many = options.processes, options.processes * n
            rows.append(
                compare(
                    f"{name}: in {count} processes, and {package}",
                    lambda s, c=cls, m=many, k=count: in_processes(c, m, s, k) / m,
                    lambda _, other=other, c=cls, n=n: (
                        other(c, n, time.perf_counter) / n
                    ),
                    options.rounds,
                )
            )

        def prepared(cls: Any = cls, n: int = n) -> Callable[[], object]:
            search = searching(from_object(cls), seed=1)
            return lambda: search.search(limit=Limit(simulations=n))

        moves = moves_of(cls, prepared)
        shown = [f"the object {moves / n:.2f}"]
        for package, other in packages.items():
            search = functools.partial(other, cls, n)
            played = moves_of(cls, lambda search=search: search)
            shown.append(f"{package} {played / n:.2f}")
        print(f"{name}: moves a simulation: {', '.join(shown)}")
        rows.append(
            compare(
                f"{name}: the object, and its class alone",
                ours,
                lambda seed, cls=cls, m=moves, n=n: by_class_alone(cls, m, seed) / n,
                options.rounds,
            )
        )
        rows.append(
            compare(
                f"{name}: a compiled Game, and the object",
                lambda seed, game=game, n=n: as_game(game, MORE * n, seed) / (MORE * n),
                ours,
                options.rounds,
            )
        )
    if options.json:
        with open(options.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
