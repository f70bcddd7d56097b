"""Every game that OpenSpiel registers is searched, or refused with the reason.

`python -m tests.adapters.openspiel_walk [NAME...]` prints a line for each.
"""

import sys
import time
from collections.abc import Iterator
from typing import Any

from playout import MCTS, Limit, Position, UsageError, from_openspiel

SIMULATIONS = 200


def loadable() -> list[str]:
    """The games that load with their default parameters, by name."""
    import pyspiel

    kinds = pyspiel.registered_games()
    return sorted(kind.short_name for kind in kinds if kind.default_loadable)


def to_a_player(game: Any) -> Position:
    """The first position in which somebody chooses, seen by that player."""
    position = Position(game)
    while position.is_chance:
        position.play(position.legal_actions()[0])
    return position


def search(name: str) -> str:
    """What comes of a game: the move that was found, or the reason why not."""
    begun = time.process_time()
    try:
        game = from_openspiel(name)
    except UsageError as error:
        return f"refused: {str(error).partition(': ')[2]}"
    result = MCTS(game, seed=1).search(
        to_a_player(game), Limit(simulations=SIMULATIONS)
    )
    seconds = time.process_time() - begun
    assert result.stopped_by in ("simulations", "only move", "proven"), result
    return (
        f"searched: {result.move}, value {result.value:.3f}, "
        f"{result.simulations} simulations, {seconds:.1f} s"
    )


def walk(names: list[str]) -> Iterator[str]:
    for name in names:
        yield f"{name:28} {search(name)}"


if __name__ == "__main__":
    for line in walk(sys.argv[1:] or loadable()):
        print(line, flush=True)
