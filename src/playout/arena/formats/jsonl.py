"""JSON lines: a game a line, every field under its name in `GameRecord`; lossless."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from typing import Any

from ..record import REASONS, GameRecord
from ..store import record_from_json, record_to_json
from .place import Place

__all__ = ["read", "write"]

_TEXTS = ("game", "reason", "detail", "started")
_LISTS: dict[str, type | tuple[type, ...]] = {
    "players": str,
    "moves": str,
    "seconds": (int, float),
    "comments": str,
    "returns": (int, float),
}
_REQUIRED = [
    field.name
    for field in dataclasses.fields(GameRecord)
    if field.default is dataclasses.MISSING
]


def write(records: Iterable[GameRecord]) -> str:
    """The games as text."""
    return "".join(record_to_json(record) + "\n" for record in records)


def read(text: str, place: Place) -> list[GameRecord]:
    """The games of a text; empty lines are skipped."""
    return [
        _read_line(line, place.at(number))
        for number, line in enumerate(text.split("\n"), start=1)
        if line.strip()
    ]


def _read_line(line: str, place: Place) -> GameRecord:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        place.fail(f"not JSON: {error}")
    if not isinstance(values, dict):
        place.fail("a game must be an object")
    if missing := [name for name in _REQUIRED if name not in values]:
        place.fail(f"the game lacks {', '.join(missing)}")
    known = {field.name for field in dataclasses.fields(GameRecord)}
    if unknown := sorted(set(values) - known):
        place.fail(
            f"a game has no {unknown[0][:40]!r}; it has {', '.join(sorted(known))}"
        )
    _check_types(values, place)
    record = record_from_json(line)
    _check_sizes(record, place)
    return record


def _check_types(values: dict[str, Any], place: Place) -> None:
    for name, kind in _LISTS.items():
        items = values[name]
        if not isinstance(items, list) or not all(
            isinstance(item, kind) and not isinstance(item, bool) for item in items
        ):
            what = "texts" if kind is str else "numbers"
            place.fail(f"{name} must be a list of {what}")
    for name in _TEXTS:
        if not isinstance(values.get(name, ""), str):
            place.fail(f"{name} must be a text")
    for name in ("opening", "seed", "forfeit"):
        value = values.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int):
            if not (name == "forfeit" and value is None):
                place.fail(f"{name} must be a whole number")


def _check_sizes(record: GameRecord, place: Place) -> None:
    moves, seats = len(record.moves), len(record.players)
    for name in ("seconds", "comments"):
        if len(getattr(record, name)) != moves:
            place.fail(f"{name} must have an entry for each of the {moves} moves")
    if len(record.returns) != seats or not seats:
        place.fail(f"returns must have an entry for each of the {seats} players")
    if not 0 <= record.opening <= moves:
        place.fail(f"opening must be 0 to {moves}, the number of moves")
    if record.forfeit is not None and not 0 <= record.forfeit < seats:
        place.fail(f"forfeit must be a seat, 0 to {seats - 1}, or null")
    if record.reason not in REASONS:
        place.fail(f"reason must be one of {', '.join(REASONS)}")
