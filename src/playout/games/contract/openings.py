"""What a game may know of its openings, in plain Python."""

from __future__ import annotations

from ...core.jit.compiled import Compiled
from .words import UNSETTLED, State

__all__ = ["Openings"]


class Openings(Compiled):
    """The part of `Game` about openings."""

    def book(self, state: State) -> tuple[int, int]:
        """What a book of openings knows of a state that is not terminal.

        The player `mcts` asks before it searches, where its search may be settled
        exactly; what the book says is proven, as of `settle`. For games without chance
        and hidden information.

        Returns:
            `SETTLED_WIN`, `SETTLED_DRAW` or `SETTLED_AT_LEAST_DRAW` for the player to
            move, and the action that keeps it; `UNSETTLED` and -1 where the state is
            not in the book.
        """
        return UNSETTLED, -1
