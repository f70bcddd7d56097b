"""Objects, and environments, that are named by a file: `board.py:Board:size=4`."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from ..core.text.plugins import load_file
from ..core.text.spec import read_parameters, show_value
from ..games.contract.game import Game
from .conventions import looks_like_a_game
from .environment import blamed
from .game import ObjectGame
from .objects import from_object, is_state

__all__ = ["ObjectParameter", "from_file", "names_in_file", "parameters_in_file"]

#: What a spec may say besides what the class itself takes: of which type, and what it
#: means.
_OPTIONS: dict[str, tuple[type, str]] = {
    "reward": (str, "whose result is given: first, second, to_move, moved or player"),
    "mover": (str, "the method or attribute that says who moves"),
    "num_actions": (int, "how many different actions there are at most"),
    "max_length": (int, "the moves after which a game is a draw"),
    "reward_range": (tuple, "the results of a lost and of a won game, as in -1/1"),
}
#: (package, class) of environments, and (module, function) of what makes games of them.
_ENVIRONMENTS = {
    ("gymnasium", "Env"): (".gymnasium", "from_gymnasium"),
    ("pettingzoo", "AECEnv"): (".pettingzoo", "from_pettingzoo"),
}


class ObjectParameter(NamedTuple):
    """What may be said of an object after a colon.

    Attributes:
        name: of the parameter.
        default: as it is written; "" where there is none.
        meaning: in words; "" where nothing is known.
        is_needed: whether it must be given.
    """

    name: str
    default: str
    meaning: str = ""
    is_needed: bool = False


def from_file(path: Path, name: str, parameters: str) -> Game | None:
    """The game of a class or function in a file; None if that is none of an object.

    A class derived from an environment of Gymnasium's or PettingZoo's is one, too.

    Args:
        path: of the file.
        name: of the class, or of a function that gives a state, or of a state.
        parameters: as in a spec, `size=4,reward=first`; those that the class does not
            take are `from_object`'s.

    Raises:
        UsageError, RulesError: as `from_object`.
    """
    module = load_file(path)
    source = getattr(module, name, None)
    if (make := _environments(source)) is not None:
        return _from_environment(make, source, path, name, parameters)
    if not _is_source(source):
        return None
    if (name, parameters) not in (games := _games_of(module)):
        games[name, parameters] = _from_text(source, name, parameters)
    return games[name, parameters]


def names_in_file(module: ModuleType) -> list[str]:
    """The names of a file's classes of which `from_file` makes games."""
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, type)
        and value.__module__ == module.__name__
        and not issubclass(value, Game)
        and (_environments(value) is not None or looks_like_a_game(value))
    ]


def parameters_in_file(path: Path, name: str) -> list[ObjectParameter] | None:
    """What an object or environment in a file takes; None where there is none."""
    source = getattr(load_file(path), name, None)
    is_environment = _environments(source) is not None
    if not is_environment and not _is_source(source):
        return None
    own = [_told(parameter) for parameter in _signature(source)]
    taken = {parameter.name for parameter in own}
    options = {} if is_environment else _OPTIONS
    return own + [
        ObjectParameter(option, "", meaning)
        for option, (_, meaning) in options.items()
        if option not in taken
    ]


def _told(parameter: inspect.Parameter) -> ObjectParameter:
    if parameter.default is parameter.empty:
        return ObjectParameter(parameter.name, "", "must be given", is_needed=True)
    return ObjectParameter(parameter.name, show_value(parameter.default))


def _environments(source: Any) -> Callable[[Any], Game] | None:
    """What makes games of a class's environments; None where it makes none."""
    for base in source.__mro__ if isinstance(source, type) else ():
        package = base.__module__.partition(".")[0]
        if (place := _ENVIRONMENTS.get((package, base.__name__))) is not None:
            module, function = place
            made = getattr(importlib.import_module(module, __package__), function)
            return cast(Callable[[Any], Game], made)
    return None


def _from_environment(
    make: Callable[[Any], Game], source: Any, path: Path, name: str, parameters: str
) -> Game:
    values = read_parameters(name, parameters, _accepted(source))
    with blamed(name, ()):
        environment = source(**values)
    game = make(environment)
    type(game).name = _with_parameters(name, parameters)  # by which `path` finds it
    vars(game)["again"] = from_file, (path, name, parameters)
    return game


def _with_parameters(name: str, parameters: str) -> str:
    """A game's name, from which a record's rules are made again."""
    return f"{name}:{parameters}" if parameters else name


def _is_source(value: Any) -> bool:
    """Whether something may be a state, or make one."""
    makes_one = callable(value) and not isinstance(value, type)
    return makes_one or looks_like_a_game(value)


def _games_of(module: ModuleType) -> dict[tuple[str, str], ObjectGame]:
    """The games made of a module so far: an edited file is another module."""
    return vars(module).setdefault("__playout_games__", {})


def _from_text(source: Any, name: str, text: str) -> ObjectGame:
    accepted = _accepted(source)
    options = {option: kind for option, (kind, _) in _OPTIONS.items()}
    values = read_parameters(name, text, options | dict(accepted))
    own = {key: values.pop(key) for key in list(values) if key in accepted}
    if own:
        source = functools.partial(source, **own)
    return from_object(source, name=_with_parameters(name, text), **values)


def _accepted(source: Any) -> Mapping[str, Any]:
    """The parameters of a class or function, and their types."""
    return {parameter.name: _kind_of(parameter) for parameter in _signature(source)}


def _signature(source: Any) -> list[inspect.Parameter]:
    """The parameters of a class or function that can be given by name."""
    if not callable(source) or is_state(source):
        return []
    try:
        signature = inspect.signature(source, eval_str=True)
    except (TypeError, ValueError, NameError):
        return []
    return [
        parameter
        for parameter in signature.parameters.values()
        if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    ]


def _kind_of(parameter: inspect.Parameter) -> Any:
    """The type of a parameter's values, by its annotation or its default."""
    if parameter.annotation in (int, float, str, bool):
        return parameter.annotation
    default = type(parameter.default)
    return default if default in (int, float, str, bool) else int
