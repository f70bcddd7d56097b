"""The five source systems as configurations of one search, their faults corrected.

Each preset gives the policies of `MCTS`:

    MCTS(game, **presets.fachada())

The constants are those of the sources, brought to one scale: returns in [-1, 1], and
UCT as `W/n + c_uct * sqrt(ln N / n)`. A source that counts wins from 0 to 1 has its
constant doubled; one that writes `sqrt(2 ln N / n)` has it multiplied by sqrt(2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..core.errors import UsageError
from .backup.mean import Mean
from .choice import HighestMean, MostVisits
from .expansion.all_children import AllChildren
from .expansion.one_child import RandomChild
from .rollout.uniform import Uniform
from .selection.uct import UCT
from .solver.base import Unsolved

__all__ = ["PRESETS", "fachada", "group21", "preset", "tiny", "tsinghua", "tutorial"]


def fachada() -> dict[str, Any]:
    """The tic-tac-toe player of Fachada et al. (IEEE CoG 2023).

    k = sqrt(2), a random untried child, uniform playouts, highest mean at the end. The
    original crashes when there is no time to try every move once; this one does not.
    """
    return {
        "solver": Unsolved(),
        "selection": UCT(c_uct=math.sqrt(2)),
        "expansion": RandomChild(urgent="never"),
        "rollout": Uniform(),
        "choice": HighestMean(),
    }


def tutorial() -> dict[str, Any]:
    """The ai-boson tutorial: c = 0.1, highest mean at the end.

    The original never changes the sign of its values and so takes the opponent for a
    helper; here every node is judged by the player who moves into it.
    """
    return {
        "solver": Unsolved(),
        "selection": UCT(c_uct=0.1 * math.sqrt(2)),
        "expansion": RandomChild(urgent="never"),
        "rollout": Uniform(),
        "choice": HighestMean(),
    }


def tiny() -> dict[str, Any]:
    """Tiny-MCTS: c = 1.42 on win probabilities, all children at 30 visits.

    Results are discounted by 0.01 an action, for both players, which keeps the game
    zero-sum. The original sees wins late, counts a win by the last stone as a draw and
    chooses with the exploration term; here the most visited move is played.
    """
    return {
        "solver": Unsolved(),
        "selection": UCT(c_uct=2 * 1.42),
        "expansion": AllChildren(threshold=30, urgent="never"),
        "rollout": Uniform(),
        "backup": Mean(discount=0.01),
        "choice": MostVisits(),
    }


def group21() -> dict[str, Any]:
    """The Group 21 Gomoku program: must-play moves at the root, then UCT.

    `w/n + sqrt(2 ln N / n)` on results 0, 1/2, 1; the most visited move is played. The
    last of its must-play lists is made sound by one's own fours.
    """
    return {
        "solver": Unsolved(),
        "selection": UCT(c_uct=2 * math.sqrt(2)),
        "expansion": RandomChild(urgent="root"),
        "rollout": Uniform(),
        "choice": MostVisits(),
    }


def tsinghua() -> dict[str, Any]:
    """The Tsinghua Connect Four platform: c = 2.4, highest mean at the end.

    The original re-seeds its generator at every step and forgets the forbidden cell in
    simulations; here neither happens, and the tree is kept between moves.
    """
    return {
        "solver": Unsolved(),
        "selection": UCT(c_uct=2.4 * math.sqrt(2)),
        "expansion": RandomChild(urgent="never"),
        "rollout": Uniform(),
        "choice": HighestMean(),
    }


#: Presets by name.
PRESETS: dict[str, Callable[[], dict[str, Any]]] = {
    "fachada": fachada,
    "tutorial": tutorial,
    "tiny": tiny,
    "group21": group21,
    "tsinghua": tsinghua,
}


def preset(name: str) -> dict[str, Any]:
    """The policies of a preset by name.

    >>> preset("tsinghua")["selection"].c_uct
    3.394112549695428

    Raises:
        UsageError: there is no such preset.
    """
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; known: {', '.join(PRESETS)}")
    return PRESETS[name]()
