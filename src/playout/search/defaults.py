"""What a search uses where nothing is said.

For Playout's own games some policies come from matches; the commands and what they
found are in `docs/benchmarks.md`, "Enhancements" and "Constants".
"""

from __future__ import annotations

from typing import Any

from ..games.game import Game
from .backup import Mean
from .choice import MostVisits
from .hidden import default_selection
from .knowledge import PUCT
from .playouts import Truncated
from .rollout import Decisive, Uniform
from .solver import default_solver

__all__ = ["defaults"]

#: What was found to be better than the general policies, by the game's name.
TUNED: dict[str, dict[str, Any]] = {
    "connect-four": {"selection": PUCT(), "rollout": Decisive()},
    "gomoku": {
        "selection": PUCT(first_play=-0.2),
        "rollout": Truncated(rollout_plies=0),
    },
    "ultimate-tic-tac-toe": {"selection": PUCT()},
}


def defaults(game: Game, transpositions: bool = False) -> dict[str, Any]:
    """The policies for a game by phase; which expansion is for the selection to say.

    With transpositions the selection is a general one: the others look at single nodes.

    >>> from playout.games.gomoku import Gomoku
    >>> defaults(Gomoku())["rollout"]
    Truncated(rollout_plies=0)
    """
    general = {
        "selection": default_selection(game),
        "rollout": Uniform(),
        "backup": Mean(),
        "solver": default_solver(game),
        "choice": MostVisits(),
    }
    tuned = dict(TUNED.get(game.name, {}))
    if transpositions:
        tuned.pop("selection", None)
    return general | tuned
