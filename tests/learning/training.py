"""A training that takes a second, for several tests."""

import contextlib
import sqlite3
from pathlib import Path

GAME = "tic-tac-toe"
#: As keywords, and as a file.
TINY = {
    "network": "dense: 16",
    "simulations": 4,
    "games_at_once": 4,
    "batch": 16,
    "checkpoint_positions": 40,
    "match_minutes": 0,
    "threads": 1,
}


def write_config(folder: Path, **changed: object) -> str:
    """A file of TOML with these settings; returns its path."""
    path = folder / "tiny.toml"
    lines = [f"{name} = {value!r}" for name, value in {**TINY, **changed}.items()]
    path.write_text("\n".join(lines))
    return str(path)


def kept(path: Path) -> dict[int, tuple[str, bytes]]:
    """The games of a file by number; none where it has only begun to be made."""
    if not path.exists():
        return {}
    file = sqlite3.connect(path)
    with contextlib.closing(file), contextlib.suppress(sqlite3.OperationalError):
        rows = file.execute("SELECT number, moves, policies FROM games").fetchall()
        return {number: (moves, policies) for number, moves, policies in rows}
    return {}
