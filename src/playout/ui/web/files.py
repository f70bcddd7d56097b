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
from ...arena.formats.place import Place
from ...arena.record import GameRecord
from ...core.errors import UsageError
from ...games.game import Game
from ...games.position import Position

__all__ = ["MEDIA", "formats_of", "read_game", "write_game"]

#: What a browser is told of each format.
MEDIA = {
    "json": "application/json",
    "sgf": "application/x-go-sgf",
    "psq": "text/plain",
    "pos": "text/plain",
    "columns": "text/plain",
}
#: A result for readers that want one; it is not kept.
_ANY_RESULT = " 1/2-1/2"

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
        return FORMATS["jsonl"].write([record])
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
        text: JSON, SGF, psq, columns (`4455`), pos (`h8i9`), or moves with blanks.
        make: the game of a spec; the text may name any, so that this must refuse what
            is not to be made for whoever wrote it.
        game: what a string of moves is of, where it does not say.

    >>> from playout import make_game
    >>> read_game("4455", make_game)[:2]
    ('connect-four', ['4', '4', '5', '5'])

    Raises:
        UsageError: the text is none of these.
    """
    text = text.strip("\ufeff \r\n\t")
    if " " in text and (game and not text.startswith(("(", "{", "#", "Pisk"))):
        moves = Position.from_moves(make(game), text.split()).moves
        return game, moves, []
    name, readable = _readable(text, make, game)
    try:
        records = _read(name, readable, make)
    except (ValueError, TypeError, LookupError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"this is not a game as {name}: {error!r:.100}") from None
    if not records:
        raise UsageError("there is no game in this text")
    record = records[0]
    return record.game, list(record.moves), list(record.players)


def _read(name: str, text: str, make: Make) -> list[GameRecord]:
    """The games of a text in a format; none is made but by `make`."""
    reader = FORMATS[name]
    if isinstance(reader, Lines):
        reader = replace(reader, make=make)
    return reader.read(text, Place("the text"))


def _readable(text: str, make: Make, game: str) -> tuple[str, str]:
    """The format of a text, and the text with all that its reader wants to be told."""
    if text.startswith("{"):
        return "jsonl", _one_line(text)
    if text.startswith("("):
        return "sgf", re.sub(r"RE\[\??\]", "RE[0]", text, count=1)
    if text.startswith("Piskvorky"):
        return "psq", text
    name = "columns" if re.match(r"(#.*\n)?[0-9]", text) else "pos"
    head, _, line = text.rpartition("\n")
    heading = f"# {game}\n" if game and not head else f"{head}\n"
    moves, _, result = line.strip().partition(" ")
    if re.fullmatch(r"1-0|0-1|1/2-1/2", result):
        return name, f"{heading}{line}"
    finished = _is_finished(moves, name, make, game)
    return name, heading + moves + ("" if finished else _ANY_RESULT)


def _is_finished(moves: str, name: str, make: Make, game: str) -> bool:
    """Whether these moves alone tell the result, so that none may be added."""
    heading = f"# {game}\n" if game else ""
    try:
        _read(name, heading + moves, make)
    except UsageError:
        return False
    return True


def _one_line(text: str) -> str:
    try:
        line = json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
    if re.search(r"[\ud800-\udfff]", line):  # such halves cannot be sent to anybody
        raise UsageError("the text has halves of characters (surrogates)")
    return line
