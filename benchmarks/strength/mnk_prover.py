"""A proof of whether the first player wins an m,n,k-game, by proof numbers.

The second player never wins with best play, as a stone more does no harm (strategy
stealing): whether the first player wins is all there is to know. It is proven by df-pn.
Each state has a number of states that must at least be shown to prove it, and one to
disprove it. The search goes where the smaller number is, depth first, as long as the
numbers stay below limits (Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its
Applications", 2002), which grow by a quarter more than they must (Pawlewicz and Lew,
"Improving Depth-First PN-Search: 1 + epsilon Trick", 2006).

The first player does not win where the lines that the other has not entered weigh less
than 1, or than 1/2 where he is to move; a line that lacks j stones weighs 2**-j (Erdos
and Selfridge, "On a Combinatorial Game", 1973).

A state and its mirrored and turned images are one entry of the table, by a hash of 62
bits. Of the four of a bucket a new one takes the place of that which took the least
effort.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numba import int64, njit

__all__ = ["Proof"]

_ZERO, _ONE = np.uint64(0), np.uint64(1)
#: The number of what cannot be proven, or disproven.
NEVER = 1 << 40
#: Of an entry of the table: key, both numbers, and the effort.
KEY, PROOF, DISPROOF, EFFORT = range(4)
BUCKET = 4
#: Who moves first; the other is 1.
FIRST = 0


class Proof:
    """Whether the first player wins, as far as it is proven.

    Args:
        board: rows, columns, and how many in a row win, at least 2.
        entries: of the table, their logarithm; each takes 32 bytes.

    Attributes:
        answer: None while it is unknown.
        states: how many were looked at.

    >>> proof = Proof((4, 4, 3))
    >>> proof.go_on(10_000)
    True
    """

    def __init__(self, board: tuple[int, int, int], entries: int = 22) -> None:
        rows, columns, length = board
        cells, words = rows * columns, images_of(rows, columns)
        self.answer: bool | None = None
        self.states = 0
        self._work = np.array([0, 0, length, cells])
        self._room = (
            lines_of(*board),
            words,
            np.full((1 << entries, 4), [-1, 1, 1, 0], np.int64),
            np.zeros((cells + 1, cells), np.int64),
            np.zeros((cells + 1, len(words)), np.uint64),
            np.zeros((cells + 1, cells, 2), np.int64),
            self._work,
        )

    def go_on(self, states: int) -> bool | None:
        """Look at so many more states; returns the answer.

        What the table has kept is not looked at again.
        """
        self._work[:2] = 0, states
        proof, disproof = search(_ZERO, _ZERO, 0, NEVER, NEVER, *self._room)
        self.states += int(self._work[0])
        if proof == 0 or disproof == 0:
            self.answer = bool(proof == 0)
        return self.answer


def lines_of(rows: int, columns: int, length: int) -> Any:
    """The bits of every line."""
    found = []
    for row, column in product(range(rows), range(columns)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last = row + down * (length - 1), column + right * (length - 1)
            if last[0] < rows and 0 <= last[1] < columns:
                places = range(length)
                bits = [(row + down * n) * columns + column + right * n for n in places]
                found.append(sum(1 << bit for bit in bits))
    return np.array(found, np.uint64)


def images_of(rows: int, columns: int) -> Any:
    """`[images, 2, cells]` random words of stones, as each symmetry moves them."""
    grid = np.arange(rows * columns).reshape(rows, columns)
    images = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
    if rows == columns:
        images += [image.T for image in images]
    words = np.random.default_rng(1).integers(1, 2**62, (2, grid.size), np.uint64)
    return np.array([words[:, image.ravel()] for image in images])


@njit(inline="always")  # type: ignore[untyped-decorator]
def count_ones(word: Any) -> int:
    word = word - ((word >> _ONE) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    word = (word & pairs) + ((word >> np.uint64(2)) & pairs)
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit  # type: ignore[untyped-decorator]
def decide(first: Any, second: Any, mover: int, lines: Any, length: int) -> Any:
    """1 if the first player wins, -1 if not, 0 if unknown; the cells to choose from.

    The cells are those that stop a line, or 0 where all are to choose from.
    """
    mine, theirs = (first, second) if mover == FIRST else (second, first)
    weight, wins, stops = 0, False, _ZERO
    for line in lines:
        own, other = line & mine, line & theirs
        if other == _ZERO:
            if count_ones(own) == length - 1:
                wins = True
        elif own == _ZERO and count_ones(other) == length - 1:
            stops |= line & ~other
        if line & second == _ZERO:
            weight += 1 << count_ones(line & first)
    if wins:
        return (1 if mover == FIRST else -1), stops
    if stops & (stops - _ONE) != _ZERO:
        return (-1 if mover == FIRST else 1), stops
    enough = 1 << (length - 1 if mover == FIRST else length)
    return (-1 if weight < enough else 0), stops


@njit  # type: ignore[untyped-decorator]
def find(table: Any, key: int) -> int:
    """Where the entry of a state is; where a new one goes, as `-1 - place`."""
    home = (key % (len(table) // BUCKET)) * BUCKET
    least = home
    for place in range(home, home + BUCKET):
        if table[place, KEY] == key:
            return place
        if table[place, EFFORT] < table[least, EFFORT]:
            least = place
    return -1 - least


@njit  # type: ignore[untyped-decorator]
def expand(
    first: Any,
    second: Any,
    depth: int,
    lines: Any,
    words: Any,
    table: Any,
    moves: Any,
    keys: Any,
    numbers: Any,
    work: Any,
) -> int:
    """Write the moves of a state and the numbers of what follows; how many they are."""
    mover, count = depth % 2, 0
    _, stops = decide(first, second, mover, lines, work[2])
    for action in range(work[3]):
        stone = _ONE << np.uint64(action)
        if (first | second) & stone != _ZERO or (
            stops != _ZERO and stops & stone == _ZERO
        ):
            continue
        work[0] += 1
        after = first | stone if mover == FIRST else first
        other = second if mover == FIRST else second | stone
        answer, _ = decide(after, other, 1 - mover, lines, work[2])
        if depth + 1 == work[3] and answer == 0:
            answer = -1
        proof, disproof = 1, 1
        if answer != 0:
            proof, disproof = (0, NEVER) if answer == 1 else (NEVER, 0)
        else:
            key = ~_ZERO
            for image in range(len(words)):
                key = min(key, keys[depth, image] ^ words[image, mover, action])
            place = find(table, int64(key))
            if place >= 0:
                proof, disproof = table[place, PROOF], table[place, DISPROOF]
        moves[depth, count] = action
        numbers[depth, count, 0], numbers[depth, count, 1] = proof, disproof
        count += 1
    return count


@njit  # type: ignore[untyped-decorator]
def key_of(keys: Any, depth: int) -> int:
    key = keys[depth, 0]
    for image in range(1, keys.shape[1]):
        key = min(key, keys[depth, image])
    return int64(key)


@njit  # type: ignore[untyped-decorator]
def keep(table: Any, key: int, proof: int, disproof: int, effort: int) -> None:
    place = find(table, key)
    if place < 0:
        place = -1 - place
        table[place, KEY], table[place, EFFORT] = key, 0
    table[place, PROOF], table[place, DISPROOF] = proof, disproof
    table[place, EFFORT] += effort


@njit(  # type: ignore[untyped-decorator]
    "UniTuple(int64, 2)(uint64, uint64, int64, int64, int64, uint64[::1], "
    "uint64[:, :, ::1], int64[:, ::1], int64[:, ::1], uint64[:, ::1], "
    "int64[:, :, ::1], int64[::1])"
)
def search(
    first: Any,
    second: Any,
    depth: int,
    proof_limit: int,
    disproof_limit: int,
    lines: Any,
    words: Any,
    table: Any,
    moves: Any,
    keys: Any,
    numbers: Any,
    work: Any,
) -> tuple[int, int]:
    """The numbers of a state that is not decided, once one of them is at its limit."""
    mover, before = depth % 2, work[0]
    count = expand(
        first, second, depth, lines, words, table, moves, keys, numbers, work
    )
    # What is the least of the moves' numbers for who moves, and what is summed up.
    least, summed = (0, 1) if mover == FIRST else (1, 0)
    least_limit, sum_limit = (
        (proof_limit, disproof_limit)
        if mover == FIRST
        else (disproof_limit, proof_limit)
    )
    while True:
        best, next_best, chosen, total = NEVER, NEVER, -1, 0
        for index in range(count):
            number = numbers[depth, index, least]
            total += numbers[depth, index, summed]
            if number < best:
                best, next_best, chosen = number, best, index
            elif number < next_best:
                next_best = number
        total = min(total, NEVER - 1)  # however many: it is not known to be so
        if best == 0:
            total = NEVER
        if best >= NEVER:
            total = 0
        if best >= least_limit or total >= sum_limit or work[0] >= work[1]:
            proof, disproof = (best, total) if mover == FIRST else (total, best)
            keep(table, key_of(keys, depth), proof, disproof, work[0] - before)
            return proof, disproof
        own_limit = min(least_limit, next_best + next_best // 4 + 1)
        other_limit = sum_limit - total + numbers[depth, chosen, summed]
        action = moves[depth, chosen]
        stone = _ONE << np.uint64(action)
        for image in range(len(words)):
            keys[depth + 1, image] = keys[depth, image] ^ words[image, mover, action]
        found = search(
            first | stone if mover == FIRST else first,
            second if mover == FIRST else second | stone,
            depth + 1,
            own_limit if mover == FIRST else other_limit,
            other_limit if mover == FIRST else own_limit,
            lines, words, table, moves, keys, numbers, work,
        )  # fmt: skip
        numbers[depth, chosen, 0], numbers[depth, chosen, 1] = found
