"""How the trees of one search grow: each by its share of the simulations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .crew import Call, Crew
from .limit import Limit
from .recycle import recycle, recycling_seconds
from .solver import is_proven
from .together import Together
from .tree import FULL, MAX_VISITS, ROOT, STUCK, Tree

if TYPE_CHECKING:
    from .search import MCTS

__all__ = ["Growth"]

#: A tree of several is not asked for a proof before it had so many simulations; then
#: again whenever it had a fourth more.
FIRST_ROUND = 64
#: A full tree makes room if so many times as much time is left.
HURRY = 4


class Growth:
    """The trees of a search between its first and its last simulation.

    Every tree gets an equal share of the simulations that are counted, whatever the
    timing. What depends on another tree, the end when one has found a proof, then waits
    until all have had equally many.
    """

    def __init__(self, search: MCTS, limit: Limit, together: Together) -> None:
        self.search, self.together = search, together
        self.trees = search._forest.trees
        self.crews = search._forest.crews
        self.starts = [tree.visits for tree in self.trees]
        self.counted = len(self.trees) > 1 and limit.simulations is not None
        self.makes_room = limit.simulations is not None or limit.seconds is not None
        self.round = FIRST_ROUND
        self.ends = [
            min(start + share, MAX_VISITS)
            for start, share in zip(self.starts, self._shares(limit), strict=True)
        ]

    @property
    def done(self) -> int:
        """Simulations of this search."""
        return sum(tree.visits for tree in self.trees) - sum(self.starts)

    @property
    def num_nodes(self) -> int:
        """Nodes in use, of all trees."""
        reserved = sum(tree.num_nodes for tree in self.trees)
        return reserved - sum(crew.spare for crew in self.crews)

    @property
    def is_full(self) -> bool:
        """Whether no tree has room left."""
        return all(bool(tree.info[0].full) for tree in self.trees)

    @property
    def is_finished(self) -> bool:
        """Whether every tree has had its share, or is proven."""
        return all(
            tree.visits >= end or _proven(tree)
            for tree, end in zip(self.trees, self.ends, strict=True)
        )

    @property
    def is_proven(self) -> bool:
        """Whether a tree knows the result of perfect play, and its round is over."""
        return self.is_even and any(map(_proven, self.trees))

    @property
    def is_even(self) -> bool:
        """Whether the trees may be looked at together: all are as far."""
        return not self.counted or self._round_is_over()

    def grow(self, simulations: int, seconds: float) -> None:
        """Run about so many simulations, and at least one where one is left.

        Trees that are full then make room, if that takes but a part of the time left.
        """
        if self.counted and self._round_is_over():
            self.round += max(FIRST_ROUND, self.round // 4)
        each = -(-simulations // len(self.trees))
        each = max(each, len(self.crews[0].works))
        native = self.search._native
        calls = [
            (crew, native, call)
            for crew, tree, stop, end in zip(
                self.crews, self.trees, self._stops(), self.ends, strict=True
            )
            for call in crew.calls(
                tree, min(tree.visits + each, stop), end, self.together.in_turn
            )
        ]
        self.together.run(_search, calls)
        for crew, tree in zip(self.crews, self.trees, strict=True):
            if tree.info[0].full == FULL and self.makes_room:
                self._recycle(crew, tree, seconds)

    def finish(self) -> None:
        """Give back what the threads have no use for any more."""
        for crew, tree in zip(self.crews, self.trees, strict=True):
            crew.hand_in(tree)

    def _recycle(self, crew: Crew, tree: Tree, seconds: float) -> None:
        """Make room in a tree, if that takes but a part of the seconds left."""
        if HURRY * recycling_seconds(tree) < seconds:
            crew.hand_in(tree)
            recycle(tree, self.search.interpreted)
        else:
            tree.info[0].full = STUCK

    def _stops(self) -> list[int]:
        """The visits at which each tree's round is over."""
        if not self.counted:
            return self.ends
        return [
            min(start + self.round, end)
            for start, end in zip(self.starts, self.ends, strict=True)
        ]

    def _round_is_over(self) -> bool:
        return all(
            tree.visits >= stop or _proven(tree)
            for tree, stop in zip(self.trees, self._stops(), strict=True)
        )

    def _shares(self, limit: Limit) -> list[int]:
        count = len(self.trees)
        if limit.simulations is None:
            return [(MAX_VISITS - sum(self.starts)) // count] * count
        return [
            limit.simulations // count + (index < limit.simulations % count)
            for index in range(count)
        ]


def _search(crew: Crew, native: Callable[..., Any], call: Call) -> None:
    """What a thread runs; a failure ends the others, too."""
    try:
        native(*call)
    except Exception:
        crew.fail()
        raise


def _proven(tree: Tree) -> bool:
    return bool(is_proven(tree.nodes[ROOT].proven))
