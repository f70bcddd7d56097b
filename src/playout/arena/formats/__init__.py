"""Games as files that other programs read, and back.

| format | suffix | for | keeps |
|---|---|---|---|
| `jsonl` | `.jsonl` | every game | everything, under the names of `GameRecord` |
| `sgf` | `.sgf` | Gomoku | all but the seed, and times to the millisecond |
| `psq` | `.psq` | Gomoku | moves, times, players: Piskvork's file of one game |
| `pos` | `.pos` | Gomoku | moves: `h8i9`, rows counted from the top |
| `columns` | `.columns` | Connect Four, up to 9 columns | moves: `4455` |

A psq file has one game: more of them are written to a directory. Where a format does
not keep the result, it follows from the moves; games that ended otherwise say so (`pos`
and `columns`), or cannot be read back (`psq`, but for a loss on time).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from ...core.errors import UsageError, quote
from ...core.files import expect_apart, read_text, write_text
from ..record import GameRecord
from . import jsonl, lines, psq, sgf
from .place import Place

__all__ = ["FORMATS", "load_games", "save_games"]

#: The largest file of games that is read.
MOST_BYTES = 1 << 30


class Format(Protocol):
    """What a format can do."""

    def write(self, records: Iterable[GameRecord]) -> str:
        """The games as text."""

    def read(self, text: str, place: Place) -> list[GameRecord]:
        """The games of a text."""


#: The formats by name, which is also the suffix of their files.
FORMATS: dict[str, Format] = {
    "jsonl": jsonl,
    "sgf": sgf,
    "psq": psq,
    "pos": lines.pos,
    "columns": lines.columns,
}


def save_games(
    path: str | Path,
    records: Iterable[GameRecord],
    format: str | None = None,
    *,
    source: str | Path | None = None,
) -> int:
    """Write games to a file (more than one `psq`: a directory); returns how many.

    Args:
        path: an existing file is replaced when the new one is complete.
        records: the games.
        format: one of `FORMATS`; by default what the file's suffix says.
        source: the database that they come from, which is never overwritten.

    Raises:
        UsageError: an unknown format, a game that it is not for, or a file that cannot
            be written, or that is the source.
    """
    path, games = Path(path), list(records)
    chosen = _format(path, format)
    if chosen is FORMATS["psq"] and (path.is_dir() or len(games) != 1):
        texts = {path / f"{n:05}.psq": [game] for n, game in enumerate(games, start=1)}
    else:
        texts = {path: games}
    written = {file: chosen.write(part) for file, part in texts.items()}
    for file in written:
        expect_apart({"the target": file}, {"the source": source})
    for file, text in written.items():
        if file != path:
            _make_directory(path)
        write_text(file, text)
    return len(games)


def load_games(path: str | Path, format: str | None = None) -> list[GameRecord]:
    """Read the games of a file (or of the psq files in a directory).

    Args:
        path: the file.
        format: one of `FORMATS`; by default what the file's suffix says.

    Raises:
        PositionError: what is not a game of the format, with file and line.
        UsageError: an unknown format, or a file that cannot be read.
    """
    path = Path(path)
    chosen = _format(path, format)
    many = chosen is FORMATS["psq"] and path.is_dir()
    files = sorted(path.glob("*.psq")) if many else [path]
    records: list[GameRecord] = []
    for file in files:
        records += chosen.read(read_text(file, MOST_BYTES), Place(str(file)))
    return records


def _format(path: Path, name: str | None) -> Format:
    known = ", ".join(FORMATS)
    if name is not None:
        if name not in FORMATS:
            raise UsageError(f"unknown format {quote(name)}; known are {known}")
        return FORMATS[name]
    suffix = "psq" if path.is_dir() else path.suffix.removeprefix(".")
    if suffix not in FORMATS:
        raise UsageError(
            f"{path}: the suffix names no format of games; name one of {known}"
        )
    return FORMATS[suffix]


def _make_directory(path: Path) -> None:
    try:
        path.mkdir(exist_ok=True)
    except FileExistsError:
        raise UsageError(
            f"{path} is a file, and several games of psq are written to a directory: "
            "name another, or choose one game"
        ) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be made: {error.strerror}") from None
