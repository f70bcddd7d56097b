"""The program as an opponent: it thinks, showing that it does, and keeps its tree."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ...search.result import Result
from ...search.search import MCTS
from ...search.tree import ROOT, Tree
from .terminal import is_terminal

if TYPE_CHECKING:
    from ...games.position import Position
    from ...search.limit import Limit

__all__ = ["Program"]


class Program:
    """A search with a limit for each move."""

    def __init__(self, search: MCTS, limit: Limit) -> None:
        self.search, self.limit = search, limit

    @staticmethod
    def prepare() -> None:
        """Compile what keeping a part of the tree needs, before a game begins."""
        Tree.reserve(1).subtree(ROOT, 1)

    def think(self, position: Position) -> Result:
        """Search a position; a line shows how far it is, and is wiped at the end."""
        if not is_terminal(sys.stdout):
            result = self.search.search(position, self.limit)
        else:
            from .live import LiveLine

            with LiveLine(self.limit) as line:
                result = self.search.search(position, self.limit, progress=line.show)
        if result.stopped_by == "interrupted":
            raise KeyboardInterrupt
        return result

    def opening(self, position: Position) -> int | None:
        """The move that needs no thought: Gomoku's first stone goes to the centre.

        Source: the Group 21 program, which opens there as well.
        """
        game = position.game
        if game.name != "gomoku" or position.actions or position.start_text is not None:
            return None
        center = game.num_actions() // 2
        return center if center in position.legal_actions() else None
