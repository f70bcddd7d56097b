"""Is anything false that the solver proves? Random positions against alpha-beta.

Positions of small boards near their end are searched with budgets so small that exact
searches are asked everywhere, by two threads and with transpositions; from each some
moves are played on with the tree kept. What is proven of the position and of its moves
is compared with alpha-beta to the end, which knows nothing of `settle`. A proof that it
cannot follow in `--seconds` counts as unchecked.

A second call goes on where the first one ended: the file has a line for each hundred
positions, and what is false stands in it.

    python benchmarks/strength/proofs.py --positions 100000 --out proofs.txt
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playout import MCTS, Limit, Position, ScoreBounds, make_game
from playout.games.contract.game import Game
from playout.players.alphabeta import Deepening

#: Small boards, the fewest plies of a position, and how many more it has at most.
GAMES = {
    "tic-tac-toe": (1, 8),
    "mnk:m=4,n=3,k=3": (3, 9),
    "hex:size=3": (2, 7),
    "connect-four:rows=4,columns=4": (4, 12),
    "connect-four:rows=4,columns=5,forbidden=2/1": (6, 12),
    "connect-four:rows=3,columns=6,line=3,forbidden=2/3": (4, 12),
    "gomoku:size=5": (15, 9),
    "gomoku:size=5,rule=standard": (15, 9),
    "gomoku:size=5,rule=renju": (15, 9),
    "gomoku:size=6,rule=caro": (25, 10),
    "gomoku:size=6,rule=caro-8": (25, 10),
    "ultimate-tic-tac-toe": (45, 30),
    "ultimate-tic-tac-toe:variant=count": (45, 30),
}
WAYS: dict[str, dict[str, Any]] = {
    "threads": {"threads": 2},
    "transpositions": {"transpositions": True},
}
#: Asks often, with little effort; games without a `settle` by the rules alone.
SOLVER = ScoreBounds("search", 5, 0.01, 20, 4, 30, 20)
SIGN = {"win": 1, "draw": 0, "loss": -1}
BLOCK = 100
#: Positions in a row of one game that are searched with the tree kept.
PLAYED_ON = 3


class Truth:
    """What positions are worth to who moves there, by alpha-beta to the end."""

    def __init__(self, game: Game, seconds: float) -> None:
        self.deepening = Deepening(game, urgent=False)
        self.seconds = seconds
        self.known: dict[bytes, float | None] = {}

    def of(self, position: Position) -> float | None:
        """Its value; `None` if that takes too long."""
        key = position.array.tobytes()
        if key not in self.known:
            found = self.deepening.search(position, seconds=self.seconds)
            self.known[key] = found.value if found.complete else None
        return self.known[key]

    def after(self, position: Position, action: int) -> float | None:
        """The value of a move for who plays it; players move in turn."""
        after = position.copy().play(action)
        if after.is_terminal:
            return after.returns(position.current_player)
        value = self.of(after)
        return None if value is None else -value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1000, help="of all games")
    parser.add_argument("--games", nargs="*", default=list(GAMES), help="some of them")
    parser.add_argument("--seconds", type=float, default=0.5, help="to check a proof")
    parser.add_argument("--out", type=Path, required=True, help="made, or gone on with")
    given = parser.parse_args()
    done = read(given.out)
    cells = [(spec, way) for spec in given.games for way in WAYS]
    blocks = -(-given.positions // (BLOCK * len(cells)))
    for spec, way in cells:
        left = [n for n in range(blocks) if (spec, way, n) not in done]
        for number, counts in count_blocks(spec, way, left, given.seconds):
            note(given.out, f"{spec} {way} {number}", counts)
    for line in summary(read(given.out)):
        print(line)


def count_blocks(
    spec: str, way: str, numbers: list[int], seconds: float
) -> Iterator[tuple[int, Counter[str]]]:
    """What was found in each of some blocks of positions."""
    if not numbers:
        return
    game = make_game(spec)
    search = MCTS(game, solver=SOLVER, seed=1, **WAYS[way])
    truth = Truth(game, seconds)
    for number in numbers:
        rng = random.Random(f"{spec} {way} {number}")
        truth.known.clear()
        counts: Counter[str] = Counter()
        while counts["positions"] < BLOCK:
            position = draw_position(game, *GAMES[spec], rng)
            play_on(search, position, truth, rng, counts)
        yield number, counts


def draw_position(game: Game, least: int, more: int, rng: random.Random) -> Position:
    """A position after that many random moves, which is not terminal."""
    while True:
        position = Position(game)
        for _ in range(least + rng.randint(0, more)):
            if position.is_terminal:
                break
            position.play(rng.choice(position.legal_actions()))
        if not position.is_terminal:
            return position


def play_on(
    search: MCTS, position: Position, truth: Truth, rng: random.Random, counts: Any
) -> None:
    """Search some positions of a game, keeping the tree, and count what is proven."""
    for _ in range(PLAYED_ON):
        limit = Limit(simulations=rng.choice((20, 60, 200)))
        result = search.search(position, limit, forced_too=True)
        counts["positions"] += 1
        for proven, value in claims(result, position, truth):
            verdict = "unchecked" if value is None else "true"
            if value is not None and SIGN[proven] != value:
                verdict = "false"
                print(f"FALSE {proven}: {position.game} {position.to_text()}")
            counts[verdict] += 1
        for action in (result.action, None):
            if action is None:
                action = rng.choice(position.legal_actions())
            position.play(action)
            if position.is_terminal:
                return


def claims(
    result: Any, position: Position, truth: Truth
) -> Iterator[tuple[str, float | None]]:
    """What is proven, and the truth: of the position, its move, and all moves."""
    if result.proven is not None:
        yield result.proven, truth.of(position)
        yield result.proven, truth.after(position, result.action)
    for row in result.actions:
        if row.proven is not None:
            yield row.proven, truth.after(position, row.action)


def note(path: Path, cell: str, counts: Counter[str]) -> None:
    with path.open("a") as file:
        kinds = ("positions", "true", "unchecked", "false")
        file.write(f"{cell} {' '.join(str(counts[kind]) for kind in kinds)}\n")


def read(path: Path) -> dict[tuple[str, str, int], list[int]]:
    """Positions, and true, unchecked and false proofs, by game, way and block."""
    if not path.exists():
        return {}
    rows = (line.split() for line in path.read_text().splitlines())
    return {(row[0], row[1], int(row[2])): [int(n) for n in row[3:]] for row in rows}


def summary(done: dict[tuple[str, str, int], list[int]]) -> list[str]:
    """A line for each game and way, and one for all."""
    totals: dict[str, list[int]] = {}
    for (spec, way, _), counts in done.items():
        for name in (f"{spec} {way}", "all"):
            before = totals.get(name, [0] * 4)
            totals[name] = [a + b for a, b in zip(before, counts, strict=True)]
    totals["all"] = totals.pop("all", [0] * 4)
    return [
        f"{name}: {n} positions, {true} proofs true, {unchecked} unchecked, "
        f"{false} false"
        for name, (n, true, unchecked, false) in totals.items()
    ]


if __name__ == "__main__":
    main()
