"""In what a game counts its results, and how people are shown them.

A search works on returns from -1 to 1. A game may count in units of its own: points, a
length, chips. They are stretched to that scale where they enter the search, and
brought back where people, or programs, are shown anything.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.errors import RulesError, quote
from ...core.text.fields import is_number

__all__ = [
    "LARGEST",
    "POINTS",
    "UNBOUNDED",
    "Units",
    "bounds_of",
    "declared_range",
    "score_of",
    "units_of",
]


#: The largest return in size: sums of millions of them are finite.
LARGEST = 1e300


class Units(NamedTuple):
    """The lowest and the highest return, as -1 and 1 are to the search.

    >>> chips = Units(-20.0, 60.0)
    >>> chips.outer(1.0), chips.outer(0.0), chips.share(40), chips.show(40)
    (60.0, 20.0, 0.75, '40')
    >>> POINTS.show(0.5), POINTS.heading
    ('75.0%', 'win rate')
    """

    low: float = -1.0
    high: float = 1.0

    @property
    def are_points(self) -> bool:
        """Whether returns are those of won, drawn and lost games, from -1 to 1."""
        return self.low == -1.0 and self.high == 1.0

    @property
    def span(self) -> float:
        """How far the ends are apart."""
        return self.high - self.low

    @property
    def heading(self) -> str:
        """What stands above values in a table."""
        return "win rate" if self.are_points else "value"

    def outer(self, value: Any) -> Any:
        """The return that the search's value, or an array of them, stands for."""
        if self.are_points:
            return value
        return self.low + (value + 1.0) / 2.0 * self.span

    def error(self, error: Any) -> Any:
        """The same of a standard error."""
        return error if self.are_points else error / 2.0 * self.span

    def share(self, value: float) -> float:
        """A return as a part of the range: 0 for the lowest, 1 for the highest.

        One beyond a range that was only estimated counts as its end.
        """
        part = (value - self.low) / self.span
        return part if self.are_points else min(1.0, max(0.0, part))

    def show(self, value: float) -> str:
        """A mean return for people: as a share of the points, or as it is."""
        return f"{self.share(value):.1%}" if self.are_points else f"{value:.5g}"

    def show_error(self, error: float) -> str:
        """A standard error for people."""
        return f"{error / 2:.1%}" if self.are_points else f"{error:.2g}"

    def describe(self) -> str:
        """The range, for messages about a value that should lie in it."""
        return f"in [{self.low:g}, {self.high:g}]"

    def tell(self, value: float) -> str:
        """A value in a sentence: "win rate 62.5%", or "value 37.2"."""
        return f"{self.heading} {self.show(value)}"


#: Those of games without bounds, before any return was seen.
UNBOUNDED = Units(-LARGEST, LARGEST)
#: The units of games that are won, drawn or lost.
POINTS = Units()


def declared_range(game: Any) -> Units | None:
    """The range that a game declares; None where its returns have none.

    Raises:
        RulesError: `return_range` is neither two numbers nor None.
    """
    given = game.return_range
    if given is None:
        return None
    if isinstance(given, tuple | list) and len(given) == 2:
        low, high = given
        if is_number(low) and is_number(high) and -LARGEST <= low < high <= LARGEST:
            return Units(float(low), float(high))
    where = f"{type(game).__qualname__}.return_range"
    if callable(given):
        raise RulesError(f"{where} is a method; write @property above its def")
    raise RulesError(
        f"{where} is {quote(given)}; it must be two numbers from {-LARGEST:g} to "
        f"{LARGEST:g}, the lower one first, or None where there are no bounds"
    )


def bounds_of(game: Any) -> Units:
    """The range of all returns: as declared, or as large as sums of them allow."""
    return declared_range(game) or UNBOUNDED


def score_of(game: Any, value: float) -> float | None:
    """A return on the scale from -1 to 1; None where returns have no bounds."""
    if declared_range(game) is None:
        return None
    return 2.0 * units_of(game).share(value) - 1.0


def units_of(game: Any, seen: Units | None = None) -> Units:
    """The units that a search of a game works with.

    Args:
        game: the rules.
        seen: the lowest and the highest return that were seen, for games without
            bounds; needed nowhere else.

    >>> from ..tic_tac_toe.rules import TicTacToe
    >>> units_of(TicTacToe()) == POINTS
    True
    """
    units = declared_range(game) or seen or UNBOUNDED
    if game.zero_sum or game.has_rewards:
        most = max(-units.low, units.high)  # 0 is in the middle: a draw, or nothing
        units = Units(-most, most)
    return units
