"""Games and players as visitors may name them: nothing that runs files or programs.

What the command line named is trusted, and may be named again by the same text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...arena.table import HUMAN
from ...core.errors import UsageError, quote
from ...core.text.spec import read_parameters
from ...games.contract.game import Game
from ...games.registry import game_names, make_game
from ...players.networks import shipped
from ...players.policies import all_policy_fields
from ...players.registry import PLAYERS
from ...search.catalogue import PHASES
from .settings import Settings

__all__ = ["PARAMETERS", "game_named", "player_named"]

#: A name, and perhaps parameters; a value has no colon, so no file can be named.
_SPEC = re.compile(r"[a-z0-9][a-z0-9-]*(:[a-z_]+=[^,:=]+(,[a-z_]+=[^,:=]+)*)?")
_LEVEL = re.compile(r"level:[0-9]{1,3}")
#: What a visitor may say of a search, besides the fields of its policies: numbers and
#: names, none of which names a file. One that ponders would go on when its page is
#: gone.
_OF_A_SEARCH = """
    seconds simulations nodes memory early_stop blunder book reuse first_seconds
    trees threads virtual_loss transpositions table_bits preset
"""
#: All that a visitor may say of a player, by its name.
PARAMETERS: dict[str, str] = {
    "negamax": "depth",
    "alphabeta": "depth seconds urgent",
    "nrpa": "level iterations alpha context seconds simulations",
    "mcts": " ".join([_OF_A_SEARCH, *PHASES, *all_policy_fields()]),
}
#: Threads of one search, its trees times the threads of each. It takes one place among
#: the searches that run at once.
MOST_THREADS = 4
#: 2^20 entries, of 24 bytes, in each table of a search.
MOST_TABLE_BITS = 20
#: What is read as a number here, and its value where nothing is said.
_COUNTS = {"trees": 1, "threads": 1, "table_bits": 0}


def game_named(spec: str, settings: Settings) -> Game:
    """The game of a request.

    Raises:
        UsageError: there is none, or it may not be asked for in this way.
    """
    if (trusted := settings.games.get(spec)) is not None:
        return trusted
    name = spec.partition(":")[0]
    if not _SPEC.fullmatch(spec) or name not in game_names():
        served = ", ".join([*settings.games, *game_names()])
        raise UsageError(
            f"unknown game {quote(spec)}; known are {served}; others, with their "
            "parameters, can be named where the server is started"
        )
    return make_game(spec)


def player_named(spec: str, settings: Settings) -> str:
    """The spec of a player, if a request may ask for it.

    >>> player_named("mcts:c_uct=0.5", Settings())
    'mcts:c_uct=0.5'

    Raises:
        UsageError: it may not; programs and files are for the command line.
    """
    own = {HUMAN, *(f"net:{name}" for name in shipped())}
    if spec in own or spec in settings.players or _LEVEL.fullmatch(spec):
        return spec
    name, _, parameters = spec.partition(":")
    if not _SPEC.fullmatch(spec) or name not in PLAYERS:
        raise UsageError(
            f"unknown player {quote(spec)}; known are human, level:N, "
            f"{', '.join(PLAYERS)}; others can be named where the server is started"
        )
    types: dict[str, Any] = dict.fromkeys(PARAMETERS.get(name, "").split(), str)
    types |= {count: int for count in _COUNTS if count in types}
    _check_counts(read_parameters(name, parameters, types))
    return spec


def _check_counts(given: Mapping[str, Any]) -> None:
    """Refuse a search that would take much more than the others."""
    counts = {name: given.get(name, usual) for name, usual in _COUNTS.items()}
    if min(counts["trees"], counts["threads"]) < 1 or (
        counts["trees"] * counts["threads"] > MOST_THREADS
    ):
        raise UsageError(f"trees times threads must be 1 to {MOST_THREADS} here")
    if counts["table_bits"] > MOST_TABLE_BITS:
        raise UsageError(f"table_bits must be at most {MOST_TABLE_BITS} here")
