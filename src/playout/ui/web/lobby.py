"""`Lobby`: all rooms of the server, and the game that a new one begins with."""

from __future__ import annotations

import asyncio
import secrets
import time
from functools import cached_property
from random import Random

from ...arena.clock import TimeControl
from ...arena.table import Table
from ...core.errors import UsageError, counted
from ...games.registry import draw_parameters
from ...players.player import Allowance
from .catalogue import catalogue, offered
from .compiler import Compiler
from .models import GameEntry, NewTable
from .room import Room
from .settings import Settings
from .specs import game_named, player_named
from .turns import Pool

__all__ = ["Full", "Lobby"]

#: Two searches at every table, and some threads for what is short.
THREADS_PER_TABLE, THREADS_ASIDE = 2, 8
#: Seconds that players get to end with the server, and that the whole end may take.
PLAYER_SECONDS, END_SECONDS = 0.5, 1.0


class Full(Exception):
    """There are as many games as the server may have, and all are being played."""


class Lobby:
    """Keeps rooms by their id; makes room by dropping the one left longest ago."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        threads = THREADS_PER_TABLE * settings.tables + THREADS_ASIDE
        self.pool = Pool(settings.cores, threads)
        self.compiler = Compiler(self.pool, settings)
        self._rooms: dict[str, Room] = {}
        self._closing: set[asyncio.Task[None]] = set()

    @cached_property
    def games(self) -> list[GameEntry]:
        """What can be played here; made once, which loads what a game needs."""
        return catalogue(self.settings)

    def __len__(self) -> int:
        return len(self._rooms)

    @property
    def pages(self) -> int:
        """How many pages look at all games together."""
        return sum(len(room.pages) for room in self._rooms.values())

    def find(self, id: str) -> Room | None:
        """The room of an id, if it is still there."""
        return self._rooms.get(id)

    async def open(self, wanted: NewTable, visitor: str = "") -> Room:
        """Begin a game for a visitor; see `network_of`.

        Pages of one game that ask for it by its id, when the server has forgotten it,
        come together: the first begins it again.

        Raises:
            UsageError: there is no such game or player, or a move is not legal.
            Full: there are too many games.
        """
        id = wanted.id or secrets.token_urlsafe(12)
        if (room := self.find(id)) is not None:
            return room
        if not self._has_place():  # told before anything is made
            raise Full
        asked, wanted = wanted.game, _drawn(wanted)
        table = await self.pool.aside(lambda: make_table(wanted, self.settings))
        if (room := self.find(id)) is not None:  # another page was faster
            await self.pool.outside(table.close)
            return room
        try:
            self._make_place()  # no game ends for a request that was refused
        except Full:
            await self.pool.outside(table.close)
            raise
        self._rooms[id] = room = Room(
            id,
            wanted.game,
            asked,
            table,
            self.pool,
            self.compiler,
            self.settings,
            wanted.seconds,
            visitor,
        )
        return room

    async def seat(self, room: Room, specs: list[str]) -> None:
        """Change who plays in a room.

        Raises:
            UsageError: there is no such player, or a person would see what was hidden.
        """
        named = [player_named(spec, self.settings) for spec in specs]
        await room.seat(named)

    def drop(self, id: str) -> None:
        """End a game."""
        if (room := self._rooms.pop(id, None)) is not None:
            task = asyncio.create_task(room.close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    def _has_place(self) -> bool:
        """Whether there is room for a game, or a game that nobody looks at."""
        if len(self._rooms) < self.settings.tables:
            return True
        return any(not room.pages for room in self._rooms.values())

    def _make_place(self) -> None:
        """End games that were left long ago, and one more if there is need.

        Raises:
            Full: all games are being looked at.
        """
        now = time.monotonic()
        left = [room for room in self._rooms.values() if not room.pages]
        for room in left:
            if now - room.touched > self.settings.idle:
                self.drop(room.id)
        if len(self._rooms) < self.settings.tables:
            return
        oldest = min(left, key=lambda room: room.touched, default=None)
        if oldest is None:
            raise Full
        self.drop(oldest.id)

    async def close(self) -> None:
        """End all games, and wait for that, except for what the server itself compiles.

        Nothing can stop that; it ends with the process.
        """
        rooms, self._rooms = list(self._rooms.values()), {}
        ends = [asyncio.create_task(room.close(PLAYER_SECONDS)) for room in rooms]
        if ends or self._closing:
            await asyncio.wait([*ends, *self._closing], timeout=END_SECONDS)
        await self.compiler.close()
        self.pool.close()


def _drawn(wanted: NewTable) -> NewTable:
    """The request with a board in place of one that is left to chance."""
    if "=random" not in wanted.game or ".py:" in wanted.game:
        return wanted
    game = draw_parameters(wanted.game, Random())
    return wanted.model_copy(update={"game": game})


def make_table(wanted: NewTable, settings: Settings) -> Table:
    """The table of a request.

    Raises:
        UsageError: something that it names does not exist, or may not be asked for.
    """
    game = game_named(wanted.game, settings)
    seats = game.num_players()
    specs = wanted.players or ["human", *["level:1"] * (seats - 1)]
    players = [player_named(spec, settings) for spec in specs]
    if len(players) != seats:
        raise UsageError(
            f"{wanted.game} has {counted(seats, 'seat')}, not {len(players)}"
        )
    time = None
    if wanted.base is not None:
        time = TimeControl(base=wanted.base, increment=wanted.increment)
    offered(game, settings.players)  # known once the table is shown
    seconds = min(wanted.seconds, settings.seconds)
    return Table(
        game,
        players,
        time=time,
        allowance=Allowance(seconds=seconds, memory=settings.memory),
        moves=wanted.moves,
        seed=secrets.randbits(32),
        at_once=True,
    )
