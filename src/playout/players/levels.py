"""`level:1` and up: a ladder of opponents for each game, weakest first.

The ladders are in `levels.toml`, which `playout levels calibrate` writes: the players,
and what each was measured to be above the one below. `docs/levels.md` shows them.
"""

from __future__ import annotations

import functools
import json
import sys
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ..core.errors import UsageError
from ..core.files import read_text
from ..games.contract.game import Game
from ..games.registry import game_spec
from ..games.variation import covers

__all__ = [
    "GENERIC",
    "FoundLadder",
    "MeasuredLevels",
    "find_ladder",
    "level_spec",
    "levels_of",
    "measured",
    "read_ladders",
    "write_ladders",
]

#: The file of ladders, beside this one.
FILE = "levels.toml"
#: The same beside the file of a user's game.
USERS_FILE = "playout_levels.toml"
#: For every game that has no ladder of its own; not measured.
GENERIC = (
    "mcts:simulations=10,blunder=0.5",
    "mcts:simulations=20,blunder=0.3",
    "mcts:simulations=40,blunder=0.2",
    "mcts:simulations=80,blunder=0.1",
    "mcts:simulations=150",
    "mcts:simulations=400",
    "mcts:simulations=1000",
    "mcts:simulations=3000",
    "mcts:simulations=10000",
    "mcts:simulations=50000",
)


@dataclass(frozen=True)
class MeasuredLevels:
    """A game's ladder.

    Attributes:
        players: their specs, weakest first.
        steps: Elo of each above the one below; 0 for the first.
        errors: half of the 95 % intervals of the steps.
        games: of the match that measured each step.
        openings: given moves of these matches; "" for none.
    """

    players: tuple[str, ...]
    steps: tuple[float, ...]
    errors: tuple[float, ...]
    games: tuple[int, ...]
    openings: str = ""


@functools.cache
def measured() -> dict[str, MeasuredLevels]:
    """The ladders that were measured, by game."""
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return read_ladders(text)


def _users(game: Game) -> dict[str, MeasuredLevels]:
    """The ladders beside the file of a user's game.

    Raises:
        UsageError: what is there is not a file of ladders.
    """
    module = type(game).__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or module.startswith("playout."):
        return {}
    path = Path(file).with_name(USERS_FILE)
    try:
        return read_ladders(read_text(path)) if path.exists() else {}
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def read_ladders(text: str) -> dict[str, MeasuredLevels]:
    """The ladders of a file, by game.

    Raises:
        UsageError: the text is not a file of ladders.
    """
    try:
        return {
            game: MeasuredLevels(
                tuple(map(str, table["players"])),
                tuple(map(float, table["steps"])),
                tuple(map(float, table["errors"])),
                tuple(map(int, table["games"])),
                str(table["openings"]),
            )
            for game, table in tomllib.loads(text).items()
        }
    except (ValueError, TypeError, LookupError) as error:
        raise UsageError(f"not a file of ladders: {error!r}") from None


def write_ladders(ladders: dict[str, MeasuredLevels]) -> str:
    """The text of a file of ladders; `read_ladders` reads it back."""
    parts = ["# Written by `playout levels calibrate`; docs/levels.md explains it.\n"]
    for game in sorted(ladders):
        ladder = ladders[game]
        parts.append(
            f"\n[{json.dumps(game)}]\nopenings = {json.dumps(ladder.openings)}\n"
        )
        for name in ("players", "steps", "errors", "games"):
            items = "".join(f"    {_toml(v)},\n" for v in getattr(ladder, name))
            parts.append(f"{name} = [\n{items}]\n")
    return "".join(parts)


def _toml(value: str | float) -> str:
    """A value as TOML writes it, which unlike JSON has infinity.

    >>> _toml("a"), _toml(1), _toml(float("inf"))
    ('"a"', '1', 'inf')
    """
    return json.dumps(value) if isinstance(value, str) else repr(value)


@dataclass(frozen=True)
class FoundLadder:
    """The ladder whose players a game has.

    Attributes:
        ladder: its players, and what was measured.
        measured_on: the game, or games, of its matches.
        exact: whether this game is one of those; else it is a variant of another.
    """

    ladder: MeasuredLevels
    measured_on: str
    exact: bool


def find_ladder(game: Game) -> FoundLadder | None:
    """The ladder whose players a game has; None where no such game was measured.

    That of exactly these rules; else of boards of many sizes, this one among them; else
    of the standard game, which says little of how far apart they are here; its networks
    have learnt its own rules, and are left out. A user's game may have ladders beside
    its file.

    >>> from playout.games.registry import make_game
    >>> found = find_ladder(make_game("connect-four:line=5"))
    >>> found.measured_on, found.exact
    ('connect-four', False)
    """
    ladders, spec = measured() | _users(game), game_spec(game)
    boards = (key for key in ladders if covers(key, game))
    name = spec if spec in ladders else next(boards, spec.partition(":")[0])
    if name not in ladders:
        return None
    exact = name == spec or covers(name, game)
    ladder = ladders[name] if exact else without_networks(ladders[name])
    return FoundLadder(ladder, name, exact)


def without_networks(ladder: MeasuredLevels) -> MeasuredLevels:
    """A ladder that ends below its first network."""
    networks = [player.startswith("net:") for player in ladder.players]
    end = [*networks, True].index(True)
    return MeasuredLevels(
        ladder.players[:end],
        ladder.steps[:end],
        ladder.errors[:end],
        ladder.games[:end],
        ladder.openings,
    )


def levels_of(game: Game) -> tuple[str, ...]:
    """The players of a game's levels, weakest first.

    A variant without a ladder of its own has the players of the standard game, but for
    its networks.
    """
    found = find_ladder(game)
    return GENERIC if found is None else found.ladder.players


def level_spec(number: str, game: Game) -> str:
    """The player of a level, counted from 1.

    Raises:
        UsageError: there is no such level.
    """
    levels = levels_of(game)
    if not (number.isdecimal() and 1 <= int(number) <= len(levels)):
        raise UsageError(
            f"level:{number[:20]}: the levels of {game_spec(game)} are level:1 to "
            f"level:{len(levels)}"
        )
    return levels[int(number) - 1]
