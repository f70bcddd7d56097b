"""m,n,k-games, slow and plain: a list of rows, lines followed cell by cell."""

from __future__ import annotations


class MNKOracle:
    """A game of m rows, n columns and k in a row; actions from the top left."""

    def __init__(self, m: int, n: int, k: int) -> None:
        self.m, self.n, self.k = m, n, k
        self.rows = [["."] * n for _ in range(m)]
        self.mover = 0

    def line_of(self, mark: str) -> bool:
        for y in range(self.m):
            for x in range(self.n):
                if self.rows[y][x] != mark:
                    continue
                for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(y + i * dy, x + i * dx) for i in range(self.k)]
                    if all(
                        0 <= b < self.m and 0 <= a < self.n and self.rows[b][a] == mark
                        for b, a in cells
                    ):
                        return True
        return False

    def winner(self) -> int:
        return 0 if self.line_of("X") else 1 if self.line_of("O") else -1

    def legal(self) -> list[int]:
        if self.winner() >= 0:
            return []
        cells = [mark for row in self.rows for mark in row]
        return [i for i, mark in enumerate(cells) if mark == "."]

    def put(self, action: int, mark: str) -> None:
        self.rows[action // self.n][action % self.n] = mark

    def play(self, action: int) -> None:
        self.put(action, "XO"[self.mover])
        self.mover = 1 - self.mover

    def returns(self, player: int) -> float:
        winner = self.winner()
        return 0.0 if winner < 0 else 1.0 if winner == player else -1.0

    def wins_at(self, player: int) -> list[int]:
        """Where a stone of the player would make a line."""
        found = []
        for action in self.legal():
            self.put(action, "XO"[player])
            if self.line_of("XO"[player]):
                found.append(action)
            self.put(action, ".")
        return found
