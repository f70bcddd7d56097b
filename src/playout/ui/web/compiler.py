"""`Compiler`: compiles rules for those who still wait, by fair turns.

The server itself loads code that is on disk; the memory is freed with the searches that
use it. All other code is compiled by another process, one job at a time. Next is the
visitor who was served longest ago, and of a visitor's tables the one that was served
longest ago. A request is dropped when nobody waits for it any more; a compile under way
then goes on until another request comes.

Searches of Playout's own games begin interpreted, and go over to that code when it is
there. Until then somebody waits for it where a page is open.
"""

from __future__ import annotations

import asyncio
import itertools
import weakref
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field

from ...core.errors import PlayoutError
from ...core.jit.native import NotCompiledError, only_loading
from ...search.running.background import Elsewhere, compiled_elsewhere
from .compile_process import CompileJob, CompileProcess, CompileRefused
from .settings import Settings
from .turns import Pool

__all__ = ["Compiler", "Requester"]

#: How often to look, in seconds, whether somebody still waits.
LOOK_SECONDS = 0.1
#: After how many seconds to look whether somebody waits again.
AGAIN_SECONDS = 1.0
#: How many visitors and tables have their last turns remembered.
MOST_REMEMBERED = 1000
#: Jobs that the server compiles itself, where the cache cannot be written, or what
#: the command line names cannot be made again: about 40 MB each, which stay taken.
MOST_HERE = 20


@dataclass(frozen=True)
class Requester:
    """Who wants something compiled.

    Attributes:
        visitor: who opened the table; see `network_of`.
        table: its id.
        waits: whether anybody still waits there.
    """

    visitor: str
    table: str
    waits: Callable[[], bool]


@dataclass(eq=False)
class _Request:
    """A job that somebody waits for.

    Attributes:
        answer: whether it was done; False when nobody waited any more.
    """

    job: CompileJob
    requester: Requester
    number: int
    answer: asyncio.Future[bool] = field(default_factory=asyncio.Future)


