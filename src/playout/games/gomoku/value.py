"""The heuristic value of a position of Gomoku.

The value counts windows: five cells in a row that hold stones of only one player. A
word of `state.rows` holds both players' stones, so that the windows of both that begin
in a row are counted at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import popcount
from ..contract.game import State
from .lines import EDGE

__all__ = ["judge", "neighbourhood"]

#: What a window with one, two, three or four stones is worth.
WORTH = np.array([0.002, 0.012, 0.07, 0.35])
#: What the move is worth, in windows of three.
TEMPO = 2.0

_ZERO = np.uint64(0)
#: Five cells of a row; of five by five, the three by three in the middle.
_FIVE = np.uint64(0b11111)
_BESIDE = np.uint64(0b00000_01110_01110_01110_00000)


def judge(game: Any, state: State, player: int) -> float:
    """The value for a player, between -1 and 1."""
    lead = 0.0
    for row in range(EDGE, EDGE + game.height):
        for step in (-1, 0, 1):
            lead += window_lead(game, state, row, 1, step)
        lead += window_lead(game, state, row, 0, 1)
    if player == 1:
        lead = -lead
    turn = 1.0 if state.player == player else -1.0
    lead += turn * TEMPO * WORTH[2]
    return lead / (1.0 + abs(lead))


def window_lead(game: Any, state: State, row: int, down: int, step: int) -> float:
    """Black's lead in the windows that begin in a row and run in one direction."""
    ones = twos = fours = _ZERO  # the number of stones in every window, bit by bit
    whole = starts(game, step)
    for place in range(5):
        word = np.uint64(state.rows[row + down * place])
        usable = word | empty_cells(game, state, row + down * place)
        word, usable = moved(word, step * place), moved(usable, step * place)
        whole &= usable
        carry = ones & word
        ones ^= word
        fours |= twos & carry
        twos ^= carry
    lead = 0.0
    exactly = (ones & ~twos & ~fours, twos & ~ones, twos & ones, fours & ~ones)
    for index in range(4):
        lead += WORTH[index] * half_lead(game, exactly[index] & whole)
    return lead


def starts(game: Any, step: int) -> Any:
    """Where windows may begin, in both halves of a word."""
    columns = game.row_bits
    if step > 0:
        columns = columns >> np.uint64(4)
    elif step < 0:
        columns = columns & ~np.uint64(15)
    return columns | columns << np.uint64(game.lane)


def empty_cells(game: Any, state: State, row: int) -> Any:
    """The bits of a row's empty cells, in both halves."""
    word = np.uint64(state.rows[row])
    lane = np.uint64(game.lane)
    taken = (word | word >> lane) & game.row_bits
    return game.inside[row] & ~(taken | taken << lane)


def moved(word: Any, places: int) -> Any:
    """A word whose cells lie so many places nearer to column 0."""
    if places >= 0:
        return word >> np.uint64(places)
    return word << np.uint64(-places)


def half_lead(game: Any, bits: Any) -> int:
    """Set bits in Black's half less those in White's."""
    lane = np.uint64(game.lane)
    return int(popcount(bits & game.row_bits) - popcount(bits >> lane & game.row_bits))


def neighbourhood(game: Any, state: State, action: int) -> float:
    """A weight that grows with the stones around a cell, most with those beside it."""
    row = int(np.uint32(action) // np.uint32(game.width))  # no sign to look at
    column = action - game.width * row
    cells = _ZERO  # five by five around it, five bits a row
    for down in range(-2, 3):
        word = np.uint64(state.rows[EDGE + row + down])
        taken = (word | word >> np.uint64(game.lane)) & game.row_bits
        seen = (taken << np.uint64(2)) >> np.uint64(column)
        cells = cells << np.uint64(5) | seen & _FIVE
    return 0.1 + (popcount(cells) + popcount(cells & _BESIDE))
