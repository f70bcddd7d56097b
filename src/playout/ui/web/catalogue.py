"""What can be played here: games with their parameters, and players for each."""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections import Counter
from pathlib import Path
from typing import Any

from ...core.errors import UsageError
from ...core.text.spec import show_value, split_spec
from ...games.backgammon.rules import SCORINGS
from ...games.contract.game import Game
from ...games.gomoku.rules import RULES
from ...games.registry import game_class, game_names
from ...games.ultimate_tic_tac_toe.rules import VARIANTS
from ...players.levels import find_ladder, levels_of
from ...players.networks import shipped
from ...players.registry import make_player
from ...search.presets import PRESETS
from ..common.words import about, meanings
from .models import GameEntry, LevelsView, ParameterEntry
from .settings import Settings
from .view import labels

__all__ = ["catalogue", "levels_view", "offered"]

#: Where a choice or a range is known; the games check for themselves all the same.
CHOICES: dict[tuple[str, str], list[str]] = {
    ("gomoku", "rule"): list(RULES),
    ("backgammon", "scoring"): list(SCORINGS),
    ("ultimate-tic-tac-toe", "variant"): list(VARIANTS),
}
RANGES: dict[tuple[str, str], tuple[int, int]] = {
    ("gomoku", "size"): (5, 22),
    ("gomoku", "rows"): (0, 22),
    ("gomoku", "columns"): (0, 22),
    ("connect-four", "rows"): (1, 12),
    ("connect-four", "columns"): (1, 12),
    ("connect-four", "line"): (2, 12),
    ("mnk", "m"): (1, 26),
    ("mnk", "n"): (1, 26),
    ("mnk", "k"): (1, 26),
    ("2048", "size"): (2, 6),
    ("pig", "target"): (1, 1000),
    ("breakthrough", "rows"): (4, 8),
    ("breakthrough", "columns"): (2, 8),
    ("hex", "size"): (2, 26),
    ("go", "size"): (2, 19),
    ("dots-and-boxes", "rows"): (1, 9),
    ("dots-and-boxes", "columns"): (1, 9),
    ("samegame", "rows"): (2, 26),
    ("samegame", "columns"): (2, 26),
    ("samegame", "colors"): (2, 8),
    ("tsp", "cities"): (3, 26),
}
#: Players that a page offers besides levels and the search.
OFFERED = (
    *("perfect", "nrpa", "alphabeta", "greedy", "random"),
    *(f"mcts:preset={name}" for name in PRESETS),
    *(f"net:{name}" for name in shipped()),
)


def catalogue(settings: Settings) -> list[GameEntry]:
    """The games of the command line first, then all others that can be played."""
    entries = [_entry(game, spec, settings) for spec, game in settings.games.items()]
    for name in game_names():
        try:
            entries.append(_entry(game_class(name)(), name, settings))
        except (UsageError, TypeError):
            continue  # of a package that cannot be used, or needs parameters
    offered = list({entry.spec: entry for entry in reversed(entries)}.values())[::-1]
    shared = Counter(entry.title for entry in offered)
    return [
        _told_apart(entry) if shared[entry.title] > 1 else entry for entry in offered
    ]


def _told_apart(entry: GameEntry) -> GameEntry:
    """Titles that several games share get the file and the parameters added."""
    file, _, parameters = split_spec(entry.spec)
    parts = [part for part in (Path(file).name, parameters) if part]
    title = f"{entry.title} ({', '.join(parts)})" if parts else entry.title
    return entry.model_copy(update={"title": title})


def levels_view(game: Game) -> LevelsView:
    """The levels of a game with its parameters.

    >>> from playout import ConnectFour
    >>> levels_view(ConnectFour(line=5))
    LevelsView(count=14, measured_on='connect-four', exact=False)
    """
    found, count = find_ladder(game), len(levels_of(game))
    if found is None:
        return LevelsView(count=count, measured_on="", exact=False)
    return LevelsView(count=count, measured_on=found.measured_on, exact=found.exact)


def _entry(game: Game, spec: str, settings: Settings) -> GameEntry:
    return GameEntry(
        spec=spec,
        title=game.title or type(game).__name__,
        about=about(type(game)),
        names=labels(game),
        levels=len(levels_of(game)),
        players=offered(game, settings.players),
        parameters=[] if spec != game.name else _parameters(game),
    )


@functools.lru_cache(maxsize=256)
def offered(game: Game, named: frozenset[str]) -> list[str]:
    """Who can play it besides people and levels, those of the command line last."""
    own = ["mcts", *(spec for spec in OFFERED if _plays(spec, game))]
    return own + [spec for spec in sorted(named) if _plays(spec, game)]


def _plays(spec: str, game: Game) -> bool:
    try:
        make_player(spec, game).close()
    except UsageError:
        return False
    return True


def _parameters(game: Game) -> list[ParameterEntry]:
    hints = typing.get_type_hints(type(game))
    return [
        _parameter(game, field, hints[field.name])
        for field in dataclasses.fields(type(game))  # type: ignore[arg-type]
        if field.init
    ]


def _parameter(game: Game, field: Any, kind: Any) -> ParameterEntry:
    least, most = RANGES.get((game.name, field.name), (None, None))
    names = {int: "whole", bool: "yes-no"}
    return ParameterEntry(
        name=field.name,
        kind=names.get(kind, "text"),
        default=show_value(field.default),
        choices=CHOICES.get((game.name, field.name), []),
        least=least,
        most=most,
        meaning=meanings(type(game)).get(field.name, ""),
    )
