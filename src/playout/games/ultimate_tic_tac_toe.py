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

from ..core.bits import lowest, nth, popcount
from ..core.compiled import static
from ..core.errors import PositionError, UsageError, quote
from .board import EMPTY, Board
from .game import Actions, Game, State

__all__ = ["UltimateTicTacToe"]

_ZERO, _ONE, _WIDTH = np.uint64(0), np.uint64(1), np.uint64(9)
_LETTERS = "abcdefghi"
_MARKS = "XO"
_VARIANTS = ("classic", "first-board", "count", "play-on")

#: Boards in the first word, and the bits of one board and of each whole word.
_SPLIT = 7
_NINE = np.uint64(0o777)
_FIRST_WORD, _SECOND_WORD = np.uint64((1 << 63) - 1), np.uint64((1 << 18) - 1)

_LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
#: `[512]` whether a mask of 9 bits holds a line.
_HAS_LINE = np.array([any(m & n == n for n in _LINES) for m in range(512)])
#: `[512]` the cells that would complete a line of the mask, taken or not.
_COMPLETING = np.array(
    [sum(1 << c for c in range(9) if _HAS_LINE[m | 1 << c]) for m in range(512)],
    dtype=np.int64,
)


@dataclass(frozen=True)
class UltimateTicTacToe(Game):
    """The cell you choose is the board where your opponent must play.

    Attributes:
        variant: `classic`: three won boards in a row win, won and full boards are
            closed, and a closed target means a free choice; `first-board`: the first
            won board wins the game; `count`: classic, but without three in a row the
            player with more boards wins; `play-on`: classic, but won boards are played
            on until they are full and stay with their first winner.
        nine_board: of `first-board` only: who is sent to a full board has drawn (the
            Nine-Board rule) instead of a free choice.

    >>> from playout.games.counting import perft
    >>> perft(UltimateTicTacToe(), 4)
    55080
    """

    name = "ultimate-tic-tac-toe"
    title = "Ultimate tic-tac-toe"

    variant: str = static("classic")
    nine_board: bool = static(False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.variant not in _VARIANTS:
            raise UsageError(
                f"variant must be one of {', '.join(_VARIANTS)}, not {self.variant!r}"
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
        state.open[0], state.open[1] = _FIRST_WORD, _SECOND_WORD
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
            cells = _cells_of(first, second, state.target)
            if cells != _ZERO:
                offset: Any = 9 * np.int64(state.target)
                return _list_nine(cells, offset, actions)
        count = _list_actions(first, 0, actions, 0)
        return _list_actions(second, 9 * _SPLIT, actions, count)

    def apply(self, state: State, action: int) -> None:
        board: Any = np.int64(np.uint64(action) // _WIDTH)  # unsigned: a cheap division
        cell = action - 9 * board
        player = state.player
        first, second = _flip(state.open[0], state.open[1], board, cell)
        if _HAS_LINE[self.put(state, player, board, cell)]:
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
            first, second = _close(first, second, board)
        won = state.boards[player] | 1 << board
        state.boards[player] = won
        if self.variant == "first-board" or _HAS_LINE[won]:
            state.winner = player
            return _ZERO, _ZERO
        return first, second

    def send(self, state: State, cell: int, first: Any, second: Any) -> None:
        """Send the opponent to a local board, or end the game there."""
        if self.nine_board and cell >= 0 and _cells_of(first, second, cell) == _ZERO:
            first, second = _ZERO, _ZERO
        state.open[0], state.open[1] = first, second
        state.target = cell
        if self.variant == "count" and state.winner < 0 and first | second == _ZERO:
            state.winner = self.leader(state)

    def leader(self, state: State) -> int:
        """Who has won more local boards; -1 if nobody has."""
        lead = popcount(state.boards[0]) - popcount(state.boards[1])
        return -1 if lead == 0 else 0 if lead > 0 else 1

    def is_terminal(self, state: State) -> bool:
        return bool(state.open[0] | state.open[1] == _ZERO)

    def returns(self, state: State, player: int) -> float:
        if state.winner < 0:
            return 0.0
        return 1.0 if state.winner == player else -1.0

    # -- for the search ----------------------------------------------------------------

    def urgent_actions(self, state: State, actions: Actions) -> int:
        """Cells that win the game now; else those after which the opponent cannot.

        Only lines count as wins here: a game of `count` that ends without one is left
        to the search. No restriction if every move, or none, keeps the opponent from
        winning at once.
        """
        count = 0
        for board in range(9):
            wins = self.winning(state, state.player, board)
            cells = self.playable(state, board) & wins
            count = _list_actions(cells, 9 * board, actions, count)
        return count if count > 0 else self.list_safe(state, actions)

    def list_safe(self, state: State, actions: Actions) -> int:
        """Write the moves that prevent a win at once, unless all or none do."""
        threats = 0
        for board in range(9):
            if self.winning(state, 1 - state.player, board) != _ZERO:
                threats |= 1 << board
        if threats == 0:
            return 0
        count = tried = 0
        for board in range(9):
            cells = self.playable(state, board)
            while cells != _ZERO:
                cell = lowest(cells)
                cells &= cells - _ONE
                tried += 1
                if self.is_safe(state, threats, board, cell):
                    actions[count] = 9 * board + cell
                    count += 1
        return 0 if count == tried else count

    def is_safe(self, state: State, threats: int, board: int, cell: int) -> bool:
        """Whether the opponent cannot win at once after this move.

        Args:
            state: the position before the move; it does not win the game.
            threats: bits of the local boards where the opponent could win the game.
            board: where the player to move puts a stone.
            cell: where in that board.
        """
        bit = _ONE << np.uint64(cell)
        mine = np.uint64(state.stones[state.player, board]) | bit
        takes = bool(_HAS_LINE[mine])
        left = self.winning(state, 1 - state.player, board) & ~bit
        if takes or left == _ZERO:
            threats &= ~(1 << board)
        cells = _cells_of(state.open[0], state.open[1], cell)
        if cell == board:
            closes = takes and self.variant != "play-on"
            cells = _ZERO if closes else cells & ~bit
        if cells == _ZERO:
            return self.nine_board or threats == 0
        return threats >> cell & 1 == 0

    def playable(self, state: State, board: int) -> Any:
        """The cells of a local board that may be played now, as 9 bits."""
        first, second = state.open[0], state.open[1]
        elsewhere = state.target >= 0 and state.target != board
        if elsewhere and _cells_of(first, second, state.target) != _ZERO:
            return _ZERO
        return _cells_of(first, second, board)

    def winning(self, state: State, player: int, board: int) -> Any:
        """The open cells of a local board where a stone would win the game."""
        if self.variant != "first-board":
            if (state.boards[0] | state.boards[1]) >> board & 1:
                return _ZERO
            if not _HAS_LINE[state.boards[player] | 1 << board]:
                return _ZERO
        cells = _cells_of(state.open[0], state.open[1], board)
        return cells & np.uint64(_COMPLETING[state.stones[player, board]])

    def rollout(self, state: State, actions: Actions, rng: Any) -> int:
        """Play uniformly random moves to the end; returns how many."""
        first, second = state.open[0], state.open[1]
        left = popcount(first) + popcount(second)
        cell: Any = np.int64(state.target)
        cells = _cells_of(first, second, cell) if cell >= 0 else _ZERO
        mover: Any = np.int64(state.player)
        plies = 0
        while left > 0:
            board: Any = cell
            pick = rng.below(popcount(cells) if cells != _ZERO else left)
            if cells != _ZERO:
                cell = nth(cells, pick)
            else:
                action = _nth_action(first, second, pick)
                board = np.int64(np.uint64(action) // _WIDTH)
                cell = action - 9 * board
            first, second = _flip(first, second, board, cell)
            left -= 1
            if _HAS_LINE[self.put(state, mover, board, cell)]:
                first, second = self.win_board(state, mover, board, first, second)
                left = popcount(first) + popcount(second)
            cells = _cells_of(first, second, cell)
            if self.nine_board and cells == _ZERO:
                left = 0
            mover = 1 - mover
            plies += 1
        if plies > 0:
            self.send(state, cell, first, second)
            state.player = mover
        return plies

    # -- for people --------------------------------------------------------------------

    def action_name(self, action: int) -> str:
        """The letters of the local board and of the cell in it."""
        return _LETTERS[action // 9] + _LETTERS[action % 9]

    def parse_action(self, text: str) -> int:
        """Read `ae` (board a, cell e), or a cell of the whole grid from the top left.

        That is CodinGame's `row column`, with a blank, or riddles.io's `x,y`, which is
        column and row, with a comma; both count from 0 to 8.

        >>> game = UltimateTicTacToe()
        >>> [game.parse_action(text) for text in ("bg", "2 3", "3,2")]
        [15, 15, 15]
        """
        move = text.strip().lower()
        if len(move) == 2 and all(letter in _LETTERS for letter in move):
            return 9 * _LETTERS.index(move[0]) + _LETTERS.index(move[1])
        numbers = [part.strip() for part in move.split(",")]
        if len(numbers) == 2:
            numbers.reverse()
        else:
            numbers = move.split()
        if len(numbers) != 2 or any(n not in tuple("012345678") for n in numbers):
            raise UsageError(
                f"{quote(text)} is not a move; moves are ae (board a, cell e; a to i "
                "from the top left), 'row column' or 'x,y' (0 to 8 from the top left)"
            )
        row, column = int(numbers[0]), int(numbers[1])
        return 9 * (3 * (row // 3) + column // 3) + 3 * (row % 3) + column % 3

    def cell(self, action: int) -> tuple[int, int]:
        board, cell = divmod(action, 9)
        return 3 * (board // 3) + cell // 3, 3 * (board % 3) + cell % 3

    def board(self, state: State, last_action: int | None = None) -> Board:
        rows = [[EMPTY] * 9 for _ in range(9)]
        for action, mark in enumerate("".join(_marks_of(state))):
            row, column = self.cell(action)
            rows[row][column] = mark
        legal = self._legal(state)
        return Board(
            cells=tuple("".join(row) for row in rows),
            last=None if last_action is None else self.cell(last_action),
            winning=frozenset(map(self.cell, self._winning_actions(state))),
            playable=frozenset(map(self.cell, legal)),
            names={self.cell(action): self.action_name(action) for action in legal},
            block=3,
            caption=self._caption(state),
        )

    def _legal(self, state: State) -> list[int]:
        actions = np.zeros(81, dtype=np.int32)
        return [int(action) for action in actions[: self.legal_actions(state, actions)]]

    def _winning_actions(self, state: State) -> set[int]:
        """The stones in the lines of those boards that won the game."""
        if state.winner < 0:
            return set()
        boards = int(state.boards[state.winner])
        if self.variant != "first-board":
            boards = _in_lines(boards)
        return {
            9 * board + cell
            for board in range(9)
            for cell in range(9)
            if boards >> board & 1
            and _in_lines(int(state.stones[state.winner, board])) >> cell & 1
        }

    def _caption(self, state: State) -> str:
        won = [
            " ".join(
                [_MARKS[player]]
                + [_LETTERS[b] for b in range(9) if state.boards[player] >> b & 1]
            )
            for player in (0, 1)
            if state.boards[player]
        ]
        text = f"boards a to i; won: {', '.join(won) or 'none'}"
        if self.is_terminal(state):
            return text
        where = sorted({_LETTERS[action // 9] for action in self._legal(state)})
        return f"{text}; {_MARKS[state.player]} plays in {' '.join(where)}"

    def state_to_text(self, state: State) -> str:
        """Nine boards joined by "/", the last cell (a to i, - for none), who moves.

        In `play-on`, where a board can hold lines of both, its owners come last.
        """
        target = "-" if state.target < 0 else _LETTERS[state.target]
        text = f"{'/'.join(_marks_of(state))} {target} {_MARKS[state.player]}"
        if self.variant == "play-on":
            text += " " + _row_of(int(state.boards[0]), int(state.boards[1]))
        return text

    def state_from_text(self, text: str, state: State) -> None:
        """Read `state_to_text`'s form. Modified in place.

        Raises:
            PositionError: the text is no position, or it has two winners.
        """
        boards, target, mover, owners = self._split(text)
        self.initial_state(state)
        first, second = _FIRST_WORD, _SECOND_WORD
        for board, marks in enumerate(boards):
            for player in (0, 1):
                state.stones[player, board] = _mask_of(marks, _MARKS[player])
            owner = _owner_of(text, board, marks, owners)
            if owner >= 0:
                state.boards[owner] |= 1 << board
            for cell in range(9):
                if marks[cell] != EMPTY:
                    first, second = _flip(first, second, board, cell)
            if owner >= 0 and self.variant != "play-on":
                first, second = _close(first, second, board)
        state.player = _MARKS.index(mover)
        winners = [player for player in (0, 1) if self._has_won(state, player)]
        if len(winners) == 2:
            raise PositionError(f"{text!r}: both players have won")
        if winners:
            state.winner = winners[0]
            first, second = _ZERO, _ZERO
        self.send(state, "-abcdefghi".index(target) - 1, first, second)

    def _has_won(self, state: State, player: int) -> bool:
        boards = state.boards[player]
        return bool(boards if self.variant == "first-board" else _HAS_LINE[boards])

    def _split(self, text: str) -> tuple[list[str], str, str, str]:
        """The boards, target, mover and owners ("" if not given) of a position."""
        parts = text.split()
        owners = parts.pop() if self.variant == "play-on" and len(parts) == 4 else ""
        boards = parts[0].split("/") if parts else []
        if (
            len(parts) != 3
            or [len(board) for board in boards] != [9] * 9
            or set("".join(boards) + owners) - set(".XO")
            or len(owners) not in (0, 9)
            or parts[1] not in tuple("-abcdefghi")
            or parts[2] not in tuple(_MARKS)
        ):
            more = ", and the owners of the nine boards" * (self.variant == "play-on")
            raise PositionError(
                f"not a position: {quote(text)}; expected nine boards of nine cells "
                "(. X O) joined by /, the cell of the last move (a to i, or -), X or O "
                f"to move{more}, with blanks between"
            )
        return boards, parts[1], parts[2], owners


def _cells_of(first: Any, second: Any, board: int) -> Any:
    """The open cells of a local board, as 9 bits."""
    word = first if board < _SPLIT else second
    return word >> _shift(board) & _NINE


def _flip(first: Any, second: Any, board: int, cell: int) -> tuple[Any, Any]:
    """The open cells without this one, which is among them."""
    bit = _ONE << np.uint64(cell) + _shift(board)
    if board < _SPLIT:
        return first ^ bit, second
    return first, second ^ bit


def _close(first: Any, second: Any, board: int) -> tuple[Any, Any]:
    """The open cells without those of a local board."""
    cells = _NINE << _shift(board)
    if board < _SPLIT:
        return first & ~cells, second
    return first, second & ~cells


def _shift(board: int) -> Any:
    """Where the bits of a local board begin in its word."""
    return np.uint64(9 * board - (0 if board < _SPLIT else 9 * _SPLIT))


def _list_nine(cells: Any, offset: int, actions: Actions) -> int:
    """Write the actions of one local board, ascending; returns how many.

    Every cell is written and kept only if open: cheaper than to guess which are.
    """
    count: Any = 0
    for cell in range(9):
        actions[count] = offset + cell
        count += np.int64(cells >> np.uint64(cell) & _ONE)
    return int(count)


def _list_actions(cells: Any, offset: int, actions: Actions, count: int) -> int:
    """Append the actions of these cells, ascending; returns how many there are now."""
    while cells != _ZERO:
        actions[count] = offset + lowest(cells)
        count += 1
        cells &= cells - _ONE
    return count


def _nth_action(first: Any, second: Any, n: int) -> Any:
    """The n-th of all open cells, as an action."""
    before = popcount(first)
    if n < before:
        return nth(first, n)
    return 9 * _SPLIT + nth(second, n - before)


def _row_of(first: int, second: int) -> str:
    """Nine cells as text, given the bits of both players."""
    return "".join(
        "X" if first >> cell & 1 else "O" if second >> cell & 1 else EMPTY
        for cell in range(9)
    )


def _marks_of(state: State) -> list[str]:
    """The local boards as text."""
    stones = state.stones
    return [_row_of(int(stones[0, b]), int(stones[1, b])) for b in range(9)]


def _mask_of(marks: str, mark: str) -> int:
    return sum(1 << cell for cell in range(9) if marks[cell] == mark)


def _in_lines(mask: int) -> int:
    """The bits of a mask that belong to one of its lines."""
    found = 0
    for line in _LINES:
        if mask & line == line:
            found |= line
    return found


def _owner_of(text: str, board: int, marks: str, owners: str) -> int:
    """Who has won a local board; -1 if nobody has."""
    lines = [p for p in (0, 1) if _HAS_LINE[_mask_of(marks, _MARKS[p])]]
    where = f"{text!r}: board {_LETTERS[board]}"
    if owners:
        owner = _MARKS.find(owners[board])
        if (lines and owner not in lines) or (not lines and owner >= 0):
            raise PositionError(f"{where} has no line of its owner")
        return owner
    if len(lines) == 2:
        raise PositionError(f"{where} has lines of both players")
    return lines[0] if lines else -1
