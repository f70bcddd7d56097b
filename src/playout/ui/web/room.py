"""`Room`: a table with the pages that look at it, and the programs that play there.

Everything here runs in the event loop; players and searches run in the pool. Programs
think only while a page is open.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from ...arena.table import Table
from ...arena.values import Values
from ...core.errors import UsageError
from ...games.registry import game_spec
from ...players.external import ExternalPlayer
from ...players.player import Player
from ..common.words import faults, movers, seen_moves
from .analyst import REVIEW_SECONDS, AnalysisRequest, Analyst, begins_with
from .asking import Asking
from .catalogue import levels_view, offered
from .compile_process import CompileJob
from .compiler import Compiler, Requester
from .models import BoardView, TableView
from .outbox import Outbox, sentence
from .settings import Settings
from .turns import Pool
from .view import labels, outcome, seen_board

__all__ = ["Room"]

#: Between two moves of programs that play each other, by default.
WATCH_DELAY = 0.6
#: How long trees are kept for a page that may come back, as after a reload.
REST_SECONDS = 60.0


class Room:
    """One game on the server.

    Args:
        id: what its address ends in.
        spec: the game.
        asked: the same as it was asked for, with what was left to chance.
        table: the game.
        pool: where searches run.
        compiler: what they run is compiled there.
        settings: the server's limits.
        seconds: for a program's move.
        visitor: who opened it; see `network_of`.
    """

    def __init__(
        self,
        id: str,
        spec: str,
        asked: str,
        table: Table,
        pool: Pool,
        compiler: Compiler,
        settings: Settings,
        seconds: float,
        visitor: str,
    ) -> None:
        self.id, self.spec, self.asked = id, spec, asked
        self.table, self.pool = table, pool
        self.compiler, self.visitor = compiler, visitor
        self.settings, self.seconds = settings, seconds
        self.pages: set[Outbox] = set()
        self.touched = time.monotonic()
        self.playing, self.delay, self.steps = True, WATCH_DELAY, 0
        self.busy = ""
        self.values = Values(table.game)
        self.analyst = Analyst(
            table.game,
            pool,
            settings.memory,
            self._hear,
            lambda: self.pages,
            self._compile_and,
        )
        self._driver: asyncio.Task[None] | None = None
        self._preparing: asyncio.Task[None] | None = None
        self._asking: Asking | None = None
        self._turn = asyncio.Lock()  # held while a program prepares and is asked
        self._seating = asyncio.Lock()
        self._left: list[Player] = []  # who left the table, and may still be asked
        self._dismissing: asyncio.Task[None] | None = None
        self._picture: tuple[int, BoardView] | None = None

    # -- pages -------------------------------------------------------------------------

    def join(self, page: Outbox) -> None:
        """A page begins to look; programs may think again."""
        self.pages.add(page)
        self.touched = time.monotonic()
        page.put("state", self.state().model_dump())
        self.go_on()

    def leave(self, page: Outbox) -> None:
        """A page is gone; with the last one, all searches end."""
        self.pages.discard(page)
        self.touched = time.monotonic()
        if not self.pages:
            self._drop()
            self.analyst.stop()
            asyncio.get_running_loop().call_later(REST_SECONDS, self._rest)

    def _rest(self) -> None:
        """Free what only a page that is open needs, if none has come back."""
        if not self.pages:
            self.analyst.forget()

    def tell(self, kind: str, message: dict[str, Any]) -> None:
        """Send a message to all pages."""
        for page in self.pages:
            page.put(kind, message)

    def state(self) -> TableView:
        """All that a page shows of the game."""
        table, session = self.table, self.table.session
        game, control = table.game, table.session.clocks[0].control
        made, values = movers(table.position), self.values.shown()
        return TableView(
            id=self.id,
            version=table.version,
            game=self.spec,
            asked=self.asked,
            kind=game.name or game_spec(game),
            title=game.title or game.name,
            names=labels(game),
            players=table.specs,
            levels=levels_view(game),
            offered=offered(game, self.settings.players),
            moves=seen_moves(table),
            movers=made,
            undo=not table.binding and session.can_undo(table.people),
            redo=session.num_undone,
            outcome=outcome(table),
            seconds=self.seconds,
            base=control.base,
            increment=control.increment,
            clocks=table.remaining(),
            hides=table.hides,
            binding=table.binding,
            busy=self.busy,
            playing=self.playing,
            delay=self.delay,
            values=values,
            faults=faults(values, made),
            board=self._seen(),
        )

    def _seen(self) -> BoardView:
        """The board as it may be seen; drawn once, which may take a while."""
        if self._picture is None or self._picture[0] != self.table.version:
            self._picture = self.table.version, seen_board(self.table)
        return self._picture[1]

    # -- commands ----------------------------------------------------------------------

    def change(self, do: Callable[[Table], object]) -> TableView:
        """Change the game, tell the pages, and let programs answer; how it stands then.

        Raises:
            UsageError: the change is not possible.
        """
        before, version = list(self.table.position.actions), self.table.version
        do(self.table)
        if version == self.table.version:
            return self.state()
        self.values.follow(before, self.table)
        self.analyst.follow(self.table.position.actions)
        return self.changed()

    async def seat(self, specs: Sequence[str]) -> None:
        """Change who plays; a player that leaves is closed when it is not being asked.

        Raises:
            UsageError: a spec that no player has, another number of them, or a person
                would see what was hidden from them.
        """
        async with self._seating:
            made = await self.pool.aside(lambda: self.table.make_players(specs))
            try:
                self._left += self.table.replace(specs, made)
            except UsageError:  # the game has gone on meanwhile
                self._left += [player for player in made.values() if player is not None]
                raise
            finally:
                self._go_dismissing()
        self.changed()

    def _go_dismissing(self) -> None:
        if self._dismissing is None or self._dismissing.done():
            self._dismissing = asyncio.create_task(self._dismiss())

    async def _dismiss(self) -> None:
        while self._left:
            async with self._turn:  # so that none of them is being asked
                left, self._left = self._left, []
            await self.pool.outside(partial(close_all, left))

    def changed(self) -> TableView:
        """The game has changed: end searches of what it was, and show it."""
        self.touched = time.monotonic()
        self._drop()
        state = self.show()
        self.go_on()
        return state

    def show(self) -> TableView:
        """Tell the pages how the game stands."""
        state = self.state()
        if self.pages:
            self.tell("state", state.model_dump())
        return state

    def watch(self, playing: bool, delay: float, steps: int) -> None:
        """Let programs play each other, or stop them, or let them make some moves."""
        self.playing, self.delay, self.steps = playing or steps > 0, delay, steps
        if not self.playing:
            self._drop()
        self.show()
        self.go_on()

    def hurry(self) -> None:
        """Have the program that thinks answer soon."""
        if self._asking is not None:
            self._asking.hurry()

    def _drop(self) -> None:
        """Have the program that thinks end soon; what it has found is not played."""
        if self._asking is not None:
            self._asking.drop()

    def review(self) -> None:
        """Search every position of the game for a short time."""
        known = self.values.well_known()
        position = self.table.position.copy()
        self.analyst.request(
            AnalysisRequest("review", position, REVIEW_SECONDS, skip=known)
        )

    async def close(self, patience: float | None = None) -> None:
        """End everything; the room is not used again.

        Args:
            patience: seconds to wait for a program that prepares or thinks, and for the
                analysis; as long as it takes, by default.
        """
        self.pages.clear()
        self.analyst.stop()
        self._drop()
        if self._preparing is not None:
            self._preparing.cancel()
        ends: list[Coroutine[Any, Any, Any]] = [self.analyst.close(patience)]
        if self._driver is not None:
            ends.append(asyncio.wait([self._driver], timeout=patience))
        await asyncio.gather(*ends)
        if self._driver is not None:
            self._driver.cancel()
        left, self._left = self._left, []
        await self.pool.outside(partial(close_all, [*left, self.table]))

    # -- programs ----------------------------------------------------------------------

    @property
    def watched(self) -> bool:
        """Whether only programs play."""
        return not self.table.people

    def go_on(self) -> None:
        """Have a program think if it is to, and get ready where its turn will come."""
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        if self._preparing is None or self._preparing.done():
            self._preparing = asyncio.create_task(self._prepare_others())

    async def _prepare_others(self) -> None:
        """Compile for the programs that are not to move, while somebody else thinks."""
        for seat in self.table.unprepared:
            if seat != self.table.mover and not self._is_external(seat):
                with suppress(Exception):  # it is said when its turn has come
                    await self._prepare(seat)

    async def _prepare(self, seat: int) -> None:
        """Compile for a program, unless it or the last page leaves before that."""
        players, work = self.table.session.players, partial(self.table.prepare, seat)
        player = players[seat]
        if self._is_external(seat):
            await self.pool.outside(work)
        else:
            await self._compile_and(
                work, self.table.specs[seat], lambda: players[seat] is player
            )

    async def _compile_and(
        self, work: Callable[[], object], player: str, wanted: Callable[[], bool]
    ) -> bool:
        """Compile what a player runs, then do the work, as long as there are pages.

        Returns:
            Whether it was done; False if it was not wanted any more.
        """
        requester = Requester(
            self.visitor, self.id, lambda: bool(self.pages) and wanted()
        )
        return await self.compiler.prepare(
            work, CompileJob(self.spec, player), requester
        )

    def _wanted(self, version: int) -> bool:
        table = self.table
        on = self.playing or not self.watched
        return bool(self.pages) and on and version == table.version

    async def _drive(self) -> None:
        while self.table.waits_for_program and self._wanted(self.table.version):
            version = self.table.version
            try:
                async with self._turn:
                    await self._move(version)
            except Exception as error:  # as where rules cannot be compiled
                self.playing = False
                self.tell("error", {"message": sentence(error)})
                return
            finally:
                self._be("", None)

    async def _move(self, version: int) -> None:
        """Have the program to move answer; its answer counts if it is still wanted."""
        if self.watched and self.delay and not self.steps:
            await asyncio.sleep(self.delay)
        if (seat := self.table.mover) in self.table.unprepared:
            self._be("preparing", None)
            await self._prepare(seat)
        if seat in self.table.unprepared or not self._wanted(version):
            return
        line = tuple(self.table.position.actions)
        asking = Asking(
            self.table.turn(),
            self.settings,
            lambda: self._wanted(version),
            lambda message: self._hear("thinking", message, line),
        )
        self._be("thinking", asking)
        answer = await asking.answer(self.pool)
        if answer is None:
            return
        before = list(self.table.position.actions)
        self.table.take(answer, version)
        self.values.follow(before, self.table)
        if self.steps:
            self.steps -= 1
            self.playing = self.steps > 0
        self.busy = ""
        self.show()

    def _is_external(self, seat: int) -> bool:
        """Whether a seat's program is another process, which need not be compiled."""
        return isinstance(self.table.session.players[seat], ExternalPlayer)

    def _be(self, busy: str, asking: Asking | None) -> None:
        self._asking = asking
        if busy != self.busy:
            self.busy = busy
            self.show()

    def _hear(
        self, kind: str, message: dict[str, Any], line: Sequence[int] = ()
    ) -> None:
        """What a search says of the position after `line`: to be kept, and told."""
        if self.table.hides:  # as a program knows what a person must not
            return
        if not begins_with(self.table.position.actions, line):  # is no more
            if not message.get("done"):
                return
            message = {"done": True, "stopped": True}
        if kind in ("analysis", "thinking", "value", "hint") and "visits" in message:
            if self.values.learn(message):
                values, made = self.values.shown(), movers(self.table.position)
                said = {"values": values, "faults": faults(values, made)}
                self.tell("values", said)
        if kind != "value":
            self.tell(kind, message)


def close_all(things: Iterable[Player | Table]) -> None:
    """Close players, and those of tables."""
    for each in things:
        each.close()
