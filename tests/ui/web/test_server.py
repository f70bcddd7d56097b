"""The commands: what they print, what they refuse, and how they end.

Also of `ui/cli/commands/serve.py`.
"""

import json
import re
import signal
import threading
import time
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest
from websockets.sync.client import connect

from tests.ui.slowness import Slowness
from tests.ui.support import UNSOLVED, error_of, output_of

from .support import server


def test_help_shows_examples():
    assert "playout serve --open" in output_of("serve", "--help")
    assert "--web" in output_of("play", "--help")


def test_what_is_refused():
    assert "unknown game" in error_of("serve", "nothing")
    assert "--host" in error_of("serve", "--host", "")
    assert "port 99999" in error_of("serve", "--port", "99999")
    engine = ("--player", "exec:ugi:./no-such-engine", "--port", "99999")
    assert "--player: cannot run './no-such-engine'" in error_of("serve", *engine)
    assert "--seconds" in error_of("play", "tic-tac-toe", "--web", "--seconds", "100")
    assert "--web" in error_of("play", "tic-tac-toe", "--web", "--simulations", "9")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_and_its_searches(number):
    with server("tic-tac-toe") as running:
        path = open_table(running.address, "mcts", "human", seconds=60)
        with connect(path) as socket:
            socket.recv()
            code, seconds = running.stop(number)
        assert code == 0
        assert seconds < 10
        assert "Goodbye." in running.process.stdout.read()


def test_more_signals_end_it_as_quietly(capfd):
    """Those that come until the process has ended."""
    with server("tic-tac-toe") as running:
        until = time.monotonic() + 60
        while running.process.poll() is None and time.monotonic() < until:
            running.process.send_signal(signal.SIGINT)
            time.sleep(0.0005)
        assert running.process.poll() == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("milliseconds", [0, 10, 30])
def test_a_signal_after_goodbye_changes_nothing(capfd, number, milliseconds):
    with server("tic-tac-toe") as running:
        running.process.send_signal(number)
        said = ""
        while "Goodbye." not in said:
            said += running.process.stdout.readline()
        time.sleep(milliseconds / 1000)
        running.process.send_signal(number)
        assert running.process.wait(20) == 0
    assert capfd.readouterr().err == ""


def test_others_need_the_token():
    with server("--host", "0.0.0.0") as running:
        assert "/?token=" in running.address
        assert "0.0.0.0" not in running.address  # where nobody can go
        with build_opener(HTTPCookieProcessor()).open(running.address) as page:
            assert "token" not in page.url
            assert page.status == 200
        with pytest.raises(HTTPError, match="401") as refused:
            urlopen(running.address.partition("?")[0])
        refused.value.close()


@pytest.fixture
def record(record_testsuite_property):
    """Keeps a time in seconds in the report, with how busy the machine was."""

    def keep(what, seconds, slowness):
        times = f"{seconds:.3f} s, slowness {slowness.factor:.1f}"
        record_testsuite_property(what, times)

    return keep


def open_table(address, *players, game="tic-tac-toe", seconds=1):
    """Begin a game; the address of its socket."""
    wanted = {"game": game, "players": players, "seconds": seconds}
    body = json.dumps(wanted).encode()
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{address}api/tables", body, headers)) as answer:
        id = json.load(answer)["id"]
    return address.replace("http", "ws") + f"api/tables/{id}/live"


def get(address):
    with urlopen(address) as answer:
        return answer.read().decode()


def test_the_first_page_can_be_used_at_once(record):
    """A second after the address is printed, on a machine that does nothing else."""
    with server() as running, Slowness() as slowness:
        started = time.monotonic()
        page = get(running.address)
        for name in re.findall(r'(?:src|href)="/?(static/[^"]+)"', page):
            get(running.address + name)
        for name in ("games", "start"):
            get(f"{running.address}api/{name}")
        with connect(open_table(running.address, "human", "level:1")) as socket:
            assert json.loads(socket.recv())["type"] == "state"
        took = time.monotonic() - started
    record("first page", took, slowness)
    assert took < 2 * slowness.factor


def test_many_games_at_once_stay_responsive(record):
    """Fifty searches of two seconds on these cores: none is late, pages come.

    Where nothing else runs on the machine, they are at most a second late, and half of
    the pages come in a fifth of one.
    """
    games, seconds, late, pages = 50, 2, [], []
    together = threading.Barrier(games + 1)

    def play(address, wait):
        path = open_table(address, "mcts", "human", game=UNSOLVED, seconds=seconds)
        wait()
        begun = time.monotonic()
        with connect(path, open_timeout=100) as socket:
            socket.recv(100)
            wait()
            while '"moves": ["' not in socket.recv(100):
                pass
        late.append(time.monotonic() - begun - seconds)

    with server(UNSOLVED) as running, Slowness() as slowness:
        play(running.address, lambda: None)  # compiles
        late.clear()
        arguments = running.address, together.wait
        threads = [threading.Thread(target=play, args=arguments) for _ in range(games)]
        for thread in threads:
            thread.start()
        together.wait()  # all begin at once
        together.wait()  # all have begun
        while any(thread.is_alive() for thread in threads):
            started = time.monotonic()
            get(f"{running.address}static/style.css")
            pages.append(time.monotonic() - started)
            time.sleep(0.02)
    page = sorted(pages)[len(pages) // 2]
    record("latest of 50 searches", max(late), slowness)
    record("pages among 50 searches", page, slowness)
    assert len(late) == games
    assert max(late) < 3 * slowness.factor
    assert page < slowness.factor


HANGS = """
from playout.ui.web import server
from tests.toys import Nim
server.STUCK_SECONDS = 0.5
class Hangs(Nim):
    def apply(self, state, action):
        while state.left > 0:
            pass
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_where_rules_hang(tmp_path, capfd, number):
    (tmp_path / "hangs.py").write_text(HANGS)
    game = f"{tmp_path / 'hangs.py'}:Hangs"
    with server(game) as running:
        path = open_table(running.address, "human", "human", game=game)
        address = path.replace("ws:", "http:").replace("/live", "/moves")
        headers = {"Content-Type": "application/json"}
        move = Request(address, json.dumps({"move": "1"}).encode(), headers)
        with pytest.raises(TimeoutError):
            urlopen(move, timeout=1)
        code, seconds = running.stop(number)
    assert code == 130
    assert seconds < 10
    assert "rules do not come back" in capfd.readouterr().err
