"""What a finished game must keep to, so that it can be counted and shown again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ...core.errors import RulesError, quote
from ..contract.game import Game, has_own
from ..contract.units import bounds_of
from .notation import name_fault
from .soundness import adds_up, range_of

__all__ = ["expect_finished", "returns_fault"]

#: Of more actions the names, which are all listed to read one, are not looked at.
MOST_NAMES = 100_000


def returns_fault(game: Game, returns: Sequence[float]) -> str:
    """What breaks law 4 in the returns of a finished game; "" if nothing does."""
    low, high, *_ = bounds_of(game)
    if not all(math.isfinite(each) and low <= each <= high for each in returns):
        return f"returns {quote(returns)} are not all {range_of(game, returns)}"
    if game.zero_sum and not adds_up(returns):
        shared = "share out what is won, or write" if len(returns) > 1 else "write"
        return (
            f"returns {quote(returns)} of a zero-sum game do not add up to 0: "
            f"{shared} `zero_sum = False` in the class"
        )
    return ""


def expect_finished(
    game: Game, actions: Iterable[int], returns: Sequence[float] | None
) -> None:
    """See that the returns of a game are some, and that its moves read back.

    Args:
        game: the rules.
        actions: that were played.
        returns: of every player; None where the game did not end by the rules.

    Raises:
        RulesError: law 4 or 7 is broken.
    """
    listed = has_own(game, "parse_action") or game.num_actions() <= MOST_NAMES
    named = dict.fromkeys(actions) if listed else ()
    faults = (name_fault(game, action) for action in named)
    law, fault = 7, next(filter(None, faults), "")
    if returns is not None and not fault:
        law, fault = 4, returns_fault(game, returns)
    if fault:
        raise RulesError(f"{type(game).__qualname__} breaks law {law}: {fault}")
