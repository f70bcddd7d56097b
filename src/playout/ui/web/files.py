"""Games as files that a page saves and loads; the formats are the arena's.

Those formats are for finished games. A game that goes on is saved as JSON, or with its
moves alone; where a text tells no result, only its moves are wanted here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

from ...arena.formats import FORMATS
from ...arena.formats.lines import Lines
from ...arena.formats.place import UNKNOWN, Place
from ...arena.record import UNFINISHED, GameRecord
from ...core.errors import UsageError
from ...games.contract.game import Game
from ...games.positions.position import Position

__all__ = ["MEDIA", "formats_of", "read_game", "write_game"]

#: What a browser is told of each format.
MEDIA = {
    "json": "application/json",
    "sgf": "application/x-go-sgf",
    "psq": "text/plain",
    "pos": "text/plain",
    "columns": "text/plain",
}
#: A result that is written where there is none yet; it is taken away again.
_ANY_RESULT = " 1/2-1/2"
#: What a game as JSON need not say, as only its moves are wanted.
_OF_A_GAME = {
    "players": [UNKNOWN, UNKNOWN],
    "opening": 0,
    "reason": UNFINISHED,
}
#: The same of each player and of each move.
_OF_EACH: dict[str, dict[str, object]] = {
    "players": {"returns": 0.0},
    "moves": {"seconds": 0.0, "comments": ""},
}
#: How the texts of other programs begin.
_BEGINNINGS = {"{": "jsonl", "(": "sgf", "Piskvorky": "psq"}
#: Columns, or cells counted from the top, perhaps with blanks and a result.
_LINE = re.compile(r"(?P<moves>[0-9 ]+|[a-z0-9 ]+?)(?: (?P<result>1-0|0-1|1/2-1/2))?")

Make = Callable[[str], Game]


def formats_of(game: str) -> list[str]:
    """The formats in which a game can be saved, by its spec."""
    name, _, parameters = game.partition(":")
    own = {"gomoku": ["sgf", "psq", "pos"], "connect-four": ["columns"]}.get(name, [])
    if "rule=" in parameters:
        own = [each for each in own if each != "psq"]
    return ["json", *own]


def write_game(record: GameRecord, format: str, over: bool) -> str:
    """A game as the text of a file.

    Raises:
        UsageError: the format is not for this game, or not before its end.
    """
    if format not in formats_of(record.game):
        known = ", ".join(formats_of(record.game))
        raise UsageError(f"{record.game} is saved as {known}, not as {format[:20]}")
    if format == "json":
        shown = record if over else replace(record, reason=UNFINISHED)
        return FORMATS["jsonl"].write([shown])
    if format == "psq" and not over:
        raise UsageError("psq is for finished games; save this one as JSON or SGF")
    text = FORMATS[format].write([record])
    if over:
        return text
    if format == "sgf":
        return text.replace("RE[0]TE[rules]", "RE[?]", 1)
    return text.replace(_ANY_RESULT, "", 1)


def read_game(
    text: str, make: Make, game: str = ""
) -> tuple[str, list[str], list[str]]:
    """The game, its moves and its players from a file or a string of moves.

    Args:
        text: JSON, SGF, psq, columns (`4455`), pos (`h8i9`), or moves with blanks and,
            if you like, their numbers (`1. h8 i9`). Only cells that run together are
            counted from the top, as in pos; those with blanks are the board's own.
        make: the game of a spec; the text may name any, so that this must refuse what
            is not to be made for whoever wrote it.
        game: what a string of moves is of, where it does not say.

    >>> from playout import make_game
    >>> read_game("4455", make_game)[:2]
    ('connect-four', ['4', '4', '5', '5'])
    >>> read_game("h8 i9", make_game)[:2], read_game("h8i9", make_game)[:2]
    (('gomoku', ['H8', 'I9']), ('gomoku', ['H8', 'I7']))

    Raises:
        UsageError: the text is none of these.
    """
    text = text.strip("\ufeff \r\n\t")
    if not text:
        raise UsageError("there is no game in this text")
    for beginning, name in _BEGINNINGS.items():
        if text.startswith(beginning):
            return _first(name, _one_line(text) if name == "jsonl" else text, make)
    if text.startswith("#"):
        return _first(_kind_of_line(text.splitlines()[-1]), text, make)
    words = [word for word in text.split() if not re.fullmatch(r"\d+\.", word)]
    if game:
        try:
            return game, Position.from_moves(make(game), words).moves, []
        except UsageError as error:
            complaint = error
    else:
        complaint = UsageError("there is no game in this text")
    line = _LINE.fullmatch(" ".join(words).lower())
    if line is None:
        raise complaint
    kind = _kind_of_line(line["moves"])
    if kind == "pos" and " " in line["moves"]:
        return _by_name(line["moves"].split(), make, complaint)
    moves, result = line["moves"].replace(" ", ""), line["result"] or ""
    return _first(kind, f"{moves} {result}", make, game)


def _by_name(
    words: list[str], make: Make, complaint: UsageError
) -> tuple[str, list[str], list[str]]:
    """A game of Gomoku by the names of its cells, where it is one."""
    try:
        return "gomoku", Position.from_moves(make("gomoku"), words).moves, []
    except UsageError:
        raise complaint from None


def _kind_of_line(line: str) -> str:
    """The format of a line of moves."""
    return "columns" if line[:1].isdigit() else "pos"


def _first(
    name: str, text: str, make: Make, game: str = ""
) -> tuple[str, list[str], list[str]]:
    """The first game of a text in a format; none is made but by `make`."""
    reader = FORMATS[name]
    if isinstance(reader, Lines):
        same = game.partition(":")[0] == reader.kind.name
        reader = replace(reader, make=make, usual=make(game) if same else None)
    try:
        records = reader.read(text, Place("the text", unfinished=True))
    except (ValueError, TypeError, LookupError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"this is not a game as {name}: {error!r:.100}") from None
    if not records:
        raise UsageError("there is no game in this text")
    record = records[0]
    return record.game, list(record.moves), list(record.players)


def _one_line(text: str) -> str:
    """The object of a text, whole where somebody wrote only its game and its moves."""
    try:
        found = json.loads(text)
        if isinstance(found, dict):
            found = {**_OF_A_GAME, **found}
            for whose, usual in _OF_EACH.items():
                count = len(of) if isinstance(of := found.get(whose), list) else 0
                found = {name: [each] * count for name, each in usual.items()} | found
        line = json.dumps(found, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    if re.search(r"[\ud800-\udfff]", line):  # such halves cannot be sent to anybody
        raise UsageError("the text has halves of characters (surrogates)")
    return line
