"""Names of cells in many games: a letter for the column, a number for the row."""

from __future__ import annotations

import re
import string

from ...core.errors import UsageError, quote
from .board import Cell

__all__ = ["letters", "name_cell", "numbers", "read_cell"]

_LETTERS = string.ascii_lowercase
_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)


def letters(columns: int, alphabet: str = _LETTERS) -> tuple[str, ...]:
    """The labels of so many columns, from the left."""
    return tuple(alphabet[:columns])


def numbers(rows: int, from_bottom: bool = False) -> tuple[str, ...]:
    """The labels of the rows, from the top."""
    labels = tuple(str(row + 1) for row in range(rows))
    return labels[::-1] if from_bottom else labels


def name_cell(cell: Cell, rows: int = 0, alphabet: str = _LETTERS) -> str:
    """The name of a (row, column); rows are counted from the bottom if given.

    >>> name_cell((0, 2)), name_cell((0, 2), rows=8)
    ('c1', 'c8')
    """
    row, column = cell
    return f"{alphabet[column]}{rows - row if rows else row + 1}"


def read_cell(
    text: str,
    rows: int,
    columns: int,
    from_bottom: bool = False,
    alphabet: str = _LETTERS,
) -> Cell:
    """The (row, column) from the top left that a text names, in either case.

    >>> read_cell("C1", 8, 8), read_cell("c1", 8, 8, from_bottom=True)
    ((0, 2), (7, 2))

    Raises:
        UsageError: it names no cell of the board.
    """
    found = _NAME.fullmatch(text.strip().lower())
    if found:
        row, column = int(found[2]) - 1, alphabet.find(found[1])
        if row < rows and 0 <= column < columns:
            return (rows - 1 - row if from_bottom else row), column
    last = f"{alphabet[columns - 1]}{rows}"
    raise UsageError(f"{quote(text)} is not a cell; cells are a1 to {last}")
