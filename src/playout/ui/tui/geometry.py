"""Where the cells of a board stand on the screen, and how large they are."""

from __future__ import annotations

from dataclasses import dataclass

from ...games.drawing.board import Board, Cell

__all__ = ["Geometry"]

#: Widths and heights of a cell, the largest first.
SIZES = ((7, 3), (5, 3), (3, 1), (2, 1))
#: The same for hexagons, whose rows are shifted by half of that.
SLANTED_SIZES = ((6, 3), (4, 1), (2, 1))
#: Further than any cell.
FAR = 10**6


@dataclass(frozen=True)
class Geometry:
    """A board laid out in characters, counted from the upper left.

             left
           |-----|
           |     a   b | c   d
           |  2  .   . | .   .     a line between blocks, where there are blocks
           |  1  .   . | .   .

    Attributes:
        rows: of cells.
        columns: of cells.
        cell_width: in characters.
        cell_height: in lines.
        left: width of the row labels with the blank after them.
        above: lines over the first row: 1 where column labels stand there.
        below: lines under the last row.
        block: as in `Board`.
        slant: by how many characters every row begins further right.
    """

    rows: int
    columns: int
    cell_width: int
    cell_height: int
    left: int = 0
    above: int = 0
    below: int = 0
    block: int = 0
    slant: int = 0

    @classmethod
    def fit(cls, board: Board, width: int, height: int) -> Geometry:
        """The largest cells with which the board fits, or the smallest there are.

        >>> Geometry.fit(Board(("...",) * 3), 80, 24).size
        (21, 9)
        """
        labels = bool(board.column_labels)
        left = max((len(label) + 1 for label in board.row_labels), default=0)
        wide = max((len(label) for label in board.column_labels), default=1)
        slanted = board.layout == "hex"
        for cell_width, cell_height in SLANTED_SIZES if slanted else SIZES:
            geometry = cls(
                len(board.cells),
                len(board.cells[0]),
                max(cell_width, wide),
                cell_height,
                left,
                int(labels and not board.labels_below),
                int(labels and board.labels_below),
                board.block,
                cell_width // 2 if slanted else 0,
            )
            if geometry.size[0] <= width and geometry.size[1] <= height:
                break
        return geometry

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of everything."""
        width = self.x(self.columns - 1, self.rows - 1) + self.cell_width
        return width, self.y(self.rows - 1) + self.cell_height + self.below

    def x(self, column: int, row: int = 0) -> int:
        """The first character of a column, in a row."""
        before = self.left + self.slant * row
        return before + column * self.cell_width + self._lines(column)

    def y(self, row: int) -> int:
        """The first line of a row."""
        return self.above + row * self.cell_height + self._lines(row)

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a point; None between and beside the cells.

        >>> Geometry(3, 3, 7, 3).cell_at(8, 0)
        (0, 1)
        """
        for row in range(self.rows):
            if not 0 <= y - self.y(row) < self.cell_height:
                continue
            for column in range(self.columns):
                if 0 <= x - self.x(column, row) < self.cell_width:
                    return row, column
        return None

    @staticmethod
    def step(board: Board, cell: Cell, down: int, right: int) -> Cell:
        """The next cell in a direction; the same where there is none.

        >>> Geometry.step(Board((".. .", "   .")), (0, 1), 0, 1)
        (0, 3)
        """

        def cost(other: Cell) -> int:
            rows, columns = other[0] - cell[0], other[1] - cell[1]
            along, aside = rows * down + columns * right, rows * right + columns * down
            fits = along > 0 and 2 * along >= abs(aside)
            return along + 2 * abs(aside) if fits else FAR

        best = min(board.places, key=cost, default=cell)
        return best if cost(best) < FAR else cell

    def _lines(self, index: int) -> int:
        return index // self.block if self.block else 0
