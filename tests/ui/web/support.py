"""A server in this process for requests, and one in another for browsers."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from playout.ui.web.app import make_app
from playout.ui.web.settings import Settings

#: The names that the server of one's own machine answers to.
BASE = "http://localhost"


@contextmanager
def client(**settings) -> Iterator[TestClient]:
    """Requests to a server with these settings."""
    app = make_app(Settings(**settings))
    with TestClient(app, base_url=BASE) as requests:
        yield requests


def new_table(requests, game="tic-tac-toe", players=("human", "human"), **more):
    """Begin a game; returns its state."""
    wanted = {"game": game, "players": list(players), **more}
    answer = requests.post("/api/tables", json=wanted)
    assert answer.status_code == 201, answer.text
    return answer.json()


def play(requests, state, *moves):
    """Make a person's moves; returns the state after them."""
    for move in moves:
        answer = requests.post(f"/api/tables/{state['id']}/moves", json={"move": move})
        assert answer.status_code == 200, answer.text
        state = answer.json()
    return state


def problem(answer, status=400):
    """Why a request was refused."""
    assert answer.status_code == status, answer.text
    return answer.json()["detail"]


def follow(requests, state, **options):
    """The socket of a game."""
    path = f"ws://localhost/api/tables/{state['id']}/live"
    return requests.websocket_connect(path, **options)


def wait_for(socket, kind, ready=lambda message: True, errors=False):
    """The first message of a kind that is as wanted."""
    for _ in range(400):
        message = socket.receive_json()
        if message["type"] == kind and ready(message):
            return message
        assert errors or message["type"] != "error", message
    raise AssertionError(f"no {kind} among many messages")


def say(socket, kind, **message):
    """Send a message, as a page does."""
    socket.send_json({"type": kind, **message})


def code_of(socket):
    """Why the server closes a socket."""
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as closed:
        return closed.code


def room_of(requests, state):
    """The room of a game, in the server of this process."""
    return requests.app.state.lobby.find(state["id"])


def until(true, seconds=60.0):
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def in_a_loop(main):
    """What a coroutine gives; in a thread, for a browser may have left a loop open."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(main())).result()


@dataclass
class Server:
    """A server in a process of its own."""

    process: subprocess.Popen
    address: str

    def stop(self, number=signal.SIGTERM) -> tuple[int, float]:
        """End it; returns its exit code and the seconds that it took."""
        started = time.monotonic()
        self.process.send_signal(number)
        return self.process.wait(20), time.monotonic() - started


#: Serves with settings that no command has.
SERVE = """
import sys
from playout.ui.web.server import bind, serve
from playout.ui.web.settings import Settings
listening = bind("127.0.0.1", 0)
address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
serve(listening, Settings(**eval(sys.argv[1])), lambda: print(address, flush=True))
"""


@contextmanager
def server(*arguments: str, log: int | None = None, **settings) -> Iterator[Server]:
    """`playout serve` on a free port, or a server with other settings.

    Args:
        arguments: of the command.
        log: the file to which the server complains.
        settings: of the server.
    """
    command = [sys.executable, "-m", "playout", "serve", "--port", "0", *arguments]
    if settings:
        command = [sys.executable, "-c", SERVE, repr(settings)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
    )
    try:
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, f"{line!r} names no address"
        yield Server(process, address[0])
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
        process.stdout.close()
