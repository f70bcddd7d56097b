"""Black's forbidden moves in renju.

The definitions are those of the Renju International Federation's rules of play (9.1 to
9.3), for a black stone just placed:

- a *five* is exactly five in an unbroken row; it wins and is never forbidden;
- an *overline* is six or more in an unbroken row: forbidden;
- a *four* is a row to which one more stone makes a five; two fours at once, also on
  one line, are forbidden. A *straight* four can be completed at both ends and is one;
- a *three* is a row that one more stone, which makes no five, turns into a straight
  four; two threes at once are forbidden. The stone that makes the straight four must
  itself be allowed, by these same rules.

The last sentence makes the definition recursive. Here the recursion is a loop with a
stack of `DEPTH` entries; a straight four looked for deeper than that counts as allowed.

Seen from a cell, a line is eleven bits: bit 5 is the cell, bits 0 to 4 lie behind it,
6 to 10 ahead; no shape through the cell depends on more.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import list_bits, lowest, popcount
from ..contract.game import Actions, State
from .lines import DOWN, EDGE, RIGHT, empty_cells

__all__ = [
    "forbidden_cells", "is_forbidden", "is_stuck", "leaves_stuck", "list_allowed",
]  # fmt: skip

_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: How deep straight fours within straight fours are examined.
DEPTH = 4
#: What `_judge` says of a stone; otherwise it is the number of possible threes.
_FIVE, _FOUL = -1, -2


def is_forbidden(game: Any, state: State, cell: int) -> bool:
    """Whether Black may not play on this empty cell. The state is left as it was."""
    _toggle(game, state, cell)
    threes = _judge(game, state, cell)
    foul = threes == _FOUL
    if threes >= 2:
        foul = _double_three(game, state, cell)
    _toggle(game, state, cell)
    return foul


def forbidden_cells(game: Any, state: State, row: int) -> Any:
    """The forbidden cells of a row (an index of `state.rows`), from bit 0 up."""
    found = _ZERO
    bits = _suspects(game, state, row)
    while bits != _ZERO:
        column = lowest(bits)
        bits &= bits - _ONE
        if is_forbidden(game, state, (row - EDGE) * game.width + column):
            found |= _ONE << np.uint64(column)
    return found


def list_allowed(game: Any, state: State, actions: Actions) -> int:
    """Fill the buffer with the empty cells that Black may play on; returns how many."""
    count = 0
    for row in range(EDGE, EDGE + game.height):
        allowed = empty_cells(game, state, row) & ~forbidden_cells(game, state, row)
        count = list_bits(allowed, (row - EDGE) * game.width, actions, count)
    return count


def is_stuck(game: Any, state: State) -> bool:
    """Whether every empty cell is forbidden to Black."""
    for row in range(EDGE, EDGE + game.height):
        empty = empty_cells(game, state, row)
        if empty != _suspects(game, state, row):
            return False
    for row in range(EDGE, EDGE + game.height):
        if empty_cells(game, state, row) != forbidden_cells(game, state, row):
            return False
    return True


def leaves_stuck(game: Any, state: State, cell: int) -> bool:
    """Whether every cell left is forbidden to Black after White plays on this one.

    The game is then a draw, whatever White threatens. The state is left as it was.
    """
    shift = np.uint64(game.lane)
    game.toggle(state, np.uint64(cell), shift)
    stuck = is_stuck(game, state)
    game.toggle(state, np.uint64(cell), shift)
    return stuck


def _suspects(game: Any, state: State, row: int) -> Any:
    """Empty cells with enough black stones about them for a foul, in whole rows."""
    once, twice, crowded = _ZERO, _ZERO, _ZERO
    for d in range(4):
        one, two, three, four = _ZERO, _ZERO, _ZERO, _ZERO
        near = _ZERO  # two stones within three cells: there may be a three
        for distance in range(1, 5):
            for step in (-distance, distance):
                word = np.uint64(state.rows[row + step * DOWN[d]])
                black = (word & game.row_bits) << np.uint64(EDGE)
                black >>= np.uint64(EDGE + step * RIGHT[d])
                four |= three & black
                three |= two & black
                two |= one & black
                one |= black
            if distance == 3:
                near = two
        shape = near | three
        twice |= once & shape
        once |= shape
        crowded |= four
    return (twice | crowded) & empty_cells(game, state, row)


def _toggle(game: Any, state: State, cell: int) -> None:
    """Place a black stone, or take it away."""
    row = cell // game.width
    bit = _ONE << np.uint64(cell - row * game.width)
    state.rows[row + EDGE] = np.uint64(state.rows[row + EDGE]) ^ bit


def _line(game: Any, state: State, cell: int, direction: int) -> Any:
    """Eleven bits of black stones, and from bit 16 on eleven bits of empty cells."""
    row = cell // game.width
    column = cell - row * game.width
    line = _ZERO
    for i in range(11):
        step = i - 5
        y = row + step * DOWN[direction]
        x = column + step * RIGHT[direction]
        if 0 <= y < game.height and 0 <= x < game.width:
            word = np.uint64(state.rows[y + EDGE]) >> np.uint64(x)
            white = (word >> np.uint64(game.lane)) & _ONE
            black = word & _ONE
            line |= black << np.uint64(i)
            line |= (_ONE - (black | white)) << np.uint64(i + 16)
    return line


def _judge(game: Any, state: State, cell: int) -> int:
    """`_FIVE`, `_FOUL` (overline, double four), or how many threes there may be."""
    number_of_fours = 0
    threes = 0
    overline = False
    for d in range(4):
        line = _line(game, state, cell, d)
        length = _run(line)
        if length == 5:
            return _FIVE
        overline |= length > 5
        found = _fours(line)
        number_of_fours += found
        if found == 0 and _straight(line, 0) >= 0:
            threes += 1
    return _FOUL if overline or number_of_fours >= 2 else threes


def _run(line: Any) -> int:
    """The length of the row through the middle (up to 11)."""
    length = 1
    i = 6
    while i < 11 and (line >> np.uint64(i)) & _ONE != _ZERO:
        length += 1
        i += 1
    i = 4
    while i >= 0 and (line >> np.uint64(i)) & _ONE != _ZERO:
        length += 1
        i -= 1
    return length


def _fours(line: Any) -> int:
    """How many fours go through the middle of a line without a five."""
    ends = _ZERO
    for start in range(1, 6):
        missing = _missing(line, start, 5)
        if missing != _ZERO and not _black(line, start - 1):
            if not _black(line, start + 5):
                ends |= missing
    if ends & (ends >> np.uint64(5)) != _ZERO:
        return 1  # straight: the two ends of one four
    return popcount(ends)


def _straight(line: Any, skip: int) -> int:
    """A bit where one more stone makes a straight four, after `skip` others; or -1."""
    for start in range(2, 6):
        missing = _missing(line, start, 4)
        if (
            missing != _ZERO
            and _is_empty(line, start - 1)
            and _is_empty(line, start + 4)
            and not _black(line, start - 2)
            and not _black(line, start + 5)
        ):
            if skip == 0:
                return lowest(missing)
            skip -= 1
    return -1


def _missing(line: Any, start: int, length: int) -> Any:
    """The one cell to fill in a window, if it is empty and all others are black."""
    window = ((_ONE << np.uint64(length)) - _ONE) << np.uint64(start)
    missing = window & ~line
    if popcount(missing) == 1 and (line >> np.uint64(16)) & missing != _ZERO:
        return missing
    return _ZERO


def _black(line: Any, i: int) -> bool:
    return (line >> np.uint64(i)) & _ONE != _ZERO


def _is_empty(line: Any, i: int) -> bool:
    return _black(line, i + 16)


def _double_three(game: Any, state: State, cell: int) -> bool:
    """Whether the black stone just placed on `cell` makes two real threes.

    A depth-first search: `stack` holds, 16 bits each, the stones whose threes are not
    yet counted while the stone that would make one of them straight is judged.
    """
    stack = _ZERO
    depth = 0
    direction, tried, threes = 0, 0, 0
    while True:
        if threes < 2 and direction < 4:
            line = _line(game, state, cell, direction)
            bit = _straight(line, tried) if _fours(line) == 0 else -1
            if bit < 0:
                direction, tried = direction + 1, 0
                continue
            step = (bit - 5) * (DOWN[direction] * game.width + RIGHT[direction])
            _toggle(game, state, cell + step)
            judged = _judge(game, state, cell + step)
            if judged >= 2 and depth < DEPTH:
                frame = cell << 7 | direction << 5 | tried << 2 | threes
                stack = (stack << np.uint64(16)) | np.uint64(frame)
                depth += 1
                cell += step
                direction, tried, threes = 0, 0, 0
                continue
            _toggle(game, state, cell + step)
            real = judged >= 0
        else:
            if depth == 0:
                return threes >= 2
            real = threes < 2
            _toggle(game, state, cell)
            popped: Any = np.int64(stack & np.uint64(0xFFFF))
            stack >>= np.uint64(16)
            depth -= 1
            cell, direction = popped >> 7, (popped >> 5) & 3
            tried, threes = (popped >> 2) & 7, popped & 3
        if real:
            threes += 1
            direction, tried = direction + 1, 0
        else:
            tried += 1
