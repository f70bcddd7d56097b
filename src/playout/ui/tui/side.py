"""`SidePanel`: all that stands beside the board; and the line below it."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from ..common.words import ending_of, label_of
from . import panels
from .host import Host

__all__ = ["SidePanel", "StatusLine"]

#: Top moves that are shown.
ROWS = 5
#: The panels above the log.
PANELS = ("seats", "rate", "best", "progress")


class SidePanel(Vertical):
    """Players and clocks, the win rate, the moves a search likes, the log.

    Args:
        host: the game.
        palette: the players' colours.
    """

    def __init__(self, host: Host, palette: Sequence[str]) -> None:
        super().__init__(id="side")
        self.host, self.palette = host, palette

    def compose(self) -> ComposeResult:
        for name in PANELS:
            yield Static(id=name)
        with VerticalScroll(id="log", can_focus=False):
            yield Static(id="said")

    def on_mount(self) -> None:
        for panel, heading in (("seats", "Players"), ("best", "Moves"), ("log", "Log")):
            self.query_one(f"#{panel}").border_title = heading

    def on_resize(self) -> None:
        self.call_after_refresh(self.show)  # when its panels have their new width

    @property
    def is_whole(self) -> bool:
        """Whether every panel is there; the screen is taken down one by one."""
        return all(self.query(f"#{panel}") for panel in (*PANELS, "log", "said"))

    @property
    def text_width(self) -> int:
        """Characters in a line of a panel."""
        return max(20, self.query_one("#log").size.width - 1)

    def show(self) -> None:
        """Show everything as it is now."""
        table, width = self.host.table, self.text_width
        self.show_seats()
        self.show_thoughts()
        log = panels.log_text(table, width, self.palette)
        self.query_one("#said", Static).update(log)
        self.query_one("#log").scroll_end(animate=False)

    def show_seats(self) -> None:
        """Show who is to move, and the clocks."""
        text = panels.seats_text(self.host.table, self.text_width, self.palette)
        self.query_one("#seats", Static).update(text)

    def show_thoughts(self) -> None:
        """Show what a search has found, and the win rate that follows."""
        self._show_rate()
        result = self.host.thought
        best = self.query_one("#best", Static)
        progress = self.query_one("#progress", Static)
        progress.display = result is not None
        if result is not None:
            best.update(panels.thoughts_grid(result, ROWS, self.text_width))
            progress.update(panels.progress_text(result))
        elif self.host.analysing and not self.host.table.over:
            best.update("Searching ...")
        else:
            best.update("a: analysis, h: hint")

    def _show_rate(self) -> None:
        table, rates = self.host.table, self.host.values.shown()
        rate = self.query_one("#rate", Static)
        rate.display = table.game.num_players() == 2 and table.game.zero_sum
        text = panels.rate_text(table, rates, self.text_width, self.palette)
        rate.update(text)


class StatusLine(Static):
    """Says whose turn it is, or what just happened.

    Args:
        host: the game.
    """

    def __init__(self, host: Host) -> None:
        super().__init__(id="status", markup=False)
        self.host = host

    def say(self, text: str = "", mood: str = "", how: str = "") -> None:
        """Say something, or what there is to say where nothing happened.

        Args:
            text: what to say.
            mood: "alert", "good" or nothing.
            how: how a person plays a move.
        """
        self.set_classes(f"-{mood}" if mood else "")
        self.update(text or self._usual(how))

    def _usual(self, how: str) -> str:
        table = self.host.table
        if table.mover is None:
            return self._outcome()
        label = label_of(table.position, table.mover)
        if table.mover in table.people:
            return f"Your move ({label}): {how}; m types a move, ? shows the keys."
        if not self.host.program_wanted:
            return "Paused: p goes on, . makes one move."
        return f"{label} is thinking ..."

    def _outcome(self) -> str:
        table = self.host.table
        result = ending_of(table.game, table.session.record(), table.people_at_end)
        return f"{result}  n: new game, u: undo."
