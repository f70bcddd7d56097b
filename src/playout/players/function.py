"""A player from a plain function: a position in, a move out."""

from __future__ import annotations

import os
from collections.abc import Callable
from traceback import walk_tb
from typing import Any

from ..core.errors import PlayoutError, quote
from ..games.contract.game import Game
from ..games.positions.position import Position
from .answers import expect_legal, tell
from .player import Allowance, Decision, Player, PlayerFailure

__all__ = ["FunctionPlayer"]


class FunctionPlayer(Player):
    """Asks a function, which returns a move as text or as an action.

    A mistake of the function loses the game: an exception is a crash.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
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
            what = f"{type(error).__name__}: {tell(error)}".removesuffix(": ")
            detail = f"{self.spec}: {what}{_place(error)}"
            raise PlayerFailure("crash", detail) from error
        try:
            return Decision(expect_legal(position, self._read(move)))
        except PlayerFailure as failure:
            said = f"{self.spec} answered {quote(move)}: {failure.detail}"
            raise PlayerFailure(failure.reason, said) from None

    def _read(self, move: Any) -> Any:
        """The action that the answer names, else the answer itself."""
        if not isinstance(move, str):
            return move
        try:
            return self.game.parse_action(move)
        except (PlayoutError, TypeError, ValueError, LookupError):
            return move


def _place(error: BaseException) -> str:
    """The last line of the function's own file that was at work, in parentheses."""
    _, *frames = ((f.f_code.co_filename, n) for f, n in walk_tb(error.__traceback__))
    if not frames:  # a function that is not Python's
        return ""
    own = frames[0][0]
    line = [number for file, number in frames if file == own][-1]
    return f" ({os.path.relpath(own)} line {line})"
