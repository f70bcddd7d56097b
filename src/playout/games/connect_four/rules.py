"""Connect Four on a board of any size, with a forbidden cell as in source 5.

Stones are bits. A column takes `rows + 1` of them, the top one always empty, so that
no line runs from one column into the next. On 6 rows and 7 columns:

     6 13 20 27 34 41 48     <- always 0
     5 12 19 26 33 40 47     <- row 0 (top)
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42     <- row 5 (bottom)

The cell where a stone would land is found in all columns at once: adding the bottom
row to the occupied cells carries, in every column, into the lowest empty bit. Boards
that need more than 64 bits use several words of whole columns; their lines are
followed cell by cell from the stone just played.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ...core.errors import UsageError
from ...core.jit.bits import likely, lowest, popcount
from ...core.jit.compiled import constant, static
from ...core.jit.vectors import any_run
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, State, decided, uniform_rollout
from ..drawing.board import Board, line_cells, read_grid
from .book import look_up
from .decisive import play_decisively
from .exact import stack_size
from .indices import count_legal, index_of, nth_legal
from .known import ENTRIES
from .parts import ConnectFourParts
from .settling import settle
from .text import fill, grid_of, play_columns, read_column
from .threats import list_urgent, move_weight, reason
from .value import judge

__all__ = ["ConnectFour"]

_ZERO, _ONE, _63 = np.uint64(0), np.uint64(1), np.uint64(63)
_MOST_LISTED = 10  # entries of six bits, shifts of up to 63, that fit into a word


@dataclass(frozen=True)
class ConnectFour(ConnectFourParts):
    """Drop stones into columns; the first line of four wins.

    Sources: Tromp's and Pons' programs; of the forbidden cell, Tsinghua's course.

    Attributes:
        rows: 1 to 12.
        columns: 1 to 12.
        line: how many in a row win (or more); more than four must fit on the board.
        forbidden: (row, column) from the top left, zero-based, of a cell nobody may
            occupy and every column jumps over; (-1, -1) for none, `random` for any.

    >>> from playout.games.positions.counting import perft
    >>> perft(ConnectFour(), 7)
    823536
    """

    name = "connect-four"
    title = "Connect Four"

    rows: int = static(6)
    columns: int = static(7)
    line: int = static(4)
    forbidden: tuple[int, int] = (-1, -1)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("rows", "columns"):
            if not 1 <= getattr(self, name) <= 12:
                raise UsageError(f"{name} must be 1 to 12, not {getattr(self, name)}")
        most = max(self.rows, self.columns, 4)
        if not 2 <= self.line <= most:
            raise UsageError(f"line must be 2 to {most} on this board, not {self.line}")
        row, column = self.forbidden
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        if not inside and self.forbidden != (-1, -1):
            raise UsageError(
                f"forbidden must be row/column on the board, 0/0 at the top left to "
                f"{self.rows - 1}/{self.columns - 1}, not {row}/{column}"
            )

    # -- layout ------------------------------------------------------------------------

    @constant
    def height(self) -> int:
        """Bits in a column."""
        return self.rows + 1

    @constant
    def columns_per_word(self) -> int:
        return min(self.columns, 64 // (self.rows + 1))

    @constant
    def words(self) -> int:
        return -(-self.columns // (64 // (self.rows + 1)))

    @constant
    def bottom(self) -> np.ndarray:
        """`[words]` the bits of the bottom row."""
        words = np.zeros(self.words, dtype=np.uint64)
        for column in range(self.columns):
            word, shift = self.place(column)
            words[word] |= np.uint64(1 << shift)
        return words

    @constant
    def cells(self) -> np.ndarray:
        """`[words]` the bits of all cells of the board."""
        return self.bottom * np.uint64((1 << self.rows) - 1)

    @constant
    def first_column(self) -> Any:
        """The bits of the first column."""
        return np.uint64((1 << self.height) - 1)

    @constant
    def span(self) -> int:
        """Bits of a word that its columns take."""
        return self.columns_per_word * self.height

    @constant
    def draws(self) -> int:
        """Columns of a rollout that one random number draws."""
        return draws_per_number(self.columns)

    @constant
    def entry(self) -> Any:
        """Bits of an entry in a rollout's list of columns."""
        return np.uint64(8 if self.columns <= 8 else 6)

    def place(self, column: int) -> tuple[int, int]:
        """The word of a column, and the bit of its bottom cell in that word."""
        if self.words == 1:
            return 0, column * self.height
        per_word = self.columns_per_word
        return column // per_word, (column % per_word) * self.height

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.columns

    def max_game_length(self) -> int:
        return self.rows * self.columns

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (2, self.words)),
                ("occupied", "u8", (self.words,)),
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.stones[:] = 0
        state.occupied[:] = 0
        state.player = 0
        state.winner = -1
        if self.forbidden[0] >= 0:
            word, shift = self.place(self.forbidden[1])
            row = self.rows - 1 - self.forbidden[0]
            state.occupied[word] = _ONE << np.uint64(shift + row)

    def current_player(self, state: State) -> int:
        return state.player

    def landing(self, state: State, word: int) -> Any:
        """The bits where stones would land, in one word."""
        return _landing(state.occupied[word], self.bottom[word], self.cells[word])

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.winner >= 0:
            return 0
        landing = self.landing(state, 0)
        if self.words == 1 and likely(popcount(landing) == self.columns):
            for action in range(self.columns):  # nothing here waits for the board
                actions[action] = action
            return self.columns
        count = 0
        for action in range(self.columns):
            word, shift = self.place(action)
            if self.words > 1:
                landing = self.landing(state, word)
            actions[count] = action  # counted only if a stone can land there
            here = landing >> np.uint64(shift) & self.first_column
            count += 1 if here != _ZERO else 0
        return count

    count_legal, nth_legal, index_of = count_legal, nth_legal, index_of

    def apply(self, state: State, action: int) -> None:
        word, shift = self.place(action)
        column = self.first_column << np.uint64(shift)
        stone = self.landing(state, word) & column
        player = state.player
        state.stones[np.uint64(player), word] |= stone
        state.occupied[word] |= stone
        if self.would_win(state, player, action, word, stone, shift):
            state.winner = player
        state.player = 1 - player

    def wins(self, state: State, player: int, column: int, row: int) -> bool:
        """Whether a stone at a cell (row 0 at the bottom) completes a line."""
        return (
            self.reach(state, player, column, row, 0, -1) + 1 >= self.line
            or self.along(state, player, column, row, 1, 0)
            or self.along(state, player, column, row, 1, 1)
            or self.along(state, player, column, row, 1, -1)
        )

    def has_line(self, stones: Any) -> bool:
        """Whether a one-word board holds a line."""
        height = self.height
        return any_run(stones, self.line, 1, height - 1, height, height + 1)

    def along(
        self, state: State, player: int, column: int, row: int, dx: int, dy: int
    ) -> bool:
        """Whether a line through a cell runs in a direction and its opposite."""
        ahead = self.reach(state, player, column, row, dx, dy)
        behind = self.reach(state, player, column, row, -dx, -dy)
        return ahead + behind + 1 >= self.line

    def reach(
        self, state: State, player: int, column: int, row: int, dx: int, dy: int
    ) -> int:
        """How many of the player's stones follow each other from beside a cell."""
        count = 0
        x, y = column + dx, row + dy
        while 0 <= x < self.columns and 0 <= y < self.rows and count < self.line:
            word, shift = self.place(x)
            if state.stones[player, word] >> np.uint64(shift + y) & _ONE == _ZERO:
                break
            count += 1
            x += dx
            y += dy
        return count

    def is_terminal(self, state: State) -> bool:
        if state.winner >= 0:
            return True
        for word in range(self.words):
            if self.landing(state, word) != _ZERO:
                return False
        return True

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """A win; else what stops one; else the moves that are not under one."""
        return list_urgent(self, state, actions)

    decisive_rollout = play_decisively

    def would_win(
        self, state: State, player: int, column: int, word: int, stone: Any, shift: int
    ) -> bool:
        """Whether a stone of the player at this bit would complete a line."""
        if self.words == 1:  # an unsigned index need not be tested for negative ones
            return self.has_line(state.stones[np.uint64(player), 0] | stone)
        return self.wins(state, player, column, lowest(stone) - shift)

    def settle(self, state: State, nodes: int, table: Any) -> tuple[int, int, int]:
        """By alpha-beta on bits: forced wins, and near the end all there is."""
        return settle(self, state, nodes, table)

    def settle_table_size(self) -> int:
        return stack_size(self) + ENTRIES

    def evaluate(self, state: State, player: int) -> float:
        """By threats, and whose their cells are in the end, and the central columns."""
        return judge(self, state, player)

    def prior(self, state: State, action: int) -> float:
        """By the threats that a move makes and spoils, and more towards the middle."""
        return move_weight(self, state, action)

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random moves to the end; returns how many.

        The columns that are not full are kept in a list, which does not wait for the
        board: the next move can be drawn while the last one is looked at.
        """
        if self.words > 1 or self.columns > _MOST_LISTED:
            return uniform_rollout(self, state, actions, rng)
        mover = np.uint64(state.player)
        mine, theirs = state.stones[mover, 0], state.stones[_ONE - mover, 0]
        occupied = state.occupied[0]
        bottom, cells = self.bottom[0], self.cells[0]
        landing = _landing(occupied, bottom, cells) if state.winner < 0 else _ZERO
        shifts, count = self.list_columns(landing)
        plies, bits = 0, _ZERO
        while count > 0:
            if plies % self.draws == 0:
                bits = rng.next()
            drawn, bits = draw_from(bits, count)
            place = np.uint64(drawn) * self.entry
            column = self.first_column << (shifts >> place & _63)
            stone = landing & column
            occupied |= stone
            mine, theirs = theirs, mine | stone
            plies += 1
            if self.has_line(theirs):
                state.winner = (state.player + plies + 1) & 1
                break
            landing = _landing(occupied, bottom, cells)
            if not likely(landing & column != _ZERO):
                before = (_ONE << place) - _ONE
                shifts = shifts & before | shifts >> self.entry & ~before
                count -= 1
        mover ^= np.uint64(plies & 1)
        state.player = mover
        state.occupied[0] = occupied
        state.stones[mover, 0], state.stones[_ONE - mover, 0] = mine, theirs
        return plies

    def list_columns(self, landing: Any) -> tuple[Any, int]:
        """The columns that are not full, as shifts to them in one word; how many."""
        shifts, end, count = _ZERO, _ZERO, 0
        for action in range(self.columns):
            shift = np.uint64(action * self.height)
            if landing >> shift & self.first_column != _ZERO:
                shifts |= shift << end
                end += self.entry
                count += 1
        return shifts, count

    # -- for people --------------------------------------------------------------------

    @classmethod
    def draw_parameter(cls, name: str, given: Any, random: Random) -> Any:
        """Any cell of the board may be forbidden; see `registry.draw_parameters`."""
        if name != "forbidden":
            return None
        rows, columns = given.get("rows", cls.rows), given.get("columns", cls.columns)
        return random.randrange(rows), random.randrange(columns)

    def book(self, state: State) -> tuple[int, int]:
        """Of the usual board the first plies along best play; see `book`."""
        return look_up(self, state)

    def why_urgent(self, state: State, action: int) -> str:
        return reason(self, state, action)

    def action_name(self, action: int) -> str:
        """Columns are numbered from 1 at the left."""
        return str(action + 1)

    def parse_action(self, text: str) -> int:
        return read_column(text, self.columns)

    def board(self, state: State, last_action: int | None = None) -> Board:
        grid = grid_of(self, state)
        last = None
        if last_action is not None:
            filled = [row for row in range(self.rows) if grid[row][last_action] in "XO"]
            last = (filled[0], last_action) if filled else None
        return Board(
            cells=tuple(grid),
            column_labels=tuple(str(column + 1) for column in range(self.columns)),
            last=last,
            winning=line_cells(grid, state.winner, self.line),
            style="discs",
        )

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves: `.../..X/.OX X`."""
        return f"{'/'.join(grid_of(self, state))} {'XO'[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form, or the columns played (`44455`)."""
        if text.isascii() and text.isdigit():
            play_columns(self, text, state)
            return
        also = "the columns played (44455), or "
        grid, mover = read_grid(text, self.rows, self.columns, ".XO#", also)
        fill(self, grid, text, state)
        state.player = mover


def _landing(occupied: Any, bottom: Any, cells: Any) -> Any:
    """In every column the lowest empty bit, by the carry of one addition."""
    return (occupied + bottom) & ~occupied & cells
