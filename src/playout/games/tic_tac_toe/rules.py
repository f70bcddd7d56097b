"""Tic-tac-toe, and every m,n,k-game whose board fits one 64-bit word.

Stones are bits; a cell's bit is the action that takes it, in rows from the top left.
On 3 rows and 3 columns, with what people call the cells beside:

     0  1  2        a3  b3  c3
     3  4  5        a2  b2  c2
     6  7  8        a1  b1  c1

A line is found by shifting: `stones & stones >> d & stones >> 2 * d & ...` leaves the
first cell of every run of k at distance d. Some of these run over the right edge into
the next row, so only first cells that leave room for the line are looked at.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.bits import list_bits, nth_bit, popcount
from ...core.jit.compiled import constant, static
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, State, decided
from ..drawing.board import EMPTY, Board, line_cells, read_grid
from .planes import MNKPlanes

__all__ = ["MNK", "TicTacToe"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class MNK(MNKPlanes):
    """Put stones on m rows and n columns; the first line of k wins, in any direction.

    A line longer than k wins as well. A full board without a line is a draw.

    Attributes:
        m: rows, 1 or more; `m * n` is 64 at most.
        n: columns, 1 to 26.
        k: how many in a row win (or more), 1 to the longer side.

    >>> from playout.games.positions.counting import perft
    >>> perft(MNK(m=3, n=4, k=3), 3)
    1320
    """

    name = "mnk"
    title = "m,n,k-game"
    #: The players' marks on the board, in order of index.
    marks: ClassVar[str] = "XO"

    m: int = static(3)
    n: int = static(3)
    k: int = static(3)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.m < 1:
            raise UsageError(f"m (rows) must be 1 or more, not {self.m}")
        if not 1 <= self.n <= len(_LETTERS):
            raise UsageError(f"n (columns) must be 1 to {len(_LETTERS)}, not {self.n}")
        if self.m * self.n > 64:
            raise UsageError(
                f"{self.m} rows of {self.n} columns are too many cells: m * n must be "
                "64 at most; for larger boards there is the game gomoku"
            )
        if not 1 <= self.k <= max(self.m, self.n):
            raise UsageError(
                f"k (in a row) must be 1 to {max(self.m, self.n)} on this board, "
                f"not {self.k}"
            )

    # -- layout ------------------------------------------------------------------------

    @constant
    def cells(self) -> Any:
        """The bits of all cells of the board."""
        return np.uint64((1 << self.m * self.n) - 1)

    @constant
    def lines(self) -> tuple[tuple[Any, Any], ...]:
        """Per direction: the distance of neighbours, and where a line may begin.

        Directions in which no line finds room are left out, which also keeps every
        shift below 64.
        """
        last_row, last_column = self.m - self.k, self.n - self.k
        return tuple(
            (np.uint64(distance), self.block(bottom, left, right))
            for distance, bottom, left, right in (
                (1, self.m - 1, 0, last_column),
                (self.n, last_row, 0, self.n - 1),
                (self.n + 1, last_row, 0, last_column),
                (self.n - 1, last_row, self.k - 1, self.n - 1),
            )
            if bottom >= 0 and left <= right
        )

    @constant
    def draws(self) -> int:
        """Cells of a rollout that one random number draws."""
        return draws_per_number(self.m * self.n)

    def block(self, bottom: int, left: int, right: int) -> Any:
        """The bits of these columns, from the top row down to the bottom one."""
        cells = 0
        for row in range(bottom + 1):
            for column in range(left, right + 1):
                cells |= 1 << (row * self.n + column)
        return np.uint64(cells)

    def empty(self, state: State) -> Any:
        """The bits of the empty cells."""
        return self.cells & ~(state.stones[0] | state.stones[1])

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.m * self.n

    def max_game_length(self) -> int:
        return self.m * self.n

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("stones", "u8", (2,)),
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.stones[:] = 0
        state.player = 0
        state.winner = -1

    def fills(self) -> bool:
        return True

    def current_player(self, state: State) -> int:
        return int(state.player)

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.winner >= 0:
            return 0
        return self.list_actions(self.empty(state), actions)

    def list_actions(self, cells: Any, actions: Actions) -> int:
        """Write the actions of these cells, ascending; returns how many."""
        if self.m * self.n <= 16:
            # Write every cell but count only the wanted ones: a branch costs more.
            count: Any = 0
            for action in range(self.m * self.n):
                actions[count] = action
                count += np.int64(cells >> np.uint64(action) & _ONE)
            return int(count)
        return list_bits(cells, 0, actions, 0)

    def apply(self, state: State, action: int) -> None:
        player = state.player
        stones = state.stones[player] | _ONE << np.uint64(action)
        state.stones[player] = stones
        if self.has_line(stones):
            state.winner = player
        state.player = 1 - player

    def has_line(self, stones: Any) -> bool:
        """Whether these stones hold a line: shift and intersect, doubling."""
        found = _ZERO
        for distance, starts in self.lines:
            run = stones
            length = 1
            while length < self.k:
                step = min(length, self.k - length)
                run &= run >> np.uint64(step) * distance
                length += step
            found |= run & starts
        return bool(found != _ZERO)

    def is_terminal(self, state: State) -> bool:
        return bool(state.winner >= 0 or self.empty(state) == _ZERO)

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """The cells that win now; else those that stop the opponent from winning."""
        if state.winner >= 0:
            return 0
        empty = self.empty(state)
        player = state.player
        wanted = self.completing(state.stones[player]) & empty
        if wanted == _ZERO:
            wanted = self.completing(state.stones[1 - player]) & empty
        if wanted == _ZERO:
            return 0
        return self.list_actions(wanted, actions)

    def completing(self, stones: Any) -> Any:
        """The bits that would complete a line, taken or not.

        A cell does if, in one direction, some number of stones just before it and the
        rest of the `k - 1` just behind it are there.
        """
        found = _ZERO
        for distance, starts in self.lines:
            before = starts
            for ahead in range(self.k):
                behind = ~_ZERO
                for _ in range(self.k - 1 - ahead):
                    behind = (behind & stones) >> distance
                found |= before & behind
                before = (before & stones) << distance
        return found

    def evaluate(self, state: State, player: int) -> float:
        """Lines still open for the player less those open for the other, by all lines.

        Source: the heuristic of alpha-beta in the tic-tac-toe of Fachada et al.
        """
        mine = self.open_lines(state.stones[1 - player])
        theirs = self.open_lines(state.stones[player])
        return (mine - theirs) / self.open_lines(_ZERO)

    def open_lines(self, stones: Any) -> int:
        """How many lines hold none of these stones."""
        count = 0
        for distance, starts in self.lines:
            run = self.cells & ~stones
            length = 1
            while length < self.k:
                step = min(length, self.k - length)
                run &= run >> np.uint64(step) * distance
                length += step
            count += popcount(run & starts)
        return count

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random cells to the end; returns how many."""
        if state.winner >= 0:
            return 0
        mover = state.player
        mine, theirs = state.stones[mover], state.stones[1 - mover]
        empty = self.empty(state)
        left = popcount(empty)
        plies, bits = 0, np.uint64(0)
        won = False
        while left > 0 and not won:
            if plies % self.draws == 0:
                bits = rng.next()
            drawn, bits = draw_from(bits, left)
            stone = nth_bit(empty, drawn)
            empty ^= stone
            mine, theirs = theirs, mine | stone
            won = self.has_line(theirs)
            left -= 1
            plies += 1
            mover = 1 - mover
        state.stones[mover], state.stones[1 - mover] = mine, theirs
        state.player = mover
        if won:
            state.winner = 1 - mover
        return plies

    # -- for people --------------------------------------------------------------------

    def why_urgent(self, state: State, action: int) -> str:
        return "stops a line"

    def action_name(self, action: int) -> str:
        """Column letter and row number; `a1` is the bottom left."""
        row, column = divmod(action, self.n)
        return f"{_LETTERS[column]}{self.m - row}"

    def parse_action(self, text: str) -> int:
        """Read `b2`, `row,column` from the top left (0,0), or a telephone key (3x3).

        >>> game = MNK()
        >>> [game.parse_action(text) for text in ("a1", "2,0", "7")]
        [6, 6, 6]
        """
        cell = self._parse_cell(text.strip().lower())
        if cell is None or not (0 <= cell[0] < self.m and 0 <= cell[1] < self.n):
            raise UsageError(f"{quote(text)} is not a cell; {self._accepted()}")
        return cell[0] * self.n + cell[1]

    def _parse_cell(self, text: str) -> tuple[int, int] | None:
        """The (row, column) from the top left that a text names, maybe outside."""
        if not text.isascii() or len(text) > 8:
            return None
        if text[:1].isalpha() and text[1:].isdigit():
            return self.m - int(text[1:]), ord(text[0]) - ord("a")
        row, comma, column = text.partition(",")
        if comma and row.strip().isdigit() and column.strip().isdigit():
            return int(row), int(column)
        if self.m == self.n == 3 and text.isdigit():
            return divmod(int(text) - 1, 3)
        return None

    def _accepted(self) -> str:
        last = f"{_LETTERS[self.n - 1]}{self.m}"
        keys = "" if (self.m, self.n) != (3, 3) else ", or 1 to 9 as on a telephone"
        return (
            f"cells are a1 (bottom left) to {last}, row,column from 0,0 (top left) to "
            f"{self.m - 1},{self.n - 1}{keys}"
        )

    def cell(self, action: int) -> tuple[int, int]:
        return divmod(action, self.n)

    def board(self, state: State, last_action: int | None = None) -> Board:
        grid = self._grid(state)
        return Board(
            cells=tuple(grid),
            marks=tuple(self.marks),
            row_labels=tuple(str(self.m - row) for row in range(self.m)),
            column_labels=tuple(_LETTERS[: self.n]),
            last=None if last_action is None else self.cell(last_action),
            winning=line_cells(grid, state.winner, self.k, self.marks),
        )

    def _grid(self, state: State) -> list[str]:
        """Rows from the top."""
        cells = [EMPTY] * (self.m * self.n)
        for player, mark in enumerate(self.marks):
            stones = int(state.stones[player])
            for action in range(self.m * self.n):
                if stones >> action & 1:
                    cells[action] = mark
        rows = range(0, len(cells), self.n)
        return ["".join(cells[row : row + self.n]) for row in rows]

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves: `.../.X./O.. X`."""
        return f"{'/'.join(self._grid(state))} {self.marks[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no board of this size, or several have a line.
        """
        marks = self.marks
        grid, mover = read_grid(text, self.m, self.n, EMPTY + marks, movers=marks)
        self.initial_state(state)
        for action, mark in enumerate("".join(grid)):
            if mark != EMPTY:
                state.stones[marks.index(mark)] |= _ONE << np.uint64(action)
        players = range(len(marks))
        lines = [player for player in players if self.has_line(state.stones[player])]
        if len(lines) > 1:
            raise PositionError(f"{text!r}: {len(lines)} players have a line")
        state.winner = lines[0] if lines else -1
        state.player = mover


def _fixed(value: int) -> Any:
    """A static field that nobody can set."""
    return dataclasses.field(default=value, init=False, metadata={"static": True})


@dataclass(frozen=True)
class TicTacToe(MNK):
    """Three rows, three columns, three in a row.

    >>> from playout.games.positions.counting import perft
    >>> perft(TicTacToe(), 9)
    127872
    """

    name = "tic-tac-toe"
    title = "Tic-tac-toe"

    m: int = _fixed(3)
    n: int = _fixed(3)
    k: int = _fixed(3)
