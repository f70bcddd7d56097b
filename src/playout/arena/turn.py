"""`Turn`: all that it takes to ask a player for its move, apart from the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from ..games.positions.position import Position
from ..players.answers import ask
from ..players.player import Allowance, Decision, Player, PlayerFailure
from .blame import failure_of, fault_of_rules

__all__ = ["Answer", "Turn"]


@dataclass(frozen=True)
class Answer:
    """The outcome of asking a player for a move.

    Attributes:
        seat: who was asked.
        decision: what it answered, or why it did not.
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

        Raises:
            Exception: what the rules have raised, which is no player's fault.
        """
        allowance = replace(self.allowance, progress=progress)
        started = self.clock()
        try:
            decision = ask(self.player, self.position.copy(), allowance)
        except (Exception, SystemExit) as error:
            if (fault := fault_of_rules(self.position.game, error)) is not None:
                raise fault from None
            return Answer(self.seat, failure_of(error), self.clock() - started)
        return Answer(self.seat, decision, self.clock() - started)
