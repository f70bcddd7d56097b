"""Connections whose other end does nothing, too little, or what makes no sense."""

import asyncio
import json
import re
import socket
import struct
import time
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

import pytest
import uvicorn
from uvicorn.server import ServerState

from playout.ui.web.connections import (
    LOOKS,
    Connection,
    ConnectionLimiter,
    Socket,
    _pending_part,
)
from playout.ui.web.server import make_limiter
from playout.ui.web.settings import Settings

from .support import in_a_loop, server, until

#: Seconds until a test gives up; a busy machine takes long.
LONGEST = 60.0
#: More than the server has places for one address.
CROWD = 610
#: Of a server that is tried, in seconds; none of ours may take so long for a request.
PATIENCE = 2.0
GET = b"GET /api/games HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = (
    b"POST /api/tables HTTP/1.1\r\n"
    b"Host: localhost\r\nContent-Type: application/json\r\n"
)
GAME = json.dumps({"game": "tic-tac-toe", "players": ["human", "human"]}).encode()
SOCKET = (
    b"GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
TEXT, CLOSE, PING = 1, 8, 9  # of frames


@contextmanager
def connected(running, source="127.0.0.1"):
    """A connection to a server."""
    place = urlsplit(running.address)
    to = (place.hostname, place.port)
    with socket.create_connection(to, LONGEST, (source, 0)) as found:
        yield found


def rest(connection):
    """All that comes until the other end closes."""
    said = b""
    try:
        while part := connection.recv(1 << 16):
            said += part
    except ConnectionResetError:
        pass
    return said


def answer(running, request=GET, source="127.0.0.1"):
    """What is answered; nothing where the connection is closed before."""
    with connected(running, source) as connection:
        try:
            connection.sendall(
                request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
            )
        except OSError:
            return b""
        return rest(connection)


def path_of_socket(running):
    """The path of the socket of a new game."""
    length = b"Content-Length: %d\r\n\r\n" % len(GAME)
    id = re.search(rb'"id":"([^"]+)"', answer(running, POST + length + GAME))[1]
    return b"/api/tables/%s/live" % id


def open_socket(connection, path):
    """Make a socket of a connection."""
    connection.sendall(SOCKET % path)
    said = b""
    while b"\r\n\r\n" not in said:
        part = connection.recv(1 << 16)
        assert part, said
        said += part
    assert b" 101 " in said


def frame(code, data, final=True, length=None):
    """What a page sends, in clear as its mask is 0."""
    length = len(data) if length is None else length
    size = (
        bytes([0x80 | length]) if length < 126 else b"\xff" + struct.pack("!Q", length)
    )
    return bytes([final << 7 | code]) + size + bytes(4) + data


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """A server, the path of a game's socket, and the file where it complains."""
    path = tmp_path_factory.mktemp("server") / "log"
    with path.open("wb") as log, server(log=log.fileno()) as running:
        yield running, path_of_socket(running), path


# -- who does nothing ------------------------------------------------------------------


#: Requests that are not whole, and how what they are answered begins.
HALVES = [
    (b"", b""),
    (b"GET / HT", b""),
    (GET[:-2], b""),
    (POST + b"Content-Length: 100\r\n\r\n{", b""),
    (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b""),
    (GET, b"HTTP/1.1 200"),
    (GET + GET[:5], b"HTTP/1.1 200"),
    (SOCKET[:-2] % b"/x" + b"Content-Length: 5\r\n\r\n", b""),
]


@pytest.fixture(scope="module")
def impatient():
    with server(patience=PATIENCE) as running:
        yield running


def test_a_connection_without_a_whole_request_is_closed(impatient):
    with ExitStack() as stack:
        asking = [stack.enter_context(connected(impatient)) for _ in HALVES]
        for connection, (sent, _) in zip(asking, HALVES, strict=True):
            connection.sendall(sent)
        for connection, (sent, answered) in zip(asking, HALVES, strict=True):
            assert rest(connection)[:12] == answered, sent


@pytest.mark.parametrize("beginning", [GET[:-2], POST + b"Content-Length: 900\r\n\r\n"])
def test_a_byte_now_and_then_buys_no_time(impatient, beginning):
    def trickle(connection):
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            connection.sendall(b"a")
            time.sleep(0.1)

    with connected(impatient) as connection:
        connection.sendall(beginning)
        with pytest.raises(ConnectionError):
            trickle(connection)


def test_a_socket_that_gives_no_sign_of_life_is_closed(impatient):
    """An incomplete frame or message is not a sign of life."""
    path = path_of_socket(impatient)
    with ExitStack() as stack:
        silent = [stack.enter_context(connected(impatient)) for _ in range(3)]
        for connection, sent in zip(
            silent, [b"", b"\x81\xfe", frame(TEXT, b"{", False)], strict=True
        ):
            open_socket(connection, path)
            connection.sendall(sent)
        for connection in silent:
            assert b"keepalive ping timeout" in rest(connection)


class Idle:
    """A connection, as a limiter sees it."""

    def __init__(self):
        self.transport, self.cycle, self.client = self, None, ("192.0.2.1", 1)
        self.unread, self.ended = 0, False

    def get_write_buffer_size(self):
        return self.unread

    def is_closing(self):
        return self.ended

    def abort(self):
        self.ended = True


@pytest.mark.parametrize("steps", [1, 0])
def test_what_is_not_read_ends_a_connection_unless_some_of_it_is(steps):
    limiter, idle = ConnectionLimiter(1, 1, 1.0), Idle()
    idle.unread = 1000
    for _ in range(2 * LOOKS):
        limiter.look({idle})
        idle.unread -= steps
    assert idle.ended == (not steps)


def test_a_look_that_fails_is_told_and_followed_by_others(caplog):
    limiter, idle = ConnectionLimiter(1, 1, 0.01), Idle()
    del idle.transport

    async def watch():
        looking = asyncio.create_task(limiter.watch({idle}))
        async with asyncio.timeout(LONGEST):
            while not caplog.records:
                await asyncio.sleep(0.001)
            idle.transport = idle
            while not idle.ended:
                await asyncio.sleep(0.001)
        looking.cancel()

    in_a_loop(watch)
    assert "cannot look at the connections" in caplog.text


def test_what_is_pending_is_read_from_what_uvicorn_keeps_for_itself():
    """A later version may rename it or change its meaning."""

    async def app(scope, receive, send):
        await asyncio.Event().wait()

    async def look():
        config = uvicorn.Config(app, ws=Socket, log_config=None)
        config.load()
        given = config, ServerState(), {}
        names = "config", "server_state", "app_state"
        connection = Connection(
            ConnectionLimiter(1, 1, 1.0), **dict(zip(names, given, strict=True))
        )
        transport = Idle()
        transport.get_extra_info = lambda *_: None
        connection.connection_made(transport)
        assert connection.client is None
        assert {*connection.connections} == {connection}
        assert _pending_part(connection) == ("request", None)
        for sent, owed in [
            (POST + b"Content-Length: 2\r\n", "request"),
            (b"\r\n{", "body"),
            (b"}", None),
        ]:
            connection.data_received(sent)
            assert (_pending_part(connection) or [None])[0] == owed, sent
        socket = Socket(*given)
        socket.connection_made(transport)
        assert _pending_part(socket) == ("handshake", None)
        socket.handshake_complete = True
        assert _pending_part(socket) is None

    in_a_loop(look)


# -- who comes with many ---------------------------------------------------------------


def test_many_connections_lock_nobody_out(usual):
    """Not even from the same address: the oldest without a whole request are closed."""
    running, path, _ = usual
    with ExitStack() as crowd:
        for number in range(CROWD):
            connection = crowd.enter_context(connected(running))
            connection.sendall(GET[: number % 2 * 20])
        assert answer(running).startswith(b"HTTP/1.1 200")
        open_socket(crowd.enter_context(connected(running)), path)


def test_who_asks_on_without_reading_makes_place():
    """It sends many requests ahead and does not read the answers."""
    with server(connections=9, connections_at_address=3) as running, ExitStack() as all:
        for _ in range(3):
            connection = all.enter_context(connected(running))
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(0.5)
            with suppress(TimeoutError):
                for _ in range(2000):
                    connection.sendall(GET)
        # At once, unless a busy machine still writes into what nobody reads.
        until(lambda: answer(running).startswith(b"HTTP/1.1 200"))


def test_one_address_cannot_take_all_places():
    """It gets no more places, even if its sockets are in use; others do."""
    with (
        server(connections=9, connections_at_address=3) as running,
        ExitStack() as crowd,
    ):
        path = path_of_socket(running)
        for _ in range(3):
            open_socket(crowd.enter_context(connected(running)), path)
        assert answer(running) == b""
        try:
            assert answer(running, source="127.0.0.2").startswith(b"HTTP/1.1 200")
        except OSError:
            pytest.skip("this machine has one address for itself")


@pytest.mark.parametrize(
    ("usual", "most", "places", "raised"),
    [
        (256, 256, (128, 42), 256),  # as small as a system may have it
        (256, -1, (600, 200), 1200),
        (256, 1 << 20, (600, 200), 1200),
        (1 << 20, 1 << 20, (600, 200), None),
    ],
)
def test_there_are_places_as_far_as_files_may_be_open(
    monkeypatch, usual, most, places, raised
):
    resource = pytest.importorskip("resource")
    set_to = []
    monkeypatch.setattr(resource, "RLIM_INFINITY", -1)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (usual, most))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits))
    limiter = make_limiter(Settings())
    assert (limiter.most, limiter.most_at_address) == places
    assert set_to == ([] if raised is None else [(raised, most)])


