"""How fast are rules searched that Numba cannot compile?

Hex 7x7 and Reversi 8x8 on a board of cells, as people write them, with a text in a
dictionary that keeps them from being compiled. Plain UCT, processor time; simulations
per second of each round. It runs on older versions of Playout as well.

    python benchmarks/interpreted.py [--rounds 3]
"""

import argparse
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout import MCTS, UCT, Game, Limit, static

#: Compiled code has no dictionaries like this one.
NAMES: dict[str, Any] = {"first": 1, "second": [2]}
AROUND = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
DIRECTIONS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]


@dataclass(frozen=True)
class Board(Game):
    """A square board."""

    size: int = static(7)

    def num_actions(self) -> int:
        return self.size**2 + 1

    def max_game_length(self) -> int:
        return 2 * self.size**2

    def state_dtype(self) -> np.dtype[Any]:
        cells = ("cells", "i1", (self.size, self.size))
        return np.dtype([cells, ("player", "i1"), ("winner", "i1")])

    def initial_state(self, state: Any) -> None:
        state.winner = -NAMES["first"]

    def current_player(self, state: Any) -> int:
        return int(state.player)


@dataclass(frozen=True)
class Hex(Board):
    """A chain from one side to the other."""

    def legal_actions(self, state: Any, actions: Any) -> int:
        count = 0
        for cell in range(self.size**2 if state.winner < 0 else 0):
            row, column = divmod(cell, self.size)
            if state.cells[row, column] == 0:
                actions[count] = cell
                count += 1
        return count

    def apply(self, state: Any, action: int) -> None:
        row, column = divmod(action, self.size)
        state.cells[row, column] = state.player + 1
        if self.connects(state, row, column, state.player + 1):
            state.winner = state.player
        state.player = 1 - state.player

    def connects(self, state: Any, row: int, column: int, mark: int) -> bool:
        """Whether the chain of a stone touches both sides of its player."""
        seen, todo = {(row, column)}, [(row, column)]
        low = high = False
        while todo:
            row, column = todo.pop()
            along = row if mark == 1 else column
            low = low or along == 0
            high = high or along == self.size - 1
            for down, right in AROUND:
                y, x = row + down, column + right
                if 0 <= y < self.size and 0 <= x < self.size and (y, x) not in seen:
                    if state.cells[y, x] == mark:
                        seen.add((y, x))
                        todo.append((y, x))
        return low and high

    def is_terminal(self, state: Any) -> bool:
        return bool(state.winner >= NAMES["first"] - 1)

    def returns(self, state: Any, player: int) -> float:
        return 1.0 if state.winner == player else -1.0


@dataclass(frozen=True)
class Reversi(Board):
    """Stones between two others are turned over, as in the docs' own game."""

    def initial_state(self, state: Any) -> None:
        half = self.size // 2
        for row, column in ((half - 1, half - 1), (half, half)):
            state.cells[row, column] = -NAMES["first"]
            state.cells[row, self.size - 1 - column] = 1

    def turned(
        self, state: Any, mark: int, row: int, column: int, down: int, right: int
    ) -> int:
        """How many stones a move turns over in one direction."""
        count = 0
        row, column = row + down, column + right
        while 0 <= row < self.size and 0 <= column < self.size:
            if state.cells[row, column] != -mark:
                return count if state.cells[row, column] == mark else 0
            count += 1
            row, column = row + down, column + right
        return 0

    def can_play(self, state: Any, mark: int, cell: int) -> bool:
        row, column = divmod(cell, self.size)
        if state.cells[row, column] != 0:
            return False
        for down, right in DIRECTIONS:
            if self.turned(state, mark, row, column, down, right) > 0:
                return True
        return False

    def list_cells(self, state: Any, mark: int, actions: Any) -> int:
        count = 0
        for cell in range(self.size**2):
            if self.can_play(state, mark, cell):
                actions[count] = cell
                count += 1
        return count

    def legal_actions(self, state: Any, actions: Any) -> int:
        mark = NAMES["first"] - 2 * state.player
        count = self.list_cells(state, mark, actions)
        if count == 0 and self.list_cells(state, -mark, actions) > 0:
            actions[0] = self.size**2
            return 1
        return count

    def apply(self, state: Any, action: int) -> None:
        mark = NAMES["first"] - 2 * state.player
        if action < self.size**2:
            row, column = divmod(action, self.size)
            for down, right in DIRECTIONS:
                count = self.turned(state, mark, row, column, down, right)
                for step in range(1, count + 1):
                    state.cells[row + step * down, column + step * right] = mark
            state.cells[row, column] = mark
        state.player = 1 - state.player

    def is_terminal(self, state: Any) -> bool:
        for cell in range(self.size**2):
            if self.can_play(state, 1, cell) or self.can_play(state, -1, cell):
                return False
        return True

    def returns(self, state: Any, player: int) -> float:
        lead = np.sign(state.cells.sum())
        return float(lead if player == 0 else -lead)


#: The game, and how many simulations.
GAMES: dict[str, tuple[Game, int]] = {
    "hex": (Hex(7), 1000),
    "reversi": (Reversi(8), 100),
}


def speed(game: Game, simulations: int) -> float:
    search = MCTS(game, selection=UCT(), seed=1)
    search.search(limit=Limit(simulations=2))
    search.reset(1)
    started = time.process_time()
    search.search(limit=Limit(simulations=simulations))
    return simulations / (time.process_time() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", type=int, default=1, help="of the simulations")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # that they are interpreted
    for name, (game, simulations) in GAMES.items():
        speeds = [speed(game, simulations // given.part) for _ in range(given.rounds)]
        print(f"{name:<10}" + "".join(f"{each:>10,.1f}" for each in speeds), flush=True)


if __name__ == "__main__":
    main()
