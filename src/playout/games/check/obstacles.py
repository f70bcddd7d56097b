"""All that keeps rules from being compiled: one fault of a file in each run is slow.

Numba tells of the first obstacle and gives up. So where there is one, each method is
compiled by itself, and again without the statement that was in the way.
"""

from __future__ import annotations

import re
from types import FunctionType
from typing import Any

from ...core.errors import CompileError, Obstacle
from ...core.jit.diagnose import NOWHERE, compile_error, methods_at, was_compiled
from ...core.jit.native import Kernel, kernel
from ...core.jit.pruning import names_at, without_lines
from ..contract.game import Game, has_own

__all__ = ["all_obstacles"]

#: How many are told of a method.
MOST_IN_METHOD = 10


def all_obstacles(
    game: Game, arguments: tuple[Any, ...], first: CompileError
) -> CompileError:
    """An error that tells of every obstacle that is found.

    Args:
        game: the rules.
        arguments: states, a buffer of actions and random numbers to call them with.
        first: what was found where all rules were compiled at once.

    Returns:
        The error: `first` itself, if it is all that there is or was found elsewhere.
    """
    if not first.obstacles:
        return first
    found: dict[Any, Obstacle] = {}
    for name, call in _CALLS.items():
        method = getattr(type(game), name)
        if has_own(game, name) and not was_compiled(game, method):
            # A copy, as Numba forgets the place of what it failed to compile before.
            copied = _with_methods(game, {name: _copy(method)})
            for one in _obstacles_of(call, copied, arguments):
                found.setdefault(one.place, one)
    if not found:
        return first
    methods = {_method_of(one) for one in found.values()}
    others = [
        one
        for one in first.obstacles
        if one.where != NOWHERE and _method_of(one) not in methods
    ]
    every = [*found.values(), *others]
    return compile_error(sorted(every, key=lambda one: one.place or ("", 0)))


def _method_of(obstacle: Obstacle) -> str:
    return obstacle.where.partition(",")[0]


def _obstacles_of(
    call: Kernel, game: Game, arguments: tuple[Any, ...]
) -> list[Obstacle]:
    """What is in the way in one method and in what it calls."""
    found: list[Obstacle] = []
    lines: dict[Any, list[int]] = {}  # of statements that are taken out of methods
    lost: set[str] = set()  # names that only those would set
    left = game
    for _ in range(MOST_IN_METHOD):
        error = call.obstacle(left, *arguments)
        if error is None or not error.obstacles:
            break
        (obstacle,) = error.obstacles
        if obstacle.place is None:
            break
        method = next(methods_at(type(game), *obstacle.place), None)
        if method is None:  # a function, of which nothing is taken out
            found.append(obstacle)
            break
        if lines.keys() - {method} and re.search(r"\bnone\b", obstacle.reason):
            break  # another method has lost what it returned
        line = obstacle.place[1]
        read, written = names_at(method, line)
        if not (read | _undefined(obstacle)) & lost:
            found.append(obstacle)
        lost |= written
        taken_out = lines.setdefault(method, [])
        if line in taken_out:
            break
        taken_out.append(line)
        pruned = {one: without_lines(one, at) for one, at in lines.items()}
        if None in pruned.values():
            break
        left = _with_methods(game, {one.__name__: new for one, new in pruned.items()})
    return found


def _undefined(obstacle: Obstacle) -> set[str]:
    """The name that is nowhere, by what Numba says; a called method may read it."""
    return set(re.findall(r"name '(\w+)' is not defined", obstacle.reason))


def _copy(method: Any) -> FunctionType:
    code, known = method.__code__, method.__globals__
    name, defaults = method.__name__, method.__defaults__
    return FunctionType(code, known, name, defaults, method.__closure__)


def _with_methods(game: Game, methods: dict[str, Any]) -> Game:
    """The same game with other methods."""
    cls = type(game)
    other = type(cls.__name__, (cls,), methods)
    other.__qualname__, other.__module__ = cls.__qualname__, cls.__module__
    found: Game = object.__new__(other)
    vars(found).update(vars(game))
    return found


#: How each method is called, by its name.
_CALLS = {
    name: kernel(call)
    for name, call in {
        "num_actions": lambda game, states, actions, rng: game.num_actions(),
        "num_players": lambda game, states, actions, rng: game.num_players(),
        "max_game_length": lambda game, states, actions, rng: game.max_game_length(),
        "current_player": lambda game, states, actions, rng: game.current_player(
            states[0]
        ),
        "legal_actions": lambda game, states, actions, rng: game.legal_actions(
            states[0], actions
        ),
        "urgent_actions": lambda game, states, actions, rng: game.urgent_actions(
            states[0], actions
        ),
        "apply": lambda game, states, actions, rng: game.apply(states[0], actions[0]),
        "is_terminal": lambda game, states, actions, rng: game.is_terminal(states[0]),
        "returns": lambda game, states, actions, rng: game.returns(states[0], 0),
        "rewards": lambda game, states, actions, rng: game.rewards(states[0], 0),
        "rollout": lambda game, states, actions, rng: game.rollout(
            states[0], actions, rng
        ),
        "chance_probability": lambda game, states, actions, rng: (
            game.chance_probability(states[0], actions[0])
        ),
        "sample_chance": lambda game, states, actions, rng: game.sample_chance(
            states[0], actions, rng
        ),
        "hide": lambda game, states, actions, rng: game.hide(states[0], 0),
        "determinize": lambda game, states, actions, rng: game.determinize(
            states[0], 0, rng
        ),
        "prior": lambda game, states, actions, rng: game.prior(states[0], actions[0]),
        "evaluate": lambda game, states, actions, rng: game.evaluate(states[0], 0),
        "hash": lambda game, states, actions, rng: game.hash(states[0]),
    }.items()
}
