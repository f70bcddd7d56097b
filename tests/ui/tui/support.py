"""Run the full-screen board without a terminal."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Static

from playout import make_game
from playout.players.player import Allowance
from playout.ui.tui.app import BoardApp
from playout.ui.tui.host import HostSettings

#: How long to wait for what a thread is to do, in steps of `STEP` seconds.
STEPS, STEP = 1500, 0.02
#: The terminal that everything must fit.
SMALL = (80, 24)


def play(
    game: Any,
    seats: list[str],
    script: Callable[[BoardApp, Pilot[None]], Awaitable[None]],
    size: tuple[int, int] = SMALL,
    **options: Any,
) -> BoardApp:
    """Open a board, and do to it what the script does."""
    loaded = make_game(game) if isinstance(game, str) else game
    usual = {"allowance": Allowance(simulations=200), "seed": 1, "delay": 0.0}
    app = BoardApp(HostSettings(loaded, seats, **{**usual, **options}))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    # Not on this thread: the tests of the page leave their event loop running there.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()
    return app


async def until(pilot: Pilot[None], true: Callable[[], object]) -> None:
    """Wait for what a thread is to do."""
    for _ in range(STEPS):
        if true():
            return
        await pilot.pause(STEP)
    raise AssertionError(f"this did not come; the screen says {said(pilot.app)!r}")


def said(app: Any) -> str:
    """The line under the board."""
    return text(app, "status")


def text(app: Any, panel: str) -> str:
    """What a panel shows."""
    shown = app.query_one(f"#{panel}", Static).render()
    return getattr(shown, "plain", str(shown))


def moves(app: BoardApp) -> list[str]:
    return app.host.table.position.moves


async def click(app: BoardApp, pilot: Pilot[None], row: int, column: int) -> None:
    """Click into the middle of a cell."""
    view = app.place.view
    assert view is not None
    geometry = view.geometry
    x = geometry.x(column, row) + geometry.cell_width // 2
    y = geometry.y(row) + geometry.cell_height // 2
    await pilot.click(view, offset=(x, y))
    await pilot.pause()
