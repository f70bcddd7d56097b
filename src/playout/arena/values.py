"""`Values`: what is known of every position of a game, for the graph of win rates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..games.contract.game import Game
from ..games.contract.units import declared_range, units_of
from .table import Table

__all__ = ["Values"]

#: A position that was searched so often needs no review.
ENOUGH_VISITS = 10_000
#: Fewer say too little to be drawn.
LEAST_VISITS = 300


class Values:
    """The win rate of the first player after so many moves, and how sure it is.

    Only games of two that are zero-sum, of a declared range, have such a graph.
    """

    def __init__(self, game: Game) -> None:
        bounded = declared_range(game) is not None
        self._possible = game.num_players() == 2 and game.zero_sum and bounded
        self._rates: dict[int, float] = {}
        self._visits: dict[int, int] = {}

    def learn(self, message: dict[str, Any]) -> bool:
        """Note what a search found (a `thought`), unless more is known already."""
        ply, visits = message["ply"], message["visits"]
        sure = 10**12 if message["proven"] else visits
        if not self._possible or sure < max(LEAST_VISITS, self._visits.get(ply, 0)):
            return False
        rate = message["win_rate"]
        self._rates[ply] = rate if message["to_move"] == 0 else 1 - rate
        self._visits[ply] = sure
        return True

    def follow(self, before: Sequence[int], table: Table) -> None:
        """Forget what is of moves that were replaced, or cannot be played again."""
        now = table.position.actions
        if list(before[: len(now)]) != now[: len(before)]:
            self._forget_after(_common(before, now))
        elif not table.session.num_undone:
            self._forget_after(len(before))
        if self._possible and table.position.is_terminal:
            units = units_of(table.position.game)
            self._rates[len(now)] = units.share(table.position.returns(0))
            self._visits[len(now)] = 10**12

    def well_known(self) -> frozenset[int]:
        """The plies of which enough is known."""
        return frozenset(p for p, n in self._visits.items() if n >= ENOUGH_VISITS)

    def shown(self) -> dict[int, float]:
        """The win rates by ply."""
        return {ply: round(rate, 4) for ply, rate in sorted(self._rates.items())}

    def _forget_after(self, ply: int) -> None:
        for known in [each for each in self._rates if each > ply]:
            del self._rates[known], self._visits[known]


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many moves two games begin with alike."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        count += 1
    return count
