"""A search that writes down every game its selection is told of."""

from dataclasses import dataclass
from typing import Any

from playout import MCTS, Limit, TicTacToe


@dataclass
class Played:
    """One game: the nodes it went through, its actions with players, its returns."""

    nodes: list[int]
    steps: list[tuple[int, int]]
    returns: list[float]


def logged(policy: type, simulations: int = 150) -> tuple[MCTS, list[Played]]:
    """A search by a policy, and all games that it was told of."""
    games: list[Played] = []

    @dataclass(frozen=True)
    class Logging(policy):  # type: ignore[misc]
        def update(self, tree: Any, work: Any, depth: int, plies: int) -> None:
            super().update(tree, work, depth, plies)
            path = work.path
            games.append(
                Played(
                    [path[i].node for i in range(depth + 1)],
                    [(path[i].action, path[i].mover) for i in range(1, plies + 1)],
                    list(work.returns),
                )
            )

    search = MCTS(TicTacToe(), selection=Logging(), seed=5, interpreted=True)
    search.search(limit=Limit(simulations=simulations))
    return search, games
