"""How fast is the page's analysis beside `playout analyze`?

The same position, searched for some seconds by a server whose one page hears of it ten
times a second (this program; no browser draws it), and by the command, in turn; printed
are simulations per second and their ratio, the median and all of them.

    python benchmarks/page_analysis.py [GAME...] [--seconds 4] [--rounds 5]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

from board import ask, server
from websockets.sync.client import connect

GAMES = ("connect-four", "ultimate-tic-tac-toe", "gomoku")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    os.environ["PLAYOUT_COMPILE"] = "first"  # no search begins interpreted
    with server() as address:
        for game in given.games:
            by_page(address, game, 0.1)  # compiles
            found = [
                (by_page(address, game, given.seconds), by_command(game, given.seconds))
                for _ in range(given.rounds)
            ]
            ratios = sorted(page / command for page, command in found)
            page, command = map(statistics.median, zip(*found, strict=True))
            shown = " ".join(f"{ratio:.2f}" for ratio in ratios)
            print(
                f"{game:<22}{page:>11,.0f}/s {command:>11,.0f}/s  "
                f"{statistics.median(ratios):.2f} ({shown})",
                flush=True,
            )


def by_page(address: str, game: str, seconds: float) -> float:
    """Simulations per second that the page is told at the end."""
    table = ask(f"{address}api/tables", {"game": game, "players": ["human", "human"]})
    live = f"{address}api/tables/{table['id']}/live".replace("http", "ws", 1)
    with connect(live) as socket:
        socket.send(json.dumps({"type": "analyse", "ply": 0, "seconds": seconds}))
        while True:
            heard = json.loads(socket.recv(120))
            if heard["type"] == "analysis" and heard.get("done"):
                return float(heard["speed"])


def by_command(game: str, seconds: float) -> float:
    command = [sys.executable, "-m", "playout", "analyze", game, "--json"]
    done = subprocess.run(
        [*command, "--seconds", f"{seconds}"], capture_output=True, check=True
    )
    return float(json.loads(done.stdout)["simulations_per_second"])


if __name__ == "__main__":
    main()
