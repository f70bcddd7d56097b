"""CodinGame's ultimate tic-tac-toe: a few numbers a turn, a cell as the answer.

    -1 -1          the opponent's row and column; -1 -1 before the first move
    81             how many cells may be played
    0 0            one of them a line, in any order
    ...
    4 4            the answer

Rows and columns count from 0 to 8, from the top left. Source: the referee in
CodinGame/game-tictactoe, second league.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..games.ultimate_tic_tac_toe.rules import UltimateTicTacToe

__all__ = ["TurnInput", "TurnReader", "format_cell"]


@dataclass(frozen=True)
class TurnInput:
    """What a bot is told.

    Attributes:
        opponent: the opponent's last move, None before the first.
        legal: the moves that the referee takes.
    """

    opponent: int | None
    legal: tuple[int, ...]


class TurnReader:
    """Puts turns together, line by line; a line that is no number is passed over."""

    def __init__(self) -> None:
        self._opponent: tuple[int, int] | None = None
        self._missing: int | None = None
        self._legal: list[int] = []

    def feed(self, line: str) -> TurnInput | None:
        """Take the next line; returns the turn that it completes."""
        numbers = _numbers(line)
        if self._opponent is None:
            if len(numbers) == 2:
                self._opponent = (numbers[0], numbers[1])
            return None
        if self._missing is None:
            if len(numbers) == 1 and 0 <= numbers[0] <= 81:
                self._missing = numbers[0]
        elif len(numbers) == 2:
            action = _action(numbers[0], numbers[1])
            self._legal += [] if action is None else [action]
            self._missing -= 1
        return self._finish() if self._missing == 0 else None

    def _finish(self) -> TurnInput:
        assert self._opponent is not None
        turn = TurnInput(_action(*self._opponent), tuple(self._legal))
        self._opponent, self._missing, self._legal = None, None, []
        return turn


def format_cell(action: int) -> str:
    """The answer `row column`.

    >>> format_cell(9)
    '0 3'
    """
    row, column = UltimateTicTacToe().cell(action)
    return f"{row} {column}"


def _action(row: int, column: int) -> int | None:
    if not (0 <= row < 9 and 0 <= column < 9):
        return None
    return 9 * (3 * (row // 3) + column // 3) + 3 * (row % 3) + column % 3


def _numbers(line: str) -> list[int]:
    """The numbers of a line, none where there is anything else."""
    words = line.split()
    if not all(re.fullmatch(r"-?[0-9]{1,4}", word) for word in words):
        return []
    return [int(word) for word in words]
