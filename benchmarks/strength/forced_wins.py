"""Does Gomoku find forced wins, and how fast?

`make` writes positions in which forcing moves win, from games of Playout against
itself; `solve` counts how many are found within some processor time, one thread.

    python benchmarks/strength/forced_wins.py make --seed 1
    python benchmarks/strength/forced_wins.py solve --part held
    python benchmarks/strength/forced_wins.py solve --part open --search

A line of the file is the plies to the end, the move that wins, and the moves so far.
Every third line is held out for the final check: nothing was tuned by it. A win is one
that an exhaustive search of forcing moves proves; the plies are those of its proof.
`make` adds to the file what is missing, and goes on where it was ended.
"""

import argparse
import random
import time
from pathlib import Path

import numpy as np

from playout import MCTS, Gomoku, Limit, Position
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

FILE = Path(__file__).resolve().parents[2] / "tests" / "data" / "gomoku_wins.txt"
#: How many positions of so many plies the file is to have.
WANTED = {3: 80, 5: 160, 7: 210, 9: 210, 11: 190, 13: 150}
#: Positions that the exhaustive search may look at.
MOST = 60_000
SETTLED_WIN = 2


@kernel
def settle(game, states, nodes, table, said):
    outcome, action, plies = game.settle(states[0], nodes, table)
    said[0], said[1], said[2] = outcome, action, plies


class Settler:
    """Asks `Gomoku.settle`, compiled."""

    def __init__(self, game: Gomoku) -> None:
        self.states = np.zeros(1, dtype=game.state_dtype())
        self.said = np.zeros(3, dtype=np.int64)
        self.table = np.zeros(1 << 16, dtype=np.uint64)
        self.game = game
        self.run = settle.compile(game, Rows(self.states), MOST, self.table, self.said)

    def __call__(self, position: Position, nodes: int) -> tuple[int, int, int]:
        self.table[:] = 0
        self.states[:] = position.array
        self.run(self.game, Rows(self.states), nodes, self.table, self.said)
        outcome, action, plies = map(int, self.said)
        return outcome, action, plies


def read() -> list[tuple[int, str, list[str]]]:
    """Plies, the winning move, the moves so far."""
    if not FILE.exists():
        return []
    lines = (line.split() for line in FILE.read_text().splitlines())
    return [(int(plies), move, moves) for plies, move, *moves in lines]


def make(seed: int) -> None:
    game = Gomoku()
    ask = Settler(game)
    search = MCTS(game, seed=seed)
    known = read()
    rng = random.Random(f"{seed} {len(known)}")
    counts = {plies: sum(row[0] == plies for row in known) for plies in WANTED}
    while any(counts[plies] < WANTED[plies] for plies in WANTED):
        found = {}
        for position in play(game, search, rng):
            outcome, action, plies = ask(position, MOST)
            if outcome == SETTLED_WIN and counts.get(plies, 999) < WANTED.get(plies, 0):
                found[plies] = [game.action_name(action), *position.moves]
        for plies, moves in found.items():
            counts[plies] += 1
            with FILE.open("a") as file:
                print(plies, *moves, file=file)
        print(counts, flush=True)


def play(game: Gomoku, search: MCTS, rng: random.Random):
    """The positions of a game of quick moves that begins with random ones."""
    position, middle = Position(game), game.height // 2
    for _ in range(rng.randint(2, 6)):
        row, column = (middle + rng.randint(-3, 3) for _ in range(2))
        if row * game.width + column in position.legal_actions():
            position = position.play(row * game.width + column)
    while not position.is_terminal:
        yield position
        search.reset(seed=rng.randrange(2**31))
        limit = Limit(simulations=rng.choice((100, 200)))
        position = position.play(search.search(position, limit).action)


def solve(part: str, seconds: float, by_search: bool) -> None:
    game = Gomoku()
    rows = [row for i, row in enumerate(read()) if (i % 3 == 2) == (part == "held")]
    ask = Settler(game)
    search = MCTS(game, seed=1)
    search.compile()
    found, longest = dict.fromkeys(WANTED, 0), 0.0
    for plies, _, moves in rows:
        position = Position.from_moves(game, moves)
        begun = time.process_time()
        if by_search:
            search.reset(seed=1)
            limit = Limit(seconds=seconds)
            wins = search.search(position, limit, forced_too=True).proven == "win"
        else:
            wins, nodes = False, 1000
            while not wins and time.process_time() < begun + seconds:
                wins = ask(position, nodes)[0] == SETTLED_WIN
                nodes *= 4
        took = time.process_time() - begun
        longest = max(longest, took)
        found[plies] += wins and took <= seconds
        if not wins:
            print("not found:", plies, *moves)
    for plies, count in found.items():
        print(f"{plies:2} plies: {count} of {sum(row[0] == plies for row in rows)}")
    print(
        f"{sum(found.values()) / len(rows):.4f} of {len(rows)}, longest {longest:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("make", "solve"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", choices=("open", "held"), default="open")
    parser.add_argument("--seconds", type=float, default=1.0, help="processor time")
    parser.add_argument("--search", action="store_true", help="by a whole MCTS")
    given = parser.parse_args()
    if given.what == "make":
        make(given.seed)
    else:
        solve(given.part, given.seconds, given.search)


if __name__ == "__main__":
    main()
