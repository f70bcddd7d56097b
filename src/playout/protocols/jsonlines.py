"""Playout's own protocol: one JSON object a line, for every game.

After KataGo's analysis engine: queries carry an `id`, are answered in any number of
partial results and exactly one final one, and may be ended early. `docs/protocols.md`
describes every field.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.errors import UsageError
from ..games.contract.game import Game
from ..games.positions.position import Position

__all__ = [
    "ACTIONS",
    "Query",
    "QueryError",
    "format_line",
    "format_query",
    "parse_line",
    "parse_query",
    "read_position",
]

#: What a query can ask for; `analyze` where it does not say.
ACTIONS = (
    "analyze",
    "query_position",
    "query_version",
    "new_game",
    "terminate",
    "terminate_all",
)
#: The parts of `limit`, and whether each may be 0 or less.
_LIMITS = {
    "seconds": False,
    "simulations": False,
    "memory": False,
    "remaining": True,
    "increment": True,
}
_WHOLE = ("simulations", "memory")
_FIELDS = {
    "id",
    "action",
    "game",
    "moves",
    "position",
    "limit",
    "reportEvery",
    "terminateId",
    "seed",
}
#: Larger numbers are mistakes, and would overflow a clock.
_LARGEST = 1e15


class QueryError(UsageError):
    """A query that cannot be answered.

    Attributes:
        field: the field that is wrong, None where it is the whole line.
        id: of the query, where it could be read.
    """

    def __init__(self, message: str, field: str | None = None, id: Any = None) -> None:
        super().__init__(message)
        self.field, self.id = field, id

    def to_dict(self) -> dict[str, Any]:
        """The answer to such a query."""
        known = {"id": self.id, "error": str(self), "field": self.field}
        return {key: value for key, value in known.items() if value is not None}


@dataclass(frozen=True)
class Query:
    """A line that a program sent.

    Attributes:
        action: one of `ACTIONS`.
        id: a text or number that the answers repeat.
        game: the game by name; None for the engine's own.
        moves: from the start, or from `position`, as people write them.
        position: the start as text; None for the game's.
        limit: the parts of an allowance that were given.
        report_every: seconds between partial results; None for none.
        terminate: the id of the query that shall end.
        seed: for the random numbers of a new game.
    """

    action: str
    id: str | int | None
    game: str | None = None
    moves: tuple[str, ...] = ()
    position: str | None = None
    limit: Mapping[str, float] | None = None
    report_every: float | None = None
    terminate: str | int | None = None
    seed: int = 0


def parse_line(text: str) -> dict[str, Any]:
    """The object of a line.

    Raises:
        QueryError: the line is not a JSON object.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"not JSON: {_short(error)}") from None
    if not isinstance(value, dict):
        raise QueryError("a query is a JSON object, in one line")
    return value


def parse_query(value: dict[str, Any]) -> Query:
    """The query of an object.

    >>> parse_query({"id": 1, "moves": "4 4", "limit": {"seconds": 1}}).moves
    ('4', '4')

    Raises:
        QueryError: a field is unknown, missing, or not of its kind.
    """
    id = value.get("id")
    if id is not None and type(id) not in (str, int):
        raise QueryError("id must be a text or a whole number", "id")
    try:
        return _read(value, id)
    except QueryError as error:
        raise QueryError(str(error), error.field, id) from None


def format_query(query: Query) -> str:
    """The line that asks it."""
    asks = query.action == "analyze"  # then the start, too, is told by its moves
    fields: dict[str, Any] = {
        "id": query.id,
        "action": query.action,
        "game": query.game,
        "position": query.position,
        "moves": list(query.moves) if query.moves or asks else None,
        "limit": dict(query.limit) if query.limit else None,
        "reportEvery": query.report_every,
        "terminateId": query.terminate,
        "seed": query.seed or None,
    }
    return format_line({key: v for key, v in fields.items() if v is not None})


def format_line(value: Mapping[str, Any]) -> str:
    """An object as one line; what JSON cannot hold (infinities) becomes null."""
    return json.dumps(_finite(value), separators=(",", ":"), allow_nan=False)


def read_position(game: Game, query: Query) -> Position:
    """The position that a query is about.

    Raises:
        QueryError: the position or a move cannot be read or played.
    """
    try:
        position = Position(game, query.position)
    except UsageError as error:
        raise QueryError(_short(error), "position", query.id) from None
    for number, move in enumerate(query.moves, start=1):
        try:
            position.play(move)
        except UsageError as error:
            message = f"move {number}: {_short(error)}"
            raise QueryError(message, "moves", query.id) from None
    return position


def _read(value: dict[str, Any], id: str | int | None) -> Query:
    action = value.get("action", "analyze")
    if not isinstance(action, str) or action not in ACTIONS:
        raise QueryError(f"action must be one of {', '.join(ACTIONS)}", "action")
    if unknown := sorted(value.keys() - _FIELDS):
        known = ", ".join(sorted(_FIELDS))
        raise QueryError(f"unknown field; known are {known}", unknown[0][:80])
    if id is None and action == "analyze":
        raise QueryError("analyze needs an id", "id")
    terminate = value.get("terminateId")
    if action == "terminate" and type(terminate) not in (str, int):
        raise QueryError("terminate needs the id of a query", "terminateId")
    seed = value.get("seed", 0)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**63:
        raise QueryError("seed must be a whole number from 0 to 2**63 - 1", "seed")
    return Query(
        action=action,
        id=id,
        game=_text(value, "game"),
        moves=_moves(value.get("moves", [])),
        position=_text(value, "position"),
        limit=_limit(value.get("limit", {})),
        report_every=_number(value.get("reportEvery"), "reportEvery"),
        terminate=terminate,
        seed=seed,
    )


def _text(value: dict[str, Any], field: str) -> str | None:
    found = value.get(field)
    if found is not None and not isinstance(found, str):
        raise QueryError(f"{field} must be a text", field)
    return found


def _moves(value: Any) -> tuple[str, ...]:
    """A list of texts, or one text with blanks between the moves."""
    if isinstance(value, str):
        return tuple(value.split())
    if not isinstance(value, list) or not all(isinstance(m, str) for m in value):
        raise QueryError("moves must be a list of texts, or one text", "moves")
    return tuple(value)


def _limit(value: Any) -> dict[str, float]:
    if not isinstance(value, dict) or value.keys() - _LIMITS:
        raise QueryError(f"limit is an object of {', '.join(_LIMITS)}", "limit")
    limit: dict[str, float] = {}
    for name, part in value.items():
        number = _number(part, f"limit.{name}", signed=_LIMITS[name])
        if number is not None:
            limit[name] = int(number) if name in _WHOLE else number
        if name in _WHOLE and number is not None and number != limit[name]:
            raise QueryError(f"{name} must be a whole number", f"limit.{name}")
    if limit.get("increment", 0) < 0:
        raise QueryError("increment must be at least 0", "limit.increment")
    return limit


def _number(value: Any, field: str, signed: bool = False) -> float | None:
    if value is None:
        return None
    good = isinstance(value, int | float) and not isinstance(value, bool)
    if not good or not -_LARGEST < value < _LARGEST or not (signed or value > 0):
        raise QueryError("must be a number" + " above 0" * (not signed), field)
    return value


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else f"{text[:300]} ..."
