"""Gomoku as people read and write it: names of cells, the grid, what has won."""

from __future__ import annotations

import functools
from typing import Any

from ..contract.game import State
from ..drawing.board import EMPTY, Cell, runs
from .lines import EDGE

__all__ = ["cell_names", "grid_of", "read_cell", "winning_cells"]


@functools.lru_cache(maxsize=32)
def cell_names(height: int, width: int) -> tuple[str, ...]:
    """Column letter and row number from the bottom of every cell, by action.

    Kept, as a search names every move of its root.

    >>> cell_names(15, 15)[112]
    'H8'
    """
    return tuple(
        f"{chr(ord('A') + column)}{height - row}"
        for row in range(height)
        for column in range(width)
    )


def read_cell(text: str, height: int) -> tuple[int, int]:
    """The (row, column) from the top left that a text names, maybe outside.

    >>> read_cell("h8", 15), read_cell("7,7", 15), read_cell("H,8", 15)
    ((7, 7), (7, 7), (7, 7))
    """
    cleaned = text.strip().upper()
    x, comma, y = (part.strip() for part in cleaned.partition(","))
    if comma and not (len(x) == 1 and x.isalpha()):
        return _number(y), _number(x)
    cleaned = x + y
    column = ord(cleaned[0]) - ord("A") if cleaned else -1
    return height - _number(cleaned[1:]), column


def _number(text: str) -> int:
    """A plain decimal number, or -1."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else -1


def grid_of(game: Any, state: State) -> list[str]:
    """Rows from the top, one character a cell."""
    grid = []
    for row in range(EDGE, EDGE + game.height):
        word = int(state.rows[row])
        first, second = word, word >> game.lane
        grid.append(
            "".join(
                "X" if first >> column & 1 else "O" if second >> column & 1 else EMPTY
                for column in range(game.width)
            )
        )
    return grid


def winning_cells(rule: str, grid: list[str], player: int) -> frozenset[Cell]:
    """The cells of all lines that win for a player; none where `player` is -1."""
    if player < 0:
        return frozenset()
    mine, theirs = "XO"[player], "OX"[player]
    return frozenset(
        cell
        for cells, ends in runs(grid, mine)
        if _wins(rule, player, len(cells), closed=ends == (theirs, theirs))
        for cell in cells
    )


def _wins(rule: str, player: int, length: int, closed: bool) -> bool:
    """Whether an unbroken row of this length wins by the rule."""
    if length == 5:
        return not (closed and rule in ("caro", "caro-8"))
    overline_wins = rule in ("freestyle", "caro-8") or (rule == "renju" and player == 1)
    return length > 5 and overline_wins
