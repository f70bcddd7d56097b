"""A game as one line of JSON, and back; a damaged line is recognised."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from .record import REASONS, UNFINISHED, GameRecord

__all__ = ["DamagedRecord", "record_from_json", "record_to_json", "settings_from_json"]

_TEXTS = ("game", "reason", "detail", "started")
_NUMBERS = ("seconds", "returns")
_LISTS = ("players", "moves", "comments", *_NUMBERS)
_FIELDS = {field.name: field for field in dataclasses.fields(GameRecord)}
_REQUIRED = [
    name for name, field in _FIELDS.items() if field.default is dataclasses.MISSING
]


class DamagedRecord(ValueError):
    """A text that is not a game; says what is wrong with it."""


def record_to_json(record: GameRecord) -> str:
    """A game as one line of JSON; the names are those of `GameRecord`.

    A half of a character, which no file can hold, is written as an escape.
    """
    values = dataclasses.asdict(record)
    text = json.dumps(values, ensure_ascii=False)
    return text if _is_unicode(text) else json.dumps(values)


def record_from_json(text: str, unfinished: bool = False) -> GameRecord:
    """The game that `record_to_json` wrote.

    Args:
        text: the line.
        unfinished: whether it may be of a game that goes on.

    >>> record = GameRecord("g", ("a", "b"), ("b2",), 0, (0.5,), ("",), (1.0, -1.0))
    >>> record_from_json(record_to_json(record)) == record
    True

    Raises:
        DamagedRecord: the text is not a game.
    """
    values = _object(text, "a game")
    _check_names(values)
    _check_kinds(values)
    lists = {name: tuple(values[name]) for name in _LISTS}
    record = GameRecord(**{**values, **lists})
    _check_sizes(record)
    if record.reason not in (*REASONS, *([UNFINISHED] if unfinished else [])):
        raise DamagedRecord(f"reason must be one of {', '.join(REASONS)}")
    return record


def settings_from_json(text: str) -> dict[str, Any]:
    """The settings of a match that a file has as JSON.

    Raises:
        DamagedRecord: the text is not an object, or players and game are no texts.
    """
    settings = _object(text, "the settings")
    players = settings.get("players", ["?", "?"])
    if not isinstance(players, list) or not players:
        raise DamagedRecord("its players must be a list of one or more")
    if not all(map(_is_text, [*players, settings.get("game", "")])):
        raise DamagedRecord("its game and its players must be texts")
    return settings


def _object(text: str, what: str) -> dict[str, Any]:
    if not isinstance(text, str) or not _is_unicode(text):
        raise DamagedRecord(f"{what} must be a text")
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedRecord(f"not JSON: {error}") from None
    if not isinstance(values, dict):
        raise DamagedRecord(f"{what} must be an object")
    return values


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_names(values: dict[str, Any]) -> None:
    if missing := [name for name in _REQUIRED if name not in values]:
        raise DamagedRecord(f"the game lacks {', '.join(missing)}")
    if unknown := sorted(set(values) - set(_FIELDS)):
        raise DamagedRecord(
            f"a game has no {unknown[0][:40]!r}; it has {', '.join(sorted(_FIELDS))}"
        )


def _check_kinds(values: dict[str, Any]) -> None:
    for name in _LISTS:
        numbers = name in _NUMBERS
        is_good = _is_number if numbers else _is_text
        if not isinstance(values[name], list) or not all(map(is_good, values[name])):
            what = "numbers" if numbers else "texts"
            raise DamagedRecord(f"{name} must be a list of {what}")
    for name in _TEXTS:
        if not _is_text(values.get(name, "")):
            raise DamagedRecord(f"{name} must be a text")
    for name in ("opening", "seed", "forfeit"):
        value = values.get(name, 0)
        absent = name == "forfeit" and value is None
        if not absent and type(value) is not int:
            raise DamagedRecord(f"{name} must be a whole number")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    """Whether it is a finite number that a float can hold."""
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def _check_sizes(record: GameRecord) -> None:
    moves, seats = len(record.moves), len(record.players)
    for name in ("seconds", "comments"):
        if len(getattr(record, name)) != moves:
            raise DamagedRecord(
                f"{name} must have an entry for each of the {moves} moves"
            )
    if len(record.returns) != seats or not seats:
        raise DamagedRecord(
            f"returns must have an entry for each of the {seats} players"
        )
    if not 0 <= record.opening <= moves:
        raise DamagedRecord(f"opening must be 0 to {moves}, the number of moves")
    if record.forfeit is not None and not 0 <= record.forfeit < seats:
        raise DamagedRecord(f"forfeit must be a seat, 0 to {seats - 1}, or null")
