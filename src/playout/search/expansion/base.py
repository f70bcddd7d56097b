"""Expansion: which children a leaf is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.rows import Row
from ...games.contract.game import Game, State
from ..policy import Policy
from ..tree.nodes import ROOT, NodeTable
from ..work import Work

__all__ = ["Expansion"]

_URGENT = ("always", "root", "never")


class Scores(Protocol):
    """What an expansion asks of a selection policy; see `Selection`."""

    def parent_term(self, parent: Row) -> float: ...
    def score(self, child: Row, parent_term: float) -> float: ...
    def untried_score(self, prior: float, parent_term: float) -> float: ...


class Expansion(Policy):
    """Base of expansion policies."""

    interpreted_methods = Policy.interpreted_methods | {"visits_at_once"}

    def visits_at_once(self, game: Game) -> int:
        """How many new children one simulation may visit; `expand` says how many."""
        return 1

    def is_due(self, tree: NodeTable, node: int) -> bool:
        """Whether a simulation that has come to this node should expand it."""
        raise NotImplementedError

    def can_grow(self, tree: NodeTable, node: int) -> bool:
        """Whether the node where a simulation has stopped may be given children."""
        return self.is_due(tree, node)

    def is_preferred(
        self, selection: Scores, tree: NodeTable, node: int, child: int
    ) -> bool:
        """Whether a node that is not due gets a new child all the same.

        Asked where selection would take `child`, which is then not visited.
        """
        return False

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        """Make children: the first new one and how many; none without room.

        `state` is the node's own and must not be changed.
        """
        raise NotImplementedError

    def candidates(self, game: Game, state: State, node: int, work: Work) -> int:
        """Fill `work.actions` with the actions to try at a node; returns how many."""
        return game.legal_actions(state, work.actions)

    def leaves_choice(self) -> bool:
        """Whether of the new children only the one that selection takes is visited.

        If not, a game is played from each.
        """
        return False

    def visits_first(self) -> bool:
        """Whether of the new children only the first is visited.

        For expansions that know that selection would take it; it is not asked.
        """
        return False

    def evaluates_leaf(self) -> bool:
        """Whether the leaf itself is visited, and its new children wait."""
        return False


@dataclass(frozen=True)
class LeafExpansion(Expansion):
    """What these policies share; `RandomChild` says what the fields mean."""

    threshold: int = 1
    urgent: str = static("always")

    #: Whether a subclass says what is tried; else that is urgent, or legal.
    has_own_candidates: ClassVar[bool] = False

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        cls.has_own_candidates = cls.candidates is not LeafExpansion.candidates

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

    def is_due(self, tree: NodeTable, node: int) -> bool:
        return self.may_grow(tree.nodes[node], node)

    def may_grow(self, row: Row, node: int) -> bool:
        """Whether a node has actions left to try, and visits enough to do so."""
        if row.num_children >= row.num_legal:
            return False
        return row.visits >= self.threshold or node == ROOT

    def candidates(self, game: Game, state: State, node: int, work: Work) -> int:
        count = self.list_urgent(game, state, node, work)
        return count if count > 0 else game.legal_actions(state, work.actions)

    def list_urgent(self, game: Game, state: State, node: int, work: Work) -> int:
        """Fill `work.actions` with the only ones to be tried; 0 for all legal ones."""
        if self.urgent == "always" or (self.urgent == "root" and node == ROOT):
            if not game.is_terminal(state):
                return game.urgent_actions(state, work.actions)
        return 0
