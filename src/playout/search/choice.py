"""Choice: which move is played when the search is over.

Unlike the other phases it happens once a search, so it works on NumPy arrays of all
children instead of being compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.errors import RulesError, UsageError
from ..core.jit.compiled import Compiled
from ..core.rng import Rng
from .solver.bounds import UNKNOWN_PLIES, lower_of, upper_of
from .tree.columns import Columns
from .tree.nodes import BOUNDS, NO_NODE
from .tree.tree import Tree

__all__ = [
    "BestSeen",
    "Choice",
    "HighestMean",
    "MostPromising",
    "MostVisits",
    "RobustMax",
    "SecureChild",
    "ShareOfVisits",
    "most_visited",
]

Floats = NDArray[np.float64]


class Choice(Compiled):
    """Base of choice policies: write `scores`; ties are broken at random."""

    #: Whether the best line that was seen goes before all, where there is one.
    follows_line: ClassVar[bool] = False

    def scores(self, visits: Floats, means: Floats) -> Floats:
        """The score of each child, higher for better; all were visited at least once.

        Args:
            visits: `[K]` how often each was visited.
            means: `[K]` average returns for the player who chooses, in [-1, 1].
        """
        raise NotImplementedError

    def choose(self, tree: Tree, node: int, rng: Rng) -> int:
        """The best visited child of a node; ties uniform."""
        found = self.best(tree, node)
        with np.errstate(over="ignore"):
            return int(found[rng.below(len(found)) if len(found) > 1 else 0])

    def best(self, tree: Tree, node: int) -> NDArray[np.int64]:
        """The best visited children of a node, equally good.

        What is proven goes before statistics: a win is played, a loss is not while
        anything else was tried, and a draw is taken where all else looks worse. Of
        proven wins the shortest known is played, of proven losses the longest. Where
        none was visited yet it is the likeliest, if there are priors.
        """
        children = tree.children(node)
        visited = tree.nodes.array["visits"][children] > 0
        if not visited.any():
            return _likeliest(tree, children)
        children = children[visited]
        rows = tree.nodes.array[children]
        if not rows["proven"].any():  # as below, in half the time
            return children[self._best(rows, np.arange(len(rows)))]
        lower, upper = lower_of(rows["proven"]), upper_of(rows["proven"])
        sure = lower.max()
        safe = np.flatnonzero(lower == sure)
        open_ones = np.flatnonzero(upper > sure)
        if len(open_ones) == 0:
            plies = rows["proof_plies"][safe].astype(np.float64) * -np.sign(sure)
            found = safe[plies == plies.max()] if sure else self._best(rows, safe)
            if sure and abs(plies.max()) == UNKNOWN_PLIES:
                found = self._best(rows, found)
        else:
            found = self._best(rows, open_ones)
            first = rows[found[0]]
            if sure == 0 and first["value_sum"] < 0:
                found = self._best(rows, safe)
        return children[found]

    def _best(
        self, rows: NDArray[np.void], among: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Those of the rows that have the highest score."""
        visits = rows["visits"][among].astype(np.float64)
        scores = np.asarray(self.scores(visits, rows["value_sum"][among] / visits))
        if scores.shape != visits.shape:
            raise RulesError(
                f"{type(self).__name__}.scores gives an array of shape {scores.shape} "
                f"for {len(visits)} moves; it must give a number for each"
            )
        found = among[scores == scores.max()]
        if len(found) == 0:
            raise RulesError(
                f"{type(self).__name__}.scores gives a score that is not a number (NaN)"
            )
        return found


def _likeliest(tree: Tree, children: NDArray[np.int64]) -> NDArray[np.int64]:
    """Of children that were never visited those with the highest prior, or all."""
    rows = tree.nodes.array[children]
    if "prior" not in (rows.dtype.names or ()):
        return children
    return children[rows["prior"] == rows["prior"].max()]


def most_visited(columns: Columns, node: int) -> int | None:
    """The one child that was visited most, where nothing is proven of any of them.

    `NO_NODE` where none was visited; None where `best` has to say which it is.
    """
    children = columns.children(node)
    visits = list(map(columns.visits, children))
    if (most := max(visits, default=0)) == 0:
        return NO_NODE
    if visits.count(most) > 1 or any(map(columns.proven, children)):
        return None
    return children[visits.index(most)]


@dataclass(frozen=True)
class MostVisits(Choice):
    """The most visited child ("robust child"); the higher mean of equally visited ones.

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008,
    section 2.
    """

    def choose(self, tree: Tree, node: int, rng: Rng) -> int:
        """The best child; `NO_NODE` where none was visited.

        It takes less time than `best` where one was visited most and none is proven.
        """
        found = most_visited(tree.columns(), node)
        if found == NO_NODE or (found is not None and self._is_plain):
            return found
        return super().choose(tree, node, rng)

    @property
    def _is_plain(self) -> bool:
        """Whether no subclass scores otherwise."""
        return type(self).scores is MostVisits.scores

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return visits + (means + 1) / 4


