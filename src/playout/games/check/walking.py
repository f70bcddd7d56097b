"""Going from position to position by rules that may fail, interpreted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.jit.rows import Rows
from ..contract.game import CHANCE, Game
from .broken_rules import BrokenRules, state_text
from .failures import rules_failure
from .shorten import Reached

__all__ = ["advance", "begin", "shares"]


def begin(game: Game) -> Reached:
    """The start."""
    state = np.zeros(1, dtype=game.state_dtype())
    game.initial_state(Rows(state)[0])
    return _arrive(game, state, ())


def advance(game: Game, place: Reached, action: int) -> Reached:
    """Play an action; random games may have come to no position where rules fail.

    Raises:
        BrokenRules: they fail here.
    """
    path, state = (*place.path, action), place.state.copy()
    try:
        game.apply(Rows(state)[0], action)
        return _arrive(game, state, path)
    except Exception as error:
        around = state_text(game, place.state), state_text(game, state)
        what = str(rules_failure(game, error))
        raise BrokenRules(game, type(error).__name__, what, path, *around) from None


def shares(game: Game, place: Reached) -> list[float]:
    """How likely each legal action is: by chance, or alike for a player."""
    state = Rows(place.state)[0]
    if place.legal and game.has_chance and game.current_player(state) == CHANCE:
        return [float(game.chance_probability(state, a)) for a in place.legal]
    return [1.0 / len(place.legal) for _ in place.legal]


def _arrive(game: Game, state: NDArray[np.void], path: tuple[int, ...]) -> Reached:
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    count = int(game.legal_actions(Rows(state)[0], actions))
    return Reached(state, path, tuple(actions[:count].tolist()))
