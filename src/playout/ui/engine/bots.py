"""What the bots of CodinGame and of riddles.io have in common.

These managers take every line on standard output for a move, so what is wrong with
their input is told on standard error alone.
"""

from __future__ import annotations

from collections.abc import Callable

from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.player import Allowance
from .loop import Engine, InputLine, note
from .thinker import Ended, Thinker

__all__ = ["Bot"]


class Bot(Engine):
    """Keeps a position and follows the moves of others.

    Args:
        say: sends a line.
        thinker: who finds the moves.
        game: the game.
    """

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, game: Game
    ) -> None:
        super().__init__(say)
        self.thinker, self.game = thinker, game
        self.position = Position(game)

    def idle(self) -> None:
        self.thinker.prepare(self.game)

    def fail(self, line: InputLine, error: Exception) -> None:
        """Nothing: the report on standard error is all that is possible."""

    def think(self, allowance: Allowance, line: InputLine) -> int | None:
        """A move, which is played; None where none is to be said."""
        if not self.position.legal_actions():
            note("there is no move: the game is over")
            return None
        try:
            decision = self.thinker.think(self.position, allowance, line.number)
        except Ended:
            return None
        self.position.play(decision.action)
        return decision.action
