"""Players by name: `mcts:seconds=1`, `file.py:make_player`, `lib.so`, `exec:COMMAND`.

A player is made by a factory: a callable that is given the game and the parameters, as
keywords, and returns a `Player`, or a function from a `Position` to a move. What its
signature accepts is what may follow the colon. Installed packages add factories as
entry points of the group `playout.players`.
"""

from __future__ import annotations

import importlib
import inspect
import traceback
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.errors import PlayoutError, UsageError
from ..core.text.plugins import entry_points, load_entry_point, load_file
from ..core.text.spec import is_library, read_parameters, split_spec, unknown_name
from ..games.check.soundness import expect_game
from ..games.contract.game import Game
from .function import FunctionPlayer
from .player import Allowance, Player

__all__ = ["PLAYERS", "make_player", "player_names"]

Factory = Callable[..., Any]

#: name -> (module, factory); a module is imported when its player is asked for.
PLAYERS: dict[str, tuple[str, str]] = {
    "random": ("baselines", "random"),
    "greedy": ("baselines", "greedy"),
    "negamax": ("alphabeta", "negamax"),
    "alphabeta": ("alphabeta", "alphabeta"),
    "perfect": ("perfect", "perfect"),
    "mcts": ("mcts", "mcts"),
    "nrpa": ("nrpa", "nrpa"),
}

#: Specs whose text after the colon is not a list of parameters.
SPECIAL = ("human", "level", "exec")

#: Where installed packages name the players that they add.
ENTRY_POINTS = "playout.players"


def make_player(spec: str, game: Game, *, allowance: Allowance | None = None) -> Player:
    """The player that a text names.

    Args:
        spec: the text.
        game: what it is to play.
        allowance: what it may use for a move where a match gives it no limit.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> make_player("mcts:simulations=100,c_uct=1.2", TicTacToe()).spec
    'mcts:simulations=100,c_uct=1.2'

    Raises:
        UsageError: unknown player, parameter or value, or one that cannot play this.
    """
    expect_game(game)
    player = _make(spec, game)
    player.spec = spec
    if allowance is not None:
        player.allowance = allowance
    return player


def player_names() -> list[str]:
    """The names of all players: Playout's own, then those of installed packages."""
    added = sorted(entry_points(ENTRY_POINTS))
    return list(dict.fromkeys([*SPECIAL, *PLAYERS, *added]))


def _make(spec: str, game: Game) -> Player:
    head, _, rest = spec.partition(":")
    if head == "human":
        raise UsageError("human: a person can play only where one can answer")
    if head == "level":
        from .levels import level_spec

        return _make(level_spec(rest, game), game)
    if head == "exec":
        from .external import make_external

        return make_external(rest, game)
    if is_library(spec):
        from .course import CoursePlayer

        return CoursePlayer(spec, game)
    file, name, parameters = split_spec(spec)
    factory = _from_file(Path(file), name) if file else _by_name(name)
    owner = f"{file}:{name}" if file else name
    return _call(owner, factory, game, parameters)


def _by_name(name: str) -> Factory:
    if name in PLAYERS:
        module, attribute = PLAYERS[name]
        found = importlib.import_module(f"{__package__}.{module}")
        return typing.cast(Factory, getattr(found, attribute))
    if name.endswith(".py"):
        raise UsageError(f"{name}: name the function too, as in {name}:make_player")
    if (point := entry_points(ENTRY_POINTS).get(name)) is None:
        more = "path/to/file.py:make_player"
        raise unknown_name("player", name, player_names(), more)
    return _expect_callable(load_entry_point(point), name)


def _from_file(path: Path, name: str) -> Factory:
    module = load_file(path)
    if not hasattr(module, name):
        own = [
            key
            for key, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
        ]
        raise UsageError(
            f"{path} has no {name!r}; it has {', '.join(own) or 'no function'}"
        )
    return _expect_callable(getattr(module, name), f"{path}:{name}")


def _expect_callable(value: Any, owner: str) -> Factory:
    if not callable(value):
        raise UsageError(
            f"{owner} must be a function that is given the game and returns a player, "
            f"not {type(value).__name__}"
        )
    return typing.cast(Factory, value)


def _call(owner: str, factory: Factory, game: Game, text: str) -> Player:
    """The player that a factory makes with the parameters in a text."""
    values = read_parameters(owner, text, _parameters(owner, factory))
    try:
        inspect.signature(factory).bind(game, **values)
    except TypeError as error:
        raise UsageError(f"{owner}: {error}") from None
    try:
        made = factory(game, **values)
    except PlayoutError as error:
        raise type(error)(f"{owner}: {error}") from error
    except (Exception, SystemExit) as error:
        raise UsageError(f"{owner}: {_place(error)}") from error
    if isinstance(made, Player):
        return made
    if callable(made):
        return FunctionPlayer(owner, game, made)
    raise UsageError(
        f"{owner} returned {type(made).__name__}; it must return a player, or a "
        "function from a position to a move"
    )


def _place(error: BaseException) -> str:
    """Where in a factory an exception was raised, its type, and what it says."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    what = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{frame.filename}, line {frame.lineno}: {what}"


def _parameters(owner: str, factory: Factory) -> dict[str, Any]:
    """The names after the first, which takes the game, and the types of their values.

    Where there is no annotation, the default tells the type.
    """
    try:
        signature = inspect.signature(factory, eval_str=True)
        signature.bind_partial(None)
    except (ValueError, TypeError, NameError):
        raise UsageError(f"{owner} must be callable with the game") from None
    kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    others = list(signature.parameters.values())[1:]
    return {each.name: _type_of(each) for each in others if each.kind in kinds}


def _type_of(parameter: inspect.Parameter) -> Any:
    if parameter.annotation is not parameter.empty:
        return parameter.annotation
    known = parameter.default not in (parameter.empty, None)
    return type(parameter.default) if known else str
