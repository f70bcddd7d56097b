"""The best sequence of actions that a search of a game for one player has seen.

Where nobody else moves and there is no chance, a game that was seen once can be played
again. So a search keeps the best game, from the root to the end, with the part that a
rollout played. It is kept apart from the tree, whose nodes may be recycled.

    Schadd, Winands, van den Herik, Chaslot, Uiterwijk, "Single-Player Monte-Carlo Tree
    Search", CG 2008, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..core.errors import UsageError
from ..core.jit.compiled import Compiled
from ..core.jit.rows import Rows
from ..games.contract.game import Game
from .work import CURRENT, Work

__all__ = [
    "BestLine",
    "NoLine",
    "WholeGame",
    "best_of",
    "expect_puzzle",
    "is_puzzle",
    "line_keeper",
]


class WholeGame(NamedTuple):
    """A whole game, from the root on.

    Attributes:
        value: its return, on the scale of the search.
        actions: from the root to the end.
    """

    value: float
    actions: tuple[int, ...]


def is_puzzle(game: Game) -> bool:
    """Whether a game is for one player who knows all, without chance.

    Games with rewards before the end are left out: a node of theirs is worth what is
    still to come, which the return of a whole game does not tell.

    >>> from playout.games.more.game_2048 import Game2048
    >>> is_puzzle(Game2048())
    False
    """
    unsure = game.has_chance or game.has_hidden or game.has_rewards
    return game.num_players() == 1 and not unsure


def expect_puzzle(game: Game, what: str) -> None:
    """Complain of a game for which something is not made.

    Raises:
        UsageError: `is_puzzle` is false.
    """
    if not is_puzzle(game):
        raise UsageError(
            f"{what} is for games of one player without chance, hidden information or "
            f"rewards before the end; {game.name or type(game).__name__} is not one"
        )


@dataclass(frozen=True)
class NoLine(Compiled):
    """Nothing is kept, where others move as well; it costs nothing."""

    interpreted_methods = frozenset({"forget", "follow", "line"})

    def note(self, game: Game, work: Work, plies: int) -> None:
        """Keep the game just played if it is the best; `plies` is its length."""
        return

    def line(self) -> WholeGame | None:
        """The best game; None while there is none."""
        return None

    def follow(self, action: int) -> None:
        """Go on from what an action of the root leads to."""

    def forget(self) -> None:
        """Begin anew."""


LINE_DTYPE = np.dtype([("value", "f8"), ("length", "i8")])


@dataclass(frozen=True)
class BestLine(NoLine):
    """What is kept for a puzzle.

    Attributes:
        best: `[1]` row: the return, -inf while there is none, and the length.
        actions: `[L]` int32.
    """

    best: Rows
    actions: NDArray[np.int32]

    def note(self, game: Game, work: Work, plies: int) -> None:
        best = self.best[0]
        if not work.returns[0] > best.value:
            return
        if not game.is_terminal(work.states[CURRENT]):
            return  # it was cut off, and its return is an estimate
        best.value = work.returns[0]
        best.length = plies
        for ply in range(plies):
            self.actions[ply] = work.path[ply + 1].action

    def line(self) -> WholeGame | None:
        value, length = self.best.array[0].tolist()
        if value == -math.inf:
            return None
        return WholeGame(value, tuple(self.actions[:length].tolist()))

    def follow(self, action: int) -> None:
        known = self.line()
        if known is None or known.actions[:1] != (action,):
            self.forget()
            return
        self.best.array["length"] -= 1
        self.actions[: len(known.actions) - 1] = known.actions[1:]

    def forget(self) -> None:
        self.best.array["value"], self.best.array["length"] = -math.inf, 0


def line_keeper(game: Game) -> NoLine:
    """What keeps the best line of a game, if that makes sense."""
    if not is_puzzle(game):
        return NoLine()
    best = Rows(np.zeros(1, LINE_DTYPE))
    keeper = BestLine(best, np.zeros(game.max_game_length() + 2, np.int32))
    keeper.forget()
    return keeper


def best_of(lines: Sequence[WholeGame | None]) -> WholeGame | None:
    """The best of several; the first one of equals.

    >>> best_of([None, WholeGame(0.5, (1, 2)), WholeGame(0.5, (3,))])
    WholeGame(value=0.5, actions=(1, 2))
    """
    known: list[WholeGame] = [line for line in lines if line is not None]
    return max(known, key=lambda line: line.value, default=None)
