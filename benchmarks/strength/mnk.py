"""Which m,n,k-games does the first player win? Proven here, beside what was published.

Alpha-beta from the rules (`settle_by_search`) with a table in which mirrored and turned
boards are one, and boards where neither player can complete a line are drawn at once.
What is proven is appended to a file, and not proven again.

    python benchmarks/strength/mnk.py
    python benchmarks/strength/mnk.py --seconds 600 --output mnk.jsonl

Published: Uiterwijk and van den Herik, "The Advantage of the Initiative", Information
Sciences 122, 2000.
"""

import argparse
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playout import (
    MNK,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    Position,
    constant,
    settle_by_search,
)
from playout.core.jit.hashing import mix
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

#: Rows, columns, in a row: what the first player can reach.
PUBLISHED = {
    (3, 3, 3): "draw",
    (4, 3, 3): "win",
    (4, 4, 3): "win",
    (4, 4, 4): "draw",
    (5, 4, 4): "draw",
    (5, 5, 4): "draw",
    (6, 5, 4): "win",
}
WORDS = {SETTLED_WIN: "win", SETTLED_DRAW: "draw", SETTLED_LOSS: "loss"}
#: The first player cannot lose: a stone more does no harm (strategy stealing).
WORDS[SETTLED_AT_MOST_DRAW] = "draw"
#: Positions in one call, and words of the table (64 MB).
SLICE, TABLE = 1_000_000, 1 << 23


@dataclass(frozen=True)
class Mirrored(MNK):
    """An m,n,k-game for proofs of values alone: its hash does not tell moves apart."""

    @constant
    def images(self) -> Any:
        """`[S, cells]` random words: of each cell, as each symmetry moves it."""
        grid = np.arange(self.m * self.n).reshape(self.m, self.n)
        turned = [grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]]
        if self.m == self.n:
            turned += [image.T for image in turned]
        random = np.random.default_rng(1)
        words = random.integers(1, 2**63, self.m * self.n, dtype=np.uint64)
        return np.array([words[image.ravel()] for image in turned])

    def hash(self, state):
        least = ~np.uint64(0)
        for image in range(self.images.shape[0]):
            key = np.uint64(0)
            for cell in range(self.m * self.n):
                bit = np.uint64(1) << np.uint64(cell)
                if state.stones[0] & bit:
                    key ^= self.images[image, cell]
                elif state.stones[1] & bit:
                    key ^= mix(self.images[image, cell])
            least = min(least, key)
        return least

    def is_terminal(self, state):
        if state.winner >= 0 or self.empty(state) == np.uint64(0):
            return True
        dead = self.open_lines(state.stones[0]) == 0
        return dead and self.open_lines(state.stones[1]) == 0


@kernel
def ask(game, states, nodes, table):
    """The outcome of a state, as far as so many positions tell."""
    return settle_by_search(game, states[0], nodes, table)[0]


def prove(board: tuple[int, int, int], seconds: float) -> dict[str, Any]:
    """What the first player can reach, and the seconds of processor time it took."""
    game, table = Mirrored(*board), np.zeros(TABLE, dtype=np.uint64)
    states = Rows(Position(game).array)
    native = ask.compile(game, states, SLICE, table)
    started, slices, outcome = time.process_time(), 0, 0
    while outcome not in WORDS and time.process_time() - started < seconds:
        outcome = native(game, states, SLICE, table)
        slices += 1
    return {
        "board": board,
        "proven": WORDS.get(outcome, "unknown"),
        "seconds": round(time.process_time() - started, 2),
        "million_positions_at_most": slices * SLICE // 1_000_000,
    }


def read(path: Path) -> dict[tuple[int, ...], dict[str, Any]]:
    """What was proven before."""
    lines = path.read_text().splitlines() if path.exists() else []
    found = (json.loads(line) for line in lines)
    return {tuple(one["board"]): one for one in found if one["proven"] != "unknown"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="for a board")
    parser.add_argument("--output", type=Path, default=Path("mnk.jsonl"))
    given = parser.parse_args()
    known = read(given.output)
    print("m,n,k    published  proven   seconds")
    for board, published in PUBLISHED.items():
        if board not in known:
            known[board] = prove(board, given.seconds)
            with given.output.open("a") as file:
                file.write(json.dumps(known[board]) + "\n")
        found = known[board]
        name = ",".join(map(str, board))
        wrong = found["proven"] not in (published, "unknown")
        print(
            f"{name:8} {published:10} {found['proven']:8} {found['seconds']:7.2f}"
            f"{'  WRONG' if wrong else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
