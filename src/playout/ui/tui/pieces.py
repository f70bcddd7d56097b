"""How marks look in the cells of a full-screen board."""

from __future__ import annotations

from ...games.drawing.board import BLOCKED

__all__ = ["drawn", "drawn_line"]

#: What fills a closed cell.
HATCHING = "░"
#: Marks that are drawn over three lines; all others stand as they are in the middle.
LARGE = {
    "X": ("╲ ╱", " ╳ ", "╱ ╲"),
    "O": ("╭─╮", "│ │", "╰─╯"),
}


def drawn(mark: str, width: int, height: int) -> list[str]:
    """The lines of a cell.

    >>> drawn("O", 5, 3)
    [' ╭─╮ ', ' │ │ ', ' ╰─╯ ']
    >>> drawn("X", 3, 1)
    [' X ']
    """
    if mark == BLOCKED:
        return [HATCHING * width] * height
    if height >= 3 and mark in LARGE:
        return [line.center(width) for line in LARGE[mark]]
    lines = [" " * width] * height
    lines[height // 2] = mark.center(width) if width > 2 else mark.rjust(width)
    return lines


def drawn_line(way: str, width: int, height: int) -> list[str]:
    """The lines of a place without a cell, through which a line may go: "-" or "|".

    >>> drawn_line("-", 3, 1), drawn_line("|", 3, 1), drawn_line("", 3, 1)
    (['───'], [' │ '], ['   '])
    """
    if way == "|":
        return ["│".center(width)] * height
    lines = [" " * width] * height
    lines[height // 2] = ("─" if way else " ") * width
    return lines
