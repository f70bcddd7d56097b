"""How long to think about a move: the one place where clocks are turned into seconds.

A move that must be made within S seconds gets S less a margin. A clock with R seconds
left is shared among the moves that are still expected,

    (R - margin) / moves + increment,

but a move never gets more than R less the margin. Half of the moves that the rules
still allow are expected, for few games are played until the board is full, and never
fewer than 4 or more than 30.
"""

from __future__ import annotations

from ..games.positions.position import Position
from .player import Allowance

__all__ = ["expected_moves", "move_seconds"]

#: Kept back for what surrounds a search: seconds, and the most of a short time.
MARGIN_SECONDS, MARGIN_SHARE = 0.03, 0.1
FEWEST_MOVES, MOST_MOVES = 4, 30
#: Even a clock that has run out leaves time for a few simulations.
LEAST_SECONDS = 0.001


def move_seconds(allowance: Allowance, position: Position) -> float | None:
    """Seconds to use for the next move; None where no time is prescribed.

    >>> from playout.games.connect_four.rules import ConnectFour
    >>> move_seconds(Allowance(seconds=1), Position(ConnectFour()))
    0.97
    """
    times = []
    if allowance.seconds is not None:
        times.append(less_margin(allowance.seconds))
    if allowance.remaining is not None:
        left = less_margin(allowance.remaining)
        share = left / expected_moves(position) + allowance.increment
        times.append(min(share, left))
    return max(LEAST_SECONDS, min(times)) if times else None


def expected_moves(position: Position) -> float:
    """How many more moves the player to move is expected to make."""
    game = position.game
    allowed = game.max_game_length() - len(position.actions)
    return min(max(allowed / game.num_players() / 2, FEWEST_MOVES), MOST_MOVES)


def less_margin(seconds: float) -> float:
    """What may be used of a time that must not be passed."""
    return seconds - min(MARGIN_SECONDS, MARGIN_SHARE * max(0.0, seconds))
