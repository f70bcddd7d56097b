"""Runs the application until a signal; no search goes on when it has ended."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import signal
import socket as sockets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any, NoReturn, cast

import uvicorn

from ...core.errors import UsageError
from .app import make_app
from .connections import Connection, ConnectionLimiter, Socket, is_of_interest
from .settings import Settings

__all__ = ["bind", "make_limiter", "serve"]

#: Seconds that open requests are given at the end.
END_SECONDS = 2
#: Seconds after a signal in which the event loop must begin to end, and the exit code
#: where it does not: that of Ctrl-C.
STUCK_SECONDS, EXIT_STUCK = 10.0, 130
#: Connections that wait to be let in; so many may come at once, beyond the limit.
BACKLOG = 64


def bind(host: str, port: int) -> sockets.socket:
    """A socket that listens.

    Raises:
        UsageError: the address cannot be had.
    """
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    listening = sockets.socket(family, sockets.SOCK_STREAM)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError, TypeError) as error:  # the last: no name of a host
        listening.close()
        raise UsageError(f"cannot serve on {host} port {port}: {error}") from None
    listening.listen(BACKLOG)
    return listening


def serve(
    listening: sockets.socket, settings: Settings, ready: Callable[[], None]
) -> None:
    """Serve until a signal asks to end.

    The process should end then: from there on another signal ends it at once, with exit
    code 0, and none does any more while the interpreter ends.

    Args:
        listening: from `bind`.
        settings: the server's limits.
        ready: called when requests are answered.
    """
    limiter = make_limiter(settings)
    config = uvicorn.Config(
        make_app(settings),
        http=cast(Any, partial(Connection, limiter)),
        log_level="warning",
        access_log=False,
        backlog=BACKLOG,
        ws=Socket,
        ws_max_size=64_000,
        ws_max_queue=32,
        ws_ping_interval=2 * settings.patience,
        ws_ping_timeout=2 * settings.patience,
        timeout_keep_alive=round(2 * settings.patience),  # the limiter comes before
        timeout_graceful_shutdown=END_SECONDS,
        server_header=False,
    )
    logging.getLogger("uvicorn.error").addFilter(is_of_interest)
    server = _Server(config, limiter, ready)
    asyncio.run(server.serve(sockets=[listening]))


def make_limiter(settings: Settings) -> ConnectionLimiter:
    """Lets in as many as the settings say, or as there can be open files."""
    wanted = settings.connections
    most = min(wanted, _allow_files(2 * wanted) // 2)
    at_address = settings.connections_at_address * most // wanted
    return ConnectionLimiter(most, at_address, settings.patience)


def _allow_files(wanted: int) -> int:
    """How many files this process may open, after it has asked for so many."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return wanted
    usual, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if usual == unlimited or usual >= wanted:
        return wanted
    allowed = wanted if most == unlimited else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    return allowed


class _Server(uvicorn.Server):
    """Tells when it is ready; a signal ends it as if it had done its work."""

    def __init__(
        self,
        config: uvicorn.Config,
        limiter: ConnectionLimiter,
        ready: Callable[[], None],
    ) -> None:
        super().__init__(config)
        self._limiter, self._ready = limiter, ready
        self._asked, self._ending = threading.Event(), threading.Event()
        threading.Thread(target=self._end_what_hangs, daemon=True).start()

    def _end_what_hangs(self) -> None:
        """End the process where a user's rules keep the event loop from ending."""
        self._asked.wait()
        if not self._ending.wait(STUCK_SECONDS):
            text = "\nplayout: rules do not come back (`playout check` may say which)\n"
            os.write(2, text.encode())
            os._exit(EXIT_STUCK)

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        watch = self._limiter.watch(self.server_state.connections)
        self._watching = asyncio.create_task(watch)  # until the event loop ends
        self._ready()

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        """End the application, too, where a second signal hurries: it ends searches."""
        self._ending.set()
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        def leave(number: int, frame: FrameType | None) -> None:
            if self.should_exit:
                self.force_exit = True
                return
            self.should_exit = True
            self._asked.set()

        before = {
            number: signal.signal(number, leave)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                if self.should_exit:
                    handler = _end_at_once
                    # An ending interpreter removes handlers written in Python.
                    atexit.register(signal.signal, number, signal.SIG_IGN)
                signal.signal(number, handler)


def _end_at_once(number: int, frame: FrameType | None) -> NoReturn:
    """Another signal after the one that ended the server, which has done its work."""
    os._exit(0)
