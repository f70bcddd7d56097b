"""Law 12: what `evaluate` and `prior` may say."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ..contract.game import CHANCE, Game, has_own
from ..contract.units import bounds_of
from .soundness import adds_up

__all__ = ["compile_estimates", "estimate_fault", "has_estimates"]

#: How far apart the interpreted and the compiled value may be.
ERROR = 1e-9


def has_estimates(game: Game) -> bool:
    """Whether a game has an `evaluate` or a `prior` of its own."""
    return has_own(game, "evaluate") or has_own(game, "prior")


def compile_estimates(game: Game) -> Callable[..., Any]:
    """Compile or load what asks a game for its estimates of a state."""
    return ask.compile(game, *_arguments(game, [0]))


def estimate_fault(
    game: Game,
    record: NDArray[np.void],
    legal: Sequence[int],
    native: Callable[..., Any] | None = None,
) -> str | None:
    """What is wrong with how a game estimates a state, in words; None if nothing is.

    Args:
        game: the rules.
        record: `[1]` a state that is not terminal; it is not changed.
        legal: its legal actions.
        native: what `compile_estimates` gave, to be compared with.
    """
    found = []
    for run in (ask.function, native):
        if run is None:
            continue
        states, actions, answers = _arguments(game, legal)
        states.array[:] = record
        run(game, states, actions, answers)
        if states.array[0] != record[0]:
            return "evaluate or prior changed the state"
        found.append(answers)
    players = game.num_players()
    values = found[0][:players].tolist()
    priors, at_once = found[0][players:].reshape(2, -1).tolist()
    bounds = bounds_of(game)
    judges = has_own(game, "evaluate")
    if judges and not all(bounds.low <= value <= bounds.high for value in values):
        return f"evaluate says {values}, which are not all {bounds.describe()}"
    if game.zero_sum and not adds_up(values):
        return f"evaluate says {values}, which do not add up to 0"
    if not all(0 <= prior < math.inf for prior in priors) or not sum(priors) > 0:
        return f"prior says {priors}, which must be 0 or more, and not all 0"
    if at_once != priors:
        return f"priors says {at_once}, which must be what prior says, {priors}"
    if not np.allclose(found[0], found[-1], rtol=ERROR, atol=ERROR):
        return f"interpreted {found[0].tolist()}, compiled {found[-1].tolist()}"
    return None


def _arguments(game: Game, legal: Sequence[int]) -> tuple[Rows, Any, Any]:
    """A state, its legal actions, and room for the answers."""
    states = Rows(np.zeros(1, dtype=game.state_dtype()))
    answers = np.ones(game.num_players() + 2 * len(legal))
    return states, np.array(legal, dtype=np.int32), answers


@kernel
def ask(game: Any, states: Any, actions: Any, answers: Any) -> None:
    """Write what a state is worth for each player, and how promising each action is.

    The actions' answers stand there twice: one by one, and all at once.
    """
    state = states[0]
    players, count = game.num_players(), len(actions)
    for player in range(players):
        answers[player] = game.evaluate(state, player)
    if not (game.has_chance and game.current_player(state) == CHANCE):
        for index in range(count):
            answers[players + index] = game.prior(state, actions[index])
        game.priors(state, actions, count, answers[players + count :])
