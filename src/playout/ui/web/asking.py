"""`Asking`: one program that is asked for one move."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...arena.turn import Answer, Turn
from ...players.alphabeta import AlphaBetaPlayer
from ...players.mcts import MCTSPlayer
from ...players.player import Allowance, Player
from ...search.result.result import Result
from .settings import Settings
from .thoughts import ON_THE_WAY, thought
from .turns import Pool

__all__ = ["Asking", "share_cores"]

#: The part of its time that a search gets at least, however long it had to wait.
LEAST_SHARE = 0.1


class Asking:
    """A search for a move, on a thread of the pool.

    Args:
        turn: whom to ask, and where.
        settings: the server's limits.
        wanted: whether anybody still waits for the answer; asked on that thread.
        hear: called in the event loop with every `thought`.

    Attributes:
        dropped: whether its answer, of a search that was cut short, is to be thrown
            away; the program may be asked the same again.
    """

    def __init__(
        self,
        turn: Turn,
        settings: Settings,
        wanted: Callable[[], bool],
        hear: Callable[[dict[str, Any]], None],
    ) -> None:
        allowance = within(turn.allowance, settings)
        self.turn = replace(turn, allowance=allowance)
        self.dropped = False
        self._wanted, self._hear = wanted, hear

    def hurry(self) -> None:
        """Have it answer soon, with what it has found."""
        self.turn.player.stop()

    def drop(self) -> None:
        """Have it end soon, with no answer."""
        self.dropped = True
        self.hurry()

    async def answer(self, pool: Pool) -> Answer | None:
        """What it answers; None if nobody wants that any more."""
        loop = asyncio.get_running_loop()

        def report(result: Result | None) -> bool:
            if result is not None:
                told = self._thought(result, ON_THE_WAY)
                loop.call_soon_threadsafe(self._say, told)
            else:
                pool.clock()
            return self._is_wanted()

        began = time.perf_counter()

        def ask_in_turn() -> Answer:
            waited = time.perf_counter() - began
            return hurried(self.turn, waited + pool.round_seconds).ask(report)

        if share_cores(self.turn.player, pool):
            answer = await pool.run(ask_in_turn)
        else:
            answer = await pool.outside(lambda: self.turn.ask(report))
        if not self._is_wanted():
            return None
        if (result := getattr(answer.decision, "result", None)) is not None:
            self._say({**self._thought(result), "done": True})
        return answer

    def _is_wanted(self) -> bool:
        return not self.dropped and self._wanted()

    def _thought(self, result: Result, most: int | None = None) -> dict[str, Any]:
        return thought(result, self.turn.position, None, most)

    def _say(self, message: dict[str, Any]) -> None:
        if self._is_wanted():
            self._hear(message)


def hurried(turn: Turn, seconds: float) -> Turn:
    """The turn with less time, as waiting for a core takes some."""
    granted = turn.allowance.seconds
    if granted is None:
        return turn
    left = max(granted - seconds, LEAST_SHARE * granted)
    return replace(turn, allowance=replace(turn.allowance, seconds=left))


def within(allowance: Allowance, settings: Settings) -> Allowance:
    """An allowance, kept within the server's limits.

    >>> within(Allowance(remaining=7200), Settings(seconds=60)).seconds
    60
    """
    if allowance.limited:  # else the player's own holds, which has been looked at
        seconds = min(allowance.seconds or settings.seconds, settings.seconds)
        allowance = replace(allowance, seconds=seconds)
    return replace(allowance, memory=settings.memory)


def share_cores(player: Player, pool: Pool) -> bool:
    """Let a searching player pass its core on when it looks at the clock.

    False for players that do not look: those compute little, or wait for a program.
    """
    if isinstance(player, MCTSPlayer):
        player.search.clock = pool.clock
    elif isinstance(player, AlphaBetaPlayer):
        player.deepening.clock = pool.clock
    else:
        return False
    return True
