"""A fast exact search of Connect Four's usual board, to make the opening book with.

It asks what `games/connect_four/exact.py` asks (whether the player to move wins, or at
least draws) and decides without a search where that does, but knows one board only and
has a table of gigabytes. A move is tried earlier the more threats it makes, and the
more often a stone on its cell was the answer before (the history heuristic: Schaeffer,
"The History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989).

Bits are as drawn in `games/connect_four/rules.py`. An entry of the table is a `uint64`:

| bits     | meaning                                                       |
|----------|---------------------------------------------------------------|
| 0 to 48  | the key: `mine + occupied + bottom`, or its mirror image      |
| 49, 50   | whether it is known that the mover wins; 1 if he does         |
| 51, 52   | whether it is known that he at least draws; 1 if he does      |
| 53 to 58 | the effort: the logarithm of the positions looked at          |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, njit, uint64

__all__ = [
    "BOTTOM",
    "CELLS",
    "HEIGHT",
    "NO",
    "UNKNOWN",
    "YES",
    "ask",
    "completing",
    "key_of",
    "new_history",
    "new_table",
]

NO, YES, UNKNOWN = 0, 1, 2
HEIGHT = 7

_U = np.uint64
_ZERO, _ONE, _TWO, _THREE = (_U(n) for n in range(4))
_BOTTOM = sum(1 << HEIGHT * column for column in range(7))
_UPPER = _BOTTOM * 0b101010
BOTTOM, CELLS, UPPER = _U(_BOTTOM), _U(_BOTTOM * 63), _U(_UPPER)
COLUMN = _U(127)
KEY = _U((1 << 49) - 1)
#: Positions of at most so many stones are the same as their mirror images.
MIRRORED = 12
#: Threats that a move makes count so much more than its history.
THREAT = 1 << 16


def new_table(logarithm: int) -> Any:
    """An empty table of so many entries, in buckets of two."""
    return np.zeros(1 << logarithm, dtype=np.uint64)


def new_history() -> Any:
    """`[4 * 64]` how good a stone is: by player, question and bit; central at first."""
    history = np.zeros((4, 64), dtype=np.int64)
    for column in range(7):
        for row in range(6):
            worth = 300 * min(column, 6 - column) + 200 * min(row, 5 - row)
            history[:, HEIGHT * column + row] = worth
    return history.reshape(-1)


@njit(inline="always")  # type: ignore[untyped-decorator]
def count_ones(word: Any) -> int:
    word = word - ((word >> _ONE) & _U(0x5555555555555555))
    word = (word & _U(0x3333333333333333)) + ((word >> _TWO) & _U(0x3333333333333333))
    word = (word + (word >> _U(4))) & _U(0x0F0F0F0F0F0F0F0F)
    return int64((word * _U(0x0101010101010101)) >> _U(56))


@njit(inline="always")  # type: ignore[untyped-decorator]
def has_line(stones: Any) -> bool:
    pairs = stones & (stones >> _ONE)
    found = pairs & (pairs >> _TWO)
    for step in (_U(6), _U(7), _U(8)):
        pairs = stones & (stones >> step)
        found |= pairs & (pairs >> (step + step))
    return found != _ZERO


@njit(inline="always")  # type: ignore[untyped-decorator]
def gaps(stones: Any, step: Any) -> Any:
    """The bits that complete a line of a direction, of which any one may be missing."""
    one, two = stones >> step, stones >> (step + step)
    back, far = stones << step, stones << (step + step)
    after = one & two & ((stones >> (step + step + step)) | back)
    return after | (back & far & ((stones << (step + step + step)) | one))


@njit(inline="always")  # type: ignore[untyped-decorator]
def completing(stones: Any) -> Any:
    """The bits that would complete a line, be they free or not, cells or not."""
    upright = (stones << _ONE) & (stones << _TWO) & (stones << _THREE)
    return upright | gaps(stones, _U(6)) | gaps(stones, _U(7)) | gaps(stones, _U(8))


@njit(inline="always")  # type: ignore[untyped-decorator]
def mirrored(key: Any) -> Any:
    found = _ZERO
    for n in range(7):
        found = (found << _U(7)) | ((key >> _U(7 * n)) & COLUMN)
    return found


@njit  # type: ignore[untyped-decorator]
def key_of(mine: Any, occupied: Any, plies: int) -> Any:
    """What tells a position from others, and early not from its mirror image."""
    key = mine + occupied + BOTTOM
    if plies <= MIRRORED:
        other = mirrored(key)
        if other < key:
            key = other
    return key


@njit(inline="always")  # type: ignore[untyped-decorator]
def bucket_of(table: Any, key: Any) -> int:
    key ^= key >> _U(32)
    key *= _U(0xD6E8FEB86659FD93)
    key ^= key >> _U(32)
    return 2 * int64(key & _U(len(table) // 2 - 1))


@njit(inline="always")  # type: ignore[untyped-decorator]
def recall(table: Any, key: Any, wanted: int) -> int:
    """What is known of a position."""
    bucket = bucket_of(table, key)
    for n in range(2):
        entry = table[bucket + n]
        if entry & KEY == key:
            bits = int64(entry >> _U(49)) & 15
            if wanted == 1:
                if bits & 1:
                    return bits >> 1 & 1
                if bits & 12 == 4:
                    return NO
            else:
                if bits & 4:
                    return bits >> 3 & 1
                if bits & 3 == 3:
                    return YES
    return UNKNOWN


@njit(inline="always")  # type: ignore[untyped-decorator]
def remember(table: Any, key: Any, wanted: int, answer: int, effort: int) -> None:
    """Write an answer; of a bucket the first entry is the one of more effort."""
    logarithm = 0
    while effort > 0 and logarithm < 63:
        effort >>= 1
        logarithm += 1
    bits = (1 | answer << 1) << (2 - 2 * wanted)
    bucket = bucket_of(table, key)
    for n in range(2):
        entry = table[bucket + n]
        if entry & KEY == key:
            before = int64(entry >> _U(53))
            bits |= int64(entry >> _U(49)) & 15
            word = _U(max(before, logarithm)) << _U(4) | _U(bits)
            table[bucket + n] = key | word << _U(49)
            return
    if logarithm >= int64(table[bucket] >> _U(53)):
        table[bucket + 1] = table[bucket]
    else:
        bucket += 1
    table[bucket] = key | (_U(logarithm) << _U(4) | _U(bits)) << _U(49)


@njit  # type: ignore[untyped-decorator]
def decide(mine: Any, occupied: Any, wanted: int) -> tuple[int, Any]:
    """The answer where no search is needed; else the moves that do not lose at once.

    See `games/connect_four/exact.py` for the reasons.
    """
    empty = CELLS & ~occupied
    theirs = occupied & ~mine
    landing = (occupied + BOTTOM) & empty
    threats = completing(theirs) & empty
    moves = landing & ~(threats >> _ONE)
    forced = landing & threats
    if forced != _ZERO:
        moves &= forced
        if forced & (forced - _ONE) != _ZERO:
            return NO, moves
    if moves == _ZERO:
        return NO if landing != _ZERO or wanted == 1 else YES, moves
    if wanted == 1:
        if not has_line(mine | empty):
            return NO, moves
    elif not has_line(theirs | empty):
        return YES, moves
    if landing & UPPER == _ZERO and not has_line(mine | (empty & ~UPPER)):
        if wanted == 1 or has_line(theirs | (empty & UPPER)):
            return NO, moves
    return UNKNOWN, moves


@njit  # type: ignore[untyped-decorator]
def sort_moves(
    moves: Any, mine: Any, empty: Any, history: Any, kind: int, sorting: Any, first: int
) -> int:
    """Write some moves to `sorting` from a place on, the best first; how many they are.

    An entry is a move's worth and its bit, so that a number is all that is moved.
    """
    count = 0
    while moves != _ZERO:
        stone = moves & (_ZERO - moves)
        moves ^= stone
        bit = count_ones(stone - _ONE)
        made = count_ones(completing(mine | stone) & empty & ~stone)
        entry = (THREAT * made + history[kind + bit]) << 6 | bit
        place = first + count
        while place > first and sorting[place - 1] < entry:
            sorting[place] = sorting[place - 1]
            place -= 1
        sorting[place] = entry
        count += 1
    return count


@njit  # type: ignore[untyped-decorator]
def reward(history: Any, kind: int, sorting: Any, first: int, answer: int) -> None:
    """Note that a move was the answer, and those before it were not."""
    if answer > 0:
        good = kind + (sorting[first + answer] & 63)
        history[good] = min(history[good] + answer, THREAT - 1)
        for n in range(answer):
            bad = kind + (sorting[first + n] & 63)
            history[bad] = max(history[bad] - 1, 0)


@njit(  # type: ignore[untyped-decorator]
    int64(
        uint64, uint64, int64, int64,
        uint64[::1], int64[::1], int64[::1], int64[::1],
    )
)  # fmt: skip
def ask(
    mine: Any,
    occupied: Any,
    plies: int,
    wanted: int,
    table: Any,
    history: Any,
    sorting: Any,
    effort: Any,
) -> int:
    """Whether the player to move, who cannot win at once, reaches a result.

    Args:
        mine: the stones of the player to move.
        occupied: both players' stones.
        plies: how many they are.
        wanted: 1 for a win, 0 for a draw at least.
        table: what is known; modified in place.
        history: as `new_history` makes it; modified in place.
        sorting: `[7 * 42]` numbers, seven a ply, to sort moves in.
        effort: `[2]` the positions looked at so far, and at most; the first is modified
            in place.
    """
    answer, moves = decide(mine, occupied, wanted)
    if answer != UNKNOWN:
        return answer
    theirs = occupied & ~mine
    if moves & (moves - _ONE) == _ZERO:  # its answer is the next position's
        answer = ask(
            theirs, occupied | moves, plies + 1, 1 - wanted,
            table, history, sorting, effort,
        )  # fmt: skip
        return answer if answer == UNKNOWN else 1 - answer
    key = key_of(mine, occupied, plies)
    answer = recall(table, key, wanted)
    if answer != UNKNOWN:
        return answer
    if effort[0] >= effort[1]:
        return UNKNOWN
    before = effort[0]
    effort[0] += 1
    kind = 64 * (2 * (plies & 1) + wanted)
    first = 7 * plies
    count = sort_moves(moves, mine, CELLS & ~occupied, history, kind, sorting, first)
    answer = NO
    for n in range(count):
        reply = ask(
            theirs, occupied | _ONE << _U(sorting[first + n] & 63), plies + 1,
            1 - wanted,
            table, history, sorting, effort,
        )  # fmt: skip
        if reply == UNKNOWN:
            return UNKNOWN
        if reply == NO:
            reward(history, kind, sorting, first, n)
            answer = YES
            break
    remember(table, key, wanted, answer, effort[0] - before)
    return answer
