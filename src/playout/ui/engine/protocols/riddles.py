"""Playout as a bot of riddles.io, which is not answered where its field is none."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from ....core.errors import PlayoutError
from ....games.connect_four.rules import ConnectFour
from ....games.contract.game import Game
from ....games.positions.position import Position
from ....players.player import Allowance
from ....protocols import riddles_io as wire
from ..bots import Bot
from ..loop import InputLine, note
from ..thinker import Thinker

__all__ = ["RiddlesEngine"]

#: Kept back of riddles.io's clock, in seconds.
MARGIN_SECONDS = 0.1
#: What riddles.io gives where the settings do not say, in milliseconds.
DEFAULT_PER_MOVE = 500


class RiddlesEngine(Bot):
    """Ultimate tic-tac-toe or Connect Four on riddles.io."""

    default: ClassVar[str] = "ultimate-tic-tac-toe"
    games: ClassVar[tuple[str, ...]] = ("ultimate-tic-tac-toe", "connect-four")

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, game: Game
    ) -> None:
        super().__init__(say, thinker, game)
        self._manager = wire.ManagerState()

    def handle(self, line: InputLine) -> None:
        try:
            bank = self._manager.hear(line.text)
            if bank is not None:
                self._move(bank, line)
        except PlayoutError as error:
            note(str(error))

    def _move(self, bank: int, line: InputLine) -> None:
        self._resize()
        self._follow(wire.read_position(self.game, self._manager))
        per_move = self._manager.number("time_per_move", DEFAULT_PER_MOVE) / 1000
        spent = time.monotonic() - line.received
        allowance = Allowance(
            remaining=bank / 1000 - MARGIN_SECONDS - spent,
            increment=max(0.0, per_move),
        )
        action = self.think(allowance, line)
        if action is not None:
            self.say(wire.format_move(self.game, action))

    def _resize(self) -> None:
        """Take over the size of the board where the settings name one."""
        if not isinstance(self.game, ConnectFour):
            return
        rows = self._manager.number("field_rows", self.game.rows)
        columns = self._manager.number("field_columns", self.game.columns)
        if (rows, columns) != (self.game.rows, self.game.columns):
            self.game = ConnectFour(rows=rows, columns=columns)
            self.position = Position(self.game)

    def _follow(self, now: Position) -> None:
        """Go to a position; by the opponent's move where one leads there.

        With its history the search keeps what it knows.
        """
        for action in self.position.legal_actions():
            after = self.position.play(action).array[0]
            if after == now.array[0]:
                return
            self.position.undo()
        if self.position.array[0] != now.array[0]:
            self.position = now
