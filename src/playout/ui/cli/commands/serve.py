"""`playout serve`, and what `playout play --web` does: games in the browser."""

from __future__ import annotations

import os
import secrets
import socket
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ....core.errors import UsageError
from ....core.garbage import start_collecting
from ..completing import complete_game, complete_player
from ..options import STANDARD_GAMES, HelpfulCommand, load_game

if TYPE_CHECKING:
    from ....games.contract.game import Game
    from ...web.settings import Settings, Start

__all__ = ["play_in_browser", "serve"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: All addresses of this machine; no address itself.
EVERYWHERE = ("0.0.0.0", "::")
DEFAULT_PORT = 8642
#: The longest that a program in the browser may think about a move.
MOST_SECONDS = 60.0


@click.command(cls=HelpfulCommand)
@click.argument("games", nargs=-1, metavar="[GAME]...", shell_complete=complete_game)
@click.option("--host", default="127.0.0.1", metavar="H", help="The address to serve.")
@click.option(
    "--port", default=DEFAULT_PORT, metavar="N", help="0 for any that is free."
)
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="SPEC",
    shell_complete=complete_player,
    help="A player to offer besides Playout's own; may be repeated.",
)
@click.option("--open", "opens", is_flag=True, help="Open the page in a browser.")
def serve(
    games: tuple[str, ...],
    host: str,
    port: int,
    players: tuple[str, ...],
    opens: bool,
) -> None:
    """Serve a board in the browser: play, watch, analyse.

    Only this machine can reach it, unless --host names another of its addresses; then
    visitors need the token in the address that is printed. Visitors choose among
    Playout's games and players; files and programs can be named only here, as GAME and
    --player. Ctrl-C or SIGTERM ends the server and all searches.

    Examples:
      playout serve
      playout serve --open
      playout serve --host 0.0.0.0 --port 8000
      playout serve my_game.py:MyGame --player "exec:./engine --fast"
    """
    from ...web.settings import Start

    start = Start(game=games[0]) if games else Start()
    _serve(games, players, start, host, port, opens)


def play_in_browser(game: str, players: Sequence[str], seconds: float | None) -> None:
    """Serve one game on a port that is free, and open the browser there."""
    from ...web.settings import Start

    seconds = 1.0 if seconds is None else seconds
    if not 0.01 <= seconds <= MOST_SECONDS:
        raise UsageError(f"--web: --seconds must be 0.01 to {MOST_SECONDS:g}")
    start = Start(game, tuple(players), seconds)
    _serve((game,), tuple(players), start, "127.0.0.1", 0, opens=True)


def _serve(
    games: Sequence[str],
    players: Sequence[str],
    start: Start,
    host: str,
    port: int,
    opens: bool,
) -> None:
    from ...web.server import bind, serve
    from ...web.turns import COMPILER

    settings = _settings(games, players, start, host)
    with bind(host, port) as listening:
        address = _address(settings, host, listening.getsockname()[1])

        def ready() -> None:
            click.echo(f"Playout is at {address} (Ctrl-C ends it)")
            if opens:
                click.launch(address)

        start_collecting()
        serve(listening, settings, ready)
    click.echo("Goodbye.")
    if any(thread.name.startswith(COMPILER) for thread in threading.enumerate()):
        sys.stdout.flush()
        os._exit(0)  # what compiles cannot be interrupted, and nobody waits for it


def _settings(
    games: Sequence[str], players: Sequence[str], start: Start, host: str
) -> Settings:
    """What a server at this address offers, which can all be had."""
    from ...web.settings import Settings

    loaded = {spec: load_game(spec) for spec in games}
    if not host.strip():
        raise UsageError("--host: name an address, such as 0.0.0.0 for all")
    for spec in players:
        _expect_player(spec, list(loaded.values()))
    local = host in LOOPBACK
    return Settings(
        token="" if local else secrets.token_urlsafe(16),
        hosts=Settings().hosts if local else (),
        games=loaded,
        players=frozenset(spec for spec in players if spec != "human"),
        start=start,
    )


def _expect_player(spec: str, named: Sequence[Game]) -> None:
    """Complain of a player that can play neither these games nor a standard one."""
    from ....games.registry import make_game
    from ....players.registry import make_player

    if spec == "human":
        return
    problems = []
    for game in (*named, *map(make_game, STANDARD_GAMES)):
        try:
            make_player(spec, game).close()
            return
        except UsageError as error:
            problems.append(error)
    raise UsageError(f"--player: {problems[0]}")


def _address(settings: Settings, host: str, port: int) -> str:
    host = _own_address() if host in EVERYWHERE else host
    name = f"[{host}]" if ":" in host else host
    token = f"/?token={settings.token}" if settings.token else "/"
    return f"http://{name}:{port}{token}"


def _own_address() -> str:
    """An address of this machine for others; its name if none is known.

    That of the way out, to an address that nobody has (RFC 5737); nothing is sent.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way_out:
        try:
            way_out.connect(("192.0.2.1", 9))
            return str(way_out.getsockname()[0])
        except OSError:
            return socket.gethostname()
