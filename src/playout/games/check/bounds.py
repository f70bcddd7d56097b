"""The first use of rules: compiled games in which every index is checked.

Compiled rules that write outside their arrays would corrupt memory silently.
"""

from __future__ import annotations

import contextlib
import warnings
from typing import Any, NoReturn

import numpy as np

from ...core.errors import CompileError, RulesError, UncompilableError
from ...core.interrupt import interruptible
from ...core.jit.checked import RuleFault
from ...core.jit.fallback import (
    InterpretedWarning,
    is_interpreted,
    run_interpreted,
    why_interpreted,
)
from ...core.jit.native import NativeFunction, kernel
from ...core.jit.rows import Rows
from ...core.rng import make_rng
from ..contract.game import CHANCE, Game, has_own
from ..contract.units import bounds_of
from .action_lists import indices_hold
from .failures import rules_failure
from .faults import (
    CHANCES,
    ESTIMATE,
    FAULTS,
    INDEX,
    NO_ACTION,
    NO_END,
    NO_OUTCOME,
    NOBODY,
    NOTHING,
    RETURN,
    REWARD,
    ROLLOUT,
    SUM,
    fault_of_actions,
    fault_of_urgent,
)
from .hanging import looking_on
from .obstacles import all_obstacles
from .planes import check_planes
from .soundness import RETURNS_ERROR

__all__ = ["can_compile", "check_bounds", "compile_bounds", "expect_bounds", "is_own"]

#: How far from 1 the probabilities of all outcomes may add up to.
CHANCE_ERROR = 1e-9
#: Set in a game that was looked at; in one that was only played in Python.
_CHECKED, _PLAYED = "_keeps_bounds", "_was_played"


def expect_bounds(game: Game, interpreted: bool = False) -> None:
    """Check a game once before it is used; Playout's own are trusted.

    Rules that are good Python but beyond Numba run interpreted from then on, which an
    `InterpretedWarning` says. Those that are to run so are played once in Python.

    Args:
        game: the game.
        interpreted: whether its rules are to run as plain Python.

    Raises:
        CompileError: the rules cannot be compiled, as something is wrong with them.
        RulesError: as `check_bounds`.
        Exception: what rules raise that are to run as plain Python.
    """
    if _CHECKED in vars(game) or is_own(game) or why_interpreted(game) is not None:
        return
    if interpreted or is_interpreted(game):
        _expect_played(game)
        return
    try:
        check_bounds(game)
    except UncompilableError as error:
        _try_interpreted(game, error)
    vars(game)[_CHECKED] = True


def _expect_played(game: Game) -> None:
    """See that a game keeps the laws in Python, once.

    What the rules raise comes through as it is, for whoever debugs them. One game is
    enough: rules may print, or end in a debugger, and are slow.
    """
    if _PLAYED in vars(game):
        return
    if fault := _play_in_python(game):
        raise _broken(game, fault)
    vars(game)[_PLAYED] = True


def _play_in_python(game: Game) -> int:
    """Play a game as `check_bounds` does, in Python; the fault found, or `NOTHING`."""
    *arguments, _ = _walk_arguments(game, seed=0)
    with np.errstate(over="ignore"):
        return int(_walk(*arguments, 1))


def _try_interpreted(game: Game, error: UncompilableError) -> None:
    """Have rules run interpreted, if they get through a game that way."""
    try:
        fault = _play_in_python(game)
    except Exception:
        raise error from None
    if fault:
        raise _broken(game, fault)
    run_interpreted(type(game), f"{error}")
    warnings.warn(
        f"{type(game).__qualname__} runs as plain Python, some hundred times slower, "
        f"for it cannot be compiled: {error.short}",
        InterpretedWarning,
        stacklevel=2,
    )


def is_own(game: Game) -> bool:
    """Whether the rules are Playout's, which are tested."""
    return type(game).__module__.startswith("playout.")


