"""The default policies of a search.

For Playout's own games some policies come from matches; the commands and what they
found are in `docs/benchmarks.md`, "Enhancements" and "Constants". Those of SameGame
come from `benchmarks/single_player.py`; see `docs/games/samegame.md`.
"""

from __future__ import annotations

from typing import Any

from ..games.contract.game import Game
from ..games.contract.units import declared_range
from .backup.mean import Mean
from .backup.reward_sum import RewardSum
from .best_line import is_puzzle
from .choice import BestSeen, MostVisits
from .expansion.base import Expansion
from .expansion.on_evaluation import OnEvaluation
from .expansion.one_child import RandomChild
from .rollout.decisive import Decisive
from .rollout.truncated import Truncated
from .rollout.uniform import Uniform
from .rollout.weighted import Weighted
from .selection.base import Selection
from .selection.is_uct import ISUCT
from .selection.normalized_uct import NormalizedUCT
from .selection.puct import PUCT
from .selection.spuct import SPUCT
from .selection.uct import UCT
from .solver.default import default_solver
from .solver.score_bounds import ScoreBounds

__all__ = ["default_selection", "defaults", "usual_expansion"]

#: Policies that were found better than the general ones, by the game's name.
TUNED: dict[str, dict[str, Any]] = {
    "connect-four": {
        "selection": PUCT(),
        "rollout": Decisive(),
        "solver": ScoreBounds(leaf_nodes=0, root_nodes=10_000, root_every=100),
    },
    "gomoku": {
        "selection": PUCT(first_play=-0.2),
        "rollout": Truncated(rollout_plies=0),
        "solver": ScoreBounds(visited_at=128),
    },
    "samegame": {"selection": SPUCT(), "rollout": Weighted()},
    "ultimate-tic-tac-toe": {
        "selection": PUCT(c_puct=1.0),
        "rollout": Truncated(rollout_plies=0),
    },
}


def defaults(
    game: Game, transpositions: bool = False, evaluated: bool = False
) -> dict[str, Any]:
    """The policies for a game by phase, but for the expansion (see `usual_expansion`).

    With transpositions the selection is a general one: the others look at single nodes.
    With an evaluator it goes by the evaluator's priors.

    >>> from playout.games.gomoku.rules import Gomoku
    >>> defaults(Gomoku())["rollout"]
    Truncated(rollout_plies=0)
    """
    general = {
        "selection": default_selection(game),
        "rollout": Uniform(),
        "backup": RewardSum() if game.has_rewards else Mean(),
        "solver": default_solver(game),
        "choice": BestSeen() if is_puzzle(game) else MostVisits(),
    }
    tuned = dict(TUNED.get(game.name, {}))
    if transpositions:
        tuned.pop("selection", None)
    if evaluated and not (transpositions or game.has_hidden):
        tuned = {"selection": PUCT()}
    return general | tuned


def default_selection(game: Game) -> Selection:
    """The selection for this kind of game."""
    if game.has_hidden:
        return ISUCT()
    one_player = game.num_players() == 1
    return NormalizedUCT() if one_player or declared_range(game) is None else UCT()


def usual_expansion(
    game: Game, selection: Selection, evaluated: bool = False
) -> Expansion:
    """The expansion that suits a selection, this kind of game, and an evaluator."""
    if game.has_hidden:
        return RandomChild()
    return OnEvaluation() if evaluated else selection.usual_expansion()
