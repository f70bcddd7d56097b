"""Ultimate tic-tac-toe, slow and plain: nine lists of nine, rules as people say."""

from __future__ import annotations

import copy

LINES = [
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
]  # fmt: skip


def has_line(cells: list[str], mark: str) -> bool:
    return any(all(cells[i] == mark for i in line) for line in LINES)


class UltimateOracle:
    """One game of any variant; moves are (board, cell)."""

    def __init__(self, variant: str, nine_board: bool = False) -> None:
        self.variant, self.nine_board = variant, nine_board
        self.boards = [["."] * 9 for _ in range(9)]
        self.owners = ["."] * 9
        self.target: int | None = None
        self.mover = "X"

    def is_open(self, board: int) -> bool:
        if "." not in self.boards[board]:
            return False
        return self.variant == "play-on" or self.owners[board] == "."

    def line_winner(self) -> str:
        for mark in "XO":
            if self.variant == "first-board" and mark in self.owners:
                return mark
            if has_line(self.owners, mark):
                return mark
        return ""

    def moves(self) -> list[tuple[int, int]]:
        if self.line_winner():
            return []
        boards = list(range(9))
        if self.target is not None:
            if self.is_open(self.target):
                boards = [self.target]
            elif self.nine_board:
                return []
        return [
            (board, cell)
            for board in boards
            if self.is_open(board)
            for cell in range(9)
            if self.boards[board][cell] == "."
        ]

    def play(self, board: int, cell: int) -> None:
        self.boards[board][cell] = self.mover
        if self.owners[board] == "." and has_line(self.boards[board], self.mover):
            self.owners[board] = self.mover
        self.target = cell
        self.mover = "O" if self.mover == "X" else "X"

    def winner(self) -> str:
        """The mark of who has won a finished game; empty for a draw."""
        if self.line_winner() or self.variant != "count":
            return self.line_winner()
        lead = self.owners.count("X") - self.owners.count("O")
        return "X" if lead > 0 else "O" if lead < 0 else ""

    def after(self, move: tuple[int, int]) -> UltimateOracle:
        other = copy.copy(self)
        other.boards = [list(cells) for cells in self.boards]
        other.owners = list(self.owners)
        other.play(*move)
        return other

    def wins_now(self) -> list[tuple[int, int]]:
        """Moves that win the game by a line."""
        return [m for m in self.moves() if self.after(m).line_winner() == self.mover]

    def urgent(self) -> list[tuple[int, int]]:
        """Wins now; else moves after which the opponent has none, if it matters."""
        if self.wins_now():
            return self.wins_now()
        moves = self.moves()
        safe = [m for m in moves if not self.after(m).wins_now()]
        return safe if len(safe) < len(moves) else []

    def perft(self, depth: int) -> int:
        moves = self.moves()
        if depth <= 1:
            return len(moves) if depth else 1
        return sum(self.after(move).perft(depth - 1) for move in moves)