def check_bounds(game: Game, seed: int = 0, laws: bool = True) -> None:
    """Play compiled games with every index checked; the first use of rules does this.

    Args:
        game: the game.
        seed: of the games.
        laws: whether to look at some of the laws, too.

    Raises:
        CompileError: the rules cannot be compiled.
        RulesError: an index lies outside its array, was computed and is below 0, or a
            number does not fit its field; names the method and line. Or a law does
            not hold; names it.
    """
    native = compile_bounds(game)
    arguments = _walk_arguments(game, seed)
    try:
        with looking_on(_walk, _walk_arguments(game, seed)):
            fault = int(interruptible(lambda: native(*arguments)))
    except Exception as error:
        _locate(game, seed, error)
    if fault and laws:
        raise _broken(game, fault)
    check_planes(game, seed)


def _broken(game: Game, fault: int) -> RulesError:
    law = FAULTS[fault].format(bounds_of(game).describe())
    return RulesError(
        f"{type(game).__qualname__} breaks {law}; "
        "check_game (or `playout check`) says after which moves"
    )


def compile_bounds(game: Game) -> NativeFunction:
    """Compile or load what `check_bounds` runs.

    Raises:
        CompileError: the rules cannot be compiled; tells of all that is in the way.
    """
    arguments = _walk_arguments(game, seed=0)
    try:
        return _walk.compile(*arguments, checked=True)
    except CompileError as error:
        _, states, actions, _, rng, *_ = arguments
        raise all_obstacles(game, (states, actions, rng), error) from error


def can_compile(game: Game) -> bool:
    """Whether rules can be compiled; else they have been tried interpreted.

    Raises:
        CompileError: something is wrong with them.
    """
    try:
        compile_bounds(game)
    except UncompilableError as error:
        with contextlib.suppress(RulesError):  # which will be found again, with moves
            _try_interpreted(game, error)
        return False
    return not is_interpreted(game)


def _walk_arguments(game: Game, seed: int) -> tuple[Any, ...]:
    states = np.zeros(3, dtype=game.state_dtype())
    with np.errstate(over="ignore"):
        game.initial_state(Rows(states)[0])
    actions = np.zeros(max(1, game.num_actions()), dtype=np.int32)
    bounds = np.array(bounds_of(game))
    urgent, judges = np.zeros_like(actions), has_own(game, "evaluate")
    return game, Rows(states), actions, urgent, make_rng(seed), bounds, judges, 20


@kernel
def _walk(
    game: Any,
    states: Any,
    actions: Any,
    urgent: Any,
    rng: Any,
    bounds: Any,
    judges: bool,
    games: int,
) -> int:
    """Call every rule along random games; the first fault found, or `NOTHING`.

    Returns are to lie within the bounds; so is what a game that judges states says.
    """
    low, high = bounds[0], bounds[1]
    players = game.num_players()
    limit = game.max_game_length()
    for _ in range(games):
        states[1] = states[0]
        plies = 0
        while plies < limit and not game.is_terminal(states[1]):
            mover = game.current_player(states[1])
            chance = game.has_chance and mover == CHANCE
            num_urgent = 0
            if not chance:
                num_urgent = game.urgent_actions(states[1], urgent)
            count = game.legal_actions(states[1], actions)
            fault = fault_of_actions(actions, count)
            if fault == NOTHING and chance:
                fault = _fault_of_chance(game, states[1], actions, count, rng)
            elif fault == NOTHING and not 0 <= mover < players:
                fault = NOBODY
            if fault == NOTHING:
                fault = fault_of_urgent(urgent, num_urgent, actions, count)
            if fault == NOTHING and game.has_indices:
                if not indices_hold(game, states[1], urgent, actions, count):
                    fault = INDEX
            if fault == NOTHING and judges:
                fault = _fault_of_estimates(game, states[1], low, high)
            if fault == NOTHING and not chance:
                fault = _fault_of_priors(game, states[1], actions, count)
            if fault != NOTHING:
                return fault
            if game.has_hidden:
                _hide_and_deal(game, states, rng)
                game.legal_actions(states[1], actions)
            game.apply(states[1], actions[rng.below(count)])
            plies += 1
            fault = _fault_of_rewards(game, states[1])
            if fault != NOTHING:
                return fault
        fault = _fault_of_end(game, states[1], actions, low, high)
        if fault != NOTHING:
            return fault
        states[1] = states[0]
        plies = game.rollout(states[1], actions, rng)
        fault = _fault_of_rollout(game, states, actions, plies)
        if fault != NOTHING:
            return fault
    return NOTHING


