"""Law 16: what `observe` and `observe_parts` may write, with every index checked."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.errors import RulesError, UsageError, quote
from ...core.interrupt import interruptible
from ...core.jit.checked import RuleFault
from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game, has_own
from ..contract.parts import expect_parts
from .failures import rules_failure

__all__ = ["check_planes"]

#: Random games in which it is asked.
GAMES = 10
#: What may be wrong.
NO_NUMBER, OTHER_KIND = 1, 2


def check_planes(game: Game, seed: int = 0) -> None:
    """Have a game that says what networks see write that along some games.

    Raises:
        CompileError: it cannot be compiled.
        RulesError: `observe` writes outside of `observation_shape`, or no numbers, or
            `observe_parts` outside of `parts_shape`.
    """
    if not (has_own(game, "observe") or has_own(game, "observe_parts")):
        return
    states = np.zeros(2, dtype=game.state_dtype())
    with np.errstate(over="ignore"):
        game.initial_state(Rows(states)[0])
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    planes = np.zeros(math.prod(game.observation_shape()), dtype=np.float32)
    if has_own(game, "observe_parts"):
        try:
            expect_parts(game)
        except UsageError as error:
            raise RulesError(f"{error} (law 16)") from None
    parts = np.zeros(game.parts_shape()[0], dtype=np.int32)
    _expect_nothing_returned(game, Rows(states), planes)
    arguments = game, Rows(states), actions, make_rng(seed), planes, parts
    native = _show.compile(*arguments, GAMES, checked=True)
    try:
        wrong = interruptible(lambda: native(*arguments, GAMES))
    except RuleFault as error:  # which knows its line
        raise rules_failure(game, error) from None
    except Exception:
        try:
            with np.errstate(over="ignore"):
                _show.function(*arguments, GAMES)
        except Exception as found:  # where Python knows the line
            raise rules_failure(game, found) from None
        raise
    if wrong:
        what = "observe writes NaN or infinity"
        if wrong == OTHER_KIND:
            kinds = game.parts_shape()[1]
            what = f"observe_parts writes other kinds than 0 to {kinds - 1}"
        raise RulesError(f"{type(game).__qualname__} breaks law 16: {what}")


def _expect_nothing_returned(game: Game, states: Rows, planes: Any) -> None:
    """See that `observe` does not give its planes back instead of writing them.

    Raises:
        RulesError: it does, so that a network would see zeros.
    """
    try:
        shaped = planes.reshape(game.observation_shape())
        given = game.observe(states[0], shaped)  # type: ignore[func-returns-value]
    except Exception:  # the compiler says more about it
        return
    if given is not None:
        raise RulesError(
            f"{type(game).__qualname__}.observe returned {quote(given)}: a network "
            "sees what is written into `planes`, as by planes[:] = ...; return nothing"
        )


@kernel
def _show(
    game: Any,
    states: Any,
    actions: Any,
    rng: Any,
    planes: Any,
    parts: Any,
    games: int,
) -> int:
    """What is wrong with what is shown along random games; 0 if nothing is."""
    limit = game.max_game_length()
    for _ in range(games):
        states[1] = states[0]
        plies = 0
        while plies < limit and not game.is_terminal(states[1]):
            chance = game.has_chance and game.current_player(states[1]) == CHANCE
            if not chance:
                wrong = _look(game, states[1], planes, parts)
                if wrong != 0:
                    return wrong
            count = game.legal_actions(states[1], actions)
            game.apply(states[1], actions[rng.below(count)])
            plies += 1
    return 0


def _look(game: Any, state: Any, planes: Any, parts: Any) -> int:
    """What is wrong with what is shown of one state."""
    planes[:] = 0.0
    game.observe(state, planes.reshape(game.observation_shape()))
    for index in range(len(planes)):
        if not -np.inf < planes[index] < np.inf:
            return NO_NUMBER
    game.observe_parts(state, parts)
    for index in range(len(parts)):
        if not 0 <= parts[index] < game.parts_shape()[1]:
            return OTHER_KIND
    return 0
