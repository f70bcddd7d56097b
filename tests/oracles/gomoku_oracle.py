"""Gomoku, slow and obvious: lists of characters, every line walked cell by cell.

Nothing here comes from playout. Renju's fouls follow the definition word by word, with
real recursion.
"""

from __future__ import annotations

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
BLACK, WHITE, EMPTY = "X", "O", "."


class Oracle:
    """A game of Gomoku: `grid[row][column]`, rows from the top, of `size` columns."""

    def __init__(
        self,
        size: int,
        rule: str,
        grid: list[list[str]] | None = None,
        mover: str = BLACK,
    ) -> None:
        self.rule, self.mover = rule, mover
        self.grid = grid or [[EMPTY] * size for _ in range(size)]
        self.height, self.size = len(self.grid), len(self.grid[0])
        self.winner: str | None = None
        self.stuck = False
        self.excused = 0  # straight fours that did not count, being fouls

    def at(self, y: int, x: int) -> str:
        inside = 0 <= y < self.height and 0 <= x < self.size
        return self.grid[y][x] if inside else "#"

    def empties(self) -> list[int]:
        marks = [mark for row in self.grid for mark in row]
        return [i for i, mark in enumerate(marks) if mark == EMPTY]

    def legal(self) -> list[int]:
        if self.winner or self.stuck:
            return []
        return [cell for cell in self.empties() if self.allowed(cell)]

    def allowed(self, cell: int) -> bool:
        black = self.rule == "renju" and self.mover == BLACK
        return not (black and self.foul(*divmod(cell, self.size)))

    def play(self, action: int) -> None:
        y, x = divmod(action, self.size)
        assert self.grid[y][x] == EMPTY
        self.grid[y][x] = self.mover
        if self.wins_at(y, x):
            self.winner = self.mover
        self.mover = WHITE if self.mover == BLACK else BLACK
        self.stuck = not any(self.allowed(cell) for cell in self.empties())

    def text_after(self, action: int) -> str:
        y, x = divmod(action, self.size)
        rows = ["".join(row) for row in self.grid]
        rows[y] = rows[y][:x] + self.mover + rows[y][x + 1 :]
        return "/".join(rows) + (" O" if self.mover == BLACK else " X")

    def over(self) -> bool:
        return not self.legal()

    def result(self, player: int) -> float:
        if self.winner is None:
            return 0.0
        return 1.0 if self.winner == "XO"[player] else -1.0

    # -- lines ---------------------------------------------------------------------

    def run(self, y: int, x: int, dy: int, dx: int) -> tuple[int, str, str]:
        """Length of the row through a stone, and what stands at its two ends."""
        grid, height, width = self.grid, self.height, self.size
        mark, length, ends = grid[y][x], -1, []  # the stone counts twice, each end once
        for down, right in ((dy, dx), (-dy, -dx)):
            v, w, end = y, x, mark
            while end == mark:  # most of the tests' time: `at`, written out
                v, w, length = v + down, w + right, length + 1
                end = grid[v][w] if 0 <= v < height and 0 <= w < width else "#"
            ends.append(end)
        return length, ends[0], ends[1]

    def wins_at(self, y: int, x: int) -> bool:
        mark = self.at(y, x)
        other = WHITE if mark == BLACK else BLACK
        for dy, dx in DIRECTIONS:
            length, one, two = self.run(y, x, dy, dx)
            closed = one == two == other
            if self.rule == "freestyle" and length >= 5:
                return True
            if self.rule == "standard" and length == 5:
                return True
            if self.rule == "renju":
                if length == 5 or (length > 5 and mark == WHITE):
                    return True
            if self.rule == "caro" and length == 5 and not closed:
                return True
            if self.rule == "caro-8" and (length > 5 or (length == 5 and not closed)):
                return True
        return False

    # -- what must be played ---------------------------------------------------------

    def urgent(self) -> list[int]:
        legal = self.legal()
        me, other = self.mover, WHITE if self.mover == BLACK else BLACK
        wins = [i for i in legal if self.winning(i, me)]
        threats = [i for i in self.empties() if self.winning(i, other)]
        if wins:
            return wins
        if threats and self.rule.startswith("caro"):
            return [i for i in legal if self.stops_fives(i, me, other)]
        if threats:
            return [i for i in threats if i in legal]
        opens = [i for i in legal if self.open_four(i, me)]
        if opens or not self.open_fours(other):
            return opens
        return [i for i in legal if self.helps(i, me, other)]

    def stops_fives(self, action: int, me: str, other: str) -> bool:
        y, x = divmod(action, self.size)
        self.grid[y][x] = me
        left = any(self.winning(i, other) for i in self.empties())
        self.grid[y][x] = EMPTY
        return not left

    def winning(self, action: int, mark: str) -> bool:
        y, x = divmod(action, self.size)
        self.grid[y][x] = mark
        wins = self.wins_at(y, x)
        self.grid[y][x] = EMPTY
        return wins

    def open_fours(self, mark: str) -> list[int]:
        return [
            i
            for i in self.empties()
            if self.open_four(i, mark)
            and not (
                self.rule == "renju"
                and mark == BLACK
                and self.foul(*divmod(i, self.size))
            )
        ]

    def open_four(self, action: int, mark: str) -> bool:
        """Whether four in a row arise that win at one end if the other is taken."""
        y, x = divmod(action, self.size)
        other = WHITE if mark == BLACK else BLACK
        self.grid[y][x] = mark
        found = False
        for dy, dx in DIRECTIONS:
            if self.run(y, x, dy, dx)[0] == 4:
                ends = []
                for sign in (1, -1):
                    v, w = y, x
                    while self.at(v, w) == mark:
                        v, w = v + sign * dy, w + sign * dx
                    ends.append((v, w))
                found |= all(self.at(*end) == EMPTY for end in ends) and all(
                    self.wins_after(end, other, ends[1 - i], mark)
                    for i, end in enumerate(ends)
                )
        self.grid[y][x] = EMPTY
        return found

    def wins_after(self, taken, other: str, last, mark: str) -> bool:
        self.grid[taken[0]][taken[1]] = other
        wins = self.winning(last[0] * self.size + last[1], mark)
        self.grid[taken[0]][taken[1]] = EMPTY
        return wins

    def helps(self, action: int, me: str, other: str) -> bool:
        y, x = divmod(action, self.size)
        self.grid[y][x] = me
        four = any(self.winning(i, me) for i in self.empties())
        stopped = not self.open_fours(other)
        self.grid[y][x] = EMPTY
        return four or stopped

    # -- renju: is Black's stone on this empty cell a foul? ---------------------------

    def foul(self, y: int, x: int) -> bool:
        self.grid[y][x] = BLACK
        try:
            return self.foul_placed(y, x)
        finally:
            self.grid[y][x] = EMPTY

    def foul_placed(self, y: int, x: int) -> bool:
        lengths = [self.run(y, x, dy, dx)[0] for dy, dx in DIRECTIONS]
        if 5 in lengths:
            return False
        if max(lengths) > 5:
            return True
        fours = [self.fours(y, x, dy, dx) for dy, dx in DIRECTIONS]
        if sum(fours) >= 2:
            return True
        threes = 0
        for four, (dy, dx) in zip(fours, DIRECTIONS, strict=True):
            if not four and self.is_three(y, x, dy, dx):
                threes += 1
        return threes >= 2

    def cells(self, y: int, x: int, dy: int, dx: int, reach: int):
        for k in range(-reach, reach + 1):
            if k and self.at(y + k * dy, x + k * dx) == EMPTY:
                yield y + k * dy, x + k * dx

    def through(self, a, b, dy: int, dx: int) -> bool:
        """Whether the row through stone a contains stone b."""
        steps = (b[0] - a[0]) * dy + (b[1] - a[1]) * dx
        steps //= dy * dy + dx * dx
        sign = 1 if steps > 0 else -1
        return all(
            self.at(a[0] + sign * k * dy, a[1] + sign * k * dx) == BLACK
            for k in range(abs(steps) + 1)
        )

    def fives(self, y: int, x: int, dy: int, dx: int):
        """Empty cells on the line that complete exactly five with this stone."""
        found = []
        for v, w in list(self.cells(y, x, dy, dx, 4)):
            self.grid[v][w] = BLACK
            if self.run(y, x, dy, dx)[0] == 5 and self.through((y, x), (v, w), dy, dx):
                found.append((v, w))
            self.grid[v][w] = EMPTY
        return found

    def is_straight(self, y: int, x: int, dy: int, dx: int) -> bool:
        """Whether the stone is part of four in an unbroken row with two fives."""
        return self.run(y, x, dy, dx)[0] == 4 and len(self.fives(y, x, dy, dx)) == 2

    def fours(self, y: int, x: int, dy: int, dx: int) -> int:
        if self.is_straight(y, x, dy, dx):
            return 1
        return len(self.fives(y, x, dy, dx))

    def is_three(self, y: int, x: int, dy: int, dx: int) -> bool:
        """Whether one more stone, itself allowed, makes a straight four here."""
        for v, w in list(self.cells(y, x, dy, dx, 3)):
            self.grid[v][w] = BLACK
            makes_five = any(self.run(v, w, *d)[0] == 5 for d in DIRECTIONS)
            good = (
                not makes_five
                and self.is_straight(y, x, dy, dx)
                and self.through((y, x), (v, w), dy, dx)
            )
            if good and self.foul_placed(v, w):
                self.excused += 1
                good = False
            self.grid[v][w] = EMPTY
            if good:
                return True
        return False
