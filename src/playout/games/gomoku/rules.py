"""Gomoku on boards of 5 to 22 rows and columns, by five rules.

Actions number the cells by rows from the top left. On 15 x 15, with people's names:

      A   B   C  ...  O
      0   1   2  ... 14     15
     15  16  17  ... 29     14
     ...
    210 211 212  ... 224     1

`layout` tells how a row of the board is a word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.compiled import static
from ..contract.game import Actions, Game, State, decided, uniform_rollout
from ..contract.indices import index_in
from ..drawing.board import EMPTY, Board, read_grid
from .lines import EDGE, empty_before, list_empty, nth_empty, wins
from .planes import GomokuPlanes
from .prior import weight_of, write_weights
from .renju import forbidden_cells, is_forbidden, is_stuck, list_allowed
from .rollout import block_rollout
from .settle import settle
from .text import cell_names, grid_of, read_cell, winning_cells
from .threats import find_urgent
from .value import judge
from .why import why_settled, why_urgent

__all__ = ["RULES", "Gomoku", "on_board"]

#: The names of the rules; see `Gomoku`.
RULES = ("freestyle", "standard", "renju", "caro", "caro-8")

#: The fewest and the most rows, and columns.
LEAST, MOST = 5, 22


@dataclass(frozen=True)
class Gomoku(GomokuPlanes):
    """Place stones on empty cells; a line of five wins. Black begins.

    The rules differ in which fives win:

    - `freestyle`: five or more in a row.
    - `standard`: exactly five.
    - `renju`: for White five or more; for Black exactly five, and Black may not make
      an overline, two fours or two threes at once (see `renju`). When every
      empty cell is forbidden to Black, who is to move, the game is a draw.
    - `caro`: exactly five, not closed at both ends by the opponent's stones.
    - `caro-8`: the same, or six and more however closed.

    Sources: the rules of Gomocup and of its judge, and of the Renju International
    Federation. Freestyle on 15 x 15 is a win for Black (Allis, van den Herik,
    Huntjens, "Go-Moku Solved by New Search Techniques", 1993).

    Attributes:
        size: rows and columns, 5 to 22.
        rule: freestyle, standard, renju, caro or caro-8.
        rows: 5 to 22; 0 for as many as `size` says.
        columns: the same.

    >>> from playout.games.positions.counting import perft
    >>> perft(Gomoku(), 2)
    50400
    """

    name = "gomoku"
    title = "Gomoku"
    player_names = ("Black", "White")

    size: int = static(15)
    rule: str = static("freestyle")
    rows: int = static(0)
    columns: int = static(0)

    interpreted_methods = Game.interpreted_methods | {"forbidden", "_normalize_sizes"}

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("size", "rows", "columns"):
            value = getattr(self, name)
            if not LEAST <= value <= MOST and (value or name == "size"):
                raise UsageError(f"{name} must be {LEAST} to {MOST}, not {value}")
        self._normalize_sizes()
        if self.rule not in RULES:
            raise UsageError(
                f"rule must be one of {', '.join(RULES)}, not {quote(self.rule)}"
            )

    def _normalize_sizes(self) -> None:
        """Write the board's sizes in one way: a square's as `size` alone."""
        height, width = self.height, self.width
        square = height == width
        sizes = (height, 0, 0) if square else (Gomoku.size, height, width)
        for name, value in zip(("size", "rows", "columns"), sizes, strict=True):
            object.__setattr__(self, name, value)

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return self.height * self.width

    def max_game_length(self) -> int:
        return self.height * self.width

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("rows", self.word, (self.state_rows,)),
                ("count", "i4"),  # legal actions, renju's fouls among them
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.rows[:] = 0
        state.count = self.height * self.width
        state.player = 0
        state.winner = -1

    def fills(self) -> bool:
        return self.rule != "renju"  # where Black's fouls come and go

    def current_player(self, state: State) -> int:
        return state.player

    def legal_actions(self, state: State, actions: Actions) -> int:
        if state.count == 0:
            return 0
        if self.rule == "renju":
            if state.player == 0:
                return list_allowed(self, state, actions)
        return list_empty(self, state, actions)

    def count_legal(self, state: State, actions: Actions) -> int:
        if self.rule == "renju":
            return self.legal_actions(state, actions)
        return state.count

    def nth_legal(self, state: State, actions: Actions, n: int) -> int:
        if self.rule == "renju":
            return int(actions[n])
        return nth_empty(self, state, n)

    def index_of(self, state: State, actions: Actions, count: int, action: int) -> int:
        if self.rule == "renju":
            return index_in(actions, count, action)
        return empty_before(self, state, action)

    def apply(self, state: State, action: int) -> None:
        player = state.player
        cell = np.uint64(action)
        self.toggle(state, cell, np.uint64(self.lane) * np.uint64(player))
        state.count -= 1
        state.player = 1 - player
        if wins(self, state, player, cell):
            self.finish(state, player)
        elif self.rule == "renju":
            if player == 1 and is_stuck(self, state):
                self.finish(state, -1)

    def is_terminal(self, state: State) -> bool:
        return state.count == 0

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    def allows(self, state: State, player: int, cell: int) -> bool:
        """Whether a player may play on an empty cell."""
        if self.rule == "renju":
            return player == 1 or not is_forbidden(self, state, cell)
        return True

    def toggle(self, state: State, cell: Any, shift: Any) -> None:
        """Place a stone, or take it away; `shift` is the player's half of the word."""
        row = np.uint64(self.row_of[cell])
        bit = np.uint64(self.bit_of[cell]) << shift
        state.rows[row] = np.uint64(state.rows[row]) ^ bit

    def finish(self, state: State, winner: int) -> None:
        """End the game: nothing is legal any more."""
        state.winner = winner
        state.count = 0

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """The must-play list of Group 21's program, made sound.

        The first list that is not empty, of legal moves in ascending order:

        1. moves that win;
        2. where the opponent would win at once: moves that prevent it;
        3. moves that make an open four: it wins, as the opponent has no five;
        4. where the opponent threatens to make an open four: the moves after which no
           open four can be made, and one's own fours, which come first in time.

        No list where none of this helps any more.
        """
        if state.count == 0:
            return 0
        return find_urgent(self, state, actions)

    def settle(self, state: State, nodes: int, table: Any) -> tuple[int, int, int]:
        """Wins and losses by fours and by threats; see `settle`."""
        return settle(self, state, nodes, table)

    def evaluate(self, state: State, player: int) -> float:
        """By what a stone of either player would make on each cell."""
        return judge(self, state, player)

    def prior(self, state: State, action: int) -> float:
        """By what a stone there would make, for either player."""
        return weight_of(self, state, action)

    def priors(self, state: State, actions: Actions, count: int, priors: Any) -> None:
        write_weights(self, state, actions, count, priors)

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Uniformly random moves to the end, a dozen at a time."""
        if self.rule == "renju":
            return uniform_rollout(self, state, actions, rng)
        return block_rollout(self, state, actions, rng)

    # -- for people --------------------------------------------------------------------

    def why_urgent(self, state: State, action: int) -> str:
        """What the list has seen: "answers the open three at F7, G7, H7"."""
        with np.errstate(over="ignore"):
            return why_urgent(self, state, action)

    def why_settled(self, state: State, action: int) -> str:
        """How a move that is proven wins: "wins by fours: H9, then I8"."""
        with np.errstate(over="ignore"):
            return why_settled(self, state, action)

    def action_name(self, action: int) -> str:
        """Column letter and row number from the bottom: `H8`."""
        return cell_names(self.height, self.width)[action]

    def parse_action(self, text: str) -> int:
        """Read `H8` or `H,8` in either case, or Gomocup's `7,7`: x,y from the top."""
        row, column = read_cell(text, self.height)
        if not (0 <= row < self.height and 0 <= column < self.width):
            last = self.action_name(self.width - 1)
            raise UsageError(
                f"{quote(text)} is not a cell; cells are A1 to {last}, or x,y from 0,0 "
                f"at the upper left to {self.width - 1},{self.height - 1}"
            )
        return row * self.width + column

    def cell(self, action: int) -> tuple[int, int]:
        return divmod(int(action), self.width)

    def board(self, state: State, last_action: int | None = None) -> Board:
        grid = grid_of(self, state)
        return Board(
            cells=tuple(grid),
            row_labels=tuple(str(self.height - row) for row in range(self.height)),
            column_labels=tuple(chr(ord("A") + i) for i in range(self.width)),
            last=None if last_action is None else self.cell(last_action),
            winning=winning_cells(self.rule, grid, state.winner),
            forbidden=self.forbidden(state),
            style="stones",
        )

    def forbidden(self, state: State) -> frozenset[tuple[int, int]]:
        """The empty cells that Black, to move, may not play on (renju)."""
        if self.rule != "renju" or state.player != 0 or state.winner >= 0:
            return frozenset()
        with np.errstate(over="ignore"):
            return frozenset(
                (row, column)
                for row in range(self.height)
                for bits in (int(forbidden_cells(self, state, row + EDGE)),)
                for column in range(self.width)
                if bits >> column & 1
            )

    def state_to_text(self, state: State) -> str:
        """Rows from the top joined by "/", then who moves: `.../.X./... O`."""
        return f"{'/'.join(grid_of(self, state))} {'XO'[state.player]}"

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no board of this size, or both have won.
        """
        grid, mover = read_grid(text, self.height, self.width)
        winners = [who for who in (0, 1) if winning_cells(self.rule, grid, who)]
        if len(winners) > 1:
            raise PositionError(f"{text!r}: both players have a winning line")
        with np.errstate(over="ignore"):
            self.initial_state(state)
            for cell, mark in enumerate("".join(grid)):
                if mark != EMPTY:
                    player = "XO".index(mark)
                    self.toggle(state, cell, np.uint64(self.lane * player))
                    state.count -= 1
            state.player = mover
            if winners:
                self.finish(state, winners[0])
            elif self.rule == "renju" and mover == 0 and is_stuck(self, state):
                self.finish(state, -1)


def on_board(rows: int, columns: int, rule: str = "freestyle") -> Gomoku:
    """The game on a board as a file describes it, where no number has a default.

    Raises:
        UsageError: there are too few or too many of them, or no such rule.
    """
    if not (LEAST <= rows <= MOST and LEAST <= columns <= MOST):
        raise UsageError(
            f"a board has {LEAST} to {MOST} rows and columns, not {rows} and {columns}"
        )
    return Gomoku(rule=rule, rows=rows, columns=columns)
