"""What a terminal shows of a training, and what a log does."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from ...core.jit.native import on_compile
from ..common.compiling import compiling_sentence
from .terminal import show_compiling

if TYPE_CHECKING:
    from ...learning.trainer import Budget, Training

__all__ = ["TrainingLines", "TrainingTable"]

REFRESH_SECONDS = 0.5
#: Rows of the losses' and of the matches' tables.
ROWS = 8


class TrainingLines:
    """A line on stderr for every new network, every match and all that is compiled."""

    def __init__(self, training: Training, budget: Budget) -> None:
        self.training = training
        self._networks = len(training.facts.curve)
        self._matches = len(training.facts.strength)
        self._stack = ExitStack()

    def __enter__(self) -> TrainingLines:
        self._stack.enter_context(show_compiling())
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
        self._say()

    def show(self, training: Training, what: str) -> None:
        """The observer of a training."""
        self._say()

    def _say(self) -> None:
        facts = self.training.facts
        for row in facts.curve[self._networks :]:
            click.echo(_line(row), err=True)
        for row in facts.strength[self._matches :]:
            click.echo(f"against {row['opponent']}: {_elo(row)}", err=True)
        self._networks, self._matches = len(facts.curve), len(facts.strength)


class TrainingTable:
    """A table that is drawn anew while a training goes on."""

    def __init__(self, training: Training, budget: Budget) -> None:
        self.training, self.budget = training, budget
        self._live = Live(console=Console(stderr=True), auto_refresh=False)
        self._shown = -REFRESH_SECONDS
        self._began = time.monotonic(), training.replay.games

    def __enter__(self) -> TrainingTable:
        self._live.start()
        on_compile(self._compiling)
        return self

    def __exit__(self, *_: object) -> None:
        on_compile(None)
        self._live.update(self._draw("ended"), refresh=True)
        self._live.stop()

    def show(self, training: Training, what: str) -> None:
        """The observer of a training."""
        now = time.monotonic()
        if what != "playing" or now - self._shown >= REFRESH_SECONDS:
            self._shown = now
            self._live.update(self._draw(what), refresh=True)

    def _compiling(self, label: str) -> Callable[[], None]:
        """The observer of what is compiled: the table says so until it goes on."""
        self._live.update(self._draw(compiling_sentence(label)), refresh=True)
        self._shown = -REFRESH_SECONDS
        return lambda: None

    def _draw(self, what: str) -> Any:
        return Group(*draw(self.training, what, self._games_per_hour()))

    def _games_per_hour(self) -> float:
        """Of this call, all that it did besides counted as well."""
        since, games = self._began
        passed = max(time.monotonic() - since, 1e-9)
        return 3600 * (self.training.replay.games - games) / passed


def draw(training: Training, what: str, games_per_hour: float) -> list[Any]:
    """The parts of the table, from top to bottom."""
    facts, replay = training.facts, training.replay
    source = training.source
    outside = 1 - source.network_seconds / source.seconds if source.seconds else 0.0
    head = Text(f"{training.spec}: {what}", style="bold")
    head.append(
        f"   {replay.games:,} games   {replay.positions:,} positions   "
        f"{games_per_hour:,.0f} games/hour   {outside:.0%} outside the network",
        style="not bold",
    )
    parts: list[Any] = [head]
    if facts.curve:
        parts += [Text(), _losses(facts.curve[-ROWS:])]
    if facts.strength:
        parts += [Text(), _matches(facts.strength[-ROWS:])]
    return parts


def _losses(rows: list[dict[str, Any]]) -> Grid:
    headings = ("minutes", "games", "positions", "steps", "policy loss", "value loss")
    grid = _grid(*headings)
    for row in rows:
        grid.add_row(
            f"{row['seconds'] / 60:.1f}",
            *(f"{row[name]:,}" for name in ("games", "positions", "steps")),
            *(f"{row[name]:.4f}" for name in ("policy_loss", "value_loss")),
        )
    return grid


def _matches(rows: list[dict[str, Any]]) -> Grid:
    grid = _grid("games", "against", "Elo")
    for row in rows:
        grid.add_row(f"{row['games']:,}", Text(row["opponent"]), _elo(row))
    return grid


def _grid(*headings: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for heading in headings:
        grid.add_column(heading, justify="right")
    return grid


def _line(row: dict[str, Any]) -> str:
    return (
        f"{row['seconds'] / 60:6.1f} min   {row['games']:,} games   "
        f"{row['positions']:,} positions   policy loss {row['policy_loss']:.4f}   "
        f"value loss {row['value_loss']:.4f}"
    )


def _elo(row: dict[str, Any]) -> str:
    return f"{row['elo']:+z.0f} ({row['low']:+z.0f} to {row['high']:+z.0f})"
