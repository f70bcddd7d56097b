"""The protocols that Playout speaks as an engine, by name.

Nothing heavy is imported here: an engine's module is when the engine is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["PROTOCOLS", "ProtocolEntry"]


@dataclass(frozen=True)
class ProtocolEntry:
    """Where a protocol's engine is, and what it plays.

    Attributes:
        module: in this folder.
        engine: its class there.
        default: the game where none is named; "" if one must be.
        games: the names of those that it can be about; all if there are none here.
    """

    module: str
    engine: str
    default: str = ""
    games: tuple[str, ...] = ()


#: CodinGame counts boards in the end.
PROTOCOLS = {
    "gomocup": ProtocolEntry("gomocup", "GomocupEngine", "gomoku", ("gomoku",)),
    "ugi": ProtocolEntry("ugi", "UgiEngine"),
    "codingame": ProtocolEntry(
        "bots",
        "CodinGameEngine",
        "ultimate-tic-tac-toe:variant=count",
        ("ultimate-tic-tac-toe",),
    ),
    "riddles": ProtocolEntry(
        "bots",
        "RiddlesEngine",
        "ultimate-tic-tac-toe",
        ("ultimate-tic-tac-toe", "connect-four"),
    ),
    "gtp": ProtocolEntry("gtp", "GtpEngine", "go:size=9", ("go", "gomoku")),
    "jsonl": ProtocolEntry("jsonlines", "JsonEngine", "connect-four"),
}
