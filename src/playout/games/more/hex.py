"""Hex: connect your two edges of a rhombus of hexagons.

Actions number the cells by rows from the top left; the last one is to swap. A cell
(row, column) has six neighbours: two in its row, two above at `column` and
`column + 1`, two below at `column - 1` and `column`.

Stones are kept in rows of bits, O's in columns: seen so, both want from row 0 to the
last, by the same six neighbours. Beside them stand those stones that are connected
with row 0, so that a stone that joins none of these is played at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import UsageError
from ...core.jit.bits import list_bits
from ...core.jit.compiled import constant, static
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, Game, State, decided
from ..drawing.board import EMPTY, Board, Cell, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell

__all__ = ["Hex"]

_ZERO, _ONE, _63 = np.uint64(0), np.uint64(1), np.uint64(63)
#: Runs are followed in steps that double.
_STEPS = np.array([2, 4, 8, 16], dtype=np.uint64)
_SWAP = "swap"


@dataclass(frozen=True)
class Hex(Game):
    """Put stones; X connects top and bottom, O left and right. There is no draw.

    By the swap rule O may answer the first stone by taking it over: it becomes O's, at
    the cell that lies as far from O's edges as it lay from X's.

    Piet Hein, 1942; John Nash, 1948. Without the swap rule the first player wins on
    every size (Nash); up to 9 x 9 it is known by which moves (Pawlewicz and Hayward,
    "Scalable Parallel DFPN Search", 2013).

    Attributes:
        size: rows and columns, 2 to 26.
        swap: whether there is the swap rule.

    >>> from playout.games.positions.position import Position
    >>> game = Hex(size=3)
    >>> Position.from_moves(game, ["b1", "swap"]).to_text()
    '.../O../... X'
    """

    name = "hex"
    title = "Hex"

    size: int = static(11)
    swap: bool = static(True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 2 <= self.size <= 26:
            raise UsageError(f"size must be 2 to 26, not {self.size}")

    # -- layout ------------------------------------------------------------------------

    @constant
    def row_of(self) -> np.ndarray:
        """`[cells]` a cell's row."""
        return (np.arange(self.size**2) // self.size).astype(np.int64)

    @constant
    def column_of(self) -> np.ndarray:
        """`[cells]` a cell's column."""
        return (np.arange(self.size**2) % self.size).astype(np.int64)

    @constant
    def all_cells(self) -> np.ndarray:
        """`[words]` the bits of all cells."""
        whole = (1 << self.size**2) - 1
        words = -(-(self.size**2) // 64)
        parts = [whole >> 64 * word & (1 << 64) - 1 for word in range(words)]
        return np.array(parts, dtype=np.uint64)

    @constant
    def draws(self) -> int:
        """Cells of a rollout that one random number draws."""
        return draws_per_number(self.size**2)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.size * self.size + (1 if self.swap else 0)

    def max_game_length(self) -> int:
        return self.num_actions()

    def fills(self) -> bool:
        return not self.swap

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (2, self.size)),
                ("joined", "u8", (2, self.size)),  # those connected with row 0
                ("empty", "u8", (len(self.all_cells),)),  # a bit a cell
                ("count", "i2"),  # of empty cells
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.stones[:] = 0
        state.joined[:] = 0
        for word in range(len(self.all_cells)):
            state.empty[word] = self.all_cells[word]
        state.count = self.size * self.size
        state.player = 0
        state.winner = -1

    def current_player(self, state: State) -> int:
        return state.player

    def can_swap(self, state: State) -> bool:
        one_stone = state.count == self.size * self.size - 1
        return bool(self.swap and state.player == 1 and one_stone)

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.winner >= 0:
            return 0
        count = 0
        for word in range(len(self.all_cells)):
            count = list_bits(state.empty[word], 64 * word, actions, count)
        if self.can_swap(state):
            actions[count] = self.size * self.size
            count += 1
        return count

    def apply(self, state: State, action: int) -> None:
        player = state.player
        if action == self.size * self.size:
            self.take_over(state)
        else:
            self.put(state, player, action)
        state.player = 1 - player

    def put(self, state: State, player: int, action: int) -> None:
        """Put a stone, and see whether it connects."""
        row, column = self.row_of[action], self.column_of[action]
        self.toggle(state, action)
        state.count -= 1
        if player == 1:
            row, column = column, row
        stone = _ONE << np.uint64(column)
        state.stones[player, row] |= stone
        if self.joins(state, player, row, stone):
            state.joined[player, row] |= stone
            self.connect(state, player)
            if state.joined[player, self.size - 1] != _ZERO:
                state.winner = player

    def toggle(self, state: State, cell: int) -> None:
        """Make an empty cell full, or the reverse."""
        state.empty[cell >> 6] ^= _ONE << (np.uint64(cell) & _63)

    def take_over(self, state: State) -> None:
        """Make X's only stone O's: in O's rows it lies where it lay in X's."""
        for row in range(self.size):
            state.stones[1, row] = state.stones[0, row]
            state.joined[1, row] = state.joined[0, row]
            state.stones[0, row] = _ZERO
            state.joined[0, row] = _ZERO
            for column in range(self.size):
                if state.stones[1, row] >> np.uint64(column) & _ONE != _ZERO:
                    self.toggle(state, row * self.size + column)
                    self.toggle(state, column * self.size + row)

    def joins(self, state: State, player: int, row: int, stone: Any) -> bool:
        """Whether a stone lies in row 0, or beside one that is connected with it."""
        near = state.joined[player, row] & (stone << _ONE | stone >> _ONE)
        if row == 0:
            return True
        near |= state.joined[player, row - 1] & (stone | stone << _ONE)
        if row < self.size - 1:
            near |= state.joined[player, row + 1] & (stone | stone >> _ONE)
        return near != _ZERO

    def connect(self, state: State, player: int) -> None:
        """Find all stones connected with row 0, by sweeps down and up."""
        stones, joined = state.stones[player], state.joined[player]
        changed = True
        while changed:
            changed = False
            for row in range(self.size):
                found = joined[row]
                if row > 0:
                    found |= joined[row - 1] | joined[row - 1] >> _ONE
                found = _runs(found & stones[row], stones[row])
                changed = changed or found != joined[row]
                joined[row] = found
            for row in range(self.size - 2, -1, -1):
                found = joined[row] | joined[row + 1] | joined[row + 1] << _ONE
                found = _runs(found & stones[row], stones[row])
                changed = changed or found != joined[row]
                joined[row] = found

    def is_terminal(self, state: State) -> bool:
        return state.winner >= 0

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    # -- for the search ----------------------------------------------------------------

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Fill the board at random; returns how many stones that took.

        Exactly one player is connected on a full board: the one who would have won if
        the game had stopped at the first connection. The mover's cells are drawn, the
        other's are those left. The swap is not considered.
        """
        if state.winner >= 0:
            return 0
        size = self.size * self.size
        count = left = self.legal_actions(state, actions)
        if count > 0 and actions[count - 1] == size:
            count, left = count - 1, count - 1
        player = state.player
        bits = _ZERO
        for index in range(count):
            if index % 2 == 0:  # the mover's
                if index // 2 % self.draws == 0:
                    bits = rng.next()
                drawn, bits = draw_from(bits, left)
                left -= 1
                cell = actions[drawn]
                actions[drawn] = actions[left]
                self.mark(state, player, cell)
        for index in range(left):
            self.mark(state, 1 - player, actions[index])
        state.joined[0, 0] = state.stones[0, 0]
        self.connect(state, 0)
        state.winner = 0 if state.joined[0, self.size - 1] != _ZERO else 1
        for word in range(len(self.all_cells)):
            state.empty[word] = _ZERO
        state.count = 0
        return count

    def mark(self, state: State, player: int, cell: int) -> None:
        """Write a stone, and nothing that follows from it."""
        row, column = self.row_of[cell], self.column_of[cell]
        if player == 0:
            state.stones[0, row] |= _ONE << np.uint64(column)
        else:
            state.stones[1, column] |= _ONE << np.uint64(row)

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """Column letter and row number from the top: `c2`; or `swap`."""
        if action == self.size**2:
            return _SWAP
        return name_cell(divmod(int(action), self.size))

    def parse_action(self, text: str) -> int:
        if self.swap and text.strip().lower() == _SWAP:
            return self.size**2
        try:
            row, column = read_cell(text, self.size, self.size)
        except UsageError as error:
            raise UsageError(f"{error}{', or swap' if self.swap else ''}") from None
        return row * self.size + column

    def cell(self, action: int) -> Cell | None:
        return None if action == self.size**2 else divmod(int(action), self.size)

    def board(self, state: State, last_action: int | None = None) -> Board:
        winner = int(state.winner)
        joined = self._cells_of(state.joined, winner) if winner >= 0 else ()
        return Board(
            cells=tuple(self._grid(state)),
            row_labels=numbers(self.size),
            column_labels=letters(self.size),
            last=None if last_action is None else self.cell(last_action),
            winning=frozenset(joined),
            labels_below=False,
            caption="X connects top and bottom, O left and right",
            layout="hex",
            style="counters",
            edges="XOXO",
        )

    def _cells_of(self, rows: Any, player: int) -> list[Cell]:
        """The cells of a player's bits."""
        size = range(self.size)
        found = [(r, c) for r in size for c in size if int(rows[player, r]) >> c & 1]
        return found if player == 0 else [(column, row) for row, column in found]

    def _grid(self, state: State) -> list[str]:
        """Rows from the top."""
        grid = [[EMPTY] * self.size for _ in range(self.size)]
        for player, mark in enumerate("XO"):
            for row, column in self._cells_of(state.stones, player):
                grid[row][column] = mark
        return ["".join(row) for row in grid]

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves: `.../.X./... O`."""
        return f"{'/'.join(self._grid(state))} {'XO'[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place; only one can be connected.

        Raises:
            PositionError: the text is no such board.
        """
        grid, mover = read_grid(text, self.size, self.size)
        self.initial_state(state)
        with np.errstate(over="ignore"):
            for cell, mark in enumerate("".join(grid)):
                if mark != EMPTY:
                    self.mark(state, "XO".index(mark), cell)
                    self.toggle(state, cell)
                    state.count -= 1
            for player in (0, 1):
                state.joined[player, 0] = state.stones[player, 0]
                self.connect(state, player)
                if state.joined[player, self.size - 1] != _ZERO:
                    state.winner = player
        state.player = mover


def _runs(seeds: Any, stones: Any) -> Any:
    """The stones of a row that lie in one run with one of the seeds, 32 at most."""
    up, down = stones & stones << _ONE, stones & stones >> _ONE
    found = seeds | stones & (seeds << _ONE | seeds >> _ONE)
    for step in _STEPS:
        found |= up & found << step | down & found >> step
        up &= up << step
        down &= down >> step
    return found