def _hide_and_deal(game: Any, states: Any, rng: Any) -> None:
    """Call what is written of hidden information, on copies of the second state."""
    for player in range(game.num_players()):
        states[2] = states[1]
        game.determinize(states[2], player, rng)
        states[2] = states[1]
        game.hide(states[2], player)
        game.hide(states[2], player)
        game.determinize(states[2], player, rng)


def _fault_of_end(game: Any, state: Any, actions: Any, low: float, high: float) -> int:
    """What is wrong with the end of a game and its result, as one of the faults."""
    if not game.is_terminal(state):
        return NOTHING  # it was too long, and counts as a draw
    total, most = 0.0, 1.0
    for player in range(game.num_players()):
        value = game.returns(state, player)
        if not low <= value <= high:
            return RETURN
        total += value
        most = max(most, abs(value))
    if game.zero_sum and abs(total) > RETURNS_ERROR * most:
        return SUM
    return NO_END if game.legal_actions(state, actions) > 0 else NOTHING


def _fault_of_rewards(game: Any, state: Any) -> int:
    """What is wrong with what an action has brought. Compiled away where nothing is."""
    if not game.has_rewards:
        return NOTHING
    total, most = 0.0, 1.0
    for player in range(game.num_players()):
        reward = game.rewards(state, player)
        if not -np.inf < reward < np.inf:
            return REWARD
        total += reward
        most = max(most, abs(reward))
    return REWARD if game.zero_sum and abs(total) > RETURNS_ERROR * most else NOTHING


def _fault_of_rollout(game: Any, states: Any, actions: Any, plies: int) -> int:
    """What is wrong with a rollout from the first state, which led to the second."""
    over = game.is_terminal(states[1])
    limit = game.max_game_length()
    least = 0 if game.is_terminal(states[0]) else 1
    if least <= plies <= limit and (over or plies == limit):
        return NOTHING
    if not over and game.legal_actions(states[1], actions) <= 0:
        return NO_ACTION  # Playout's own rollout stops there
    return ROLLOUT


def _fault_of_chance(game: Any, state: Any, actions: Any, count: int, rng: Any) -> int:
    """What is wrong where chance moves; the buffer holds its outcomes before and after.

    Compiled away where chance never moves.
    """
    if not game.has_chance:
        return NOTHING
    total = 0.0
    for index in range(count):
        probability = game.chance_probability(state, actions[index])
        if not probability > 0.0:
            return CHANCES
        total += probability
    if abs(total - 1.0) > CHANCE_ERROR:
        return CHANCES
    drawn = game.sample_chance(state, actions, rng)
    game.legal_actions(state, actions)
    for index in range(count):
        if actions[index] == drawn:
            return NOTHING
    return NO_OUTCOME


def _fault_of_estimates(game: Any, state: Any, low: float, high: float) -> int:
    """What is wrong with what `evaluate` says, as one of the faults."""
    total, most = 0.0, 1.0
    for player in range(game.num_players()):
        value = game.evaluate(state, player)
        if not low <= value <= high:
            return ESTIMATE
        total += value
        most = max(most, abs(value))
    return ESTIMATE if game.zero_sum and abs(total) > RETURNS_ERROR * most else NOTHING


def _fault_of_priors(game: Any, state: Any, actions: Any, count: int) -> int:
    """What is wrong with what `prior` says, as one of the faults."""
    total = 0.0
    for index in range(count):
        prior = game.prior(state, actions[index])
        if not prior >= 0.0:
            return ESTIMATE
        total += prior
    return NOTHING if total > 0.0 else ESTIMATE


def _locate(game: Game, seed: int, error: Exception) -> NoReturn:
    """Run the same games interpreted, where Python knows the line."""
    where = type(game).__qualname__
    if isinstance(error, RuleFault):  # which knows its line
        raise rules_failure(game, error) from None
    try:
        with np.errstate(over="ignore"):
            _walk(*_walk_arguments(game, seed))
    except Exception as found:
        raise rules_failure(game, found) from None
    if isinstance(error, IndexError):
        raise RulesError(
            f"{where}: an index lies outside its array when compiled, though not when "
            "interpreted; look for integers that wrap around"
        ) from None
    raise RulesError(
        f"{where}: the compiled rules raised {type(error).__name__}: {error}; "
        "interpreted they do not"
    ) from None
