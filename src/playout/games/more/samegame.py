"""SameGame: groups of one colour are taken off, and what is above falls down.

Cells are numbered column by column from the left, each from the bottom; on three rows:

    2  5  8        a3  b3  c3
    1  4  7        a2  b2  c2
    0  3  6        a1  b1  c1

An action takes the group to which a cell belongs; it is the lowest number of the group,
so that every group is one action.

    Kuniaki Moribe, 1985 ("Chain Shot!"); the scores, and that the problem is NP-hard,
    in Schadd, Winands, van den Herik, Chaslot, Uiterwijk, "Single-Player Monte-Carlo
    Tree Search", CG 2008, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import static
from ...core.jit.hashing import mix
from ...core.jit.rows import Rows
from ..contract.game import Actions, Game, State
from ..drawing.board import Board, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell

__all__ = ["SameGame"]

#: What a colour is called on the board.
_COLORS = "RGBYPOCM"
#: How pages paint the colours.
_TILES = dict(
    zip(
        _COLORS,
        [
            "#c8323a",
            "#2d8a4b",
            "#2f62c4",
            "#c79a11",
            "#8147b5",
            "#d96b1d",
            "#1f95a3",
            "#c2408f",
        ],
        strict=True,
    )
)
#: For a board without any tile left.
_BONUS = 1000
#: The weight of a group of the most frequent colour, where others have 1.
_TABU = 0.001


@dataclass(frozen=True)
class SameGame(Game):
    """One player takes groups of two tiles or more until there are none.

    A group of n brings (n - 2)^2 points, an empty board 1,000 more. In the end n tiles
    of one colour that are left cost (n - 2)^2, as if they were one group.

    Attributes:
        rows: 2 to 26.
        columns: 2 to 26.
        colors: 2 to 8.
        instance: the number of the board, which tells its colours.

    >>> from playout.games.positions.position import Position
    >>> print(Position(SameGame(rows=3, columns=4, colors=2, instance=3)).render())
    3  G  R  R  G
    2  R  G  R  R
    1  R  R  R  R
       a  b  c  d
    0 points
    """

    name = "samegame"
    title = "SameGame"
    player_names = ("Player",)
    zero_sum = False

    rows: int = static(15)
    columns: int = static(15)
    colors: int = static(5)
    instance: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("rows", 26), ("columns", 26), ("colors", 8)):
            if not 2 <= getattr(self, name) <= most:
                value = getattr(self, name)
                raise UsageError(f"{name} must be 2 to {most}, not {value}")
        if not 0 <= self.instance < 2**32:
            raise UsageError(f"instance must be 0 to {2**32 - 1}, not {self.instance}")

    @property
    def return_range(self) -> tuple[float, float]:  # type: ignore[override]
        """All tiles of one colour, taken at once or left."""
        most = (self.rows * self.columns - 2) ** 2
        return (-float(most), float(most + _BONUS))

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.rows * self.columns

    def num_players(self) -> int:
        return 1

    def max_game_length(self) -> int:
        return self.rows * self.columns // 2

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("score", "i4"),
                ("tiles", "i2", (self.colors + 1,)),  # of each colour; 0 is no colour
                ("cells", "i1", (self.num_actions(),)),  # colours; 0 where empty
            ]
        )

    def initial_state(self, state: State) -> None:
        number = np.uint64(self.instance)
        for cell in range(self.rows * self.columns):
            number = mix(number + np.uint64(0x9E3779B97F4A7C15))
            color = 1 + int(number >> np.uint64(33)) % self.colors
            state.cells[cell] = color
            state.tiles[color] += 1

    def current_player(self, state: State) -> int:
        return 0

    def legal_actions(self, state: State, actions: Actions) -> int:
        """The lowest cell of every group, found by union-find.

        The buffer is the forest at first: for each cell a lower one of its group, or
        the cell itself. Cells are joined with their neighbours on the left and below;
        the lowest cell is the root. A root has a second tile if the cell above it or on
        its right has the same colour.
        """
        cells, rows, size = state.cells, self.rows, self.rows * self.columns
        for cell in range(size):
            actions[cell] = cell
            color = cells[cell]
            if color == 0:
                continue
            if cell % rows > 0 and cells[cell - 1] == color:
                actions[cell] = find(actions, cell - 1)
            if cell >= rows and cells[cell - rows] == color:
                left, own = find(actions, cell - rows), find(actions, cell)
                low = min(left, own)
                actions[left] = low
                actions[own] = low
                actions[cell] = low
        count = 0
        for cell in range(size):
            color = cells[cell]
            if color == 0 or actions[cell] != cell:
                continue
            above = cell % rows < rows - 1 and cells[cell + 1] == color
            if above or (cell + rows < size and cells[cell + rows] == color):
                actions[count] = cell
                count += 1
        return count

    def apply(self, state: State, action: int) -> None:
        color = state.cells[action]
        taken = self.take_group(state, action)
        state.tiles[color] -= taken
        state.score += (taken - 2) * (taken - 2)
        self.fall(state)
        if state.cells[0] == 0:
            state.score += _BONUS

    def is_terminal(self, state: State) -> bool:
        cells, rows = state.cells, self.rows
        for cell in range(self.rows * self.columns):
            color = cells[cell]
            if color == 0:
                continue
            if cell % rows < rows - 1 and cells[cell + 1] == color:
                return False
            if cell + rows < len(cells) and cells[cell + rows] == color:
                return False
        return True

    def returns(self, state: State, player: int) -> float:
        score = int(state.score)
        for color in range(1, self.colors + 1):
            left = int(state.tiles[color])
            if left > 0:
                score -= (left - 2) * (left - 2)
        return float(score)

    # -- for the search ----------------------------------------------------------------

    def prior(self, state: State, action: int) -> float:
        """Low for the most frequent colour, whose tiles should grow together.

        After the TabuColorRandomPolicy of Schadd et al., CG 2008, section 3.2, whose
        colour is drawn; this one is that of Cazenave, "Nested Monte-Carlo Search",
        IJCAI 2009.
        """
        most = 1
        for color in range(2, self.colors + 1):
            if state.tiles[color] > state.tiles[most]:
                most = color
        return _TABU if state.cells[action] == most else 1.0

    # -- tiles -------------------------------------------------------------------------

    def take_group(self, state: State, cell: int) -> int:
        """Empty the cells of a group; returns how many there were."""
        cells, rows, size = state.cells, self.rows, self.rows * self.columns
        color = cells[cell]
        waiting = np.empty(size, dtype=np.int32)
        waiting[0] = cell
        cells[cell] = 0
        count, taken = 1, 0
        while count > 0:
            count -= 1
            here = waiting[count]
            taken += 1
            for side in range(4):
                if side == 0 and here % rows > 0:
                    there = here - 1
                elif side == 1 and here % rows < rows - 1:
                    there = here + 1
                elif side == 2 and here >= rows:
                    there = here - rows
                elif side == 3 and here + rows < size:
                    there = here + rows
                else:
                    continue
                if cells[there] == color:
                    cells[there] = 0
                    waiting[count] = there
                    count += 1
        return taken

    def fall(self, state: State) -> None:
        """Let tiles fall down, and then columns move to the left."""
        cells, rows = state.cells, self.rows
        filled = 0
        for column in range(self.columns):
            height = 0
            for row in range(rows):
                color = cells[column * rows + row]
                if color != 0:
                    cells[column * rows + row] = 0
                    cells[filled * rows + height] = color
                    height += 1
            if height > 0:
                filled += 1

    # -- for people --------------------------------------------------------------------

    def grid(self, state: State) -> list[str]:
        """Rows from the top."""
        signs = "." + _COLORS
        return [
            "".join(
                signs[int(state.cells[column * self.rows + row])]
                for column in range(self.columns)
            )
            for row in reversed(range(self.rows))
        ]

    def action_name(self, action: int) -> str:
        return name_cell(self.cell(action), self.rows)

    def parse_action(self, text: str) -> int:
        try:
            row, column = read_cell(text, self.rows, self.columns, from_bottom=True)
        except UsageError:
            last = self.action_name(self.num_actions() - 1)
            raise UsageError(
                f"{quote(text)} is not a move; a move is the first cell of a group, "
                f"counted in columns from a1 to {last}"
            ) from None
        return column * self.rows + self.rows - 1 - row

    def cell(self, action: int) -> tuple[int, int]:
        column, row = divmod(action, self.rows)
        return self.rows - 1 - row, column

    def tiles_of(self, state: State, cell: int) -> list[int]:
        """The cells of a group, this one first."""
        rest = Rows(np.zeros(1, self.state_dtype()))
        rest[0] = state
        self.take_group(rest[0], cell)
        taken = np.asarray(rest[0].cells) != np.asarray(state.cells)
        return np.flatnonzero(taken).tolist()

    def board(self, state: State, last_action: int | None = None) -> Board:
        """The tiles; each plays its group, which is named by its lowest cell."""
        actions = np.zeros(self.num_actions(), dtype=np.int32)
        count = self.legal_actions(state, actions)
        first = [int(action) for action in actions[:count]]
        stands_for = {
            self.cell(tile): self.cell(action)
            for action in first
            for tile in self.tiles_of(state, action)
            if tile != action
        }
        return Board(
            cells=tuple(self.grid(state)),
            marks=tuple(_COLORS[: self.colors]),
            inks=_TILES,
            pieces={sign: _tile(sign) for sign in _COLORS[: self.colors]},
            row_labels=numbers(self.rows, from_bottom=True),
            column_labels=letters(self.columns),
            playable=frozenset(map(self.cell, first)),
            stands_for=stands_for,
            caption=f"{int(state.score):,} points",
        )

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by /, then the points: `RG/GG 0`."""
        return f"{'/'.join(self.grid(state))} {int(state.score)}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no board of this size where tiles have fallen.
        """
        board, _, score = text.strip().partition(" ")
        signs = "." + _COLORS[: self.colors]
        grid, _ = read_grid(f"{board} X", self.rows, self.columns, signs)
        if not score.removeprefix("-").isdecimal() or abs(int(score)) >= 2**31:
            raise PositionError(
                f"not a position: {quote(text)}; the points must follow the board"
            )
        state.score = int(score)
        state.tiles[:] = 0
        for cell in range(self.num_actions()):
            row, column = self.cell(cell)
            color = signs.index(grid[row][column])
            state.cells[cell] = color
            state.tiles[color] += color > 0
        before = np.array(state.cells)
        self.fall(state)
        if (np.array(state.cells) != before).any():
            raise PositionError(
                f"not a position: {quote(text)}; tiles stand on nothing, or columns "
                "have a gap"
            )


def _tile(sign: str) -> str:
    """A tile of a colour; the letter is for people who cannot tell colours apart."""
    return (
        f'<svg viewBox="0 0 34 34"><rect width="34" height="34" rx="6" '
        f'fill="{_TILES[sign]}"/><text x="17" y="23" text-anchor="middle" '
        'font-family="sans-serif" font-size="17" fill="#fff" fill-opacity="0.75">'
        f"{sign}</text></svg>"
    )


def find(below: Any, cell: int) -> int:
    """The root of a cell in the forest; halves the path to it."""
    while below[cell] != cell:
        below[cell] = below[below[cell]]
        cell = int(below[cell])
    return cell
