"""Games for one player: how good a game each search finds with so many simulations.

    python benchmarks/single_player.py tsp --simulations 100000
    python benchmarks/single_player.py samegame --simulations 10000 --out found.jsonl

Tours of twelve cities are compared with the shortest, by Held and Karp's dynamic
programming. SameGame's boards are the twenty of the literature, read from
`samegame_positions.txt`; with `samegame-drawn` they are those of the game's own
generator, 1 to 20. With `--out` the results are kept in a file, and a second call goes
on where the first has ended.

    The twenty boards are the standard test set of js-games.de, which Schadd et al.,
    "Single-Player Monte-Carlo Tree Search", CG 2008, and the papers after it use; this
    copy is from the tests of CodinGame's SameGame (github.com/acatai/SameGame).
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playout import (
    MCTS,
    NRPA,
    SPUCT,
    Limit,
    MaxNBounds,
    Mixed,
    NormalizedUCT,
    Position,
    Uniform,
    Weighted,
    make_game,
)
from playout.games.more.samegame import SameGame
from playout.games.more.tsp import shortest_tour

SPECS = {
    "tsp": "tsp:seed={}",
    "samegame": "samegame",
    "samegame-drawn": "samegame:instance={}",
}
BOARDS = Path(__file__).with_name("samegame_positions.txt")


def tree(**policies: Any) -> Callable[..., Any]:
    """Makes a tree search with these policies."""
    return lambda game, seed, _: MCTS(game, seed=seed, **policies)


def without_knowledge(**policies: Any) -> Callable[..., Any]:
    """The same with uniform rollouts."""
    return tree(rollout=Uniform(), **policies)


def one_run(level: int) -> Callable[..., Any]:
    """NRPA with as many iterations as take all simulations in one run."""

    def make(game: Any, seed: int, simulations: int) -> NRPA:
        iterations = math.ceil(simulations ** (1 / level) - 1e-9)
        return NRPA(game, seed=seed, context="none", level=level, iterations=iterations)

    return make


#: What is compared. NRPA whose weights nothing shifts is flat Monte Carlo; a search
#: that comes back to ends it has seen is plain UCT.
SEARCHES: dict[str, Callable[..., Any]] = {
    "flat Monte Carlo": lambda game, seed, _: NRPA(
        game, seed=seed, alpha=1e-12, bias=0
    ),
    "plain UCT": without_knowledge(selection=NormalizedUCT(), solver=MaxNBounds()),
    "SP-MCTS": without_knowledge(selection=SPUCT()),
    "SP-MCTS, mixed": without_knowledge(selection=SPUCT(), backup=Mixed(alpha=0.9)),
    "NRPA": lambda game, seed, _: NRPA(game, seed=seed, bias=0),
    "default": tree(),
}
#: Of SameGame, whose `prior` knows the tabu colour.
INFORMED: dict[str, Callable[..., Any]] = {
    "flat, weighted": lambda game, seed, _: NRPA(game, seed=seed, alpha=1e-12),
    "NRPA, weighted": lambda game, seed, _: NRPA(game, seed=seed, context="none"),
    "NRPA, 2 levels": one_run(2),
    "NRPA, 3 levels": one_run(3),
    "default, 10 trees": tree(trees=10),
    "default, 30 trees": tree(trees=30),
    "plain UCT, weighted": tree(
        selection=NormalizedUCT(), solver=MaxNBounds(), rollout=Weighted()
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=SPECS)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--searches", nargs="*", choices=SEARCHES | INFORMED)
    parser.add_argument("--out", type=Path, help="a file of JSON lines to go on with")
    asked = parser.parse_args()
    usual = SEARCHES if asked.game == "tsp" else SEARCHES | INFORMED
    names = asked.searches or [*usual]
    known = read(asked.out)
    for number in range(1, asked.instances + 1):
        for name in names:
            key = f"{asked.game} {number} {name} {asked.simulations}"
            if key not in known:
                known[key] = best(asked.game, number, name, asked.simulations)
                keep(asked.out, key, known[key])
    print(f"{asked.game}, {asked.simulations:,} simulations")
    for name in names:
        found = [
            known[f"{asked.game} {number} {name} {asked.simulations}"]
            for number in range(1, asked.instances + 1)
        ]
        print(f"{name:>22}  {summary(asked.game, found)}")


def best(kind: str, number: int, name: str, simulations: int) -> float:
    """The return of the best game that a search finds."""
    position = board(kind, number)
    search = (SEARCHES | INFORMED)[name](position.game, number, simulations)
    result = search.search(position, Limit(simulations=simulations))
    return float(result.best_return)


def board(kind: str, number: int) -> Position:
    """The start of an instance."""
    game = make_game(SPECS[kind].format(number))
    if kind != "samegame":
        return Position(game)
    assert isinstance(game, SameGame)
    return Position(game, BOARDS.read_text(encoding="utf-8").splitlines()[number - 1])


def summary(kind: str, found: list[float]) -> str:
    """Means with their standard errors; of tours, how many are as short as can be."""
    if kind != "tsp":
        error = statistics.stdev(found) / len(found) ** 0.5
        return (
            f"{statistics.mean(found):7,.0f} +- {error:.0f} points on average, "
            f"{sum(found):,.0f} together"
        )
    shortest = [
        shortest_tour(make_game(SPECS[kind].format(number)))  # type: ignore[arg-type]
        for number in range(1, len(found) + 1)
    ]
    longer = [-one / other - 1 for one, other in zip(found, shortest, strict=True)]
    hits = sum(part < 1e-9 for part in longer)
    return (
        f"the shortest in {hits} of {len(found)}, {statistics.mean(longer):.2%} longer "
        f"on average, {max(longer):.2%} at most"
    )


def read(path: Path | None) -> dict[str, float]:
    """What was found before."""
    if path is None or not path.exists():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines()
    return dict(json.loads(line) for line in lines)


def keep(path: Path | None, key: str, value: float) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, value]) + "\n")


if __name__ == "__main__":
    main()
