"""What a search knows of each move at the root."""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

from ...games.contract.units import POINTS, Units, declared_range
from ...games.positions.position import Position
from ..solver.bounds import UNKNOWN_PLIES, is_proven, lower_of, upper_of
from ..tree.nodes import ROOT
from ..tree.tree import Tree

__all__ = ["ActionStatistics"]


class ActionStatistics(NamedTuple):
    """What the search knows of one move at the root.

    Attributes:
        action: the move, as a number.
        move: the move, as people write it.
        visits: simulations that began with it.
        share: its part of all those simulations, 0 to 1.
        value_sum: W, the sum of their returns for the player to move: wins less losses
            where those are 1 and -1.
        mean: average return for the player to move, in the game's own units; the middle
            of their range, which tells nothing, where `visits` is 0.
        standard_error: an upper bound of the mean's: that of returns which are all the
            lowest or the highest, of a game without bounds those that were seen.
        proven: "win", "loss" or "draw" for the player to move, if that is sure.
        proof_plies: actions from the root to the end, where `proven`: for a win the
            fewest known, for a loss the most. None where several players each play
            for themselves, and where the game's `settle` did not tell.
        bound: "at most a draw" or "at least a draw", where that is sure and no more is.
    """

    action: int
    move: str
    visits: int
    share: float
    value_sum: float
    mean: float
    standard_error: float
    proven: str | None = None
    proof_plies: int | None = None
    bound: str | None = None
    units: Units = POINTS

    @property
    def win_rate(self) -> float:
        """The mean as a share of the points, or of the returns' range; 0 to 1."""
        return self.units.share(self.mean)

    @property
    def shown_rate(self) -> str:
        """The mean for people, as a share of the points; "-" where nothing was tried.

        In a game with units of its own it is the mean return.
        """
        return self.units.show(self.mean) if self.visits else "-"

    @property
    def shown_error(self) -> str:
        """The standard error of that; "-" where it was tried once or not at all."""
        return self.units.show_error(self.standard_error) if self.visits > 1 else "-"


#: `_make` without a look at how many fields there are: there may be hundreds of moves.
_of = functools.partial(tuple.__new__, ActionStatistics)


def root_statistics(position: Position, tree: Tree) -> tuple[ActionStatistics, ...]:
    """The root's moves, most visited first, then by mean."""
    columns, units = tree.columns, tree.units
    names = ("visits", "value_sum", "action", "proven", "proof_plies")
    rows = zip(*columns.gather(names, columns.children(ROOT)), strict=True)
    found = sorted([(-n, -w / (n or 1), a, n, w, *proof) for n, w, a, *proof in rows])
    lists = map(list, zip(*found, strict=True) if found else ((),) * 7)
    _, worst, actions, visits, sums, proven, plies = lists
    means = [-mean for mean in worst]
    low, high = _ends(position, tree, means)
    spreads = [max(0.0, (high - mean) * (mean - low)) for mean in means]
    errors = [math.sqrt(s / (n or 1)) for s, n in zip(spreads, visits, strict=True)]
    if not units.are_points:
        means, errors = list(map(units.outer, means)), list(map(units.error, errors))
        sums = [mean * n for mean, n in zip(means, visits, strict=True)]
    total = max(1, sum(visits))
    shares = [n / total for n in visits]
    moves = map(position.game.action_name, actions)
    same = ([value] * len(actions) for value in (None, None, None, units))
    numbers = visits, shares, sums, means, errors
    facts = zip(actions, moves, *numbers, *same, strict=True)
    statistics = list(map(_of, facts))
    for index in itertools.compress(range(len(proven)), proven):
        row = statistics[index]
        statistics[index] = _with_proof(row, position, proven[index], plies[index])
    return tuple(statistics)


def _ends(position: Position, tree: Tree, means: list[float]) -> tuple[float, float]:
    """The lowest and the highest return: in a game without bounds, of those seen."""
    if declared_range(position.game) is not None:
        return -1.0, 1.0
    low, high = min(-1.0, *means, 1.0), max(-1.0, *means, 1.0)
    root = tree.nodes.array[ROOT]
    if "above" in (root.dtype.names or ()) and root["above"] > 0:
        low, high = min(low, 1.0 - root["below"]), max(high, root["above"] - 1.0)
    return float(low), float(high)


def _with_proof(
    row: ActionStatistics, position: Position, proven: int, plies: int
) -> ActionStatistics:
    """What the columns `proven` and `proof_plies` add to a move's statistics."""
    players = position.game.num_players()
    duel = players == 2 and position.game.zero_sum
    counts = is_proven(proven) and (players == 1 or duel) and plies != UNKNOWN_PLIES
    return row._replace(
        proven=verdict(proven),
        proof_plies=1 + plies if counts else None,
        bound=half_known(proven) if duel else None,
    )


def verdict(proven: int, sign: int = 1) -> str | None:
    """What the column `proven` says, in a word; `sign` -1 for the other player."""
    if not is_proven(proven):
        return None
    return ("draw", "win", "loss")[sign * lower_of(proven)]


def half_known(proven: int) -> str | None:
    """The proven bound on the result, where the exact result is not proven."""
    if is_proven(proven):
        return None
    if upper_of(proven) == 0:
        return "at most a draw"
    return "at least a draw" if lower_of(proven) == 0 else None
