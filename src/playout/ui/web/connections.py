"""Limits of connections: those that stay idle, and those that are too many, are closed.

A connection is pending while its request is incomplete, or while the other end does not
read the answer. Before the request is complete the server cannot know whether the
visitor has the token. So a connection may be pending for a few seconds only, and when
there are too many, those that have been pending for longest are closed first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Hashable
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

__all__ = ["Connection", "ConnectionLimiter", "Socket", "is_of_interest", "network_of"]

#: What the other end is to do next, and a value that changes when it does some of it.
_Pending = tuple[str, Hashable] | None
_log = logging.getLogger("uvicorn.error")
#: Polls of a connection that may find no progress. Polls are counted and not seconds,
#: so that no time runs while this process is too busy to read.
LOOKS = 10


class ConnectionLimiter:
    """Ends connections that are pending for too long, or are too many.

    Args:
        most: connections at a time.
        most_at_address: of them, from one address.
        patience: seconds for a request, and again for its body.
    """

    def __init__(self, most: int, most_at_address: int, patience: float) -> None:
        self.most, self.most_at_address, self.patience = most, most_at_address, patience
        self._pending: dict[
            Any, tuple[_Pending, int]
        ] = {}  # by arrival, with looks since
        self._ended: set[Any] = set()  # which are told of it only later

    def enter(self, newcomer: Connection) -> None:
        """Close the one that has been pending for longest, where there are too many.

        That is the newcomer where all others are being answered, or are sockets.
        """
        self._pending[newcomer] = _pending_part(newcomer), 0
        everybody = newcomer.connections - self._ended
        network = _network(newcomer)
        near = {each for each in everybody if _network(each) == network}
        if len(near) > self.most_at_address:
            self._close_one_of(near)
        elif len(everybody) > self.most:
            self._close_one_of(everybody)

    async def watch(self, connections: Collection[Any]) -> None:
        """Look at connections again and again; never returns, even after an error."""
        while True:
            await asyncio.sleep(self.patience / LOOKS)
            try:
                self.look(connections)
            except Exception:
                _log.exception("cannot look at the connections")

    def look(self, connections: Collection[Any]) -> None:
        """End connections without progress for too long."""
        self._ended.intersection_update(connections)
        for gone in self._pending.keys() - {*connections}:
            del self._pending[gone]
        for each in connections:
            owed = _pending_part(each)
            before, looks = self._pending.get(each, (None, 0))
            looks = looks + 1 if owed is not None and owed == before else 0
            self._pending[each] = owed, looks
            if looks >= LOOKS:
                self._end(each)

    def _close_one_of(self, crowd: Collection[Any]) -> None:
        closable = [
            each for each in self._pending if each in crowd and _is_closable(each)
        ]
        self._end(max(closable, key=lambda each: self._pending[each][1]))

    def _end(self, connection: Any) -> None:
        self._ended.add(connection)
        connection.transport.abort()  # without what it has not read


class Connection(H11Protocol):
    """A connection for requests that a limiter lets in."""

    def __init__(self, limiter: ConnectionLimiter, **given: Any) -> None:
        super().__init__(**given)
        self._limiter = limiter

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._limiter.enter(self)


class Socket(WebSocketsSansIOProtocol):
    """A websocket that closes cleanly where its last frame holds invalid text."""

    def data_received(self, data: bytes) -> None:
        try:
            super().data_received(data)
        except InvalidState:  # as uvicorn would close it a second time
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()


def is_of_interest(record: logging.LogRecord) -> bool:
    """Whether to log a record: not the traceback of invalid text from outside."""
    return not str(record.msg).startswith("Invalid UTF-8")


def _pending_part(connection: Any) -> _Pending:
    """What the other end is to do next; another thing when it has done some of it.

    None where it has done its part. A socket is asked for signs of life by pings.
    """
    unread = connection.transport.get_write_buffer_size()
    if unread or connection.transport.is_closing():
        return "read", unread
    if isinstance(connection, Socket):
        return None if connection.handshake_complete else ("handshake", None)
    cycle = connection.cycle
    if cycle is None or cycle.response_complete:
        return "request", cycle
    return ("body", cycle) if cycle.more_body else None


def _is_closable(connection: Any) -> bool:
    """Whether it may be closed: it is not answered, or sends on without reading."""
    owed = _pending_part(connection)
    return owed is not None and (owed[0] != "read" or _is_pipelining(connection))


def _is_pipelining(connection: Any) -> bool:
    """Whether more requests have come than were answered, which browsers never do."""
    return isinstance(connection, Connection) and bool(connection.conn.trailing_data[0])


def _network(connection: Any) -> str | None:
    return None if connection.client is None else network_of(connection.client[0])


@lru_cache(4096)
def network_of(host: str) -> str:
    """What counts as one visitor: of IPv6 the network, as its hosts choose the rest.

    A text that is no address stands for itself.

    >>> network_of("2001:db8::1") == network_of("2001:db8::2")
    True
    >>> network_of("::ffff:192.0.2.1") == network_of("192.0.2.1")
    True
    """
    try:
        address = ip_address(host)
    except ValueError:  # such as the name that a test's client has
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or f"{int(address) >> 64:x}::/64")
