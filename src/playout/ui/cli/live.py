"""What a terminal shows while a search thinks: a table, or a single line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ...games.contract.names import in_a_row

if TYPE_CHECKING:
    from ...search.limit import Limit
    from ...search.result.result import Result
    from ...search.result.statistics import ActionStatistics

__all__ = ["LiveLine", "LiveTable"]

ROWS = 10
BAR = 20
REFRESH_SECONDS = 0.2


class _LiveDisplay:
    """A display that follows a search and is erased at its end."""

    def __init__(self, limit: Limit | None) -> None:
        self.limit = limit
        self._started = time.perf_counter()
        self._live = Live(console=Console(), auto_refresh=False, transient=True)
        self._shown = -REFRESH_SECONDS

    def __enter__(self) -> _LiveDisplay:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, result: Result | None) -> None:
        """The progress callback; players without a search have no result."""
        if time.perf_counter() - self._shown >= REFRESH_SECONDS:
            self._shown = time.perf_counter()
            drawn = self.waiting() if result is None else self.draw(result)
            self._live.update(drawn, refresh=True)

    def waiting(self) -> Text:
        """The time since the beginning."""
        seconds = time.perf_counter() - self._started
        return Text(f"thinking: {seconds:.1f} s", style="dim")

    def draw(self, result: Result) -> Any:
        raise NotImplementedError


class LiveTable(_LiveDisplay):
    """The best moves, and how far the search is."""

    def draw(self, result: Result) -> Group:
        table = Table(box=None, pad_edge=False, header_style="dim")
        for heading in ("move", result.units.heading, "+-", "visits", "share"):
            table.add_column(heading, justify="right")
        table.add_column("")
        for row in result.actions[:ROWS]:
            table.add_row(
                Text(row.move),
                row.shown_rate,
                row.shown_error,
                f"{row.visits:,}",
                f"{row.share:.1%}",
                _bar(row),
                style="bold" if row.move == result.move else "",
            )
        if len(result.actions) > ROWS:
            table.add_row("", Text(f"+ {len(result.actions) - ROWS}"))
        line = Text("line: " + in_a_row(result.pv), overflow="ellipsis", no_wrap=True)
        return Group(table, Text(), Text(progress(result, self.limit)), line)


class LiveLine(_LiveDisplay):
    """One line: the best move so far, its win rate, and how far the search is."""

    def draw(self, result: Result) -> Text:
        best = f"thinking: {result.move} ({result.shown_value})   "
        return Text(
            best + progress(result, self.limit),
            style="dim",
            overflow="ellipsis",
            no_wrap=True,
        )


def _bar(row: ActionStatistics) -> Text:
    """A bar for the share of the visits; a proof as a word."""
    bar = Text(f"{'█' * round(BAR * row.share):{BAR}}", style="cyan")
    return bar.append(f"  {row.proven}", style="bold") if row.proven else bar


def progress(result: Result, limit: Limit | None) -> str:
    """How far a search is, as in "412,000 simulations  410,000/s  1.0 of 3 s"."""
    simulations = f"{result.simulations:,}"
    if limit is not None and limit.simulations is not None:
        simulations += f" of {limit.simulations:,}"
    seconds = f"{result.seconds:.1f}"
    if limit is not None and limit.seconds is not None:
        seconds += f" of {limit.seconds:g}"
    return (
        f"{simulations} simulations   {result.simulations_per_second:,.0f}/s   "
        f"{seconds} s"
    )
