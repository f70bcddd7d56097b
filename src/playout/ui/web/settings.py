"""`Settings`: what the server offers, and how much of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from ...games.contract.game import Game

__all__ = ["Settings", "Start"]

#: Each search is given at least this much memory, and at most that, in bytes.
LEAST_MEMORY, MOST_MEMORY = 16 << 20, 256 << 20


@dataclass(frozen=True)
class Start:
    """The game that a fresh page begins.

    Attributes:
        game: its spec.
        players: by seat; the page's own choice where empty.
        seconds: for a program's move.
    """

    game: str = "connect-four"
    players: tuple[str, ...] = ()
    seconds: float = 1.0


@dataclass(frozen=True)
class Settings:
    """The server's limits, so that no visitor can exhaust it.

    Attributes:
        token: what a visitor must know; "" where only this machine can reach the
            server.
        hosts: names under which the server may be asked for; empty for any.
        games: games from the command line, by spec, which may run files.
        players: players from the command line, which may run programs.
        start: what a fresh page begins.
        tables: games kept at a time.
        sockets: open pages, in all and at one table.
        connections: at a time, in all and from one address; pages have one each, and
            more for a moment. Fewer where the system allows fewer open files.
        patience: seconds that a visitor has to send a request, and again for its body;
            twice as many pass before a page is asked for a sign of life, and is gone.
        seconds: the longest a program may think about a move, or a page have a
            position analysed at a time.
        idle: seconds after which a game that nobody looks at may be dropped.
        cores: searches that run at the same moment.
    """

    token: str = ""
    hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]")
    games: Mapping[str, Game] = field(default_factory=dict)
    players: frozenset[str] = frozenset()
    start: Start = field(default_factory=Start)
    tables: int = 200
    sockets: int = 300
    sockets_at_table: int = 8
    connections: int = 600
    connections_at_address: int = 200
    patience: float = 10.0
    seconds: float = 60.0
    idle: float = 6 * 3600.0
    cores: int = field(default_factory=lambda: os.cpu_count() or 1)

    @property
    def memory(self) -> int:
        """Bytes for each search, so that all together leave half of what is free."""
        try:
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, ValueError, OSError):
            free = 4 << 30
        share = free // 2 // (3 * self.tables)
        return max(LEAST_MEMORY, min(MOST_MEMORY, share))
