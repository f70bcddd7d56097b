"""Dots and Boxes: draw lines between dots; who closes a box has it, and draws again.

An action is a line. Horizontal lines come first, by rows from the top left, then
vertical ones. With 2 rows and 2 columns of boxes:

    + 0  + 1  +
    6    7    8
    + 2  + 3  +
    9    10   11
    + 4  + 5  +
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.bits import list_bits
from ...core.jit.compiled import constant, static
from ...core.jit.hashing import mix
from ..contract.game import Actions, Game, State, decided, leader_of
from ..drawing.board import EMPTY, Board, Cell, read_grid
from ..drawing.names import letters, name_cell, numbers, read_cell

__all__ = ["DotsAndBoxes"]

_ZERO, _ONE, _63 = np.uint64(0), np.uint64(1), np.uint64(63)
#: What stands for a dot, a box that nobody has, and a line that is drawn.
_DOT, _OPEN, _ACROSS, _DOWN = "+#-|"
#: Rows and columns of boxes, at most.
_MOST = 9
#: From a dot to the line beside it on a page, in cell widths.
_APART = 0.75


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """Draw lines between dots; close boxes, and draw again; most boxes win.

    Edouard Lucas, 1889; Berlekamp, "The Dots and Boxes Game", 2000. A game of 4 x 5
    boxes is a draw (Barker and Korf, "Solving Dots-And-Boxes", AAAI 2012).

    Attributes:
        rows: rows of boxes, 1 to 9.
        columns: columns of boxes, 1 to 9.

    >>> from playout.games.positions.position import Position
    >>> print(Position.from_moves(DotsAndBoxes(1, 2), ["b1", "c2"]).render())
    1  +  -  +  ·  +
    2  ·    [|]    ·
    3  +  ·  +  ·  +
       a  b  c  d  e
    X 0, O 0
    """

    name = "dots-and-boxes"
    title = "Dots and Boxes"
    moves_in_a_row = _MOST * _MOST + 1  # each closes a box, but for the last

    rows: int = static(4)
    columns: int = static(4)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("rows", "columns"):
            if not 1 <= getattr(self, name) <= _MOST:
                raise UsageError(
                    f"{name} must be 1 to {_MOST}, not {getattr(self, name)}"
                )

    # -- layout ------------------------------------------------------------------------

    @constant
    def places(self) -> tuple[Cell, ...]:
        """The (row, column) of every line, in a grid where dots are at even places."""
        high, wide = 2 * self.rows + 1, 2 * self.columns + 1
        across = [(y, x) for y in range(0, high, 2) for x in range(1, wide, 2)]
        down = [(y, x) for y in range(1, high, 2) for x in range(0, wide, 2)]
        return tuple(across + down)

    @constant
    def boxes_of(self) -> np.ndarray:
        """`[lines, 2]` the boxes on both sides of a line.

        Outside there is one box more, whose sides nobody counts.
        """
        outside = self.rows * self.columns
        found = []
        for y, x in self.places:
            sides = [(y - 1, x), (y + 1, x)] if y % 2 == 0 else [(y, x - 1), (y, x + 1)]
            found.append(
                [
                    b // 2 * self.columns + a // 2
                    if 0 <= b <= 2 * self.rows and 0 <= a <= 2 * self.columns
                    else outside
                    for b, a in sides
                ]
            )
        return np.array(found, dtype=np.int64)

    @constant
    def lines(self) -> int:
        """How many lines there are."""
        return len(self.places)

    @constant
    def words(self) -> int:
        """Words of a bit a line."""
        return -(-len(self.places) // 64)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.lines

    def max_game_length(self) -> int:
        return self.lines

    def fills(self) -> bool:
        return True

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("free", "u8", (self.words,)),  # lines that are not drawn, a bit each
                ("sides", "i1", (self.rows * self.columns + 1,)),  # drawn, of a box
                ("owner", "i1", (self.rows * self.columns,)),  # of a box; -1 nobody
                ("boxes", "i2", (2,)),  # of each player
                ("left", "i2"),  # lines that are not drawn
                ("player", "i1"),
            ]
        )

    def initial_state(self, state: State) -> None:
        for word in range(self.words):
            state.free[word] = ~_ZERO
        last = self.lines % 64
        if last > 0:
            state.free[self.words - 1] = (_ONE << np.uint64(last)) - _ONE
        state.sides[:] = 0
        state.owner[:] = -1
        state.boxes[:] = 0
        state.left = self.lines
        state.player = 0

    def current_player(self, state: State) -> int:
        return state.player

    def legal_actions(self, state: State, actions: Actions) -> int:
        count = 0
        for word in range(self.words):
            count = list_bits(state.free[word], 64 * word, actions, count)
        return count

    def apply(self, state: State, action: int) -> None:
        player = state.player
        state.free[action >> 6] ^= _ONE << (np.uint64(action) & _63)
        state.left -= 1
        outside = self.rows * self.columns
        closed = 0
        for side in range(2):
            box = self.boxes_of[action, side]
            if box < outside:
                sides = state.sides[box] + 1
                state.sides[box] = sides
                if sides == 4:
                    state.owner[box] = player
                    closed += 1
        if closed > 0:
            state.boxes[player] += closed
        else:
            state.player = 1 - player

    def is_terminal(self, state: State) -> bool:
        return state.left == 0

    def returns(self, state: State, player: int) -> float:
        return decided(leader_of(state.boxes[0] - state.boxes[1]), player)

    # -- for the search ----------------------------------------------------------------

    def evaluate(self, state: State, player: int) -> float:
        """By the boxes that each has, and the player to move counts half a box."""
        lead = state.boxes[player] - state.boxes[1 - player]
        turn = 0.5 if state.player == player else -0.5
        return (lead + turn) / (self.rows * self.columns + 1)

    def hash(self, state: State) -> Any:
        """Of the lines, who moves, and the lead: whose box is which is past."""
        lead = state.boxes[0] - state.boxes[1]
        found = mix(np.uint64(1000 + 2 * lead + state.player))
        for word in range(self.words):
            found = mix(found ^ state.free[word])
        return found

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """The line's place in the grid of dots, lines and boxes: `b1`."""
        return name_cell(self.places[action])

    def parse_action(self, text: str) -> int:
        cell = read_cell(text, 2 * self.rows + 1, 2 * self.columns + 1)
        if cell not in self.places:
            raise UsageError(f"{quote(text)} is no line; lines are b1, a2, c2, ...")
        return self.places.index(cell)

    def cell(self, action: int) -> Cell:
        return self.places[action]

    def board(self, state: State, last_action: int | None = None) -> Board:
        grid = [row.replace(_OPEN, " ") for row in self._grid(state)]
        free = [place for i, place in enumerate(self.places) if self._is_free(state, i)]
        return Board(
            cells=tuple(grid),
            layout="free",
            points={
                (y, x): (_APART * x, _APART * y)
                for y, row in enumerate(grid)
                for x, sign in enumerate(row)
                if sign != " "
            },
            lines=tuple(
                ((y, x - 1), (y, x + 1)) if y % 2 == 0 else ((y - 1, x), (y + 1, x))
                for action, (y, x) in enumerate(self.places)
                if not self._is_free(state, action)
            ),
            pieces={_DOT: "•", _ACROSS: "", _DOWN: ""},
            row_labels=numbers(2 * self.rows + 1),
            column_labels=letters(2 * self.columns + 1),
            last=None if last_action is None else self.places[last_action],
            playable=frozenset(free),
            caption=f"X {state.boxes[0]}, O {state.boxes[1]}",
        )

    def _is_free(self, state: State, action: int) -> bool:
        return bool(int(state.free[action // 64]) >> action % 64 & 1)

    def _grid(self, state: State) -> list[str]:
        """Rows from the top; X and O have boxes."""
        rows = []
        for y in range(2 * self.rows + 1):
            signs = [_OPEN if y % 2 else _DOT, _DOWN if y % 2 else _ACROSS]
            rows.append([signs[(x + y) % 2] for x in range(2 * self.columns + 1)])
            if y % 2:
                boxes = state.owner[y // 2 * self.columns :][: self.columns]
                rows[y][1::2] = ["XO#"[int(owner)] for owner in boxes]
        for action, (y, x) in enumerate(self.places):
            if self._is_free(state, action):
                rows[y][x] = EMPTY
        return ["".join(row) for row in rows]

    def state_to_text(self, state: State) -> str:
        """Rows of dots, lines and boxes joined by "/", then who moves.

        Drawn lines are `-` and `|`, others `.`; boxes are `X`, `O`, or `#`.
        """
        return f"{'/'.join(self._grid(state))} {'XO'[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no such board, or has a box of the wrong kind.
        """
        high, wide = 2 * self.rows + 1, 2 * self.columns + 1
        grid, mover = read_grid(text, high, wide, "+#-|.XO")
        self.initial_state(state)
        for action, (y, x) in enumerate(self.places):
            if grid[y][x] != EMPTY:
                self.apply(state, action)
        for box in range(self.rows * self.columns):
            y, x = divmod(box, self.columns)
            owner = "XO#".find(grid[2 * y + 1][2 * x + 1])
            if (state.sides[box] == 4) != (owner in (0, 1)):
                raise PositionError(
                    f"{quote(text)}: box {name_cell((2 * y + 1, 2 * x + 1))} must be X "
                    "or O if all its sides are drawn, else #"
                )
            state.owner[box] = owner if owner < 2 else -1
        owners = np.asarray(state.owner).tolist()
        state.boxes[0], state.boxes[1] = owners.count(0), owners.count(1)
        state.player = mover
        if "/".join(self._grid(state)) != "/".join(grid):
            raise PositionError(
                f"{quote(text)}: dots are +, lines - or | or ., boxes X, O or #"
            )
