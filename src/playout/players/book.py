"""Moves of a game's book of openings, which need no search."""

from __future__ import annotations

from ..core.errors import RulesError, quote
from ..games.contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_DRAW,
    SETTLED_WIN,
    has_own,
)
from ..games.positions.position import Position
from .player import Decision

__all__ = ["from_book"]

#: What a move of the book keeps, in words, and its value where that is known.
KEPT: dict[int, tuple[str, float | None]] = {
    SETTLED_WIN: ("a win", 1.0),
    SETTLED_DRAW: ("a draw", 0.0),
    SETTLED_AT_LEAST_DRAW: ("a draw at least", None),
}


def from_book(position: Position) -> Decision | None:
    """The move that the game's `book` names; None where it knows none.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> from_book(Position(ConnectFour())).comment
    'from the book: a win'
    >>> from_book(Position(ConnectFour(rows=7)))

    Raises:
        RulesError: the move is not legal, or the book says something else.
    """
    game = position.game
    if not has_own(game, "book") or game.has_chance or game.has_hidden:
        return None
    found, name = game.book(position.state), f"{type(game).__qualname__}.book"
    if not (isinstance(found, tuple | list) and len(found) == 2):
        raise RulesError(
            f"{name} gives {quote(found)}; it must be an outcome and an action"
        )
    outcome, action = found
    if outcome not in KEPT:
        return None
    if action not in position.legal_actions():
        raise RulesError(f"{name} names {action}: not legal")
    words, value = KEPT[outcome]
    return Decision(int(action), None, f"from the book: {words}", value)
