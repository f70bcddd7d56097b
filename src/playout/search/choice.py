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
from .tree.nodes import BOUNDS
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
    "draw",
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
        """The best visited child of a node; ties uniform.

        Where none was visited yet it is the likeliest, if there are priors.
        """
        return draw(self.best(tree, node) or self._likeliest(tree, node), rng)

    def best(self, tree: Tree, node: int) -> list[int]:
        """The best visited children of a node, equally good; none if none was visited.

        What is proven goes before statistics: a win is played, a loss is not while
        anything else was tried, and a draw is taken where all else looks worse. Of
        proven wins the shortest known is played, of proven losses the longest.
        """
        return self.best_of(tree.columns, node)

    def best_of(self, columns: Columns, node: int) -> list[int]:
        """The same by the tree's columns, for who asks about many nodes."""
        visited = [c for c in columns.children(node) if columns.visits(c)]
        proven = list(map(columns.proven, visited))
        if not any(proven):  # as below, in half the time
            return self._best(columns, visited) if visited else []
        sure = max(map(lower_of, proven))
        bounded = list(zip(visited, proven, strict=True))
        safe = [child for child, bits in bounded if lower_of(bits) == sure]
        open_ones = [child for child, bits in bounded if upper_of(bits) > sure]
        if open_ones:
            found = self._best(columns, open_ones)
            looks_lost = columns.value_sum(found[0]) < 0
            return self._best(columns, safe) if sure == 0 and looks_lost else found
        if sure == 0:
            return self._best(columns, safe)
        plies = [-sure * columns.proof_plies(child) for child in safe]
        quickest = max(plies)  # to win; to lose, the slowest
        found = [c for c, each in zip(safe, plies, strict=True) if each == quickest]
        known = abs(quickest) != UNKNOWN_PLIES
        return found if known else self._best(columns, found)

    def _best(self, columns: Columns, among: list[int]) -> list[int]:
        """Those of some visited nodes that have the highest score."""
        rows = columns.rows[among]
        visits = rows["visits"].astype(np.float64)
        scores = np.asarray(self.scores(visits, rows["value_sum"] / visits))
        if scores.shape != visits.shape:
            raise RulesError(
                f"{type(self).__name__}.scores gives an array of shape {scores.shape} "
                f"for {len(visits)} moves; it must give a number for each"
            )
        found = np.flatnonzero(scores == scores.max())
        if len(found) == 0:
            raise RulesError(
                f"{type(self).__name__}.scores gives a score that is not a number (NaN)"
            )
        return [among[index] for index in found.tolist()]

    def _likeliest(self, tree: Tree, node: int) -> list[int]:
        """Of children that were never visited those with the highest prior, or all."""
        return _highest(tree, node, "prior")


def draw(among: list[int], rng: Rng) -> int:
    """One of equally good nodes."""
    if len(among) == 1:
        return among[0]
    with np.errstate(over="ignore"):
        return among[rng.below(len(among))]


def _highest(tree: Tree, node: int, *names: str) -> list[int]:
    """The children with the highest sum of some columns, all where one is missing."""
    children = tree.children(node)
    rows = tree.nodes.array[children]
    if set(names) <= set(rows.dtype.names or ()):
        scores = sum(rows[name].astype(np.float64) for name in names)
        children = children[scores == np.max(scores)]
    return children.tolist()


@dataclass(frozen=True)
class MostVisits(Choice):
    """The most visited child ("robust child"); the higher mean of equally visited ones.

    Chaslot et al., "Progressive Strategies for Monte-Carlo Tree Search", 2008,
    section 2.
    """

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return visits + (means + 1) / 4

    def _best(self, columns: Columns, among: list[int]) -> list[int]:
        found: list[int] = []
        if type(self).scores is MostVisits.scores:  # as by `scores`, in half the time
            visits = list(map(columns.visits, among))
            most = max(visits)
            alike = [c for c, n in zip(among, visits, strict=True) if n == most]
            if len(alike) == 1:
                return alike
            scores = [most + (columns.value_sum(c) / most + 1) / 4 for c in alike]
            highest = max(scores)
            found = [
                c for c, each in zip(alike, scores, strict=True) if each == highest
            ]
        return found or super()._best(columns, among)


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

    def _best(self, columns: Columns, among: list[int]) -> list[int]:
        rows = columns.rows[among]
        if "gumbel" not in (rows.dtype.names or ()):
            return super()._best(columns, among)
        most = np.flatnonzero(rows["visits"] == rows["visits"].max())
        rows = rows[most]
        visits = float(rows["visits"][0])
        scale = (self.c_visit + visits) * self.c_scale
        scores = rows["gumbel"] + rows["logit"] + scale * (rows["value_sum"] / visits)
        return [among[index] for index in most[scores == scores.max()].tolist()]

    def _likeliest(self, tree: Tree, node: int) -> list[int]:
        names = ("gumbel", "logit")
        known = tree.nodes.array.dtype.names or ()
        return _highest(tree, node, *(names if "gumbel" in known else ("prior",)))


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
            raise UsageError(
                f"temperature must be above 0, not {self.temperature}: MostVisits() "
                "plays the most visited move"
            )

    def scores(self, visits: Floats, means: Floats) -> Floats:
        return visits

    def choose(self, tree: Tree, node: int, rng: Rng) -> int:
        best = self.best(tree, node)
        children = self._open(tree, node)
        if len(children) < 2 or tree.nodes[best[0]].proven & BOUNDS:
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
