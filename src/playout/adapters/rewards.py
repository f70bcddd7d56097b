"""Whose result it is that an object gives: found by play.

A method called `game_result` or `getReward` gives one number. Is it the first player's
result, that of whoever is to move, or of whoever moved last? Random games to the end
tell it where, in decided games, the sign goes with the player who moved last:

| the number in decided games | it is the result of |
|---|---|
| positive after the first player's last move, negative after the second's | the first |
| always positive | the player who moved last |
| always negative | the player who is to move |

That reads a game as won by whoever moves last, or by whoever it is, but not as lost by
them each time. Anything else is not decided by play, and is asked.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..core.errors import RulesError, UsageError, quote

__all__ = ["VIEWS", "Ending", "Reward", "find_reward"]

#: Whose result a number may be, and how people are told.
VIEWS = {
    "first": "the player who begins",
    "second": "the player who does not begin",
    "to_move": "the player to move",
    "moved": "the player who moved last",
    "player": "the player whose code is 1",
}
#: How many decided games there must be after each player's last move.
_ENOUGH = 3


@dataclass(frozen=True)
class Ending:
    """How a random game ended.

    Attributes:
        last: who moved last, 0 for the player who begins.
        value: the number that was given.
        other: where the method is asked for a player, the number for the second one.
    """

    last: int
    value: float
    other: float | None = None


@dataclass(frozen=True)
class Reward:
    """How a number is read.

    Attributes:
        view: whose result it is, a key of `VIEWS`; "each" where the method is asked.
        low: the number of a lost game.
        high: the number of a won game.
        why: how that was found, in a sentence.
    """

    view: str
    low: float
    high: float
    why: str

    def scaled(self, value: object) -> float:
        """A number that was given as a return from -1 to 1.

        Raises:
            RulesError: it is none, or outside the range.
        """
        try:
            number = float(value)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            raise RulesError(
                f"{quote(value)}, which is not a number: at the end of a game it must "
                "be the result"
            ) from None
        if not self.low <= number <= self.high:  # so is NaN
            raise RulesError(
                f"{quote(value)}, which is not from {self.low:g} to {self.high:g}; "
                "say reward_range=(lowest, highest) if it may be"
            )
        return (2.0 * number - self.low - self.high) / (self.high - self.low)


def find_reward(
    method: str,
    endings: Sequence[Ending],
    documented: str,
    view: str | None,
    bounds: tuple[float, float] | None,
) -> Reward:
    """How to read the numbers that `method` gives.

    Args:
        method: its name, for messages.
        endings: of random games.
        documented: what the convention says; "" where it says nothing.
        view: what the user says; None where that is to be found.
        bounds: the numbers of a lost and of a won game; None where they are to be
            found.

    Raises:
        UsageError: play does not decide it, and says what to say; or `view` or `bounds`
            cannot be.
        RulesError: the numbers contradict each other.
    """
    if view is not None and view not in VIEWS:
        raise UsageError(
            f"reward must be {', '.join(VIEWS)}, not {quote(view)}; that is whose "
            f"result {method} gives"
        )
    _expect_bounds(bounds)
    if endings and endings[0].other is not None:
        return _asked_for_each(method, endings, bounds)
    if view is None or bounds != (1, 2):
        _expect_no_winners(method, endings)
    low, high = bounds or _range_of(method, endings)
    middle = (low + high) / 2
    decided = [(e.last, e.value > middle) for e in endings if e.value != middle]
    if view is not None:
        return Reward(view, low, high, "as was said")
    found, why = _by_play(decided)
    if not found and why:
        raise UsageError(f"whose result does {method} give? {why}")
    if not found and documented:
        found, why = documented, "as the convention has it"
    if not found:
        raise UsageError(_question(method, len(decided), len(endings)))
    return Reward(found, low, high, why)


def _expect_bounds(bounds: object) -> None:
    """Complain about what is no pair of numbers, the lower one first."""
    if bounds is None:
        return
    pair = bounds if isinstance(bounds, tuple | list) and len(bounds) == 2 else ()
    numbers = [x for x in pair if isinstance(x, int | float) and math.isfinite(x)]
    if len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise UsageError(
            "reward_range must be the numbers of a lost and of a won game, such as "
            f"(-1, 1), not {quote(bounds)}"
        )


def _expect_no_winners(method: str, endings: Sequence[Ending]) -> None:
    """Complain about numbers of players, 1 or 2, for whoever has won."""
    named = [{e.value for e in endings if e.last == last} - {0.0} for last in (0, 1)]
    if sorted(map(sorted, named)) != [[1.0], [2.0]]:
        return
    one, two = (named[last].pop() for last in (0, 1))
    raise UsageError(
        f"{method} seems to give the number of the winner: {one:g} after the first "
        f"player's last move, {two:g} after the second's. It must give the result, as "
        "{0: 0, 1: 1, 2: -1}[winner] is that of player 1: change it, or override it in "
        "a class derived from yours"
    )


def _by_play(decided: list[tuple[int, bool]]) -> tuple[str, str]:
    """Whose result it is, and why; "" and why where two answers fit the games."""
    after = [[won for last, won in decided if last == player] for player in (0, 1)]
    if min(map(len, after)) < _ENOUGH:
        return "", ""
    always = [all(one) for one in after]
    never = [not any(one) for one in after]
    games = f"{len(decided)} decided random games"
    if all(always):
        return "moved", f"it was a win in all {games}, whoever moved last"
    if all(never):
        return "to_move", f"it was a loss in all {games}, whoever moved last"
    if always[0] and never[1]:
        return "first", f"in all {games} whoever moved last had won by it"
    if never[0] and always[1]:
        return "", (
            f"In {games} it was a loss after the first player's last move and a win "
            "after the second's: either it is the second player's result, or whoever "
            "moves last loses. Say reward='second' or reward='first'"
        )
    return "", ""


def _question(method: str, decided: int, games: int) -> str:
    readings = "; ".join(f"reward={view!r}: of {who}" for view, who in VIEWS.items())
    if decided == 0:
        found = f"all {games} random games ended alike"
    else:
        found = f"{decided} decided games of {games} at random do not tell"
    return (
        f"whose result does {method} give? {found}. Say it ({readings}); on the "
        "command line it is FILE.py:NAME:reward=first. A puzzle for one player is none "
        "of these: write it as a Game with num_players() 1"
    )


def _range_of(method: str, endings: Sequence[Ending]) -> tuple[float, float]:
    """The numbers of a lost and of a won game."""
    values = {ending.value for ending in endings}
    low, high = min(values), max(values)
    if not all(map(math.isfinite, values)):
        raise RulesError(f"{method} gave {quote(low if low != high else high)}")
    if low < -1 or high > 1:
        raise UsageError(
            f"{method} gave numbers from {low:g} to {high:g}; say which is a lost and "
            "which a won game: reward_range=(lowest, highest), on the command line "
            "FILE.py:NAME:reward_range=LOWEST/HIGHEST"
        )
    if low >= 0 and 0.5 in values:
        return 0.0, 1.0
    parts = low >= 0 and any(0 < value < 1 for value in values)
    if parts or (values == {0.0, 1.0} and not _are_all_reached(endings)):
        raise UsageError(
            f"{method} never gave a negative number: is 0 a lost game or a draw? Say "
            "reward_range=(0, 1) where it is lost, (-1, 1) where it is a draw"
        )
    return -1.0, 1.0


def _are_all_reached(endings: Sequence[Ending]) -> bool:
    """Whether some games of 1 ended by each player's move: then 0 is a draw."""
    lasts = [e.last for e in endings if e.value == 1.0]
    return min(lasts.count(0), lasts.count(1)) >= _ENOUGH and _mostly_won(endings)


def _mostly_won(endings: Sequence[Ending]) -> bool:
    """Whether 0 is too rare to be the other player's win, which would be as often."""
    zeros = [e for e in endings if e.value == 0.0]
    return len(zeros) * 3 < len(endings)


def _asked_for_each(
    method: str, endings: Sequence[Ending], bounds: tuple[float, float] | None
) -> Reward:
    """How to read numbers for each of the two players."""
    sums = {e.value + (e.other or 0.0) for e in endings}
    if len(sums) > 1:
        raise RulesError(
            f"{method} of both players adds up to {min(sums):g} in one game and to "
            f"{max(sums):g} in another; what one wins, the other must lose"
        )
    total = sums.pop()
    low, high = bounds or ((0.0, 1.0) if total == 1 else (-1.0, 1.0))
    if total != low + high:
        raise UsageError(
            f"{method} of both players adds up to {total:g}, which does not go with "
            f"{low:g} for a loss and {high:g} for a win: say reward_range=(lowest, "
            "highest)"
        )
    return Reward("each", low, high, "it is asked for each player")
