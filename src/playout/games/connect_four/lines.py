"""Lines of Connect Four on one number for the whole board, whatever its size.

The state keeps whole columns in each word. Here the columns follow each other without
a gap (see `rules` for their layout), as a number of as many words: a step to the right
is a shift by a column's height, and no line has to be followed over words.
"""

from __future__ import annotations

from typing import Any

from ...core.jit.wide import first_one, wide

__all__ = [
    "column_bits",
    "completing",
    "forbidden_of",
    "has_line_in",
    "landing_of",
    "under",
    "upper_cells",
    "whole",
    "without_gaps",
]


def without_gaps(game: Any, words: Any) -> Any:
    """The bits of a field of the state, or of a layout's constant, as one number.

    Args:
        game: the board's sizes.
        words: `[words]` bits of whole columns.
    """
    if game.words == 1:
        return wide(words[0])
    if game.words == 2:
        return wide(words[0], 0) | wide(words[1], 0) << game.span
    upper = wide(words[1], 0, 0) << game.span | wide(words[2], 0, 0) << 2 * game.span
    return wide(words[0], 0, 0) | upper


def whole(game: Any) -> Any:
    """The bits of all cells, the forbidden one too."""
    return without_gaps(game, game.cells)


def column_bits(game: Any, column: int) -> Any:
    """All bits of a column."""
    bits, shift = game.first_column, int(column) * game.height
    if game.words == 1:
        return wide(bits) << shift
    if game.words == 2:
        return wide(bits, 0) << shift
    return wide(bits, 0, 0) << shift


def forbidden_of(game: Any) -> Any:
    """The bit of the forbidden cell; no bit where there is none."""
    row, column = game.forbidden
    bits = column_bits(game, max(column, 0))
    below = without_gaps(game, game.bottom) << max(game.rows - 1 - row, 0)
    return bits & below if row >= 0 else bits ^ bits


def upper_cells(game: Any) -> Any:
    """The cells above which an even number of cells of their column can be filled."""
    bottom = without_gaps(game, game.bottom)
    found = bottom ^ bottom
    for row in range(game.rows - 1, -1, -2):
        found = found | bottom << row
    blocked = forbidden_of(game)
    below = (blocked - bottom_under(game, blocked)) if blocked != 0 else blocked
    return found ^ below


def bottom_under(game: Any, cell: Any) -> Any:
    """The bottom bit of a cell's column."""
    column = first_one(cell) // game.height
    return without_gaps(game, game.bottom) & column_bits(game, column)


def landing_of(game: Any, occupied: Any) -> Any:
    """The cells where stones would land: the lowest empty bit of every column."""
    bottom = without_gaps(game, game.bottom)
    return (occupied + bottom) & ~occupied & whole(game)


def under(cells: Any, forbidden: Any) -> Any:
    """The cells whose stone is followed, in its column, by one in the given cells.

    Args:
        cells: empty ones.
        forbidden: the bit of the cell that columns jump over, or 0.
    """
    return cells >> 1 | (cells >> 2 & forbidden >> 1)


def has_line_in(game: Any, stones: Any) -> bool:
    """Whether the stones hold a line."""
    height = game.height
    return bool(
        _runs(game, stones, 1)
        | _runs(game, stones, height - 1)
        | _runs(game, stones, height)
        | _runs(game, stones, height + 1)
        != 0
    )


def _runs(game: Any, stones: Any, step: int) -> Any:
    """Where a line begins that goes on at a distance of `step` bits."""
    found = stones
    for place in range(1, game.line):
        found = found & stones >> place * step
    return found


def completing(game: Any, stones: Any) -> Any:
    """The bits that would complete a line, be they free or not, cells or not.

    No line runs over an empty top bit: it would have to be the one that is missing.
    """
    height = game.height
    below = stones
    for place in range(1, game.line - 1):
        below = below & stones << place
    return (
        below << 1
        | _gaps(game, stones, height - 1)
        | _gaps(game, stones, height)
        | _gaps(game, stones, height + 1)
    )


def _gaps(game: Any, stones: Any, step: int) -> Any:
    """The bits that complete a line of a direction, of which any one may be missing."""
    if game.line == 4:
        one, two = stones >> step, stones >> 2 * step
        back, far = stones << step, stones << 2 * step
        after = one & two & (stones >> 3 * step | back)
        return after | (back & far & (stones << 3 * step | one))
    found = stones ^ stones
    for missing in range(game.line):
        run = ~found ^ found  # all bits
        for place in range(game.line):
            if place < missing:
                run = run & stones << (missing - place) * step
            if place > missing:
                run = run & stones >> (place - missing) * step
        found = found | run
    return found
