"""Connect Four as people read and write it: columns, the grid, positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import PositionError, UsageError, quote
from ..contract.game import State
from ..drawing.board import BLOCKED, EMPTY, line_cells

__all__ = ["fill", "grid_of", "play_columns", "read_column"]


def read_column(text: str, columns: int) -> int:
    """The action that a text names; columns are numbered from 1 at the left.

    >>> read_column("4", columns=7)
    3

    Raises:
        UsageError: the text is no column.
    """
    text = text.strip()
    digits = text.isascii() and text.isdigit() and len(text) <= 2
    if not digits or not 1 <= int(text) <= columns:
        raise UsageError(f"{text[:40]!r} is not a column; columns are 1 to {columns}")
    return int(text) - 1


def grid_of(game: Any, state: State) -> list[str]:
    """Rows from the top; "." empty, "#" forbidden."""
    grid = [[EMPTY] * game.columns for _ in range(game.rows)]
    for column in range(game.columns):
        word, shift = game.place(column)
        layers = (
            ("X", int(state.stones[0, word]) >> shift),
            ("O", int(state.stones[1, word]) >> shift),
            (BLOCKED, int(state.occupied[word]) >> shift),
        )
        for row in range(game.rows):
            bit = game.rows - 1 - row
            taken = (sign for sign, layer in layers if layer >> bit & 1)
            grid[row][column] = next(taken, EMPTY)
    return ["".join(row) for row in grid]


def play_columns(game: Any, columns: str, state: State) -> None:
    """Play digits that name columns from the start; the state is modified in place.

    Raises:
        PositionError: a move that cannot be played.
    """
    game.initial_state(state)
    buffer = np.zeros(game.columns, dtype=np.int32)
    for number, digit in enumerate(columns, start=1):
        action = game.parse_action(digit)
        if action not in buffer[: game.legal_actions(state, buffer)]:
            over = game.is_terminal(state)
            why = "the game was over before" if over else "cannot be played"
            raise PositionError(f"{quote(columns)}: move {number} ({digit}): {why}")
        game.apply(state, action)


def fill(game: Any, grid: list[str], text: str, state: State) -> None:
    """Write the stones of a grid; the state is modified in place.

    Args:
        game: the board's sizes, and its forbidden cell.
        grid: rows from the top.
        text: the position, as messages repeat it.
        state: the first player is to move in it, whatever the text says.

    Raises:
        PositionError: no game leads there.
    """
    game.initial_state(state)
    blocked = [
        (y, x)
        for y, row in enumerate(grid)
        for x, mark in enumerate(row)
        if mark == BLOCKED
    ]
    if blocked != ([game.forbidden] if game.forbidden[0] >= 0 else []):
        raise PositionError(
            f"{text!r}: the forbidden cell (#) is not where the game has it"
        )
    for column in range(game.columns):
        _fill_column(game, [row[column] for row in reversed(grid)], column, text, state)
    for player in (0, 1):
        lines = line_cells(grid, player, game.line)
        if lines and state.winner >= 0:
            raise PositionError(f"{text!r}: both players have a line")
        if lines:
            state.winner = player


def _fill_column(
    game: Any, marks: list[str], column: int, text: str, state: State
) -> None:
    """Write the stones of one column, given from the bottom."""
    settled = "".join(marks).rstrip(EMPTY)
    if EMPTY in settled.rstrip(BLOCKED).rstrip(EMPTY):
        raise PositionError(f"{text!r}: a stone floats in column {column + 1}")
    word, shift = game.place(column)
    for row, mark in enumerate(marks):
        if mark in "XO":
            bit = np.uint64(1 << (shift + row))
            state.stones["XO".index(mark), word] |= bit
            state.occupied[word] |= bit
