"""How fast is the page's analysis beside `playout analyze`?

The same position, searched for some seconds by a server whose one page hears of it ten
times a second, and by the command, in turn; printed are simulations per second and
their ratio, the median and all of them. The page is this program, which draws nothing;
with --browser a Chromium without a window has the game open as well, and draws.

    python benchmarks/page_analysis.py [GAME...] [--seconds 4] [--rounds 5] [--browser]
"""

import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from shutil import which

from board import ask, server
from websockets.sync.client import connect

from playout import make_game
from playout.players.registry import usual_player

GAMES = ("connect-four", "ultimate-tic-tac-toe", "gomoku")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", metavar="GAME", default=GAMES)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--browser", action="store_true")
    given = parser.parse_args()
    seconds, seen = given.seconds, browser() if given.browser else nullcontext()
    with server() as address, seen as show:
        for game in given.games:
            by_page(address, game, 0.1)  # compiles
            found = [
                (by_page(address, game, seconds, show), by_command(game, seconds))
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


@contextmanager
def browser() -> Iterator[Callable[[str], object]]:
    """A function that opens an address in the one page of a browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = which("chromium") or which("google-chrome")
        flags = ["--no-sandbox", "--disable-dev-shm-usage"]
        page = playwright.chromium.launch(executable_path=path, args=flags).new_page()

        def show(address: str) -> None:
            page.goto("about:blank")  # else another fragment would load nothing
            page.goto(address)
            page.wait_for_selector(".cell")

        yield show


def by_page(
    address: str,
    game: str,
    seconds: float,
    show: Callable[[str], object] | None = None,
) -> float:
    """Simulations per second that the page is told at the end."""
    table = ask(f"{address}api/tables", {"game": game, "players": ["human", "human"]})
    if show is not None:
        show(f"{address}#id={table['id']}")
    live = f"{address}api/tables/{table['id']}/live".replace("http", "ws", 1)
    with connect(live) as socket:
        socket.send(json.dumps({"type": "analyse", "ply": 0, "seconds": seconds}))
        while True:
            heard = json.loads(socket.recv(120))
            if heard["type"] == "analysis" and heard.get("done"):
                return float(heard["speed"])


def by_command(game: str, seconds: float) -> float:
    command = [sys.executable, "-m", "playout", "analyze", game, "--json"]
    command += ["--player", usual_player(make_game(game))]  # whom the page asks
    done = subprocess.run(
        [*command, "--seconds", f"{seconds}"], capture_output=True, check=True
    )
    return float(json.loads(done.stdout)["simulations_per_second"])


if __name__ == "__main__":
    main()
