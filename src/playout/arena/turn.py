"""`Turn`: all that it takes to ask a player for its move, apart from the game."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..games.game import Game
from ..games.position import Position
from ..players.player import Allowance, Decision, Player, PlayerFailure

__all__ = ["Answer", "Turn", "failure_of"]


@dataclass(frozen=True)
class Answer:
    """What became of asking a player.

    Attributes:
        seat: who was asked.
        decision: its move, or why there is none.
        seconds: how long it took.
    """

    seat: int
    decision: Decision | PlayerFailure
    seconds: float


@dataclass(frozen=True)
class Turn:
    """A player that is to move, and what it is given: all that asking it needs.

    `ask` touches nothing of the session, which may go on or be changed meanwhile.
    """

    seat: int
    player: Player
    position: Position
    allowance: Allowance
    clock: Callable[[], float]

    def ask(self, progress: Callable[[Any], Any] | None = None) -> Answer:
        """Have the player choose, and measure the time.

        Args:
            progress: as in `Allowance`.
        """
        started = self.clock()
        try:
            decision = self.player.choose(
                self.position.copy(), replace(self.allowance, progress=progress)
            )
            seconds = self.clock() - started
            self._expect_answer(decision)
        except (Exception, SystemExit) as error:
            return Answer(self.seat, failure_of(error), self.clock() - started)
        return Answer(self.seat, decision, seconds)

    def _expect_answer(self, decision: object) -> None:
        if not isinstance(decision, Decision):
            raise PlayerFailure("garbage", f"{decision!r:.100} is not a Decision")
        if decision.action not in self.position.legal_actions():
            raise PlayerFailure(
                "illegal move", _name(self.position.game, decision.action)
            )


def failure_of(error: BaseException) -> PlayerFailure:
    """What an exception in a player's code means for its game."""
    if isinstance(error, PlayerFailure):
        return error
    if isinstance(error, MemoryError):
        return PlayerFailure("memory", "there was not enough memory")
    frame = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{frame.filename}, line {frame.lineno}, in {frame.name}"
    return PlayerFailure("crash", f"{where}: {type(error).__name__}: {error}")


def _name(game: Game, action: object) -> str:
    try:
        return f"{game.action_name(int(action))} is not legal here"  # type: ignore[call-overload]
    except Exception:
        return f"{action!r:.100} is not a move"
