"""Law 16: what `observe` may write, with every index checked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.errors import RulesError
from ...core.interrupt import interruptible
from ...core.jit.checked import RuleFault
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game, has_own
from .failures import rules_failure

__all__ = ["check_planes"]

#: Random games in which it is asked.
GAMES = 10


def check_planes(game: Game, seed: int = 0) -> None:
    """Have a game with an `observe` of its own write what networks see of some games.

    Raises:
        CompileError: it cannot be compiled.
        RulesError: it writes outside of `observation_shape`, or no numbers.
    """
    if not has_own(game, "observe"):
        return
    states = np.zeros(2, dtype=game.state_dtype())
    with np.errstate(over="ignore"):
        game.initial_state(Rows(states)[0])
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    planes = np.zeros(math.prod(game.observation_shape()), dtype=np.float32)
    arguments = game, Rows(states), actions, make_rng(seed), planes
    native = _show.compile(*arguments, GAMES, checked=True)
    try:
        good = interruptible(lambda: native(*arguments, GAMES))
    except RuleFault as error:  # which knows its line
        raise rules_failure(game, error) from None
    except Exception:
        try:
            with np.errstate(over="ignore"):
                _show.function(*arguments, GAMES)
        except Exception as found:  # where Python knows the line
            raise rules_failure(game, found) from None
        raise
    if not good:
        raise RulesError(
            f"{type(game).__qualname__} breaks law 16: observe writes NaN or infinity"
        )


@kernel
def _show(
    game: Any, states: Any, actions: Any, rng: Any, planes: Any, games: int
) -> bool:
    """Whether all is finite that is shown along random games."""
    limit = game.max_game_length()
    for _ in range(games):
        states[1] = states[0]
        plies = 0
        while plies < limit and not game.is_terminal(states[1]):
            chance = game.has_chance and game.current_player(states[1]) == CHANCE
            if not chance:
                planes[:] = 0.0
                game.observe(states[1], planes.reshape(game.observation_shape()))
                for index in range(len(planes)):
                    if not -np.inf < planes[index] < np.inf:
                        return False
            count = game.legal_actions(states[1], actions)
            game.apply(states[1], actions[rng.below(count)])
            plies += 1
    return True
