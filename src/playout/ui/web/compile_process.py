"""`CompileProcess`: the server's end of the process that compiles.

Compiling cannot be stopped, and its memory is not freed. A process can be
ended: when nobody waits for it any more, when it has grown, and when it is idle.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass

from ...core.errors import PlayoutError
from ...core.start import start_code
from ...protocols.process import kill_family

__all__ = ["CompileJob", "CompileProcess", "CompileRefused"]

#: A process ends after so many jobs. Each takes about 40 MB, on top of 150 at first.
MOST_JOBS = 8
#: Seconds after which one with nothing to do ends.
IDLE_SECONDS = 60.0
#: What takes longer, in seconds, is given up: others wait.
MOST_SECONDS = 300.0


class CompileRefused(PlayoutError):
    """What the process says of a job that it cannot do."""


@dataclass(frozen=True)
class CompileJob:
    """What is to be compiled: all that a player needs for a game, both by spec."""

    game: str
    player: str


class CompileProcess:
    """Has jobs compiled one after the other, by a process that is started for them.

    >>> process = CompileProcess()
    >>> process.kill()
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._num_jobs = 0
        self._idle: asyncio.TimerHandle | None = None
        self._ends: set[asyncio.Task[None]] = set()

    async def compile(self, job: CompileJob) -> None:
        """Have the code of a job on disk; not while another is being compiled.

        Raises:
            CompileRefused: it cannot be compiled there.
            PlayoutError: it takes too long, or the process has ended, as by `kill`.
        """
        if self._idle is not None:
            self._idle.cancel()
        try:
            async with asyncio.timeout(MOST_SECONDS):
                error = await self._ask(job)
        except BaseException as failure:  # its answer would be taken for the next one's
            self.kill()
            if isinstance(failure, TimeoutError):
                raise PlayoutError(
                    f"{job.game} was not compiled in {MOST_SECONDS:g} seconds"
                ) from None
            raise
        self._num_jobs += 1
        if self._num_jobs >= MOST_JOBS:
            self.kill()
        else:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(IDLE_SECONDS, self.kill)
        if error is not None:
            raise CompileRefused(error)

    def kill(self) -> None:
        """End the process, whatever it is doing; this waits for nothing."""
        process, self._process, self._num_jobs = self._process, None, 0
        if self._idle is not None:
            self._idle.cancel()
        if process is not None:
            end = asyncio.create_task(_end(process))
            self._ends.add(end)
            end.add_done_callback(self._ends.discard)

    async def close(self) -> None:
        """End the process, and wait until it has ended."""
        self.kill()
        await asyncio.gather(*self._ends)

    async def _ask(self, job: CompileJob) -> str | None:
        """The answer of the process to a job."""
        if self._process is None:
            self._process = await _start()
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):  # it has ended, which its output tells
            process.stdin.write(json.dumps(asdict(job)).encode() + b"\n")
            await process.stdin.drain()
        line = await process.stdout.readline()
        if not line.endswith(b"\n"):
            raise PlayoutError(
                f"the process that compiled {job.game} has ended before its time"
            )
        error: str | None = json.loads(line)["error"]
        return error


async def _start() -> asyncio.subprocess.Process:
    try:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            start_code("playout.ui.web.compile_worker"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server
        )
    except OSError as error:
        why = error.strerror or error
        raise PlayoutError(f"cannot start a process that compiles: {why}") from None


async def _end(process: asyncio.subprocess.Process) -> None:
    """End a process and what it has started, all of which has to be looked for."""

    def kill() -> None:
        if process.returncode is None:  # else the number may be another process's
            kill_family(process.pid)

    await asyncio.to_thread(kill)
    await process.wait()
