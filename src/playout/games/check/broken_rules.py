"""A fault of the rules: what is wrong, after which moves, with the states around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.errors import RulesError
from ...core.jit.rows import Rows
from ..contract.game import Game

__all__ = ["BrokenRules", "after_moves", "state_text"]

#: The moves that lead to a fault are all named, or the first of too many.
LONGEST_PATH, FIRST_MOVES = 400, 20
#: Longer texts of states are cut.
LONGEST_TEXT = 300


class BrokenRules(RulesError):
    """What `check_game` raises.

    Attributes:
        kind: the law, or the method and the exception; shorter games are tried for a
            fault of the same kind.
        what: what is wrong, in words.
        path: the actions that lead there.
        lines: the message, line by line.
        before, after: the states before and after the last of them, as texts; there is
            none before where there are no actions.

    Args:
        remark: what may be the reason.
    """

    def __init__(
        self,
        game: Game,
        kind: str,
        what: str,
        path: Sequence[int],
        *states: str,
        remark: str = "",
    ) -> None:
        self.kind, self.what, self.path = kind, what, tuple(path)
        self.before, self.after = states
        around = [f"at the start: {self.after}"]
        if self.path:
            around = [f"before the last: {self.before}", f"after it: {self.after}"]
        self.lines = (f"{what}; {after_moves(game, path)}", *around)
        if remark:
            self.lines += (remark,)
        super().__init__("\n  ".join(self.lines))


def after_moves(game: Game, path: Sequence[int]) -> str:
    """The moves that lead to a state.

    >>> from playout.games.tic_tac_toe.rules import TicTacToe
    >>> after_moves(TicTacToe(), [4, 0])
    'after the moves: b2 a3'
    """
    whole = len(path) <= LONGEST_PATH
    names = [_name(game, action) for action in (path if whole else path[:FIRST_MOVES])]
    if not whole:
        names.append(f"and {len(path) - FIRST_MOVES:,} more")
    return f"after the moves: {' '.join(names) or '(none)'}"


def state_text(game: Game, record: NDArray[np.void]) -> str:
    """The text of a state (`[1]`), which the rules may not be able to write."""
    try:
        text = game.state_to_text(Rows(record.copy())[0])
    except Exception:
        text = None
    text = text if isinstance(text, str) else str(record[0])
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "..."


def _name(game: Game, action: int) -> str:
    try:
        return str(game.action_name(action))
    except Exception:  # which may be the fault
        return str(action)