class Compiler:
    """See the module's docstring; everything runs in the event loop.

    Args:
        pool: where compiled code is loaded.
        settings: the server's; what they name may be compiled in the server.
    """

    def __init__(self, pool: Pool, settings: Settings) -> None:
        self.pool, self.settings, self.process = pool, settings, CompileProcess()
        self._requests: list[_Request] = []
        self._numbers = itertools.count(1)
        self._served: dict[tuple[str, str], int] = {}
        self._here: set[CompileJob] = set()
        self._work: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[None]] = set()

    async def prepare(
        self, work: Callable[[], object], job: CompileJob, requester: Requester
    ) -> bool:
        """Run work that loads compiled code, which is compiled first if needed.

        Args:
            work: done on another thread; perhaps twice, if it fails for want of code.
            job: what makes that code.
            requester: who waits.

        Returns:
            Whether it was done; False if nobody waits for it any more.

        Raises:
            Exception: what it raises, or why it cannot be compiled.
        """
        elsewhere = Elsewhere()
        with suppress(NotCompiledError):
            done = await self._run(work, requester, elsewhere)
            if elsewhere.is_taken:
                self._compile_beside(weakref.ref(elsewhere), job, requester)
            return done
        try:
            if not await self._request(job, requester):
                return False
            return await self._run(work, requester)
        except NotCompiledError:
            error = CompileRefused(f"{job.game} was compiled, but not kept on disk")
        except CompileRefused as refused:
            if not self._is_trusted(job):
                raise
            error = refused
        if job not in self._here and len(self._here) >= MOST_HERE:
            raise error
        self._here.add(job)
        return await self._run(work, requester, here=True)

    def _compile_beside(
        self,
        searches: weakref.ref[Elsewhere],
        job: CompileJob,
        requester: Requester,
    ) -> None:
        """Have a job done for searches that run interpreted until then.

        Args:
            searches: what they are told by; gone with the last of them.
            job: what makes their code.
            requester: who waits.
        """

        async def compile() -> None:
            with suppress(PlayoutError):  # they stay interpreted
                while searches() is not None:
                    if await self._request(job, requester):
                        if (elsewhere := searches()) is not None:
                            elsewhere.end()
                        return
                    await asyncio.sleep(AGAIN_SECONDS)

        task = asyncio.create_task(compile())
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def close(self) -> None:
        """Compile nothing more; requests that wait get the answer False."""
        for task in self._beside:
            task.cancel()
        await asyncio.gather(*self._beside, return_exceptions=True)
        for request in self._requests:
            self._answer(request, False)
        self._requests.clear()
        if self._work is not None:
            self._work.cancel()
            with suppress(asyncio.CancelledError):
                await self._work
        await self.process.close()

    def _is_trusted(self, job: CompileJob) -> bool:
        return job.game in self.settings.games or job.player in self.settings.players

    async def _run(
        self,
        work: Callable[[], object],
        requester: Requester,
        elsewhere: Elsewhere | None = None,
        here: bool = False,
    ) -> bool:
        """Do the work, if anybody waits when its turn has come; whether it was done.

        Args:
            work: what is done.
            requester: who waits.
            elsewhere: what tells searches that begin interpreted when they can end it.
            here: compile what is not on disk.
        """

        def run() -> bool:
            if not requester.waits():
                return False
            with ExitStack() as mode:
                if not here:
                    mode.enter_context(only_loading())
                if elsewhere is not None:
                    mode.enter_context(compiled_elsewhere(elsewhere))
                work()
            return True

        return await self.pool.prepare(run)

    # -- by turns ----------------------------------------------------------------------

    async def _request(self, job: CompileJob, requester: Requester) -> bool:
        """Have a job done; False if nobody waits for it any more."""
        request = _Request(job, requester, next(self._numbers))
        self._requests.append(request)
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._serve())
        try:
            return await request.answer
        finally:  # cancelled, perhaps
            with suppress(ValueError):
                self._requests.remove(request)

    async def _serve(self) -> None:
        self._drop()
        while self._requests:
            await self._carry_out(self._next())
            self._drop()

    def _drop(self) -> None:
        """Drop requests that nobody waits for any more."""
        for request in list(self._requests):
            if not request.requester.waits():
                self._finish(request, False)

    def _next(self) -> CompileJob:
        """The job of whoever was served longest ago."""

        def last_turns(request: _Request) -> tuple[int, ...]:
            turns = [self._served.get(key, 0) for key in _keys(request.requester)]
            return (*turns, request.number)

        first = min(self._requests, key=last_turns)
        for key in _keys(first.requester):
            self._served.pop(key, None)
            self._served[key] = next(self._numbers)
        while len(self._served) > MOST_REMEMBERED:
            del self._served[next(iter(self._served))]
        return first.job

    async def _carry_out(self, job: CompileJob) -> None:
        """Have a job compiled, and tell all who wait for it.

        It is ended when nobody waits for it and others wait. A request for it that
        comes before the process is seen to have ended stays in the queue.
        """
        was_ended = False
        compiling = asyncio.create_task(self.process.compile(job))
        try:
            while not compiling.done():
                await asyncio.wait({compiling}, timeout=LOOK_SECONDS)
                self._drop()
                is_for_nobody = self._requests and not self._those_of(job)
                if is_for_nobody and not (was_ended or compiling.done()):
                    self.process.kill()
                    was_ended = True
        finally:
            compiling.cancel()
        error = compiling.exception()
        if error and was_ended:
            return
        for request in self._those_of(job):
            self._finish(request, error or True)

    def _those_of(self, job: CompileJob) -> list[_Request]:
        return [request for request in self._requests if request.job == job]

    def _finish(self, request: _Request, outcome: bool | BaseException) -> None:
        self._requests.remove(request)
        self._answer(request, outcome)

    def _answer(self, request: _Request, outcome: bool | BaseException) -> None:
        if request.answer.done():
            return
        if isinstance(outcome, BaseException):
            request.answer.set_exception(outcome)
        else:
            request.answer.set_result(outcome)


def _keys(requester: Requester) -> tuple[tuple[str, str], tuple[str, str]]:
    """The keys under which the last turns of a visitor and a table are kept."""
    return ("visitor", requester.visitor), ("table", requester.table)
