"""Positions of Connect Four and what they are worth, exactly, for a network.

Positions come from random games: in some every move is drawn, in others most of those
that lose at once are not. Two sorts of them are written, each to files of its own:

- `moves`: what every legal move is worth, by PyPI's `bitbully`, which has a book of
  the first twelve plies.
- `proofs`: positions that had to be looked at to prove what such positions are worth,
  from the table of `connect_four_prover.py`. Of most of them one thing is known alone:
  whether the player to move wins, or whether he at least draws.

The positions of `connect_four.py` and their mirror images are left out, and so is what
one move makes of them. A file is added to the directory every `--chunk` seconds.

    pip install bitbully bitbully-databases
    python benchmarks/strength/connect_four_labels.py moves DIR --plies 9-11
    python benchmarks/strength/connect_four_labels.py proofs DIR --plies 11-15

`connect_four_network.py` learns from them.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from connect_four_prover import (
    BOTTOM,
    CELLS,
    HEIGHT,
    NO,
    UNKNOWN,
    YES,
    ask,
    completing,
    count_ones,
    new_history,
    new_table,
)
from numba import njit
from numpy.typing import NDArray

Array = NDArray[Any]
_U, _ZERO, _ONE = np.uint64, np.uint64(0), np.uint64(1)
COLUMN = _U((1 << HEIGHT) - 1)
#: Of all games a quarter each: the share of moves that are drawn from all legal ones,
#: not from those that neither lose at once nor leave a line of the other side open.
CARELESS = (0.0, 0.1, 0.3, 1.0)
#: In place of a worth: the column is full.
FULL = 2
#: Of positions in the prover's table: the least effort (its logarithm), of which plies
#: (the last one no longer), and how many of each are kept of a table.
LEAST_EFFORT, PLIES, MOST_OF_A_PLY = 3, (12, 23), 30_000
#: Entries of that table (its logarithm), and positions looked at for one question.
ENTRIES, EFFORT = 24, 3_000_000
#: Of random games; few are longer than that.
MOST_PLIES = 30
FILE = Path(__file__).parent / "data" / "connect_four_kept.txt"


# -- random games ----------------------------------------------------------------------


@njit  # type: ignore[untyped-decorator]
def draw(plies: int, careless: float, moves: Any) -> bool:
    """Write the columns of a random game; False if it ended, or the next move wins."""
    mine = occupied = _ZERO
    for ply in range(plies + 1):
        empty = CELLS & ~occupied
        landing = (occupied + BOTTOM) & empty
        if landing == _ZERO or completing(mine) & landing != _ZERO:
            return False
        if ply < plies:
            theirs = occupied & ~mine
            stones = landing
            if np.random.random() >= careless:
                threats = completing(theirs) & empty
                if threats & landing != _ZERO:
                    stones = threats & landing
                elif landing & ~(threats >> _ONE) != _ZERO:
                    stones = landing & ~(threats >> _ONE)
            for _ in range(np.random.randint(count_ones(stones))):
                stones &= stones - _ONE
            stone = stones & (_ZERO - stones)
            moves[ply] = count_ones(stone - _ONE) // HEIGHT
            mine, occupied = theirs, occupied | stone
    return True


@njit  # type: ignore[untyped-decorator]
def seed_draws(seed: int) -> None:
    np.random.seed(seed)


def games(
    given: argparse.Namespace, until: Chunks
) -> Iterator[tuple[list[int], tuple[int, int]]]:
    """The moves of random games, and the stones, until the time is up.

    No position comes twice, nor one that is held back.
    """
    rng, seen = random.Random(given.seed), held_back()
    seed_draws(given.seed)
    room = np.zeros(42, np.int64)
    while not until.over:
        until.look()
        plies = rng.randint(*given.plies)
        if draw(plies, rng.choice(CARELESS), room):
            moves = room[:plies].tolist()
            stones = stones_after(moves)
            if stones not in seen:
                seen.add(stones)
                yield moves, stones


def stones_after(moves: list[int]) -> tuple[int, int]:
    """The stones of the player to move, and those of both."""
    mine = occupied = 0
    for move in moves:
        column = int(COLUMN) << HEIGHT * move
        stone = (occupied + int(BOTTOM)) & column & int(CELLS)
        mine, occupied = occupied & ~mine, occupied | stone
    return mine, occupied


def held_back() -> set[tuple[int, int]]:
    """The positions of `connect_four.py`, mirrored ones, and all that follow these."""
    found = set()
    for line in FILE.read_text().splitlines():
        played = [int(each) - 1 for each in line.split()[0]]
        for moves in (played, [6 - each for each in played]):
            found.add(stones_after(moves))
            found |= {stones_after([*moves, more]) for more in range(7)}
    return found


# -- what they are worth ---------------------------------------------------------------


def write_moves(given: argparse.Namespace) -> None:
    """Files of `stones` [N, 2] and `worth` [N, 7]: -1, 0, 1, or `FULL`."""
    bitbully = importlib.import_module("bitbully")
    solver, until = bitbully.BitBully(), Chunks(given)
    stones: list[tuple[int, int]] = []
    worth: list[list[int]] = []

    def write() -> None:
        until.write(stones=np.array(stones, np.uint64), worth=np.array(worth, np.int8))
        stones.clear()
        worth.clear()

    for moves, found in games(given, until):
        scores = solver.score_all_moves(bitbully.Board(moves))
        row = [FULL] * 7
        for column, score in scores.items():
            row[column] = (score > 0) - (score < 0)
        stones.append(found)
        worth.append(row)
        if until.one_ends:
            write()
    if stones:
        write()


def write_proofs(given: argparse.Namespace) -> None:
    """Files of `stones` [N, 2] and `known` [N, 2].

    That is whether the player to move wins, and whether he at least draws: `NO`, `YES`
    or `UNKNOWN`.
    """
    table, history = new_table(ENTRIES), new_history()
    sorting, effort = np.zeros(7 * 42, np.int64), np.array([0, EFFORT])
    room = np.zeros((len(table) // 4, 2), np.uint64)
    known = np.zeros((len(room), 2), np.int8)
    rng, until = np.random.default_rng(given.seed), Chunks(given)
    left_out = keys_of(np.array(sorted(held_back()), np.uint64))

    def write() -> None:
        count = harvest(table, room, known)
        plies = np.bitwise_count(room[:count, 1])
        parts = [np.flatnonzero(plies == each) for each in range(*PLIES)]
        kept = [rng.permutation(each)[:MOST_OF_A_PLY] for each in parts]
        chosen = np.concatenate(kept)
        chosen = chosen[~np.isin(keys_of(room[chosen]), left_out)]
        until.write(stones=room[chosen], known=known[chosen])
        table[:] = 0

    for moves, (mine, occupied) in games(given, until):
        prove_moves(mine, occupied, len(moves), table, history, sorting, effort)
        if until.one_ends:
            write()
    if table.any():
        write()


def keys_of(stones: Array) -> Array:
    """A number for each position, as `connect_four_prover` has it."""
    return stones[:, 0] + stones[:, 1] + BOTTOM


def prove_moves(mine: int, occupied: int, plies: int, table: Any, *room: Any) -> None:
    """Have the prover ask what follows each move of a position is worth."""
    effort = room[-1]
    for column in range(7):
        stone = (occupied + int(BOTTOM)) & int(COLUMN) << HEIGHT * column & int(CELLS)
        theirs, after = _U(occupied & ~mine), _U(occupied | stone)
        landing = (after + BOTTOM) & CELLS & ~after
        if stone and completing(theirs) & landing == _ZERO:
            for wanted in (1, 0):
                effort[0] = 0
                if ask(theirs, after, plies + 1, wanted, table, *room) == YES:
                    break


@njit  # type: ignore[untyped-decorator]
def harvest(table: Any, stones: Any, known: Any) -> int:
    """Write what a table knows of positions of `PLIES`; returns of how many."""
    count = 0
    for entry in table:
        if entry >> _U(53) < LEAST_EFFORT or count == len(stones):
            continue
        mine = occupied = _ZERO
        for column in range(7):  # a column of the key: `mine`, and one above the stones
            bits = entry >> _U(HEIGHT * column) & COLUMN
            top = _ONE
            while top << _ONE <= bits:
                top <<= _ONE
            mine |= (bits - top) << _U(HEIGHT * column)
            occupied |= (top - _ONE) << _U(HEIGHT * column)
        if PLIES[0] <= count_ones(occupied) < PLIES[1]:
            bits = entry >> _U(49)
            stones[count, 0], stones[count, 1] = mine, occupied
            for wanted in range(2):
                answer = bits >> _U(2 - 2 * wanted)
                known[count, 1 - wanted] = UNKNOWN
                if answer & _ONE != _ZERO:
                    known[count, 1 - wanted] = YES if answer & _U(2) != _ZERO else NO
            if known[count, 0] == YES:
                known[count, 1] = YES
            if known[count, 1] == NO:
                known[count, 0] = NO
            count += 1
    return count


class Chunks:
    """When files are to be written, and to where.

    Args:
        given: of the command line.

    Attributes:
        one_ends: whether a file is to be written now.
        over: whether it is the last one.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        self.given, self.number = given, 0
        self.one_ends = self.over = False
        self.began = self.last = time.monotonic()

    def look(self) -> None:
        """See how late it is."""
        now = time.monotonic()
        self.over = now > self.began + self.given.seconds
        self.one_ends = self.over or now > self.last + self.given.chunk

    def write(self, **columns: Array) -> None:
        """Write a file of its own: none that is there is written over."""
        first, last = self.given.plies
        while True:
            name = f"{self.given.sort}-{first}-{last}-{self.given.seed}-{self.number}"
            file = self.given.directory / f"{name}.npz"
            self.number += 1
            if not file.exists():
                break
        with file.with_suffix(".part").open("wb") as out:
            np.savez_compressed(out, **columns)
        file.with_suffix(".part").rename(file)
        print(f"{file}: {len(columns['stones']):,}", flush=True)
        self.last, self.one_ends = time.monotonic(), False


def plies(text: str) -> tuple[int, int]:
    """The first and the last number of plies of `9-11`, or of `9`."""
    first, _, last = text.partition("-")
    found = int(first), int(last or first)
    if not 0 <= found[0] <= found[1] <= MOST_PLIES:
        raise argparse.ArgumentTypeError(f"{text} is not within 0-{MOST_PLIES}")
    return found


def seconds(text: str) -> float:
    """A number of seconds."""
    if not (found := float(text)) > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    sorts = {"moves": write_moves, "proofs": write_proofs}
    parser.add_argument("sort", choices=sorts)
    parser.add_argument("directory", type=Path)
    most = f"of the random games, first and last, {MOST_PLIES} at most; 9-11 by default"
    parser.add_argument("--plies", type=plies, default=(9, 11), help=most)
    parser.add_argument("--seconds", type=seconds, default=300, help="300 by default")
    parser.add_argument("--chunk", type=seconds, default=60, help="seconds of a file")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    try:
        given.directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{given.directory}: {error.strerror}")
    sorts[given.sort](given)


if __name__ == "__main__":
    main()
