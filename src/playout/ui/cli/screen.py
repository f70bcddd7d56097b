"""`playout play` on the whole screen, where the terminal can show it."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import click

from ...core.errors import UsageError
from ...core.garbage import start_collecting
from .terminal import is_terminal, use_color

if TYPE_CHECKING:
    from ...games.contract.game import Game
    from ...players.player import Allowance
    from ..tui.app import BoardApp

__all__ = ["fills_screen", "play_on_screen"]


def fills_screen(plain: bool, clock: str | None) -> bool:
    """Whether a game is played on the whole screen.

    Raises:
        UsageError: it is not, but a clock is wanted, which only the screen shows.
    """
    terminal = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if not plain and terminal and os.environ.get("TERM") != "dumb":
        return True
    if clock is not None:
        raise UsageError("--time: clocks need the whole screen of a terminal")
    return False


def play_on_screen(
    game: Game,
    seats: Sequence[str],
    search: str,
    allowance: Allowance,
    clock: str | None,
    seed: int | None,
) -> None:
    """Play until the person leaves; the last position stays in the terminal."""
    from ...arena.clock import TimeControl
    from ..tui.app import BoardApp
    from ..tui.host import HostSettings

    drawn = secrets.randbits(32) if seed is None else seed
    time = None if clock is None else TimeControl.parse(clock)
    at_once = seed is None and "human" in seats
    settings = HostSettings(game, seats, search, allowance, time, drawn, at_once)
    app = BoardApp(settings)
    start_collecting()
    with leaving_on_signals(app):
        app.run()
    table = app.host.table
    click.echo(table.seen.render(color=use_color()))
    if table.position.moves and not table.hides:
        click.echo("Moves: " + " ".join(table.position.moves))
    if app.return_code:
        click.get_current_context().exit(app.return_code)


@contextmanager
def leaving_on_signals(app: BoardApp) -> Iterator[None]:
    """Have signals end the screen, which puts the terminal back as it was.

    Ctrl-C is a key there; a SIGINT comes from elsewhere.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        app.call_later(app.exit, return_code=128 + number)

    before = {
        number: signal.signal(number, leave)
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
