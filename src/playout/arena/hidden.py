"""Rules for taking back and changing seats in games with hidden information.

A person cannot forget: taking a move back does not take back what the move has shown;
the end of a game shows everything, and so does a game that only programs play.
Therefore no move is taken back where a person plays, and after the first move no person
may take a seat whose view was hidden from the people at the table. A new game allows
both.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.errors import UsageError
from ..games.contract.game import Game

__all__ = ["expect_taking_back", "expect_views", "is_binding"]


def is_binding(game: Game, people: Sequence[int]) -> bool:
    """Whether moves are final: people play, and a part of the game is hidden."""
    return game.has_hidden and bool(people)


def expect_taking_back(game: Game, people: Sequence[int]) -> None:
    """For undo, redo, and going back to a move.

    Raises:
        UsageError: moves are final, as they have shown something that was hidden.
    """
    if is_binding(game, people):
        raise UsageError(
            "moves stand in a game that hides something: what they have told stays "
            "known; begin a new game"
        )


def expect_views(game: Game, before: Sequence[int], after: Sequence[int]) -> None:
    """For a change of seats in a game that has begun and is not over.

    Args:
        game: the rules.
        before: the seats of people.
        after: the same, when others are seated.

    Raises:
        UsageError: somebody would see what was hidden from them.
    """
    shows_all = not after and bool(before)
    if game.has_hidden and (shows_all or not {*after} <= {*before}):
        raise UsageError(
            "this change of seats would show a person what the game hides from them; "
            "begin a new game"
        )
