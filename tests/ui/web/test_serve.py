"""The commands: what they print, what they refuse, and how they end."""

import signal
import sys
import threading
import time
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from websockets.sync.client import connect

from ..support import error_of, output_of
from .support import server


def test_help_shows_examples():
    assert "playout serve --open" in output_of("serve", "--help")
    assert "--web" in output_of("play", "--help")


def test_what_is_refused():
    assert "unknown game" in error_of("serve", "nothing")
    assert "--host" in error_of("serve", "--host", "")
    assert "port 99999" in error_of("serve", "--port", "99999")
    assert "--seconds" in error_of("play", "tic-tac-toe", "--web", "--seconds", "100")
    assert "--web" in error_of("play", "tic-tac-toe", "--web", "--simulations", "9")


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "playout.ui.web.server", raising=False)
    assert "pip install playout[web]" in error_of("serve")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_its_searches(number):
    with server("tic-tac-toe") as running:
        body = b'{"game": "tic-tac-toe", "players": ["mcts", "human"], "seconds": 60}'
        headers = {"Content-Type": "application/json"}
        request = Request(f"{running.address}api/tables", body, headers)
        with urlopen(request) as answer:
            state = answer.read().decode()
        id = state.partition('"id":"')[2].partition('"')[0]
        path = running.address.replace("http", "ws") + f"api/tables/{id}/live"
        with connect(path) as socket:
            socket.recv()
            code, seconds = running.stop(number)
        assert code == 0
        assert seconds < 10
        assert "Goodbye." in running.process.stdout.read()


def test_others_need_the_token():
    with server("--host", "0.0.0.0") as running:
        assert "/?token=" in running.address
        assert "0.0.0.0" not in running.address  # where nobody can go
        with build_opener(HTTPCookieProcessor()).open(running.address) as page:
            assert "token" not in page.url
            assert page.status == 200
        with pytest.raises(HTTPError, match="401"):
            urlopen(running.address.partition("?")[0])


def test_many_games_at_once_stay_responsive():
    """Fifty searches of a second on these cores: none is late, pages come."""
    games, late, pages = 50, [], []

    def play(address):
        body = b'{"game": "tic-tac-toe", "players": ["mcts:solver=unsolved", "human"]}'
        request = Request(
            f"{address}api/tables", body, {"Content-Type": "application/json"}
        )
        with urlopen(request) as answer:
            state = answer.read().decode()
        id = state.partition('"id":"')[2].partition('"')[0]
        with connect(address.replace("http", "ws") + f"api/tables/{id}/live") as socket:
            begun = None
            while '"moves": ["' not in (message := socket.recv(60)):
                if begun is None and '"busy": "thinking"' in message:
                    begun = time.monotonic()
        late.append(time.monotonic() - (begun or 0) - 1.0)

    with server("tic-tac-toe") as running:
        play(running.address)  # compiles
        late.clear()
        threads = [
            threading.Thread(target=play, args=(running.address,)) for _ in range(games)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            started = time.monotonic()
            with urlopen(f"{running.address}static/style.css") as page:
                page.read()
            pages.append(time.monotonic() - started)
            time.sleep(0.02)
    assert len(late) == games
    assert max(late) < 3  # 1 where nothing else runs on this machine
    assert sorted(pages)[len(pages) // 2] < 0.5  # 0.2 then
