"""Ultimate tic-tac-toe as people read and write it: moves, positions, what has won."""

from __future__ import annotations

from ...core.errors import PositionError, UsageError, quote
from ..contract.game import State
from ..drawing.board import EMPTY
from .cells import HAS_LINE, LINES

__all__ = [
    "LETTERS", "MARKS", "caption", "marks_of", "mask_of", "owner_of", "read_action",
    "row_of", "split_position", "turn", "why_safe", "winning_actions",
]  # fmt: skip

LETTERS = "abcdefghi"
MARKS = "XO"


def read_action(text: str) -> int:
    """The action that `UltimateTicTacToe.parse_action` reads.

    Raises:
        UsageError: the text is no move.
    """
    move = text.strip().lower()
    if len(move) == 2 and all(letter in LETTERS for letter in move):
        return 9 * LETTERS.index(move[0]) + LETTERS.index(move[1])
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


def caption(state: State) -> str:
    """Who has won which boards."""
    won = [
        " ".join(
            [MARKS[player]]
            + [LETTERS[b] for b in range(9) if state.boards[player] >> b & 1]
        )
        for player in (0, 1)
        if state.boards[player]
    ]
    return f"boards a to i; won: {', '.join(won) or 'none'}"


def turn(state: State, legal: list[int]) -> str:
    """Where may be played; "" where the game is over."""
    where = sorted({LETTERS[action // 9] for action in legal})
    return f"{MARKS[state.player]} plays in {' '.join(where)}" if where else ""


def why_safe(threats: int) -> str:
    """Why only some moves may be played, given where the opponent could win.

    Args:
        threats: bits of the local boards where a stone of the opponent wins the game.

    >>> why_safe(0b1000001)
    'keeps the opponent from winning in board a or g'
    """
    boards = " or ".join(LETTERS[board] for board in range(9) if threats >> board & 1)
    return f"keeps the opponent from winning in board {boards}"


def winning_actions(state: State, one_board: bool) -> set[int]:
    """The stones in the lines of those boards that won the game.

    Args:
        state: the position, finished or not.
        one_board: whether a single board wins the game.
    """
    if state.winner < 0:
        return set()
    boards = int(state.boards[state.winner])
    if not one_board:
        boards = _in_lines(boards)
    return {
        9 * board + cell
        for board in range(9)
        for cell in range(9)
        if boards >> board & 1
        and _in_lines(int(state.stones[state.winner, board])) >> cell & 1
    }


def _in_lines(mask: int) -> int:
    """The bits of a mask that belong to one of its lines."""
    found = 0
    for line in LINES:
        if mask & line == line:
            found |= line
    return found


def row_of(first: int, second: int) -> str:
    """Nine cells as text, given the bits of both players."""
    return "".join(
        "X" if first >> cell & 1 else "O" if second >> cell & 1 else EMPTY
        for cell in range(9)
    )


def marks_of(state: State) -> list[str]:
    """The local boards as text."""
    stones = state.stones
    return [row_of(int(stones[0, b]), int(stones[1, b])) for b in range(9)]


def mask_of(marks: str, mark: str) -> int:
    return sum(1 << cell for cell in range(9) if marks[cell] == mark)


def split_position(text: str, play_on: bool) -> tuple[list[str], str, str, str]:
    """The boards, target, mover and owners ("" if not given) of a position.

    Args:
        text: what `UltimateTicTacToe.state_from_text` is given.
        play_on: whether the boards' owners may be given.

    Raises:
        PositionError: the text is no position.
    """
    parts = text.split()
    owners = parts.pop() if play_on and len(parts) == 4 else ""
    boards = parts[0].split("/") if parts else []
    if (
        len(parts) != 3
        or [len(board) for board in boards] != [9] * 9
        or set("".join(boards) + owners) - set(".XO")
        or len(owners) not in (0, 9)
        or parts[1] not in tuple("-abcdefghi")
        or parts[2] not in tuple(MARKS)
    ):
        more = ", and the owners of the nine boards" * play_on
        raise PositionError(
            f"not a position: {quote(text)}; expected nine boards of nine cells "
            "(. X O) joined by /, the cell of the last move (a to i, or -), X or O "
            f"to move{more}, with blanks between"
        )
    return boards, parts[1], parts[2], owners


def owner_of(text: str, board: int, marks: str, owners: str) -> int:
    """Who has won a local board; -1 if nobody has."""
    lines = [p for p in (0, 1) if HAS_LINE[mask_of(marks, MARKS[p])]]
    where = f"{text!r}: board {LETTERS[board]}"
    if owners:
        owner = MARKS.find(owners[board])
        if (lines and owner not in lines) or (not lines and owner >= 0):
            raise PositionError(f"{where} has no line of its owner")
        return owner
    if len(lines) == 2:
        raise PositionError(f"{where} has lines of both players")
    return lines[0] if lines else -1
