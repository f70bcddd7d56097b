"""Playout as a bot of CodinGame, which is answered whatever its input is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from ....games.contract.game import Game
from ....games.positions.position import Position
from ....players.player import Allowance
from ....protocols import codingame as wire
from ..bots import Bot
from ..loop import InputLine, note
from ..thinker import Thinker

__all__ = ["CodinGameEngine"]

#: CodinGame's limits for the first turn and the others, less a margin, in seconds.
FIRST_SECONDS, TURN_SECONDS = 0.85, 0.075


class CodinGameEngine(Bot):
    """Ultimate tic-tac-toe as CodinGame's referee plays it.

    A new game begins with an opponent's move of -1 -1. Where the referee's legal moves
    show that we have lost track, the first of them is played.
    """

    #: CodinGame counts boards in the end.
    default: ClassVar[str] = "ultimate-tic-tac-toe:variant=count"
    games: ClassVar[tuple[str, ...]] = ("ultimate-tic-tac-toe",)

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, game: Game
    ) -> None:
        super().__init__(say, thinker, game)
        self._reader = wire.TurnReader()

    def handle(self, line: InputLine) -> None:
        turn = self._reader.feed(line.text)
        if turn is None or not turn.legal:
            return
        self._follow(turn)
        first = len(self.position.actions) <= 1
        limit = FIRST_SECONDS if first else TURN_SECONDS
        spent = time.monotonic() - line.received
        action = None
        if set(turn.legal) == set(self.position.legal_actions()):
            seconds = max(limit - spent, 0.005)
            action = self.think(Allowance(seconds=seconds), line)
        else:
            note("the referee's legal moves are not ours; its first one is played")
            action = turn.legal[0]
        if action is not None:
            self.say(wire.format_cell(action))

    def _follow(self, turn: wire.TurnInput) -> None:
        if turn.opponent is None:
            self.position = Position(self.game)
            self.thinker.new_game(self.game)
        elif turn.opponent in self.position.legal_actions():
            self.position.play(turn.opponent)
        else:
            note("the opponent's move is not legal by our reading")
