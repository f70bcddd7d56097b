"""Games and players as visitors may name them: nothing that runs files or programs.

What the command line named is trusted, and may be named again by the same text.
"""

from __future__ import annotations

import re

from ...arena.table import HUMAN
from ...core.errors import UsageError, quote
from ...games.game import Game
from ...games.registry import game_names, make_game
from ...players.registry import PLAYERS
from .settings import Settings

__all__ = ["game_named", "player_named"]

#: A name, and perhaps parameters; a value has no colon, so no file can be named.
_SPEC = re.compile(r"[a-z0-9][a-z0-9-]*(:[a-z_]+=[^,:=]+(,[a-z_]+=[^,:=]+)*)?")
_LEVEL = re.compile(r"level:[0-9]{1,3}")
#: Each tree of a search is a thread.
MOST_TREES = 4


def game_named(spec: str, settings: Settings) -> Game:
    """The game of a request.

    Raises:
        UsageError: there is none, or it may not be asked for in this way.
    """
    if (trusted := settings.games.get(spec)) is not None:
        return trusted
    name = spec.partition(":")[0]
    if not _SPEC.fullmatch(spec) or name not in game_names():
        raise UsageError(f"unknown game {quote(spec)}; known are {_names()}")
    return make_game(spec)


def player_named(spec: str, settings: Settings) -> str:
    """The spec of a player, if a request may ask for it.

    >>> player_named("mcts:c_uct=0.5", Settings())
    'mcts:c_uct=0.5'

    Raises:
        UsageError: it may not; programs and files are for the command line.
    """
    if spec == HUMAN or spec in settings.players or _LEVEL.fullmatch(spec):
        return spec
    name = spec.partition(":")[0]
    if not _SPEC.fullmatch(spec) or name not in PLAYERS:
        raise UsageError(
            f"unknown player {quote(spec)}; known are human, level:N, "
            f"{', '.join(PLAYERS)}; others can be named where the server is started"
        )
    trees = re.search(r"[:,]trees=([^,]*)", spec)
    if trees and not (trees[1].isdecimal() and 1 <= int(trees[1]) <= MOST_TREES):
        raise UsageError(f"trees must be 1 to {MOST_TREES} here")
    return spec


def _names() -> str:
    return ", ".join(game_names())
