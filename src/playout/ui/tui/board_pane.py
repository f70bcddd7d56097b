"""Where the board stands, and the list of moves that are no cells of it."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer
from textual.message import Message
from textual.widgets import OptionList, Static

from ...games.positions.cells import routes_of
from ...games.positions.position import Position
from ..common.picking import Picking
from .board import BoardWidget

__all__ = ["BoardPane", "MoveList"]

#: A longer caption is cut off, so that the board has room.
MOST_LINES = 3


class BoardPane(ScrollableContainer, can_focus=False):
    """The board as large as it fits, or what the game shows instead of one."""

    def __init__(self, position: Position, id: str) -> None:
        super().__init__(id=id)
        board = position.game.board(position.state, position.last_action)
        self.view = None if board is None else BoardWidget(board)
        self.picture = Static(id="picture")
        self.caption = Static(id="caption", markup=False)
        self.picking = Picking()
        self.text = "" if board is None else board.text_below()
        self.lines = 0  # of that text

    def compose(self) -> ComposeResult:
        yield self.picture if self.view is None else self.view
        yield self.caption

    def show(self, position: Position, mine: bool, over: bool) -> None:
        """Show a position, and what may be played if it is a person's turn.

        Args:
            position: the position.
            mine: whether it is.
            over: whether the game is over, by the rules or not.
        """
        board = position.game.board(position.state, position.last_action)
        self.picking = Picking(routes_of(position, board) if mine else None)
        if self.view is None:
            self.picture.update(Text.from_ansi(position.render(color=True)))
            return
        assert board is not None
        self.view.show(board, self.picking)
        self.text = board.text_below(over)
        self.caption.update(self.text)
        if self._caption_lines() != self.lines:
            self._suit()

    def on_resize(self, event: events.Resize) -> None:
        self._suit()

    def _suit(self) -> None:
        if self.view is None:
            return
        self.lines = self._caption_lines()
        self.caption.display = self.lines > 0
        self.caption.styles.height = self.lines
        width, height = self.outer_size
        self.view.suit(width, height - self.lines)

    def _caption_lines(self) -> int:
        width = max(self.outer_size.width, 1)
        return min(MOST_LINES, len(wrap(self.text, width)))


class MoveList(OptionList):
    """The legal moves by name; an arrow key plays a move that is called like it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"arrow('{key}')", show=False, priority=True)
        for key in ("up", "down", "left", "right")
    ]

    @dataclass
    class MoveChosen(Message):
        """A move was clicked, or Enter pressed on it."""

        move: str

    def __init__(self, id: str) -> None:
        super().__init__(id=id, compact=True)
        self.names: list[str] = []
        self.shown: list[str] = []

    def show(self, names: list[str]) -> None:
        """List these moves."""
        self.names = names
        self.narrow("")

    def narrow(self, text: str) -> None:
        """List only the moves with a text in their names."""
        shown = [name for name in self.names if text.lower() in name.lower()]
        if shown != self.shown:
            self.shown = shown
            self.clear_options()
            self.add_options([Text(name) for name in shown])
            self.highlighted = 0 if shown else None

    def action_arrow(self, key: str) -> None:
        """Play the move of this name, or go up or down in the list."""
        if key in self.names:
            self.post_message(self.MoveChosen(key))
        elif key == "up":
            self.action_cursor_up()
        elif key == "down":
            self.action_cursor_down()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.MoveChosen(self.shown[event.option_index]))