# -- what makes no sense ---------------------------------------------------------------


NO_TEXT = frame(TEXT, b"\xff")
#: What is sent, and the code with which it is answered.
NONSENSE = {
    "no text": (NO_TEXT, 1007),
    "no text in two parts": (frame(TEXT, b"\xe2\x82", False) + frame(0, b"\xff"), 1007),
    "no text twice": (NO_TEXT * 2, 1007),
    "no text and the end": (NO_TEXT + frame(CLOSE, b"\x03\xe8"), 1000),
    "too long": (frame(TEXT, b"", length=1 << 20), 1009),
    "longer than can be": (frame(TEXT, b"", length=1 << 63), 1009),
    "too long in two parts": (
        frame(TEXT, b"x" * 40_000, False) + frame(0, b"", length=40_000),
        1009,
    ),
    "no such code": (frame(3, b"a"), 1002),
    "a reserved bit": (b"\xc1\x80\0\0\0\0", 1002),
    "without a mask": (b"\x81\x01a", 1002),
    "a second part alone": (frame(0, b"a"), 1002),
    "a text in a text": (frame(TEXT, b"a", False) + frame(TEXT, b"b"), 1002),
    "half a ping": (frame(PING, b"a", False), 1002),
    "a long ping": (frame(PING, b"a" * 126), 1002),
    "no reason to close": (frame(CLOSE, b"\0\1"), 1002),
    "a reason that is no text": (frame(CLOSE, b"\x03\xe8\xff"), 1007),
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_closes_a_socket_and_is_no_fault_of_the_server(usual, name):
    running, path, log = usual
    sent, code = NONSENSE[name]
    with connected(running) as connection:
        open_socket(connection, path)
        connection.sendall(sent)
        assert struct.pack("!H", code) in rest(connection)[-140:]
    assert answer(running).startswith(b"HTTP/1.1 200")
    assert log.read_text() == ""


def test_a_text_may_come_in_parts(usual):
    running, path, _ = usual
    text = '"€"'.encode()
    with connected(running) as connection:
        open_socket(connection, path)
        connection.sendall(frame(TEXT, text[:2], False) + frame(0, text[2:]))
        said = b""
        while b"a message is not understood" not in said:
            part = connection.recv(1 << 16)
            assert part, said
            said += part
