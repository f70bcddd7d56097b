"""How soon does the board in the browser answer while many games are played?

Fifty games of Connect Four against a search of a second a move. All people move at the
same moment, twice; printed is how late the answers are, beyond that second, how long
the server takes to accept a move, and to give a static page meanwhile. The moves come
from this program, which takes a part of the same processors.

    pip install .
    python benchmarks/board.py [--games 50] [--seconds 1]
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

#: The two moves of every person.
MOVES = ("4", "3")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=1.0, help="for a move")
    given = parser.parse_args()
    late: list[list[float]] = [[] for _ in MOVES]
    accepted: list[float] = []
    pages: list[float] = []
    together = threading.Barrier(given.games)

    def play(address: str, barrier: threading.Barrier) -> None:
        players = {"players": ["human", "mcts"], "seconds": given.seconds}
        table = ask(f"{address}api/tables", {"game": "connect-four", **players})
        path = f"{address}api/tables/{table['id']}"
        with connect(f"{path.replace('http', 'ws', 1)}/live") as socket:
            socket.recv(60)
            for number, move in enumerate(MOVES):
                barrier.wait()
                began = time.monotonic()
                ask(f"{path}/moves", {"move": move, "ply": 2 * number})
                accepted.append(time.monotonic() - began)
                while (
                    len(json.loads(socket.recv(60)).get("moves", [])) < 2 * number + 2
                ):
                    pass
                late[number].append(time.monotonic() - began - given.seconds)

    with server() as address:
        play(address, threading.Barrier(1))  # compiles
        for found in (*late, accepted):
            found.clear()
        threads = [
            threading.Thread(target=play, args=(address, together))
            for _ in range(given.games)
        ]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            began = time.monotonic()
            with urlopen(f"{address}static/style.css") as page:
                page.read()
            pages.append(time.monotonic() - began)
            time.sleep(0.02)
    report("first answers late", late[0])
    report("second answers late", late[1])
    report("moves accepted after", accepted)
    report("pages after", pages)


def report(what: str, seconds: list[float]) -> None:
    print(
        f"{what:<22}{statistics.median(seconds):7.3f} s  (at most {max(seconds):.3f})"
    )


def ask(address: str, body: dict[str, Any]) -> Any:
    kind = {"Content-Type": "application/json"}
    with urlopen(Request(address, json.dumps(body).encode(), kind)) as answer:
        return json.load(answer)


@contextlib.contextmanager
def server() -> Iterator[str]:
    """The address of a server, which ends with the block.

    Its searches wait for what they run, so that none is measured interpreted.
    """
    command = [sys.executable, "-m", "playout", "serve", "--port", "0"]
    own = {**os.environ, "PLAYOUT_COMPILE": "first"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=own
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[3]
        finally:
            process.terminate()


if __name__ == "__main__":
    main()
