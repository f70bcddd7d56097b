"""`level:1` and up: a ladder of opponents for each game, weakest first."""

from __future__ import annotations

from ..core.errors import UsageError
from ..games.game import Game

__all__ = ["LEVELS", "level_spec", "levels_of"]

#: game -> the players of its levels. Not measured yet.
LEVELS: dict[str, tuple[str, ...]] = {
    "tic-tac-toe": (
        "random",
        "mcts:simulations=30,blunder=0.5",
        "mcts:simulations=30,blunder=0.25",
        "mcts:simulations=100,blunder=0.1",
        "perfect",
    ),
    "connect-four": (
        "mcts:simulations=10,blunder=0.5",
        "mcts:simulations=20,blunder=0.3",
        "mcts:simulations=40,blunder=0.2",
        "mcts:simulations=60,blunder=0.1",
        "mcts:simulations=100",
        "mcts:simulations=250",
        "mcts:simulations=600",
        "mcts:simulations=2000",
        "mcts:simulations=10000",
        "mcts:simulations=100000",
    ),
    "ultimate-tic-tac-toe": (
        "mcts:simulations=10,blunder=0.5",
        "mcts:simulations=20,blunder=0.3",
        "mcts:simulations=40,blunder=0.2",
        "mcts:simulations=80,blunder=0.1",
        "mcts:simulations=150",
        "mcts:simulations=400",
        "mcts:simulations=1000",
        "mcts:simulations=3000",
        "mcts:simulations=10000",
        "mcts:simulations=50000",
    ),
    "gomoku": (
        "mcts:simulations=100,urgent=never,blunder=0.3",
        "mcts:simulations=300,urgent=never,blunder=0.1",
        "mcts:simulations=1000,urgent=never",
        "mcts:simulations=50,blunder=0.2",
        "mcts:simulations=100,blunder=0.1",
        "mcts:simulations=250",
        "mcts:simulations=1000",
        "mcts:simulations=4000",
        "mcts:simulations=15000",
        "mcts:simulations=60000",
    ),
}

#: For every other game.
GENERIC = (
    "mcts:simulations=10,blunder=0.5",
    "mcts:simulations=20,blunder=0.3",
    "mcts:simulations=40,blunder=0.2",
    "mcts:simulations=80,blunder=0.1",
    "mcts:simulations=150",
    "mcts:simulations=400",
    "mcts:simulations=1000",
    "mcts:simulations=3000",
    "mcts:simulations=10000",
    "mcts:simulations=50000",
)


def levels_of(game: Game) -> tuple[str, ...]:
    """The players of a game's levels, weakest first."""
    return LEVELS.get(game.name, GENERIC)


def level_spec(number: str, game: Game) -> str:
    """The player of a level, counted from 1.

    Raises:
        UsageError: there is no such level.
    """
    levels = levels_of(game)
    if not (number.isdecimal() and 1 <= int(number) <= len(levels)):
        name = game.name or type(game).__name__
        raise UsageError(
            f"level:{number[:20]}: the levels of {name} are level:1 to "
            f"level:{len(levels)}"
        )
    return levels[int(number) - 1]
