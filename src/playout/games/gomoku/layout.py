"""How a board of Gomoku lies in words, and what follows from its sizes.

A row of the board is one word: Black's stones in its low half, White's in the high
half, column 0 at the lowest bit. A half is wider than a row, so between the players
there is always an empty bit, and lines of five are found in all columns of both
players by shifting and intersecting:

    bit   31   30 ... 18 17 16   15   14 ...  2  1  0
           0    O ...  C  B  A    0    O ...  C  B  A
                  White                 Black

`state.rows` has empty rows above and below the board, so that no shape needs a test
for the edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.compiled import constant
from ...core.jit.word_vectors import words_in_vector
from ...core.rng import draws_per_number
from ..contract.game import Game
from .lines import EDGE
from .prior import centrality

__all__ = ["GomokuLayout"]

#: How far down a shape reaches from the lowest row that is looked at, its end included;
#: how many rows below a new stone's are looked at for lines.
_REACH, _BELOW = 5, 7


class GomokuLayout(Game):
    """The constants of a board, which the compiler knows."""

    size: int
    rule: str
    rows: int
    columns: int

    @constant
    def height(self) -> int:
        """The board's rows."""
        return self.rows or self.size

    @constant
    def width(self) -> int:
        """The board's columns."""
        return self.columns or self.size

    @constant
    def lane(self) -> int:
        """Bits in half a word, more than a row has columns."""
        return 16 if self.width <= 15 else 32

    @constant
    def word(self) -> Any:
        """The type of a row's word."""
        return np.dtype(f"u{self.lane // 4}")

    @constant
    def rows_at_once(self) -> int:
        """How many rows a vector of words holds."""
        return words_in_vector(2 * self.lane)

    @constant
    def state_rows(self) -> int:
        """Rows of `state.rows`: of the board, and empty ones above it and below.

        They are looked at by vectors, of which the last may end below the board.
        """
        vectors = -(-self.height // self.rows_at_once)
        below = max(vectors * self.rows_at_once + _REACH, self.height + _BELOW)
        return EDGE + below

    @constant
    def row_bits(self) -> Any:
        """The bits of a row in the low half."""
        return np.uint64((1 << self.width) - 1)

    @constant
    def both(self) -> Any:
        """All bits of a word."""
        return np.uint64((1 << 2 * self.lane) - 1)

    @constant
    def inside(self) -> np.ndarray:
        """`[rows]` for every word of `state.rows` the bits that are cells."""
        cells = ((1 << self.width) - 1) * ((1 << self.lane) + 1)
        words = np.zeros(self.state_rows, dtype=self.word)
        words[EDGE : EDGE + self.height] = cells
        return words

    @constant
    def exact(self) -> Any:
        """The halves of the players who need exactly five."""
        black, all_bits = (1 << self.lane) - 1, (1 << 2 * self.lane) - 1
        halves = {"standard": all_bits, "caro": all_bits, "renju": black}
        return np.uint64(halves.get(self.rule, 0))

    @constant
    def closed(self) -> Any:
        """All bits where a five closed at both ends does not win."""
        caro = self.rule in ("caro", "caro-8")
        return np.uint64((1 << 2 * self.lane) - 1 if caro else 0)

    @constant
    def draws(self) -> int:
        """Stones of a rollout that one random number draws."""
        return draws_per_number(self.height * self.width)

    @constant
    def row_of(self) -> np.ndarray:
        """`[cells]` the index in `state.rows` of a cell's row."""
        rows = np.arange(EDGE, EDGE + self.height, dtype=np.uint8)
        return np.repeat(rows, self.width)

    @constant
    def bit_of(self) -> np.ndarray:
        """`[cells]` the bit of a cell's column."""
        return np.uint32(1) << self.column_of.astype(np.uint32)

    @constant
    def column_of(self) -> np.ndarray:
        """`[cells]` a cell's column."""
        return np.tile(np.arange(self.width, dtype=np.uint8), self.height)

    @constant
    def centrality(self) -> np.ndarray:
        """`[cells]` the weight of a first stone."""
        return centrality(self.height, self.width)
