"""A position of Connect Four, settled as far as some effort goes.

First forced wins of either side are looked for, farther and farther ahead: the horizon
counts against the attacker. Where the board is filled far enough, most of the effort
goes into a search to the end; that goes on where it was when it is asked again, as all
it finds is in the table. Elsewhere the horizon stays near, so that asking again soon
costs next to nothing: there simulations tell more than a search that does not end.
"""

from __future__ import annotations

from typing import Any

from ...core.jit.bits import highest
from ...core.jit.wide import count_ones, first_one
from ..contract.game import (
    SETTLED_AT_LEAST_DRAW,
    SETTLED_AT_MOST_DRAW,
    SETTLED_DRAW,
    SETTLED_LOSS,
    SETTLED_WIN,
    UNSETTLED,
    State,
)
from .exact import NO, UNKNOWN, YES, reaches
from .known import FARTHEST
from .lines import completing, landing_of, whole, without_gaps

__all__ = ["settle"]

#: How many free cells are filled to the end, and more for each doubling of the effort.
CELLS, CELLS_A_DOUBLING = 10, 2
#: The farthest horizon, in plies, where there are more.
NEAR = 6
#: One part of so many of that effort looks for forced wins first.
FORCED_PART = 4


def settle(game: Any, state: State, nodes: int, table: Any) -> tuple[int, int, int]:
    """What a state is worth for the player to move; see `Game.settle`."""
    mine = without_gaps(game, state.stones[state.player])
    occupied = without_gaps(game, state.occupied)
    now = completing(game, mine) & landing_of(game, occupied)
    if now != 0:
        return SETTLED_WIN, first_one(now) // game.height, 1
    free = count_ones(whole(game) & ~occupied)
    to_the_end = free <= CELLS + CELLS_A_DOUBLING * highest(nodes)
    part, farthest = nodes, NEAR
    if to_the_end:
        part, farthest = nodes // FORCED_PART, FARTHEST
    wins, draws, drawing, used, plies = UNKNOWN, UNKNOWN, -1, 0, 2
    while used < nodes:
        if used >= part or plies > farthest:
            if not to_the_end:
                break
            plies, part = free, nodes
        if wins == UNKNOWN:
            wins, winning, more = reaches(
                game, mine, occupied, 1, plies, part - used, table
            )
            used += more
            if wins == YES:
                return SETTLED_WIN, winning, 0
        if draws == UNKNOWN:
            draws, drawing, more = reaches(
                game, mine, occupied, 0, plies, part - used, table
            )
            used += more
        if draws == NO:
            return SETTLED_LOSS, -1, 0
        if wins == NO and draws == YES:
            return SETTLED_DRAW, drawing, 0
        if plies == free:
            break
        plies += 2
    if draws == YES:
        return SETTLED_AT_LEAST_DRAW, -1, 0
    return SETTLED_AT_MOST_DRAW if wins == NO else UNSETTLED, -1, 0
