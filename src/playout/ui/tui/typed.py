"""The line in which a move is typed, or pasted."""

from __future__ import annotations

from textual.events import Key
from textual.widgets import Input

__all__ = ["MoveInput"]


class MoveInput(Input):
    """An input that can be given characters before it hears of them by itself.

    Of a pasted move all keys are there before the first was looked at; what Textual
    sends to whoever has the focus then would come too late.
    """

    def __init__(self) -> None:
        super().__init__(id="typed", placeholder="a move; Escape leaves", compact=True)
        self.can_focus = False

    def open(self) -> None:
        """Show it, empty, for the very next key."""
        self.screen.add_class("-typing")
        self.can_focus, self.value = True, ""
        self.screen.set_focus(self)

    def shut(self) -> None:
        """Hide it."""
        self.screen.remove_class("-typing")
        self.can_focus = False

    def take(self, event: Key) -> bool:
        """Insert what was typed; returns whether it was a character."""
        if event.character is None or not event.is_printable:
            return False
        self.insert_text_at_cursor(event.character)
        return True
