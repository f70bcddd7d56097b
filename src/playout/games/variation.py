"""Boards that differ from game to game: `rows=9-12,columns=9-12,forbidden=random`.

The course of source 5 (see `search.presets`) draws rows and columns from 9 to 12, and a
cell that nobody may occupy. A name is followed by a range of whole numbers, by `random`
where the game can draw the parameter (see `registry.draw_parameters`), or by a fixed
value.
"""

from __future__ import annotations

import re
from dataclasses import fields
from random import Random

from ..core.errors import UsageError, quote
from ..core.text.spec import show_value, with_values
from .contract.game import Game
from .registry import draw_parameters, game_class, game_names, game_spec, make_game

__all__ = ["check_variation", "covers", "draw_board", "varied_spec"]

_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def draw_board(spec: str, vary: str, random: Random) -> str:
    """The spec of a game whose board is drawn.

    >>> draw_board("connect-four:line=3", "rows=9-12,forbidden=random", Random(1))
    'connect-four:line=3,rows=10,forbidden=9/6'

    Args:
        spec: of the game; what varies takes the place of what it says.
        vary: what differs, as the module's docstring has it; "" for what `spec` itself
            leaves to chance.
        random: what is drawn follows from it.

    Raises:
        UsageError: the game has no such parameter, or cannot draw it.
    """
    drawn = {key: _draw(value, random) for key, value in _read(vary).items()}
    return draw_parameters(with_values(spec, drawn), random)


def varied_spec(spec: str, vary: str) -> str:
    """The spec that stands for all boards that may be drawn.

    >>> varied_spec("connect-four:line=3", "rows=9-12,forbidden=random")
    'connect-four:line=3,rows=9-12,forbidden=random'
    """
    return with_values(spec, _read(vary))


def check_variation(spec: str, vary: str) -> None:
    """Complain of a variation that this game cannot have.

    Raises:
        UsageError: a range is empty, or one of its ends is no value of the parameter.
    """
    ends = _read(vary)
    for pick in (1, 2):
        parts = (
            f"{key}={found[pick] if (found := _RANGE.fullmatch(value)) else value}"
            for key, value in ends.items()
        )
        make_game(draw_board(spec, ",".join(parts), Random(0)))


def covers(spec: str, game: Game) -> bool:
    """Whether a game is one of those that a spec with ranges stands for.

    >>> boards = "connect-four:rows=9-12,columns=9-12,forbidden=random"
    >>> covers(boards, make_game("connect-four:rows=9,columns=12"))
    True
    >>> covers(boards, make_game("connect-four:rows=9"))
    False
    """
    name, _, text = spec.partition(":")
    if name != game_spec(game).partition(":")[0]:
        return False
    # The name of a user's game, whose class is not found by it, stands for itself.
    if name in game_names() and type(game) is not game_class(name):
        return False
    varied = _read(text)
    for field in fields(game):  # type: ignore[arg-type]
        value = getattr(game, field.name)
        wanted = varied.pop(field.name, show_value(field.default))
        found = _RANGE.fullmatch(wanted)
        inside = found is not None and int(found[1]) <= value <= int(found[2])
        if not inside and wanted not in ("random", show_value(value)):
            return False
    return not varied


def _read(vary: str) -> dict[str, str]:
    """What follows each name."""
    found: dict[str, str] = {}
    for part in vary.split(",") if vary else ():
        name, equals, value = part.partition("=")
        if not (name and equals and value) or name in found:
            raise UsageError(
                f"{quote(vary)}: expected what varies, each once, as in "
                "rows=9-12,columns=9-12,forbidden=random"
            )
        ends = _RANGE.fullmatch(value)
        if ends is not None and int(ends[1]) > int(ends[2]):
            raise UsageError(f"{name}={value} is an empty range")
        found[name] = value
    return found


def _draw(value: str, random: Random) -> str:
    ends = _RANGE.fullmatch(value)
    return value if ends is None else str(random.randint(int(ends[1]), int(ends[2])))
