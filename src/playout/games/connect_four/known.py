"""What an exact search of Connect Four knows: a table of positions.

A position has a bucket of two entries: the first keeps what took more effort, the other
what came last. An entry is a `uint64`, and about one question:

| bits     | meaning                                                                   |
|----------|---------------------------------------------------------------------------|
| 0 and 1  | the answer: 1 no, 2 yes, 0 unknown                                        |
| 2        | the question: 1 whether the mover wins, 0 whether he at least draws       |
| 4 to 7   | the effort: the logarithm of the positions looked at                      |
| 8 to 11  | where it is unknown: one more than the plies to the horizon               |
| 12 to 63 | of a hash; the bucket says the rest                                       |

On boards of one word the hash is one to one. On larger ones bucket and entry take
different hashes, together of 52 bits and the bucket's.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.jit.bits import highest
from ...core.jit.hashing import mix
from ...core.jit.wide import count_ones, word_of
from .lines import column_bits, without_gaps

__all__ = ["ENTRIES", "FARTHEST", "place_of", "recall", "remember", "signed"]

#: A power of two of at least 8192, so that a bucket's number has 12 bits or more.
ENTRIES = 2**20
#: The farthest horizon that is noted, in plies.
FARTHEST = 14
#: Positions of at most so many stones are the same as their mirror images.
MIRRORED = 10
#: The logarithm of the highest effort.
_MOST_EFFORT = 15

_BUCKETS = np.uint64(ENTRIES // 2 - 1)
_ANSWER, _EFFORT, _PLIES = np.uint64(3), np.uint64(0xF0), np.uint64(0xF00)
_CHECK = np.uint64(2**64 - 4096)
_SAME = np.uint64(2**64 - 4096 + 4)  # the hash and the question
_OTHER = np.uint64(0x9E3779B97F4A7C15)


def recall(table: Any, place: tuple[int, Any], wanted: int, plies: int) -> int:
    """Whether the mover reaches what is wanted: 1 yes, 0 no.

    3 where it was not found within as many plies; 2 where nothing is known.

    Args:
        table: of positions.
        place: of this one, see `place_of`.
        wanted: the question.
        plies: to the horizon.
    """
    bucket, check = place
    check |= np.uint64(4 * wanted)
    for n in range(2):
        entry = table[bucket + n]
        if entry & _SAME == check:
            answer = signed(entry & _ANSWER)
            if answer != 0:
                return answer - 1
            if signed((entry & _PLIES) >> np.uint64(8)) > plies:
                return 3
    return 2


def remember(
    table: Any,
    place: tuple[int, Any],
    asked: tuple[int, int],
    answer: int,
    nodes: int,
) -> None:
    """Write what was found. The table is modified in place.

    Args:
        table: of positions.
        place: of this one, see `place_of`.
        asked: what was wanted, and the plies to the horizon.
        answer: 1 yes, 0 no, 3 unknown.
        nodes: how many positions were looked at.
    """
    wanted, plies = asked
    bucket, check = place
    check |= np.uint64(4 * wanted)
    effort = np.uint64(min(_MOST_EFFORT, highest(np.uint64(nodes)) + 1) << 4)
    entry = check | effort
    if answer <= 1:
        entry |= np.uint64(answer + 1)
    else:
        entry |= np.uint64((min(plies, FARTHEST) + 1) << 8)
    first = table[bucket]
    if first & _SAME == check:
        table[bucket] = entry
    elif effort >= first & _EFFORT:
        table[bucket + 1] = first
        table[bucket] = entry
    else:
        table[bucket + 1] = entry


def place_of(game: Any, table: Any, mine: Any, occupied: Any) -> tuple[int, Any]:
    """The first word of a position's bucket, and the check bits of its entry."""
    key = mine + occupied + without_gaps(game, game.bottom)
    if count_ones(occupied) <= MIRRORED and is_even(game):
        key = smaller(game, key, mirrored(game, key))
    start = len(table) - ENTRIES
    first = mix(word_of(key, 0))
    if game.words == 1:
        return start + 2 * signed(first & _BUCKETS), first & _CHECK
    second = mix(word_of(key, 0) + _OTHER)
    for n in range(1, game.words):
        first = mix(first ^ word_of(key, n))
        second = mix(second + word_of(key, n))
    return start + 2 * signed(second & _BUCKETS), first & _CHECK


def signed(word: Any) -> Any:
    """A small word as a number that may meet negative ones."""
    return np.int64(word)


def is_even(game: Any) -> bool:
    """Whether the empty board is its own mirror image."""
    return game.forbidden[0] < 0 or 2 * game.forbidden[1] == game.columns - 1


def mirrored(game: Any, board: Any) -> Any:
    """The board with its columns in the opposite order."""
    column = column_bits(game, 0)
    found = board ^ board
    for n in range(game.columns):
        found = found << game.height | (board >> n * game.height & column)
    return found


def smaller(game: Any, one: Any, other: Any) -> Any:
    """One of two boards, whichever comes first."""
    for n in range(game.words):
        if word_of(one, n) != word_of(other, n):
            return one if word_of(one, n) < word_of(other, n) else other
    return one
