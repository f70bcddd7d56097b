"""What everyone gets in a game that ends before its rules say so."""

from __future__ import annotations

from ..core.rng import make_rng
from ..games.contract.game import Game
from ..games.contract.units import declared_range
from ..games.positions.position import Position
from ..search.kernels.seen_range import RANGE_STREAM, seen_range

__all__ = ["forfeit_returns", "returns_without"]


def returns_without(game: Game, loser: int | None) -> tuple[float, ...]:
    """The returns of a game that a player has lost by a failure, by seat.

    Where returns have no bounds, the lowest return of a hundred random games from the
    start is taken, so that a failure is never worth more than careless play. It is
    computed each time, as failures are rare, always with the same random numbers.

    Args:
        game: the rules.
        loser: the player's seat; None where nobody is to lose.

    Raises:
        RulesError: the rules give returns that are no finite numbers.
    """
    bounds = declared_range(game)
    if bounds is None and loser is not None:
        rng = make_rng(0, RANGE_STREAM)
        start = Position(game).play_chance(rng)
        bounds = seen_range(start, rng, interpreted=True)
    return forfeit_returns(game.num_players(), loser, bounds or (-1.0, 1.0))


def forfeit_returns(
    count: int, loser: int | None, bounds: tuple[float, float]
) -> tuple[float, ...]:
    """The returns of a game that ends early: one loses, the others share the win.

    The sum of the returns is that of a draw. In a draw everybody gets 0, or the middle
    of the bounds where 0 is one of them or lies outside.

    Args:
        count: of the seats.
        loser: who loses the most that the game lets anybody lose; None if nobody does.
        bounds: the lowest and the highest return.

    >>> forfeit_returns(2, 0, (-1, 1)), forfeit_returns(2, None, (-1, 1))
    ((-1.0, 1.0), (0.0, 0.0))
    >>> forfeit_returns(3, 0, (-4, 8)), forfeit_returns(1, 0, (0, 100))
    ((-4.0, 2.0, 2.0), (0.0,))
    >>> forfeit_returns(2, 0, (0, 1)), forfeit_returns(2, None, (0, 1))
    ((0.0, 1.0), (0.5, 0.5))
    """
    low, high = bounds
    drawn = 0.0 if low < 0 < high else (low + high) / 2
    if loser is None:
        return (drawn,) * count
    share = min(drawn + (drawn - low) / max(1, count - 1), high)
    return tuple(float(low if seat == loser else share) for seat in range(count))
