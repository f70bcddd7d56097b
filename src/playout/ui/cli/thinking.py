"""A player thinks, and a person sees that it does and may cut it short."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

from ...players.mcts import MCTSPlayer
from .terminal import is_terminal, quiet_keyboard

if TYPE_CHECKING:
    from ...games.positions.position import Position
    from ...players.player import Allowance, Player
    from ...search.limit import Limit

__all__ = ["Interrupts", "think"]

Found = TypeVar("Found")


class Interrupts:
    """Ctrl-C while a player thinks: the first asks for its move now, the next leaves.

    Attributes:
        count: how many there were since the person was last asked something.
    """

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def hurrying(self, player: Player) -> Iterator[None]:
        """Have the first Ctrl-C stop this player."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def handle(number: int, frame: FrameType | None) -> None:
            self.count += 1
            if self.count > 1:
                raise KeyboardInterrupt
            player.stop()
            # Not by `print`, in the middle of which this may happen.
            with suppress(OSError):
                os.write(
                    2, b"\nIts best so far is played now; Ctrl-C again to leave.\n"
                )

        before = signal.signal(signal.SIGINT, handle)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def think(
    ask: Callable[[Any], Found],
    player: Player,
    position: Position,
    allowance: Allowance,
    interrupts: Interrupts,
) -> Found:
    """What comes of asking; a line shows how far it is, and is wiped at the end.

    Args:
        ask: asks the player; it is given what `Allowance.progress` is, or None.
        player: who is asked, and may be told to hurry.
        position: about which.
        allowance: what the player may use.
        interrupts: counts each Ctrl-C.

    Raises:
        KeyboardInterrupt: the second Ctrl-C.
    """
    with interrupts.hurrying(player):
        if not is_terminal(sys.stdout):
            return ask(None)
        from .live import LiveLine

        limit = _limit(player, position, allowance)
        with quiet_keyboard(), LiveLine(limit) as line:
            return ask(line.show)


def _limit(player: Player, position: Position, allowance: Allowance) -> Limit | None:
    """What a search will use, where the player is one."""
    if isinstance(player, MCTSPlayer):
        return player.limit(player.granted(allowance), position)
    return None
