"""2048: slide the tiles; equal ones that meet become one of twice the number.

A cell holds the exponent of its tile, 0 where it is empty. Cells stand in rows from the
top left; on a board of 4 with what people call the cells beside:

     0  1  2  3        a4  b4  c4  d4
     4  5  6  7        a3  b3  c3  d3
     8  9 10 11        a2  b2  c2  d2
    12 13 14 15        a1  b1  c1  d1

The actions and the tiles that chance adds share one numbering:

| action | name | |
|---|---|---|
| 0 to 3 | `up`, `right`, `down`, `left` | slide all tiles |
| 4 + 2 c | `b3=2` | chance puts a 2 on cell c, nine times of ten |
| 5 + 2 c | `b3=4` | chance puts a 4 there |

    Gabriele Cirulli, 2014, after Threes (Wohlwend, Vollmer) and 1024.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import static
from ..contract.game import CHANCE, Actions, Game, State
from ..drawing.names import letters, name_cell

__all__ = ["Game2048"]

_DIRECTIONS = ("up", "right", "down", "left")
_LARGEST = 6
#: The tiles at the start, and how likely a new one is a 2.
_FIRST_TILES, _TWO = 2, 0.9


@dataclass(frozen=True)
class Game2048(Game):
    """One player slides tiles on a square until one reaches the goal or none can move.

    The goal is worth 1. Where no tile can move any more, the return grows with the sum
    of all tiles, and so with the number of moves that were made: from -1 for nothing to
    1 for the largest sum without the goal, which nobody reaches.

    Attributes:
        size: rows and columns, 2 to 6.
        goal: the tile that wins, a power of two from 8 to 32768.

    >>> from playout.games.positions.position import Position
    >>> moves = ["a1=2", "c2=2", "left", "b4=4"]
    >>> print(Position.from_moves(Game2048(), moves).render())
    4     .    4    .    .
    3     .    .    .    .
    2     2    .    .    .
    1     2    .    .    .
          a    b    c    d
    """

    name = "2048"
    title = "2048"
    player_names = ("Player",)
    zero_sum = False
    has_chance = True

    size: int = static(4)
    goal: int = 2048

    interpreted_methods = Game.interpreted_methods | {"tiles"}

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.size <= _LARGEST:
            raise UsageError(f"size must be 2 to {_LARGEST}, not {self.size}")
        if self.goal not in [2**exponent for exponent in range(3, 16)]:
            raise UsageError(
                f"goal must be a power of two from 8 to 32768, not {self.goal}"
            )

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return 4 + 2 * self.size * self.size

    def num_players(self) -> int:
        return 1

    def max_game_length(self) -> int:
        """Every new tile adds at least 2 to a sum that `largest_sum` bounds."""
        return self.largest_sum() + 4

    def largest_sum(self) -> int:
        """No sum without the goal is larger: half of it on every cell."""
        return self.size * self.size * self.goal // 2

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("cells", "i1", (self.size * self.size,)),
                ("coming", "i1"),  # tiles that chance adds before the next move
                ("won", "i1"),
            ]
        )

    def initial_state(self, state: State) -> None:
        state.cells[:] = 0
        state.coming = _FIRST_TILES
        state.won = 0

    def current_player(self, state: State) -> int:
        return CHANCE if state.coming > 0 else 0

    def legal_actions(self, state: State, actions: Actions) -> int:
        count = 0
        if state.won == 1:
            return 0
        if state.coming == 0:
            for direction in range(4):
                if self.can_slide(state, direction):
                    actions[count] = direction
                    count += 1
            return count
        for cell in range(self.size * self.size):
            if state.cells[cell] == 0:
                actions[count] = 4 + 2 * cell
                actions[count + 1] = 5 + 2 * cell
                count += 2
        return count

    def apply(self, state: State, action: int) -> None:
        if action >= 4:
            state.cells[(action - 4) // 2] = 1 + action % 2
            state.coming -= 1
            return
        for line in range(self.size):
            self.slide(state, action, line)
        state.coming = 1 - state.won

    def is_terminal(self, state: State) -> bool:
        if state.won == 1 or state.coming > 0:
            return bool(state.won == 1)
        for direction in range(4):
            if self.can_slide(state, direction):
                return False
        return True

    def returns(self, state: State, player: int) -> float:
        if state.won == 1:
            return 1.0
        total = 0
        for cell in range(self.size * self.size):
            if state.cells[cell] > 0:
                total += 1 << int(state.cells[cell])
        return 2.0 * total / self.largest_sum() - 1.0

    def chance_probability(self, state: State, action: int) -> float:
        empty = 0
        for cell in range(self.size * self.size):
            empty += state.cells[cell] == 0
        return (_TWO if action % 2 == 0 else 1.0 - _TWO) / empty

    def sample_chance(self, state: State, actions: Actions, rng: Any) -> int:
        count = self.legal_actions(state, actions)
        two = rng.uniform() < _TWO
        return actions[2 * rng.below(count // 2) + (0 if two else 1)]

    # -- sliding -----------------------------------------------------------------------

    def first_cell(self, direction: int, line: int) -> int:
        """The cell of a row or column at the edge towards which tiles slide."""
        last = self.size - 1
        if direction == 0:
            return line
        if direction == 1:
            return line * self.size + last
        if direction == 2:
            return last * self.size + line
        return line * self.size

    def step(self, direction: int) -> int:
        """From a cell to the one behind it."""
        if direction == 0:
            return self.size
        if direction == 1:
            return -1
        if direction == 2:
            return -self.size
        return 1

    def can_slide(self, state: State, direction: int) -> bool:
        """Whether any tile has room, or an equal one, ahead."""
        step = self.step(direction)
        for line in range(self.size):
            ahead = self.first_cell(direction, line)
            for _ in range(self.size - 1):
                tile, place = state.cells[ahead + step], state.cells[ahead]
                if tile != 0 and (tile == place or place == 0):
                    return True
                ahead += step
        return False

    def slide(self, state: State, direction: int, line: int) -> None:
        """Slide a row or column; a tile that has grown does not grow again."""
        step = self.step(direction)
        cell = place = self.first_cell(direction, line)
        waiting = 0  # the tile before `place`, if it may still grow
        for _ in range(self.size):
            tile = state.cells[cell]
            state.cells[cell] = 0
            cell += step
            if tile == 0:
                continue
            if tile == waiting:
                state.cells[place - step] = tile + 1
                waiting = 0
                if 1 << (int(tile) + 1) == self.goal:
                    state.won = 1
            else:
                state.cells[place] = tile
                place += step
                waiting = tile

    # -- for people --------------------------------------------------------------------

    def tiles(self, state: State) -> list[list[int]]:
        """Rows from the top; 0 is empty."""
        cells = [int(exponent) for exponent in np.asarray(state.cells)]
        numbers = [1 << exponent if exponent else 0 for exponent in cells]
        return [numbers[i : i + self.size] for i in range(0, len(cells), self.size)]

    def cell_name(self, cell: int) -> str:
        """Column letter and row number; `a1` is the bottom left."""
        return name_cell(divmod(cell, self.size), self.size)

    def action_name(self, action: int) -> str:
        if action < 4:
            return _DIRECTIONS[action]
        return f"{self.cell_name((action - 4) // 2)}={2 + 2 * (action % 2)}"

    def parse_action(self, text: str) -> int:
        word = text.strip().lower()
        found = [d for d in _DIRECTIONS if word and d.startswith(word)]
        if len(found) == 1:
            return _DIRECTIONS.index(found[0])
        names = [self.action_name(action) for action in range(4, self.num_actions())]
        if word not in names:
            raise UsageError(
                f"{quote(text)} is not a move; moves are up, right, down and left, and "
                f"new tiles a1=2 or a1=4 to {names[2 * self.size - 1]}"
            )
        return 4 + names.index(word)

    def render(
        self, state: State, last_action: int | None = None, color: bool = False
    ) -> str:
        """The tiles in rows, the columns' letters below."""
        width = max(4, len(str(self.goal))) + 1
        lines = []
        for row, numbers in enumerate(self.tiles(state)):
            shown = "".join(f"{number or '.':>{width}}" for number in numbers)
            lines.append(f"{self.size - row} {shown}")
        below = "".join(f"{letter:>{width}}" for letter in letters(self.size))
        return "\n".join([*lines, f"  {below}"])

    def state_to_text(self, state: State) -> str:
        """Rows from the top, then "+" for every tile to come: `2,0/0,4 +`."""
        rows = "/".join(",".join(map(str, row)) for row in self.tiles(state))
        return f"{rows} {'+' * state.coming}".strip()

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no board of this size.
        """
        board, _, coming = text.strip().partition(" ")
        tiles = [row.split(",") for row in board.split("/")]
        known = {str(1 << e): e for e in range(1, 16) if 1 << e <= self.goal} | {"0": 0}
        fits = [len(row) for row in tiles] == [self.size] * self.size
        exponents = [known.get(tile, -1) for row in tiles for tile in row]
        room = exponents.count(0)
        if (
            not fits
            or -1 in exponents
            or set(coming) - {"+"}
            or len(coming) > min(2, room)
        ):
            raise PositionError(
                f"not a position: {quote(text)}; expected {self.size} rows of "
                f"{self.size} tiles joined by / (0 is empty, tiles are powers of two "
                "up to the goal) and, after a blank, a + for every tile to come"
            )
        for cell, exponent in enumerate(exponents):
            state.cells[cell] = exponent
        state.coming = len(coming)
        state.won = 1 if 1 << max(exponents) == self.goal else 0
