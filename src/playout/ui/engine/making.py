"""Engines as the command line starts them: a protocol, a game, and who thinks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...core.errors import UsageError
from ...games.contract.game import Game
from ...games.registry import game_class, make_game
from ...players.registry import make_player
from . import protocols
from .loop import Engine
from .thinker import Thinker

__all__ = ["engine_class", "engine_maker", "make_engine"]


def engine_maker(
    protocol: str, game: str | None, player: str, seed: int | None = None
) -> Callable[[Callable[[str], None]], Engine]:
    """What makes the engine from the function that sends its lines.

    Raises:
        UsageError: the protocol does not have the game, or there is no such player.
    """
    known = engine_class(protocol)
    spec = known.default if game is None else game
    if game is None and not spec:
        raise UsageError(f"{protocol} needs a game, as in {protocol} connect-four")
    rules = make_game(spec)
    _expect(protocol, rules)
    make_player(player, rules)
    thinker = Thinker(lambda other: make_player(player, other), known.kept_games, seed)

    def make(say: Callable[[str], None]) -> Engine:
        from ... import __version__

        thinker.warm_up()
        return make_engine(
            protocol,
            say,
            thinker=thinker,
            game=rules,
            version=__version__,
            named=game is not None,
        )

    return make


def make_engine(protocol: str, say: Callable[[str], None], **given: Any) -> Engine:
    """A protocol's engine, which gets as much of what is given as it has names for."""
    engine = engine_class(protocol)
    wanted = given.keys() & inspect.signature(engine).parameters.keys()
    return engine(say, **{name: given[name] for name in wanted})


def engine_class(protocol: str) -> type[Engine]:
    """The `Engine` in the protocol's file."""
    module = import_module(f"{protocols.__name__}.{protocol}")
    exported = (getattr(module, name) for name in module.__all__)
    return next(each for each in exported if issubclass(each, Engine))


def _expect(protocol: str, game: Game) -> None:
    """Complain about a game that a protocol does not have."""
    engine = engine_class(protocol)
    names = engine.games
    if names and not isinstance(game, tuple(map(game_class, names))):
        raise UsageError(f"{protocol} is for {' and '.join(names)} only")
    engine.check(game)
