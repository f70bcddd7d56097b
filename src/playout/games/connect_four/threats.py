"""What Connect Four's players know: threats, whose they are in the end, what is urgent.

A threat of a player is an empty cell that would complete a line of theirs. Nobody plays
under a threat of the other side while there is another move, so that in the end only
such columns are left, and whoever has to move gives the cell away. Who that is follows
from how many cells there are: of the cells that are filled last in their column, the
player who moves first gets every second one (zugzwang).
"""

from __future__ import annotations

from typing import Any

from ...core.jit.wide import count_ones, first_one
from ..contract.game import Actions, State
from .lines import (
    column_bits,
    completing,
    forbidden_of,
    landing_of,
    under,
    upper_cells,
    whole,
    without_gaps,
)

__all__ = ["list_urgent", "move_weight", "own_in_the_end", "reason"]

#: What a move is worth that completes a line, that stops one, and that makes two
#: threats at once.
WINS, STOPS, DOUBLE = 100.0, 30.0, 60.0
#: What a new threat is worth where the cell is the player's in the end, where it is
#: not, and a threat of the other side that can no longer come about.
OWN, OTHER, SPOILT = 3.0, 1.0, 0.5
#: What is left of a move that lets the other side fill the player's own threat.
WASTED = 0.3


def list_urgent(game: Any, state: State, actions: Actions) -> int:
    """A column that wins now; else those that stop the opponent from it.

    Where there is neither: the columns above which the opponent has no threat, if there
    are such columns and others.
    """
    occupied = without_gaps(game, state.occupied)
    mine = without_gaps(game, state.stones[state.player])
    landing = landing_of(game, occupied)
    urgent = completing(game, mine) & landing
    if urgent == 0:
        theirs = without_gaps(game, state.stones[1 - state.player])
        threats = completing(game, theirs)
        urgent = threats & landing
        if urgent == 0:
            threats = threats & whole(game) & ~occupied
            urgent = landing & ~under(threats, forbidden_of(game))
            if urgent == landing:
                return 0
    count = 0
    while urgent != 0:
        actions[count] = first_one(urgent) // game.height
        urgent = urgent & (urgent - 1)
        count += 1
    return count


def reason(game: Any, state: State, action: int) -> str:
    """Why an urgent move that does not win must be played, in words."""
    occupied = without_gaps(game, state.occupied)
    theirs = without_gaps(game, state.stones[1 - state.player])
    landing = landing_of(game, occupied)
    threats = completing(game, theirs) & whole(game) & ~occupied
    if threats & landing:
        return "stops a line"
    losing = landing & under(threats, forbidden_of(game))
    columns = [n for n in range(game.columns) if losing & column_bits(game, n)]
    names = ", ".join(game.action_name(column) for column in columns)
    return f"does not play under a line, as {names} would"


def own_in_the_end(game: Any, player: int) -> Any:
    """The cells that are a player's if all other columns are filled before.

    The last cell of a column is filled by whoever makes the last move of all.
    """
    uppers = upper_cells(game)
    cells = count_ones(whole(game)) - count_ones(forbidden_of(game))
    return uppers if cells % 2 != player else whole(game) & ~uppers


def move_weight(game: Any, state: State, action: int) -> float:
    """How promising a legal move looks, above 0."""
    player = state.player
    occupied = without_gaps(game, state.occupied)
    mine = without_gaps(game, state.stones[player])
    theirs = without_gaps(game, state.stones[1 - player])
    stone = landing_of(game, occupied) & column_bits(game, action)
    threats, against = completing(game, mine), completing(game, theirs)
    if (threats & stone) != 0:
        return WINS
    if (against & stone) != 0:
        return STOPS
    occupied = occupied | stone
    empty = whole(game) & ~occupied
    made = completing(game, mine | stone) & empty
    if count_ones(made & landing_of(game, occupied)) > 1:
        return DOUBLE
    new = made & ~threats
    own = own_in_the_end(game, player)
    spoilt = completing(game, theirs | stone) & empty & ~against
    worth = 1.0 + min(action, game.columns - 1 - action)
    worth += OWN * count_ones(new & own) + OTHER * count_ones(new & ~own)
    worth += SPOILT * count_ones(spoilt)
    blocked = forbidden_of(game)
    return worth * WASTED if (under(threats & empty, blocked) & stone) != 0 else worth
