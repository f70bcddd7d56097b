"""Ultimate tic-tac-toe: nine boards of tic-tac-toe that are won like one more.

Local boards and the cells in each are numbered 0 to 8 and called a to i, in rows from
the top left. An action is `9 * board + cell`:

     0  1  2 |  9 10 11 | 18 19 20        a | b | c
     3  4  5 | 12 13 14 | 21 22 23        --+---+--
     6  7  8 | 15 16 17 | 24 25 26        d | e | f
    ---------+----------+---------        --+---+--
    27 28 29 | 36 37 38 | 45 46 47        g | h | i
      ...    |   ...    |   ...

The stones of a player are nine masks of 9 bits. The cells where a stone may still be
put are kept apart, packed by action: boards a to g in a word of 63 bits, h and i in a
second one. Closing a board clears its 9 bits there, the end of the game clears all. So
the legal actions are the target's 9 bits or, if there are none, all that are set. The
target is the cell of the last move, be that board open or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ...core.jit.bits import list_bits, popcount
from ...core.jit.compiled import static
from ...core.rng import draw_from, draws_per_number
from ..contract.game import Actions, State, decided, leader_of
from ..drawing.board import EMPTY, Board
from .cells import (
    FIRST_WORD,
    HAS_LINE,
    SECOND_WORD,
    SPLIT,
    cells_of,
    close_board,
    flip,
    list_nine,
    nth_action,
    nth_cell,
)
from .planes import UltimatePlanes
from .settled import settle_at_sight, why_sure
from .text import (
    LETTERS,
    MARKS,
    caption,
    marks_of,
    mask_of,
    owner_of,
    read_action,
    row_of,
    split_position,
    turn,
    why_safe,
    winning_actions,
)
from .threats import find_urgent, threatened
from .value import judge
from .weights import move_weight, move_weights

__all__ = ["VARIANTS", "UltimateTicTacToe"]

_ZERO, _ONE, _WIDTH = np.uint64(0), np.uint64(1), np.uint64(9)
#: Moves of a rollout that one random number draws.
_DRAWS = draws_per_number(81)
#: The modes of the app of source 2 by the names that they have there.
MODES = {"mode-1": "first-board", "mode-2": "classic"}
_VARIANTS = ("classic", "first-board", "count", "play-on")
#: All that `variant` may be.
VARIANTS = (*_VARIANTS, *MODES)


@dataclass(frozen=True)
class UltimateTicTacToe(UltimatePlanes):
    """The cell you choose is the board where your opponent must play.

    Attributes:
        variant: `classic`: three won boards in a row win, won and full boards are
            closed, and a closed target means a free choice; `first-board`: the first
            won board wins the game; `count`: classic, but without three in a row the
            player with more boards wins; `play-on`: classic, but won boards are played
            on until they are full and stay with their first winner; `mode-1` and
            `mode-2` are other names of first-board and classic.
        nine_board: of `first-board` only: the game is a draw when a player is sent to a
            full board (the Nine-Board rule), instead of a free choice.

    >>> from playout.games.positions.counting import perft
    >>> perft(UltimateTicTacToe(), 4)
    55080
    """

    name = "ultimate-tic-tac-toe"
    title = "Ultimate tic-tac-toe"

    variant: str = static("classic")
    nine_board: bool = static(False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant in MODES:
            object.__setattr__(self, "variant", MODES[self.variant])
        if self.variant not in _VARIANTS:
            raise UsageError(
                f"variant must be one of {', '.join(VARIANTS)}, "
                f"not {quote(self.variant)}"
            )
        if self.nine_board and self.variant != "first-board":
            raise UsageError(
                "nine_board belongs to variant=first-board, not to "
                f"variant={self.variant}"
            )

    # -- the rules ---------------------------------------------------------------------

    def num_actions(self) -> int:
        return 81

    def max_game_length(self) -> int:
        return 81

    def state_dtype(self) -> np.dtype[Any]:
        return np.dtype(
            [
                ("open", "u8", (2,)),  # where a stone may still be put, by action
                ("stones", "u2", (2, 9)),  # by player and local board
                ("boards", "u2", (2,)),  # local boards won, by player
                ("target", "i1"),  # the cell of the last move; -1 before the first
                ("player", "i1"),
                ("winner", "i1"),  # -1 while nobody has won
            ]
        )

    def initial_state(self, state: State) -> None:
        state.open[0], state.open[1] = FIRST_WORD, SECOND_WORD
        state.stones[:] = 0
        state.boards[:] = 0
        state.target = -1
        state.player = 0
        state.winner = -1

    def current_player(self, state: State) -> int:
        return int(state.player)

    def legal_actions(self, state: State, actions: Actions) -> int:
        first, second = state.open[0], state.open[1]
        if state.target >= 0:
            cells = cells_of(first, second, state.target)
            if cells != _ZERO:
                offset: Any = 9 * np.int64(state.target)
                return list_nine(cells, offset, actions)
        count = list_bits(first, 0, actions, 0)
        return list_bits(second, 9 * SPLIT, actions, count)

    def apply(self, state: State, action: int) -> None:
        board: Any = np.int64(np.uint64(action) // _WIDTH)  # unsigned: a cheap division
        cell = action - 9 * board
        player = state.player
        first, second = flip(state.open[0], state.open[1], board, cell)
        if HAS_LINE[self.put(state, player, board, cell)]:
            first, second = self.win_board(state, player, board, first, second)
        self.send(state, cell, first, second)
        state.player = 1 - player

    def put(self, state: State, player: int, board: int, cell: int) -> Any:
        """Put a stone; returns all the player's stones in that local board.

        Unsigned indices spare the compiler a test for negative ones.
        """
        row, column = np.uint64(player), np.uint64(board)
        stones = np.uint64(state.stones[row, column]) | _ONE << np.uint64(cell)
        state.stones[row, column] = stones
        return stones

    def win_board(
        self, state: State, player: int, board: int, first: Any, second: Any
    ) -> tuple[Any, Any]:
        """Note who has a line in a local board; returns the open cells after that."""
        if self.variant == "play-on":
            if (state.boards[0] | state.boards[1]) >> board & 1:
                return first, second
        else:
            first, second = close_board(first, second, board)
        won = state.boards[player] | 1 << board
        state.boards[player] = won
        if self.variant == "first-board" or HAS_LINE[won]:
            state.winner = player
            return _ZERO, _ZERO
        return first, second

    def send(self, state: State, cell: int, first: Any, second: Any) -> None:
        """Send the opponent to a local board, or end the game there."""
        if self.nine_board and cell >= 0 and cells_of(first, second, cell) == _ZERO:
            first, second = _ZERO, _ZERO
        state.open[0], state.open[1] = first, second
        state.target = cell
        if self.variant == "count" and state.winner < 0 and first | second == _ZERO:
            state.winner = self.leader(state)

    def leader(self, state: State) -> int:
        """Who has won more local boards; -1 if nobody has."""
        lead = popcount(state.boards[0]) - popcount(state.boards[1])
        return leader_of(lead)

    def is_terminal(self, state: State) -> bool:
        return bool(state.open[0] | state.open[1] == _ZERO)

    def returns(self, state: State, player: int) -> float:
        return decided(state.winner, player)

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """Cells that win the game now; else those after which the opponent cannot.

        Only lines count as wins here: a game of `count` that ends without one is left
        to the search. No restriction if every move, or none, keeps the opponent from
        winning at once.
        """
        return find_urgent(self, state, actions)

    def evaluate(self, state: State, player: int) -> float:
        """By each side's chances to win local boards and lines of them; see `value`."""
        return judge(self, state, player)

    def prior(self, state: State, action: int) -> float:
        """More where a board is won or saved, less where the opponent is set free."""
        return move_weight(self, state, action)

    def priors(self, state: State, actions: Actions, count: int, priors: Any) -> None:
        move_weights(self, state, actions, count, priors)

    def settle(self, state: State, nodes: int, table: Any) -> tuple[int, int, int]:
        """What is sure at sight; see `settled`."""
        return settle_at_sight(self, state)

    def settle_table_size(self) -> int:
        return 0

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random moves to the end; returns how many."""
        first, second = state.open[0], state.open[1]
        cell: Any = np.int64(state.target)
        cells = cells_of(first, second, cell) if cell >= 0 else _ZERO
        mover: Any = np.int64(state.player)
        plies, bits = 0, _ZERO
        while first | second != _ZERO:
            board: Any = cell
            if plies % _DRAWS == 0:
                bits = rng.next()
            if cells != _ZERO:
                drawn, bits = draw_from(bits, popcount(cells))
                cell = nth_cell(cells, drawn)
            else:
                drawn, bits = draw_from(bits, popcount(first) + popcount(second))
                action = nth_action(first, second, drawn)
                board = np.int64(np.uint64(action) // _WIDTH)
                cell = action - 9 * board
            first, second = flip(first, second, board, cell)
            if HAS_LINE[self.put(state, mover, board, cell)]:
                first, second = self.win_board(state, mover, board, first, second)
            cells = cells_of(first, second, cell)
            if self.nine_board and cells == _ZERO:
                first, second = _ZERO, _ZERO
            mover = 1 - mover
            plies += 1
        if plies > 0:
            self.send(state, cell, first, second)
            state.player = mover
        return plies

    # -- for people --------------------------------------------------------------------

    def why_urgent(self, state: State, action: int) -> str:
        return why_safe(threatened(self, state))

    def why_settled(self, state: State, action: int) -> str:
        return why_sure(self, state)

    def action_name(self, action: int) -> str:
        """The letters of the local board and of the cell in it."""
        return LETTERS[action // 9] + LETTERS[action % 9]

    def parse_action(self, text: str) -> int:
        """Read `ae` (board a, cell e), or a cell of the whole grid from the top left.

        That is CodinGame's `row column`, with a blank, or riddles.io's `x,y`, which is
        column and row, with a comma; both count from 0 to 8.

        >>> game = UltimateTicTacToe()
        >>> [game.parse_action(text) for text in ("bg", "2 3", "3,2")]
        [15, 15, 15]
        """
        return read_action(text)

    def cell(self, action: int) -> tuple[int, int]:
        board, cell = divmod(action, 9)
        return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3

    def board(self, state: State, last_action: int | None = None) -> Board:
        rows = [[EMPTY] * 9 for _ in range(9)]
        for action, mark in enumerate("".join(marks_of(state))):
            row, column = self.cell(action)
            rows[row][column] = mark
        legal = self._legal(state)
        won = row_of(int(state.boards[0]), int(state.boards[1]))
        return Board(
            cells=tuple("".join(row) for row in rows),
            last=None if last_action is None else self.cell(last_action),
            winning=frozenset(
                map(self.cell, winning_actions(state, self.variant == "first-board"))
            ),
            playable=frozenset(map(self.cell, legal)),
            names={self.cell(action): self.action_name(action) for action in legal},
            block=3,
            blocks=(won[:3], won[3:6], won[6:]),
            caption=caption(state),
            turn=turn(state, legal),
        )

    def _legal(self, state: State) -> list[int]:
        actions = np.zeros(81, dtype=np.int32)
        return [int(action) for action in actions[: self.legal_actions(state, actions)]]

    def state_to_text(self, state: State) -> str:
        """Nine boards joined by "/", the last cell (a to i, - for none), who moves.

        In `play-on`, where a board can hold lines of both, its owners come last.
        """
        target = "-" if state.target < 0 else LETTERS[state.target]
        text = f"{'/'.join(marks_of(state))} {target} {MARKS[state.player]}"
        if self.variant == "play-on":
            text += " " + row_of(int(state.boards[0]), int(state.boards[1]))
        return text

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no position, or it has two winners.
        """
        boards, target, mover, owners = split_position(text, self.variant == "play-on")
        self.initial_state(state)
        first, second = FIRST_WORD, SECOND_WORD
        for board, marks in enumerate(boards):
            for player in (0, 1):
                state.stones[player, board] = mask_of(marks, MARKS[player])
            owner = owner_of(text, board, marks, owners)
            if owner >= 0:
                state.boards[owner] |= 1 << board
            for cell in range(9):
                if marks[cell] != EMPTY:
                    first, second = flip(first, second, board, cell)
            if owner >= 0 and self.variant != "play-on":
                first, second = close_board(first, second, board)
        state.player = MARKS.index(mover)
        winners = [player for player in (0, 1) if self._has_won(state, player)]
        if len(winners) == 2:
            raise PositionError(f"{text!r}: both players have won")
        if winners:
            state.winner = winners[0]
            first, second = _ZERO, _ZERO
        self.send(state, "-abcdefghi".index(target) - 1, first, second)

    def _has_won(self, state: State, player: int) -> bool:
        boards = state.boards[player]
        return bool(boards if self.variant == "first-board" else HAS_LINE[boards])
