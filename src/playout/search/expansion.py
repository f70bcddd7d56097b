"""Expansion: which children a leaf is given.

A policy says when a node gets more children (`is_due`) and makes them (`expand`). New
children of one call stand side by side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..core.compiled import static
from ..core.errors import UsageError
from .policy import Policy
from .tree import NO_NODE, ROOT, UNKNOWN, add_child, block_size, has_room

__all__ = ["AllChildren", "Expansion", "RandomChild"]

_URGENT = ("always", "root", "never")


class Expansion(Policy):
    """Base of expansion policies."""

    def is_due(self, tree: Any, node: int) -> bool:
        """Whether a simulation that has come to this node should expand it."""
        raise NotImplementedError

    def can_grow(self, tree: Any, node: int) -> bool:
        """Whether the node where a simulation has stopped may be given children."""
        return self.is_due(tree, node)

    def is_preferred(self, selection: Any, tree: Any, node: int, child: int) -> bool:
        """Whether a node that is not due gets a new child all the same.

        Asked where selection would take `child`, which is then not visited.
        """
        return False

    def expand(
        self, game: Any, state: Any, tree: Any, node: int, work: Any
    ) -> tuple[int, int]:
        """Make children: the first new one and how many; none without room.

        `state` is the node's own and must not be changed.
        """
        raise NotImplementedError

    def candidates(self, game: Any, state: Any, node: int, work: Any) -> int:
        """Fill `work.actions` with the actions to try at a node; returns how many."""
        return game.legal_actions(state, work.actions)

    def leaves_choice(self) -> bool:
        """Whether of the new children only the one that selection takes is visited.

        If not, a game is played from each.
        """
        return False


@dataclass(frozen=True)
class LeafExpansion(Expansion):
    """What these policies share.

    Attributes:
        threshold: visits a leaf must have before it is expanded, at least 1; the root
            is expanded at once.
        urgent: where only the game's `urgent_actions` are tried, if there are any:
            "always", "root" (at the root alone) or "never".
    """

    threshold: int = 1
    urgent: str = static("always")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threshold < 1:
            raise UsageError(f"threshold must be at least 1, not {self.threshold}")
        if self.urgent not in _URGENT:
            raise UsageError(
                f"urgent must be {', '.join(_URGENT)}, not {self.urgent!r}"
            )

    @property
    def root_is_special(self) -> bool:
        return self.urgent == "root"

    def is_due(self, tree: Any, node: int) -> bool:
        return self.may_grow(tree.nodes[node], node)

    def may_grow(self, row: Any, node: int) -> bool:
        """Whether a node has actions left to try, and visits enough to do so."""
        if row.num_legal != UNKNOWN and row.num_children >= row.num_legal:
            return False
        return row.visits >= self.threshold or node == ROOT

    def candidates(self, game: Any, state: Any, node: int, work: Any) -> int:
        if self.urgent == "always" or (self.urgent == "root" and node == ROOT):
            if game.is_terminal(state):
                return 0
            count = game.urgent_actions(state, work.actions)
            if count > 0:
                return count
        return game.legal_actions(state, work.actions)


@dataclass(frozen=True)
class RandomChild(LeafExpansion):
    """One child a visit, drawn uniformly from the actions not yet tried.

    Coulom, "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
    CG 2006; the untried actions are never written down.
    """

    def expand(
        self, game: Any, state: Any, tree: Any, node: int, work: Any
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        untried = legal - row.num_children
        if untried <= 0:
            return NO_NODE, 0
        chosen = work.rng.below(untried)
        if row.num_children > 0:
            chosen = _nth_untried(tree, node, work, chosen)
        child = add_child(tree, node, work.actions[chosen])
        return child, 1 if child != NO_NODE else 0


@dataclass(frozen=True)
class AllChildren(LeafExpansion):
    """All children at once.

    Attributes:
        visit_all: whether each then gets a rollout of its own; if not, only the one
            that selection prefers does, which is for selections with an opinion of
            moves that were never tried.
    """

    visit_all: bool = static(True)

    def leaves_choice(self) -> bool:
        return not self.visit_all

    def expand(
        self, game: Any, state: Any, tree: Any, node: int, work: Any
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        if not has_room(tree, legal):
            return NO_NODE, 0
        first = NO_NODE
        for left in range(legal, 0, -1):  # in random order (Fisher-Yates)
            drawn = work.rng.below(left)
            child = add_child(tree, node, work.actions[drawn])
            work.actions[drawn] = work.actions[left - 1]
            first = child if left == legal else first
        return first, legal


def _nth_untried(tree: Any, node: int, work: Any, n: int) -> int:
    """The index, in the ascending buffer of candidates, of the n-th without a child.

    At most n places hold an untried action before it; every child made of an action up
    to there moves it one place on, until no more are passed.
    """
    place = n
    while True:
        found = n + _count_tried(tree, node, work.actions[place])
        if found == place:
            return place
        place = found


def _count_tried(tree: Any, node: int, action: int) -> int:
    """How many children a node has for actions up to this one."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = tried = 0
    while done < count:
        size = block_size(done, count)
        for child in range(block, block + size):
            tried += nodes[child].action <= action
        block = nodes[block].link
        done += size
    return tried
