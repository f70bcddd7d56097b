"""JSON lines: a game a line, every field under its name in `GameRecord`; lossless."""

from __future__ import annotations

from collections.abc import Iterable

from ..record import GameRecord
from ..record_json import DamagedRecord, record_from_json, record_to_json
from .place import Place

__all__ = ["read", "write"]


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
        return record_from_json(line, place.unfinished)
    except DamagedRecord as error:
        place.fail(str(error))
