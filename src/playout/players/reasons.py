"""Why a move was played, if a list of urgent moves or an exact search decided it.

Interfaces ask for it after the move. Both run as plain Python here, for milliseconds
that should not count on a player's clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..games.contract.game import has_own
from ..games.positions.position import Position
from .baselines import urgent_actions, wins
from .player import Decision

__all__ = ["urgent_reason"]


def urgent_reason(position: Position, decision: Decision) -> str:
    """Why a move was played; "" where neither list nor exact search has decided.

    The game's list has where the search tried nothing else at its root, its `settle`
    may have where the move is proven.

    Args:
        position: before the move.
        decision: of a player, on that position.

    >>> from playout import MCTS, Limit, TicTacToe
    >>> position = Position.from_moves(TicTacToe(), ["b2", "a1", "b3"])
    >>> result = MCTS(TicTacToe(), seed=1).search(position, Limit(simulations=9))
    >>> urgent_reason(position, Decision(result.action, result))
    'stops a line'
    """
    if decision.result is None or position.game.has_hidden:
        return ""
    if settled := _settled_reason(position, decision):
        return settled
    urgent = urgent_actions(position)
    tried = {row.action for row in decision.result.actions}
    if decision.action not in urgent or not tried <= set(urgent):
        return ""
    if wins(position.copy(), [decision.action]):
        return "wins at once"
    return _said(position, decision, position.game.why_urgent) or "must be played"


def _settled_reason(position: Position, decision: Decision) -> str:
    """What the game's `settle` may have proven; "" if nothing."""
    assert decision.result is not None
    proven = {row.action: row.proven for row in decision.result.actions}
    if proven.get(decision.action) is None or not has_own(position.game, "settle"):
        return ""
    return _said(position, decision, position.game.why_settled)


def _said(position: Position, decision: Decision, why: Callable[..., Any]) -> str:
    """What the game says in words; that it failed, where it did."""
    try:
        with np.errstate(over="ignore"):
            return str(why(position.state, decision.action))
    except Exception as error:  # of rules that somebody is still writing
        return f"{why.__name__} failed: {error!r}"
