"""Connect Four, slow and plain: a list of rows, lines found as text."""

from __future__ import annotations

from functools import cache


@cache
def lines_of(height: int, width: int) -> list[slice]:
    """Every row, column and diagonal of a board that is one text, from the top."""
    rows = [slice(y * width, (y + 1) * width) for y in range(height)]
    columns = [slice(x, None, width) for x in range(width)]
    diagonals = []
    for y in range(height):
        for x in range(width):
            for right, edge in ((1, 0), (-1, width - 1)):
                if y == 0 or x == edge:  # where it begins
                    length = min(height - y, width - x if right == 1 else x + 1)
                    first, step = y * width + x, width + right
                    # Of one column a rising diagonal is a cell, and the step 0.
                    diagonals.append(slice(first, first + length * step, max(step, 1)))
    return [*rows, *columns, *diagonals]


class ConnectFourOracle:
    """Rows from the top; "." is empty, "#" the forbidden cell, "X" and "O" stones."""

    def __init__(
        self,
        rows: int = 6,
        columns: int = 7,
        line: int = 4,
        forbidden: tuple[int, int] = (-1, -1),
    ) -> None:
        self.height, self.width, self.line = rows, columns, line
        self.grid = [["."] * columns for _ in range(rows)]
        if forbidden != (-1, -1):
            self.grid[forbidden[0]][forbidden[1]] = "#"
        self.lines = lines_of(rows, columns)
        self.mover = 0

    def landing_row(self, column: int) -> int | None:
        """The lowest empty cell of a column; None where there is none."""
        empty = [y for y in range(self.height) if self.grid[y][column] == "."]
        return max(empty, default=None)

    def has_line(self, mark: str) -> bool:
        """Whether so many marks follow each other in a row, column or diagonal."""
        board = "".join(map("".join, self.grid))
        wanted = mark * self.line
        return any(wanted in board[cells] for cells in self.lines)

    def winner(self) -> int:
        return 0 if self.has_line("X") else 1 if self.has_line("O") else -1

    def legal(self) -> list[int]:
        if self.winner() >= 0:
            return []
        return [x for x in range(self.width) if self.landing_row(x) is not None]

    def play(self, column: int) -> None:
        row = self.landing_row(column)
        assert row is not None
        self.grid[row][column] = "XO"[self.mover]
        self.mover = 1 - self.mover

    def returns(self, player: int) -> float:
        winner = self.winner()
        return 0.0 if winner < 0 else 1.0 if winner == player else -1.0

    def wins_at(self, player: int) -> list[int]:
        """Columns where a stone of the player would make a line."""
        found = []
        for column in self.legal():
            row = self.landing_row(column)
            assert row is not None
            self.grid[row][column] = "XO"[player]
            if self.has_line("XO"[player]):
                found.append(column)
            self.grid[row][column] = "."
        return found

    def urgent(self) -> list[int]:
        """A win now; else what stops the opponent's; else what is not under one."""
        now = self.wins_at(self.mover) or self.wins_at(1 - self.mover)
        if now:
            return now
        legal = self.legal()
        safe = [column for column in legal if not self.is_under(column)]
        return safe if len(safe) < len(legal) else []

    def is_under(self, column: int) -> bool:
        """Whether the opponent could win above a stone in this column."""
        row = self.landing_row(column)
        assert row is not None
        self.grid[row][column] = "XO"[self.mover]
        found = column in self.wins_at(1 - self.mover)
        self.grid[row][column] = "."
        return found

    def text(self) -> str:
        return "/".join(map("".join, self.grid)) + f" {'XO'[self.mover]}"
