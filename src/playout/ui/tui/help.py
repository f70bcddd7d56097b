"""The keys of the board, and what they do, on a screen of its own."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

__all__ = ["KEYS", "HelpScreen"]

#: The keys of the board; those that are shown stand in the last line.
KEYS: list[BindingType] = [
    Binding("u", "undo", "Undo"),
    Binding("r", "redo", "Redo"),
    Binding("h", "hint", "Hint"),
    Binding("a", "analysis", "Analysis"),
    Binding("m", "type", "Type", show=False),
    Binding("f", "hurry", "Move now", show=False),
    Binding("p", "pause", "Pause"),
    Binding("full_stop", "step", "Step"),
    Binding("g", "resign", "Give up", show=False),
    Binding("n", "new", "New"),
    Binding("s", "swap", "Swap", show=False),
    Binding("t", "light", "Light", show=False),
    Binding("question_mark", "help", "Keys"),
    Binding("q", "quit", "Quit"),
    Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True),
    Binding("ctrl+z", "suspend_process", show=False, priority=True),
    Binding("escape", "leave", show=False),
]

HELP = """\
[b]Playing[/b]
  click, or arrows and Enter   play a move: its cell, or from and to
  Tab                          to the moves without a cell, and back
  Escape                       let go of a piece
  1 to 9                       play the move of that name
  m                            type a move, or a part of its name
  u, r                         undo, redo
  h                            let the search suggest a move
  g twice                      give up

[b]Watching[/b]
  a                            analysis on or off
  f                            the program moves at once
  p                            pause programs that play each other
  .                            one move of theirs

[b]Games[/b]
  n                            new game
  s                            swap sides
  t                            light or dark
  q, Ctrl-C                    leave
  Ctrl-Z                       to the shell; its `fg` comes back

In the list of moves, [b]win[/b] is the share of the points for the
player to move, and [b]visits[/b] how often the search tried a move."""


class HelpScreen(ModalScreen[None]):
    """Goes away at any of its keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter,space", "dismiss", "Close")
    ]

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(HELP)

    def on_click(self) -> None:
        self.dismiss()
