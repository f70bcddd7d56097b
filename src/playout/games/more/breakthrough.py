"""Breakthrough: get one piece across the board.

A bit of a word is a cell, counted by rows from the bottom left, a1. An action is six
times the cell of the piece and one of six steps, which are numbered so that they lead
to ever higher cells:

    3 4 5     up, for White
      .
    0 1 2     down, for Black
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.bits import lowest, nth_bit, popcount
from ...core.jit.compiled import constant, static
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, Game, State, decided
from ..drawing.board import EMPTY, Board, Cell, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell

__all__ = ["Breakthrough"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_STEPS = 6
_MARKS = "WB"
_MOVE = re.compile(r"([a-z]\d+)[-x]?([a-z]\d+)", re.ASCII)
#: More moves than a position has: three for each of at most 32 pieces.
_DRAWS = draws_per_number(96)


@dataclass(frozen=True)
class Breakthrough(Game):
    """Step forward, straight or diagonally; take diagonally; reach the last row.

    Who takes all pieces of the other wins, too. There is no draw.

    Source: Dan Troyka, 2000; rules as in Handscomb, "8x8 Game Design Competition: The
    Winning Game: Breakthrough", Abstract Games 7 (2001).

    Attributes:
        rows: 4 to 8; each player begins with two full rows.
        columns: 2 to 8.

    >>> from playout.games.positions.counting import perft
    >>> perft(Breakthrough(), 2)
    484
    """

    name = "breakthrough"
    title = "Breakthrough"
    player_names = ("White", "Black")

    rows: int = static(8)
    columns: int = static(8)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 4 <= self.rows <= 8:
            raise UsageError(f"rows must be 4 to 8, not {self.rows}")
        if not 2 <= self.columns <= 8:
            raise UsageError(f"columns must be 2 to 8, not {self.columns}")

    # -- layout ------------------------------------------------------------------------

    @constant
    def up(self) -> Any:
        """From a cell to the one above it."""
        return np.uint64(self.columns)

    @constant
    def bottom(self) -> Any:
        """The bits of the bottom row."""
        return np.uint64((1 << self.columns) - 1)

    @constant
    def top(self) -> Any:
        """The bits of the top row."""
        first = (self.rows - 1) * self.columns
        return np.uint64(((1 << self.columns) - 1) << first)

    @constant
    def all_cells(self) -> Any:
        return np.uint64((1 << self.rows * self.columns) - 1)

    @constant
    def not_left(self) -> Any:
        """All cells but those of the leftmost column."""
        rows = range(self.rows)
        whole = (1 << self.rows * self.columns) - 1
        return np.uint64(whole - sum(1 << row * self.columns for row in rows))

    @constant
    def not_right(self) -> Any:
        """All cells but those of the rightmost column."""
        rows = range(1, self.rows + 1)
        whole = (1 << self.rows * self.columns) - 1
        return np.uint64(whole - sum(1 << row * self.columns - 1 for row in rows))

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return _STEPS * self.rows * self.columns

    def max_game_length(self) -> int:
        """Every move brings a piece nearer to its last row."""
        return 2 * self.columns * (2 * self.rows - 3)

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("pieces", "u8", (2,)),
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.pieces[0] = self.bottom | self.bottom << self.up
        state.pieces[1] = self.top | self.top >> self.up
        state.player = 0
        state.winner = -1

    def current_player(self, state: State) -> int:
        return state.player

    def steps(self, mine: Any, theirs: Any, player: int) -> tuple[Any, Any, Any]:
        """The cells that can be stepped to: to the left, straight on, to the right."""
        empty = self.all_cells & ~(mine | theirs)
        left, right = mine & self.not_left, mine & self.not_right
        if player == 0:
            ahead, left, right = mine << self.up, left << self.up, right << self.up
        else:
            ahead, left, right = mine >> self.up, left >> self.up, right >> self.up
        inside = self.all_cells & ~mine
        return left >> _ONE & inside, ahead & empty, right << _ONE & inside

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.winner >= 0:
            return 0
        player = state.player
        mine, theirs = state.pieces[player], state.pieces[1 - player]
        left, ahead, right = self.steps(mine, theirs, player)
        forward = self.columns if player == 0 else -self.columns
        first = 3 if player == 0 else 0
        count = 0
        while mine != _ZERO:
            cell = lowest(mine)
            mine &= mine - _ONE
            to, column = cell + forward, cell % self.columns
            if column > 0 and _holds(left, to - 1):
                actions[count] = _STEPS * cell + first
                count += 1
            if _holds(ahead, to):
                actions[count] = _STEPS * cell + first + 1
                count += 1
            if column < self.columns - 1 and _holds(right, to + 1):
                actions[count] = _STEPS * cell + first + 2
                count += 1
        return count

    def target(self, action: int) -> int:
        """The cell that an action leads to; it may lie outside the board."""
        cell, step = action // _STEPS, action % _STEPS
        return cell + (self.columns if step >= 3 else -self.columns) + step % 3 - 1

    def apply(self, state: State, action: int) -> None:
        player = state.player
        to = _ONE << np.uint64(self.target(action))
        state.pieces[player] ^= to | _ONE << np.uint64(action // _STEPS)
        state.pieces[1 - player] &= ~to
        if self.has_won(to, state.pieces[1 - player]):
            state.winner = player
        state.player = 1 - player

    def has_won(self, to: Any, theirs: Any) -> bool:
        """Whether a step to this cell has won; nobody steps on to its own first row."""
        return to & (self.top | self.bottom) != _ZERO or theirs == _ZERO

    def is_terminal(self, state: State) -> bool:
        return state.winner >= 0

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """The steps to the last row, if there are any."""
        player = state.player
        last = self.top if player == 0 else self.bottom
        found = self.steps(state.pieces[player], state.pieces[1 - player], player)
        if (found[0] | found[1] | found[2]) & last == _ZERO:
            return 0
        kept = 0
        for index in range(self.legal_actions(state, actions)):
            action = int(actions[index])
            if _ONE << np.uint64(self.target(action)) & last != _ZERO:
                actions[kept] = action
                kept += 1
        return kept

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random moves to the end; returns how many."""
        player = int(state.player)
        mine, theirs = state.pieces[player], state.pieces[1 - player]
        over = state.winner >= 0
        plies, bits = 0, _ZERO
        while not over:
            if plies % _DRAWS == 0:
                bits = rng.next()
            left, ahead, right = self.steps(mine, theirs, player)
            lefts, straight = popcount(left), popcount(ahead)
            drawn, bits = draw_from(bits, lefts + straight + popcount(right))
            if drawn < lefts:
                to = nth_bit(left, drawn)
                start = to << _ONE
            elif drawn < lefts + straight:
                start = to = nth_bit(ahead, drawn - lefts)
            else:
                to = nth_bit(right, drawn - lefts - straight)
                start = to >> _ONE
            start = start >> self.up if player == 0 else start << self.up
            mine, theirs = theirs & ~to, mine ^ (start | to)
            player = 1 - player
            plies += 1
            over = self.has_won(to, mine)
        state.pieces[player], state.pieces[1 - player] = mine, theirs
        if plies > 0:
            state.winner = 1 - player
        state.player = player
        return plies

    # -- for people --------------------------------------------------------------------

    def place(self, cell: int) -> Cell:
        """The (row, column) from the top left of a cell."""
        row, column = divmod(cell, self.columns)
        return self.rows - 1 - row, column

    def action_name(self, action: int) -> str:
        """From and to, rows counted from the bottom: `a2b3`."""
        return "".join(
            self._name(cell) for cell in (action // _STEPS, self.target(action))
        )

    def _name(self, cell: int) -> str:
        """Cells outside the board, of actions that are never legal, have numbers."""
        inside = 0 <= cell < self.rows * self.columns
        return name_cell(self.place(cell), self.rows) if inside else f"({cell})"

    def parse_action(self, text: str) -> int:
        """Read `a2b3`, also `a2-b3` and `a2xb3`."""
        found = _MOVE.fullmatch(text.strip().lower())
        if found is not None:
            size = self.rows, self.columns
            (row, column), to = (read_cell(n, *size, True) for n in found.groups())
            up, side = row - to[0], to[1] - column
            if abs(up) == 1 and abs(side) <= 1:
                cell = (self.rows - 1 - row) * self.columns + column
                return _STEPS * cell + side + (4 if up > 0 else 1)
        raise UsageError(
            f"{quote(text)} is not a move; moves are from one cell to another, as in "
            "a2b3"
        )

    def action_cells(self, action: int) -> tuple[Cell, ...]:
        return self.place(action // _STEPS), self.place(self.target(action))

    def board(self, state: State, last_action: int | None = None) -> Board:
        last = None if last_action is None else self.place(self.target(last_action))
        return Board(
            cells=tuple(self._grid(state)),
            marks=tuple(_MARKS),
            row_labels=numbers(self.rows, from_bottom=True),
            column_labels=letters(self.columns),
            last=last,
            style="checkers",
            dark=1,
        )

    def _grid(self, state: State) -> list[str]:
        """Rows from the top."""
        white, black = int(state.pieces[0]), int(state.pieces[1])
        marks = "".join(
            "W" if white >> n & 1 else "B" if black >> n & 1 else EMPTY
            for n in range(self.rows * self.columns)
        )
        starts = range(0, len(marks), self.columns)
        return [marks[start : start + self.columns] for start in starts][::-1]

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves."""
        return f"{'/'.join(self._grid(state))} {_MARKS[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no such board, or it is not clear who has won.
        """
        signs = EMPTY + _MARKS
        grid, mover = read_grid(text, self.rows, self.columns, signs, movers=_MARKS)
        marks = "".join(grid[::-1])
        for player, mark in enumerate(_MARKS):
            pieces = sum(1 << n for n, sign in enumerate(marks) if sign == mark)
            state.pieces[player] = np.uint64(pieces)
        won = "W" in grid[0] or "B" not in marks, "B" in grid[-1] or "W" not in marks
        if all(won) or won[mover]:
            who = "both have" if all(won) else f"{_MARKS[mover]} is to move and has"
            raise PositionError(f"{quote(text)}: {who} won")
        state.winner = won.index(True) if any(won) else -1
        state.player = mover


def _holds(bits: Any, cell: Any) -> bool:
    return bits >> np.uint64(cell) & _ONE != _ZERO
