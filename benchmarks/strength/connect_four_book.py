"""Makes the opening book of Connect Four, by exact searches of its own.

`prove` finds, for one player at a time, a move that keeps the result in every position
of the first plies in which that player plays the book's moves and the other plays
anything. Every answer goes to a file with the processor time that it took; a second
call goes on where the first one ended. `write` makes the book of what is proven by
then, and says how long it took in all. It needs 1 GB of memory.

    python benchmarks/strength/connect_four_book.py prove first --out answers.txt
    python benchmarks/strength/connect_four_book.py prove second --out answers.txt
    python benchmarks/strength/connect_four_book.py write --out answers.txt

The first player is to win, from the empty board. The second player is to win after the
outer two columns, to draw at least after the ones beside the centre, and is lost after
the centre, for which there is nothing in the book. What is to be shown is known from
the literature (see `docs/games/connect-four.md`), but it is shown here: an answer that
is not as expected ends the script.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

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
    key_of,
    new_history,
    new_table,
    remember,
)

from playout import MCTS, ConnectFour, Limit, Position
from playout.games.connect_four.book import FILE, packed

#: The last ply with a move of the book, of the first and of the second player.
LAST_PLIES = 10, 9
#: From this ply on moves are first tried with so many positions each.
TRIED_FROM, TRIES = 6, (20_000, 300_000)
#: Simulations of the search in whose order moves are tried.
SIMULATIONS = 5000
#: So many, to see whether a draw can be won.
LUCK = 300_000
WIN, DRAW = 1, 0
NAMES = {YES: "yes", NO: "no"}


class Place(NamedTuple):
    """A position: the stones of the player to move, and all stones."""

    mine: int = 0
    occupied: int = 0

    @property
    def plies(self) -> int:
        return self.occupied.bit_count()

    @property
    def key(self) -> int:
        return int(key_of(np.uint64(self.mine), np.uint64(self.occupied), self.plies))

    def landing(self) -> int:
        return (self.occupied + int(BOTTOM)) & int(CELLS)

    def wins(self) -> int:
        """The cells where the player to move completes a line."""
        return int(completing(np.uint64(self.mine))) & self.landing()

    def moves(self) -> list[int]:
        """The columns that are not full, from the centre outwards."""
        return [c for c in (3, 2, 4, 1, 5, 0, 6) if self.landing() >> 7 * c & 127]

    def text(self) -> str:
        """As `ConnectFour.state_to_text` writes it."""
        mover = self.plies % 2
        marks = {self.mine: "XO"[mover], self.occupied ^ self.mine: "OX"[mover]}
        rows = [
            "".join(
                next((m for s, m in marks.items() if s >> HEIGHT * c + row & 1), ".")
                for c in range(7)
            )
            for row in range(5, -1, -1)
        ]
        return f"{'/'.join(rows)} {'XO'[mover]}"

    def play(self, column: int) -> Place:
        stone = self.landing() & 127 << HEIGHT * column
        return Place(self.occupied & ~self.mine, self.occupied | stone)


class Prover:
    """Answers questions for one of the players, and writes the answers to a file.

    Args:
        hero: 0 or 1, the player whose moves are looked for.
        path: answers; made, or gone on with.
        logarithm: of the table's entries.
    """

    def __init__(self, hero: int, path: Path, logarithm: int) -> None:
        self.hero, self.path, self.last_ply = hero, path, LAST_PLIES[hero]
        self.table, self.history = new_table(logarithm), new_history()
        self.sorting = np.zeros(7 * 42, dtype=np.int64)
        self.effort = np.zeros(2, dtype=np.int64)
        self.search = MCTS(ConnectFour(), seed=1)
        self.known: dict[tuple[int, int], int] = {}
        self.began = time.process_time()
        for key, wanted, answer in read(path):
            self.known[key, wanted] = answer
            remember(self.table, np.uint64(key), wanted, answer, 1 << 50)

    def note(self, place: Place, wanted: int, answer: int) -> int:
        self.known[place.key, wanted] = answer
        now = time.process_time()
        with self.path.open("a") as file:
            file.write(f"{place.key} {wanted} {NAMES[answer]} {now - self.began:.3f}\n")
        self.began = now
        return answer

    def recall(self, place: Place, wanted: int) -> int:
        if place.wins():
            return YES
        return self.known.get((place.key, wanted), UNKNOWN)

    def attempt(self, place: Place, wanted: int, nodes: int) -> int:
        """The answer, or `UNKNOWN` after so many positions."""
        answer = self.recall(place, wanted)
        if answer != UNKNOWN:
            return answer
        self.effort[:] = 0, nodes
        answer = ask(
            np.uint64(place.mine), np.uint64(place.occupied), place.plies, wanted,
            self.table, self.history, self.sorting, self.effort,
        )  # fmt: skip
        return answer if answer == UNKNOWN else self.note(place, wanted, answer)

    def answer(self, place: Place, wanted: int) -> int:
        """The answer, however long it takes."""
        answer = self.recall(place, wanted)
        if answer != UNKNOWN:
            return answer
        if place.plies >= self.last_ply and place.plies % 2 != self.hero:
            return self.attempt(place, wanted, 1 << 60)
        heros, against = place.plies % 2 == self.hero, 1 - wanted
        nexts = {place.play(column).key: column for column in place.moves()}
        columns = list(nexts.values())
        if heros and place.plies >= TRIED_FROM:
            for nodes in TRIES:
                for column in columns:
                    if self.attempt(place.play(column), against, nodes) == NO:
                        return self.note(place, wanted, YES)
        columns = [c for c in self.sorted_moves(place) if c in columns]
        if any(self.answer(place.play(c), against) == NO for c in columns):
            return self.note(place, wanted, YES)
        return self.note(place, wanted, NO)

    def sorted_moves(self, place: Place) -> list[int]:
        """The columns that are not full, those that the search likes first."""
        self.search.reset(seed=1)
        position = Position(ConnectFour(), place.text())
        result = self.search.search(position, Limit(simulations=SIMULATIONS))
        visits = {row.action: row.visits for row in result.actions}
        first = [result.action]
        others = [column for column in place.moves() if column != result.action]
        return first + sorted(others, key=lambda column: -visits.get(column, 0))

    def walk(
        self, place: Place, wanted: int, found: dict[int, tuple[int, int]]
    ) -> None:
        """Find a move that keeps the result, here and in all that can follow.

        Args:
            place: with the hero to move.
            wanted: what is to be shown.
            found: by the key the column, on the board that has it, and what it keeps;
                modified in place.
        """
        if place.plies > self.last_ply or place.wins():
            return
        if found.get(place.key, (0, -1))[1] >= wanted:
            return
        if wanted == DRAW and self.attempt(place, WIN, LUCK) == YES:
            wanted = WIN
        if self.answer(place, wanted) != YES:
            raise SystemExit(f"not as expected: {place}, {wanted}")
        column = self.choose(place, wanted)
        found[place.key] = (mirror_column(place, column), wanted)
        after = place.play(column)
        for reply in after.moves():
            self.walk(after.play(reply), wanted, found)

    def choose(self, place: Place, wanted: int) -> int:
        """A column that keeps the result."""
        columns = place.moves()
        for column in columns:
            if self.recall(place.play(column), 1 - wanted) == NO:
                return column
        for nodes in TRIES:
            for column in columns:
                if self.attempt(place.play(column), 1 - wanted, nodes) == NO:
                    return column
        return next(
            column
            for column in self.sorted_moves(place)
            if self.answer(place.play(column), 1 - wanted) == NO
        )


class Reader(Prover):
    """Has the answers of a file, and no others."""

    def attempt(self, place: Place, wanted: int, nodes: int) -> int:
        return self.recall(place, wanted)

    def answer(self, place: Place, wanted: int) -> int:
        return self.recall(place, wanted)


def mirror_column(place: Place, column: int) -> int:
    """The column on the board that the key is of."""
    key = place.mine + place.occupied + int(BOTTOM)
    return column if key == place.key else 6 - column


def read(path: Path) -> list[tuple[int, int, int]]:
    """Keys, questions and answers."""
    if not path.exists():
        return []
    lines = (line.split() for line in path.read_text().splitlines())
    return [
        (int(key), int(wanted), YES if said == "yes" else NO)
        for key, wanted, said, _ in lines
    ]


def starts(hero: int) -> list[tuple[Place, int]]:
    """Where a player's book begins, and what is to be shown there."""
    if hero == 0:
        return [(Place(), WIN)]
    wanted = {2: DRAW, 1: WIN, 0: WIN}
    return [(Place().play(column), goal) for column, goal in wanted.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=("prove", "write"))
    parser.add_argument("who", choices=("first", "second"), nargs="?")
    parser.add_argument("--out", type=Path, required=True, help="the answers")
    parser.add_argument("--table", type=int, default=27, help="log2 of its entries")
    given = parser.parse_args()
    heroes = [("first", "second").index(given.who)] if given.who else [0, 1]
    found: dict[int, tuple[int, int]] = {}
    for hero in heroes:
        proves = given.action == "prove"
        prover = (
            Prover(hero, given.out, given.table)
            if proves
            else Reader(hero, given.out, logarithm=1)
        )
        for place, wanted in starts(hero):
            if proves or prover.recall(place, wanted) == YES:
                prover.walk(place, wanted, found)
            else:
                print(f"not proven yet: {place.text()}")
    lines = given.out.read_text().splitlines()
    seconds = sum(float(line.split()[-1]) for line in lines)
    print(f"{len(found)} positions of the book by {len(lines)} answers;", end=" ")
    print(f"they took {seconds:,.0f} seconds of one core")
    if given.action == "write":
        np.save(FILE, packed(found))


if __name__ == "__main__":
    main()
