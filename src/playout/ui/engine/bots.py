"""Playout as a bot of CodinGame and of riddles.io.

These managers take every line on standard output for a move, so what is wrong with
their input is told on standard error alone. CodinGame is answered all the same;
riddles.io is not where its field is no position.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from ...core.errors import PlayoutError
from ...games.connect_four.rules import ConnectFour
from ...games.contract.game import Game
from ...games.positions.position import Position
from ...players.player import Allowance
from ...protocols import codinggame, riddles_io
from .loop import Engine, InputLine, note
from .thinker import Ended, Thinker

__all__ = ["CodinGameEngine", "RiddlesEngine"]

#: CodinGame's limits for the first turn and the others, less a margin, in seconds.
FIRST_SECONDS, TURN_SECONDS = 0.85, 0.075
#: Kept back of riddles.io's clock, in seconds.
MARGIN_SECONDS = 0.1
#: What riddles.io gives where the settings do not say, in milliseconds.
DEFAULT_PER_MOVE = 500


class _Bot(Engine):
    """Knows a position, and follows what others make of it.

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
        """The report on standard error is all that can be said."""

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


class CodinGameEngine(_Bot):
    """Ultimate tic-tac-toe as CodinGame's referee plays it.

    A new game begins with an opponent's move of -1 -1. Where the referee's legal moves
    show that we have lost track, the first of them is played.
    """

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, game: Game
    ) -> None:
        super().__init__(say, thinker, game)
        self._reader = codinggame.TurnReader()

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
            self.say(codinggame.format_cell(action))

    def _follow(self, turn: codinggame.TurnInput) -> None:
        if turn.opponent is None:
            self.position = Position(self.game)
            self.thinker.new_game(self.game)
        elif turn.opponent in self.position.legal_actions():
            self.position.play(turn.opponent)
        else:
            note("the opponent's move is not legal by our reading")


class RiddlesEngine(_Bot):
    """Ultimate tic-tac-toe or Connect Four on riddles.io."""

    def __init__(
        self, say: Callable[[str], None], thinker: Thinker, game: Game
    ) -> None:
        super().__init__(say, thinker, game)
        self._manager = riddles_io.ManagerState()

    def handle(self, line: InputLine) -> None:
        try:
            bank = self._manager.hear(line.text)
            if bank is not None:
                self._move(bank, line)
        except PlayoutError as error:
            note(str(error))

    def _move(self, bank: int, line: InputLine) -> None:
        self._resize()
        self._follow(riddles_io.read_position(self.game, self._manager))
        per_move = self._manager.number("time_per_move", DEFAULT_PER_MOVE) / 1000
        spent = time.monotonic() - line.received
        allowance = Allowance(
            remaining=bank / 1000 - MARGIN_SECONDS - spent,
            increment=max(0.0, per_move),
        )
        action = self.think(allowance, line)
        if action is not None:
            self.say(riddles_io.format_move(self.game, action))

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
