"""A player from a plain function: a position in, a move out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.errors import PlayoutError
from ..games.game import Game
from ..games.position import Position
from .player import Allowance, Decision, Player, PlayerFailure

__all__ = ["FunctionPlayer"]


class FunctionPlayer(Player):
    """Asks a function, which returns a move as text or as an action.

    What the function does wrong, loses the game: an exception is a crash.

    >>> from playout.games.mnk import TicTacToe
    >>> last = FunctionPlayer("last", TicTacToe(), lambda p: p.legal_actions()[-1])
    >>> last.choose(Position(TicTacToe()), Allowance()).action
    8
    """

    def __init__(self, spec: str, game: Game, function: Callable[..., Any]) -> None:
        super().__init__(spec, game)
        self.function = function

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        try:
            move = self.function(position.copy())
        except MemoryError:  # for the arena to name
            raise
        except (Exception, SystemExit) as error:
            detail = f"{self.spec}: {type(error).__name__}: {error}"
            raise PlayerFailure("crash", detail) from error
        return Decision(self._read(move, position))

    def _read(self, move: Any, position: Position) -> int:
        """The action that the function's answer means, if it is legal here."""
        try:
            action = (
                self.game.parse_action(move) if isinstance(move, str) else int(move)
            )
        except (PlayoutError, TypeError, ValueError, LookupError):
            raise PlayerFailure(
                "garbage", f"{self.spec} answered {str(move)[:60]!r}, which is no move"
            ) from None
        if action not in position.legal_actions():
            raise PlayerFailure("illegal move", f"{self.spec} answered {move}")
        return action
