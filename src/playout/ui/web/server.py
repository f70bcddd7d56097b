"""Runs the application until a signal; no search goes on when it has ended."""

from __future__ import annotations

import asyncio
import signal
import socket as sockets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn

from ...core.errors import UsageError
from .app import make_app
from .settings import Settings

__all__ = ["bind", "serve"]

#: Seconds that open requests are given at the end.
FAREWELL_SECONDS = 2
#: Connections at a time, beyond which the server says 503.
MOST_CONNECTIONS = 600


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
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(f"cannot serve on {host} port {port}: {error}") from None
    listening.listen(128)
    return listening


def serve(
    listening: sockets.socket, settings: Settings, ready: Callable[[], None]
) -> None:
    """Serve until a signal asks to end.

    Args:
        listening: from `bind`.
        settings: the server's limits.
        ready: called when requests are answered.
    """
    config = uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=64_000,
        ws_max_queue=32,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=FAREWELL_SECONDS,
        server_header=False,
    )
    server = _Server(config, ready)
    asyncio.run(server.serve(sockets=[listening]))


class _Server(uvicorn.Server):
    """Tells when it is ready; a signal ends it as if it had done its work."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[sockets.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        def leave(number: int, frame: FrameType | None) -> None:
            if self.should_exit:
                self.force_exit = True
            self.should_exit = True

        before = {
            number: signal.signal(number, leave)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
