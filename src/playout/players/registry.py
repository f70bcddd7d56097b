"""Players by name: `mcts:seconds=1`, `net:DIR`, `file.py:make_player`, `exec:COMMAND`.

A player is made by a factory: a callable that is given the game and the parameters, as
keywords, and returns a `Player`, or a function from a `Position` to a move. What its
signature accepts is what may follow the colon. Installed packages add factories as
entry points of the group `playout.players`.
"""

from __future__ import annotations

import importlib
import inspect
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..core.errors import UsageError, quote
from ..core.text.plugins import entry_points, load_entry_point
from ..core.text.spec import is_library, read_parameters, split_spec, unknown_name
from ..games.check.soundness import expect_game
from ..games.contract.game import Game
from ..games.registry import game_class, game_spec
from .factories import call, from_file, parameter_types
from .function import FunctionPlayer
from .player import Allowance, Player

__all__ = ["PLAYERS", "make_player", "player_names", "usual_player"]

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
SPECIAL = ("human", "level", "exec", "net")

#: Games whose own network is the stronger opponent at equal time, by matches (see
#: `docs/networks.md`).
BY_NETWORK = ("connect-four", "ultimate-tic-tac-toe")

#: Where installed packages name the players that they add.
ENTRY_POINTS = "playout.players"


def make_player(spec: str, game: Game, *, allowance: Allowance | None = None) -> Player:
    """The player that a text names.

    Args:
        spec: the text.
        game: what it is to play.
        allowance: what it may use for a move; with a game's clock, at most.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> make_player("mcts:simulations=100,c_uct=1.2", TicTacToe()).spec
    'mcts:simulations=100,c_uct=1.2'

    Raises:
        UsageError: unknown player, parameter or value, or one that cannot play this.
    """
    expect_game(game)
    if not isinstance(spec, str):
        raise UsageError(f"a player is named by a text, not {quote(spec)}")
    player = _make(spec, game)
    player.spec = spec
    if allowance is not None:
        player.allowance = allowance
    return player


def usual_player(game: Game) -> str:
    """Who plays a game where nobody is named: the search, in some with a network.

    A network is for exactly these rules, and not for those derived from them.

    >>> from playout.games.registry import make_game
    >>> usual_player(make_game("gomoku")), usual_player(make_game(BY_NETWORK[0]))
    ('mcts', 'net:connect-four')
    """
    spec = game_spec(game)
    if spec not in BY_NETWORK or type(game) is not game_class(spec):
        return "mcts"
    hidden = Path(spec).exists()  # then `net:` means what a person has there
    return "mcts" if hidden else f"net:{spec}"


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
    if head == "net":
        from .net import make_net

        return make_net(rest, game)
    if head == "exec":
        from .external import make_external

        return make_external(rest, game)
    if is_library(spec):
        from .course import CoursePlayer

        return CoursePlayer(spec, game)
    file, name, parameters = split_spec(spec)
    owner = f"{file}:{name}" if file else name
    if file:
        factory = _expect_callable(from_file(Path(file), name), owner)
    else:
        factory = _by_name(name)
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
    made = call(owner, factory, game, values=values)
    if isinstance(made, Player):
        return made
    if callable(made):
        return FunctionPlayer(owner, game, made)
    raise UsageError(
        f"{owner} returned {type(made).__name__}; it must return a player, or a "
        "function from a position to a move"
    )


def _parameters(owner: str, factory: Factory) -> dict[str, Any]:
    """The types of a factory's parameters, but for the first, which takes the game."""
    try:
        inspect.signature(factory, eval_str=True).bind_partial(None)
        return parameter_types(factory, skipped=1)
    except (ValueError, TypeError, NameError):
        raise UsageError(f"{owner} must be callable with the game") from None
