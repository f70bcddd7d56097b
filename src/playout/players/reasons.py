"""Why a move had to be played, where a must-play list has decided it.

Faces ask after the move: the list runs as plain Python here, for milliseconds that no
player's clock should pay.
"""

from __future__ import annotations

import numpy as np

from ..games.positions.position import Position
from .baselines import urgent_actions, wins
from .player import Decision

__all__ = ["urgent_reason"]


def urgent_reason(position: Position, decision: Decision) -> str:
    """Why a move had to be played; "" where the game's list has not decided.

    It has decided where the search tried nothing else at its root.

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
    urgent = urgent_actions(position)
    tried = {row.action for row in decision.result.actions}
    if decision.action not in urgent or not tried <= set(urgent):
        return ""
    if wins(position.copy(), [decision.action]):
        return "wins at once"
    try:
        with np.errstate(over="ignore"):
            said = position.game.why_urgent(position.state, decision.action)
    except Exception as error:  # of rules that somebody is still writing
        return f"must be played; why_urgent failed: {error!r}"
    return str(said) or "must be played"