@dataclass(frozen=True)
class BestSeen(MostVisits):
    """The first move of the best line that was seen, in a puzzle for one player.

    Schadd et al., "Single-Player Monte-Carlo Tree Search", CG 2008, section 3. Where no
    game was played to its end, and in all other games, it is the most visited child.
    """

    follows_line = True


@dataclass(frozen=True)
class HighestMean(Choice):
    """The child with the highest mean ("max child").

    Attributes:
        min_share: children with a smaller share of the most visited one's visits are
            not trusted, 0 to 1; the default 0 takes all that were visited.
    """

    min_share: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.min_share <= 1:
            raise UsageError(f"min_share must be 0 to 1, not {self.min_share}")

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return np.where(visits >= self.min_share * visits.max(), means, -np.inf)


@dataclass(frozen=True)
class SecureChild(Choice):
    """The child with the highest lower bound: `mean - caution / sqrt(n)`.

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008,
    section 2 ("secure child").

    Attributes:
        caution: standard errors below the mean, at least 0, for returns that vary as
            those of -1 and 1 do.
    """

    caution: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.caution) and self.caution >= 0):
            raise UsageError(f"caution must be at least 0, not {self.caution}")

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return means - self.caution / np.sqrt(visits)


@dataclass(frozen=True)
class RobustMax(Choice):
    """The child that is most visited and has the highest mean ("max-robust child").

    Coulom, CG 2006, section 4, searches on until there is one; here, where the two
    differ, the one of them with the higher lower bound is played, as by `SecureChild`.

    Attributes:
        caution: as in `SecureChild`.
    """

    caution: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        SecureChild(self.caution)

    def scores(self, visits: Floats, means: Floats) -> Floats:
        bound = SecureChild(self.caution).scores(visits, means)
        outstanding = (visits == visits.max()) | (means == means.max())
        return np.where(outstanding, bound, -np.inf)


@dataclass(frozen=True)
class MostPromising(MostVisits):
    """Of the most visited children the one with the highest `g + logit + sigma(q)`.

    Danihelka and others, ICLR 2022, algorithm 2; see the selection `Gumbel`, whose
    draws g and priors it needs. Without them it is `MostVisits`.

    Attributes:
        c_visit: as in `Gumbel`.
        c_scale: as in `Gumbel`.
    """

    c_visit: float = 50.0
    c_scale: float = 1.0

    def _best(
        self, rows: NDArray[np.void], among: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        if "gumbel" not in (rows.dtype.names or ()):
            return super()._best(rows, among)
        visits = rows["visits"][among].astype(np.float64)
        most = among[visits == visits.max()]
        means = rows["value_sum"][most] / visits.max()
        scale = (self.c_visit + visits.max()) * self.c_scale
        scores = rows["gumbel"][most] + rows["logit"][most] + scale * means
        return most[scores == scores.max()]


@dataclass(frozen=True)
class ShareOfVisits(Choice):
    """A child drawn by its visits: with probability `n^(1/T)`, divided by the sum.

    Silver et al., "Mastering the Game of Go without Human Knowledge", Nature 550, 2017,
    Methods, "Play": for games that are to teach something. What is proven goes before
    statistics here too.

    Attributes:
        temperature: T, above 0: 1 draws by the visits themselves, near 0 it is the most
            visited child.
    """

    temperature: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (np.isfinite(self.temperature) and self.temperature > 0):
            raise UsageError(f"temperature must be above 0, not {self.temperature}")

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return visits

    def choose(self, tree: Tree, node: int, rng: Rng) -> int:
        best = self.best(tree, node)
        row = tree.nodes[int(best[0])]
        children = self._open(tree, node)
        if row.proven & BOUNDS or len(children) < 2:
            return super().choose(tree, node, rng)
        visits = tree.nodes.array["visits"][children].astype(np.float64)
        ends = np.cumsum((visits / visits.max()) ** (1.0 / self.temperature))
        with np.errstate(over="ignore"):
            drawn = rng.uniform() * ends[-1]
        return int(children[np.searchsorted(ends, drawn, side="right")])

    def _open(self, tree: Tree, node: int) -> NDArray[np.int64]:
        """The visited children of which nothing is proven."""
        children = tree.children(node)
        rows = tree.nodes.array[children]
        known = rows["proven"] & np.int8(BOUNDS)
        return children[(rows["visits"] > 0) & (known == 0)]
