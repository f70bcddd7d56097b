"""Games for one player: how good a game each search finds with so many simulations.

    python benchmarks/single_player.py tsp --simulations 100000
    python benchmarks/single_player.py samegame --simulations 10000 --out found.jsonl

Tours of twelve cities are compared with the shortest, by Held and Karp's dynamic
programming. SameGame's boards are those of the game's own generator, 1 to 20. With
`--out` what was found is kept, and a second call goes on where the first has ended.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playout import MCTS, Limit, NormalizedUCT, make_game
from playout.games.more.tsp import shortest_tour
from playout.search.nrpa import NRPA
from playout.search.selection.spuct import SPUCT

#: What is compared; weights that nothing shifts are those of flat Monte Carlo.
SEARCHES: dict[str, Callable[..., Any]] = {
    "flat Monte Carlo": lambda game, seed: NRPA(game, seed=seed, alpha=1e-12),
    "plain UCT": lambda game, seed: MCTS(game, seed=seed, selection=NormalizedUCT()),
    "SP-MCTS": lambda game, seed: MCTS(game, seed=seed, selection=SPUCT()),
    "NRPA": lambda game, seed: NRPA(game, seed=seed),
}
SPECS = {"tsp": "tsp:seed={}", "samegame": "samegame:instance={}"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", choices=SPECS)
    parser.add_argument("--simulations", type=int, default=100_000)
    parser.add_argument("--instances", type=int, default=20)
    parser.add_argument("--searches", nargs="*", choices=SEARCHES, default=[*SEARCHES])
    parser.add_argument("--out", type=Path, help="a file of JSON lines to go on with")
    asked = parser.parse_args()
    known = read(asked.out)
    for number in range(1, asked.instances + 1):
        for name in asked.searches:
            key = f"{asked.game} {number} {name} {asked.simulations}"
            if key not in known:
                known[key] = best(asked.game, number, name, asked.simulations)
                keep(asked.out, key, known[key])
    print(f"{asked.game}, {asked.simulations:,} simulations")
    for name in asked.searches:
        found = [
            known[f"{asked.game} {number} {name} {asked.simulations}"]
            for number in range(1, asked.instances + 1)
        ]
        print(f"{name:>18}  {summary(asked.game, found)}")


def best(kind: str, number: int, name: str, simulations: int) -> float:
    """The return of the best game that a search finds."""
    game = make_game(SPECS[kind].format(number))
    search = SEARCHES[name](game, number)
    result = search.search(limit=Limit(simulations=simulations))
    return float(result.best_return)


def summary(kind: str, found: list[float]) -> str:
    """Means with their standard errors; of tours, how many are as short as can be."""
    if kind == "samegame":
        error = statistics.stdev(found) / len(found) ** 0.5
        return f"{statistics.mean(found):7,.0f} +- {error:.0f} points"
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
