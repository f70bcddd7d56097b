"""Positions of Gomoku that forcing moves decide: by fours, then by threats.

The player to move wins by fours; or loses to the opponent's, whatever it plays; or
wins, or loses, by threats of more and more moves, until the effort is spent. All of
these are proofs, see `fours` and `forcing`.
"""

from __future__ import annotations

from typing import Any

from ..contract.game import SETTLED_LOSS, SETTLED_WIN, UNSETTLED, State
from .forcing import ACTION, PLIES, find_threats
from .fours import FOUND, find_fours, plies_of
from .work import NODES, key_of, new_work

__all__ = ["settle"]

#: The most moves of the attacker before its fours.
_THREATS = 20
#: Efforts below this are for fours alone: so few positions seldom show more.
_LEAST = 200


def settle(game: Any, state: State, nodes: int, table: Any) -> Any:
    """See `Game.settle`. The table's length is a power of two, or 0."""
    player = int(state.player)
    work = new_work(game, nodes)
    key = key_of(game, state)
    share = nodes // 2 + 1  # the rest is for the opponent's fours, and for threats
    if find_fours(game, state, work, table, player, key, share) == FOUND:
        return SETTLED_WIN, int(work.line[0]), plies_of(work)
    left, most = 0, _THREATS if nodes >= _LEAST else 0
    while left <= most and work.numbers[NODES] > 0:
        if left > 0 and find_threats(
            game, state, work, table, player, False, key, left
        ):
            return SETTLED_WIN, int(work.frames[0, ACTION]), int(work.frames[0, PLIES])
        if find_threats(game, state, work, table, 1 - player, True, key, left):
            return SETTLED_LOSS, -1, int(work.frames[0, PLIES])
        left += 1
    return UNSETTLED, -1, 0
