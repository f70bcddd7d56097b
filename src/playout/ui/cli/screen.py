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
from .watchdog import watching

if TYPE_CHECKING:
    from ...arena.table import Table
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
    moves: Sequence[str] = (),
) -> None:
    """Play until the person leaves; the last position stays in the terminal.

    The first game goes on after the moves.
    """
    from ...arena.clock import TimeControl
    from ..tui.app import BoardApp
    from ..tui.host import HostSettings

    drawn = secrets.randbits(32) if seed is None else seed
    time = None if clock is None else TimeControl.parse(clock)
    at_once = seed is None and "human" in seats
    settings = HostSettings(
        game, seats, search, allowance, time, drawn, at_once, moves=moves
    )
    with watching(compiled_too=False):
        app = BoardApp(settings)
    start_collecting()
    with leaving_on_signals(app):
        app.run()
    if app.rules.told and app.host.thinker.is_busy:
        # Rules of an object are asked one after the other: the board would not come.
        click.echo(f"{app.rules.told}: the last position is not shown", err=True)
    else:
        with watching(compiled_too=False):
            _show_last(app.host.table)
    if app.return_code:
        click.get_current_context().exit(app.return_code)


def _show_last(table: Table) -> None:
    """The position in which a game was left, and the moves to it."""
    click.echo(table.seen.render(color=use_color()))
    if table.position.moves and not table.hides:
        click.echo("Moves: " + " ".join(table.position.moves))


@contextmanager
def leaving_on_signals(app: BoardApp) -> Iterator[None]:
    """Have signals end the screen, which puts the terminal back as it was.

    Ctrl-C is a key there; a SIGINT comes from elsewhere. Where rules hold the screen,
    which would not hear of it, they are interrupted.
    """

    def leave(number: int, frame: FrameType | None) -> None:
        if app.rules.is_stuck:
            raise KeyboardInterrupt
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
