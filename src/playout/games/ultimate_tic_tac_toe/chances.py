"""Who gets the first line of a local board: a table of all 19,683 of them.

A local board is numbered by its stones in base three, one digit a cell from the top
left: 0 empty, 1 one's own, 2 the other's. `FIRST_LINE` is exact for this play: at
every ply either player is as likely to be sent there, completes a line if that can be
done, else blocks one, else takes any cell. `value` brings it to the game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .cells import COMPLETING, HAS_LINE

__all__ = ["FIRST_LINE", "POWERS", "SWAPPED", "TERNARY"]

_CELLS = np.arange(9)
#: What a digit counts, by cell.
POWERS = 3**_CELLS
#: `[512]` the number of a board with these own stones alone.
TERNARY = ((np.arange(512)[:, None] >> _CELLS & 1) @ POWERS).astype(np.int64)
_DIGITS = np.arange(3**9)[:, None] // POWERS % 3
_OWN, _OTHER = (np.equal(_DIGITS, side) @ (1 << _CELLS) for side in (1, 2))
#: `[3**9]` the number of the board with the stones' owners exchanged.
SWAPPED = TERNARY[_OTHER] + 2 * TERNARY[_OWN]


def _candidates(own: Any, other: Any) -> Any:
    """The cells that a player may take, as masks: all where nothing is urgent."""
    empty = 511 & ~(own | other)
    wins, blocks = (COMPLETING[stones] & empty for stones in (own, other))
    return np.where(wins != 0, wins, np.where(blocks != 0, blocks, empty))


def _first_line() -> NDArray[np.float64]:
    """`[3**9]` the probability that the first line is one's own."""
    chance = HAS_LINE[_OWN].astype(np.float64)
    empties = (_DIGITS == 0).sum(axis=1)
    goes_on = ~(HAS_LINE[_OWN] | HAS_LINE[_OTHER])
    for count in range(1, 10):
        boards = np.flatnonzero(goes_on & (empties == count))
        own, other = _OWN[boards], _OTHER[boards]
        both = (_candidates(own, other), 1), (_candidates(other, own), 2)
        for cells, digit in both:
            taken = cells[:, None] >> _CELLS & 1
            after = boards[:, None] + digit * POWERS * taken
            mean = (chance[after] * taken).sum(axis=1) / taken.sum(axis=1)
            chance[boards] += mean / 2
    return chance


#: `[3**9]` how likely the first line is one's own.
FIRST_LINE = _first_line()
