"""What a search grows: a tree, or what takes its place.

The driver (`simulate`) is compiled with a structure, as it is with the policies. The
structure answers what differs between a tree, a graph (`transpositions`) and a game
whose players know different things (`information_sets`). For a tree the answers are
trivial and cost nothing.

A step of the path has the numbers of two rows. `node` is the child that was taken,
whose statistics selection has compared; `place` is the row whose children come next. In
a tree they are the same. In a graph an edge leads to a node; and where information is
hidden an action leads to what the next player knows, which is an information set. Nodes
and sets may have been reached in other ways as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from ...core.jit.compiled import Compiled
from ...games.contract.game import Game
from ..backup.base import Backup
from ..expansion.base import Expansion
from ..policy import Policy
from ..rollout.base import Rollout
from ..selection.base import Selection
from ..solver.base import Solver
from ..tree.children import all_closed
from ..tree.nodes import NO_NODE, ROOT, NodeTable
from ..tree.tree import Tree
from ..work import AT_ROOT, BY_CHANCE, CURRENT, Work
from .chance import is_outcome

__all__ = ["Phases", "Structure", "descend", "learn"]

#: The kind of tree.
Grown = TypeVar("Grown", bound=NodeTable)


@dataclass(frozen=True)
class Structure(Compiled, Generic[Grown]):
    """A tree.

    It is what `reserve` gives, and of subclasses more than a `NodeTable`.

    Attributes:
        columns: fields that every row gets for it: `(name, type)`.
        rows_per_child: how many rows a new child may take.
        bytes_per_row: memory that a row takes besides its own.
        keeps_subtrees: whether what is below a move can be kept when it is played.
    """

    columns: ClassVar[tuple[tuple[str, str], ...]] = ()
    rows_per_child: ClassVar[int] = 1
    bytes_per_row: ClassVar[int] = 0
    keeps_subtrees: ClassVar[bool] = True

    interpreted_methods = frozenset(
        {
            "bytes_per_row",
            "check",
            "columns",
            "keeps_subtrees",
            "reserve",
            "rows_per_child",
        }
    )

    def check(self, policies: Phases) -> None:
        """Complain about policies, or a game, that it cannot work with.

        Raises:
            UsageError: says which, and why.
        """

    def reserve(self, game: Game, capacity: int, dtype: np.dtype[Any]) -> Tree:
        """An empty one with room for so many rows."""
        return Tree.reserve(capacity, dtype)

    # -- compiled ----------------------------------------------------------------------

    def start(self, policies: Phases, tree: Grown, work: Work) -> None:
        """Have the path begin at the root, once for many simulations."""
        step = work.path[0]
        step.node = ROOT
        step.place = ROOT
        step.mover = tree.info[0].root_mover

    def begin(self, policies: Phases, tree: Grown, work: Work) -> None:
        """Have the state at the root as the current one, for one simulation."""
        work.states[CURRENT] = work.states[AT_ROOT]

    def take_child(
        self,
        policies: Phases,
        tree: Grown,
        work: Work,
        depth: int,
        node: int,
        stuck: bool,
    ) -> int:
        """The child that selection takes; `NO_NODE` where the way ends at the node."""
        return take_child(policies, tree, work, depth, node, stuck)

    def arrive(
        self, policies: Phases, tree: Grown, work: Work, depth: int, child: int
    ) -> int:
        """The place of a child that was taken.

        `work.path[depth]` is the step to it, whose place is the child itself unless
        it is written here. `NO_NODE` where the way ends at this place.
        """
        return child

    def expands_leaves(self) -> bool:
        """Whether children are made where selection has ended, and not on the way."""
        return True

    def knows(self, policies: Phases, tree: Grown, place: int) -> bool:
        """Whether simulations that come to this place end there, by `recall`."""
        return bool(policies.solver.knows(policies.game, tree, place))

    def recall(self, policies: Phases, tree: Grown, work: Work, depth: int) -> None:
        """Write the exact values of the place `work.path[depth]` to `work.returns`."""
        policies.solver.recall(policies.game, tree, work, depth)

    def viewer(self, tree: Grown, work: Work, depth: int) -> int:
        """The player for whom the bounds of the place `work.path[depth]` are."""
        return int(work.path[depth].mover)

    def propagate(self, policies: Phases, tree: Grown, work: Work, depth: int) -> None:
        """Tell the nodes above `work.path[depth]` what is proven of it."""
        policies.solver.propagate(policies.game, tree, work, depth)

    def back_up(
        self,
        policies: Phases,
        tree: Grown,
        work: Work,
        depth: int,
        plies: int,
        ended: bool,
    ) -> None:
        """Backup of `work.returns`; see `Backup.update`.

        Args:
            policies: the backup, and the solver.
            tree: modified in place.
            work: the path and the returns.
            depth: of the leaf.
            plies: actions from the root to the end of the game.
            ended: whether the leaf is an end of the game that the solver has not
                learned from.
        """
        policies.backup.update(tree, work, depth, plies)
        if ended:
            learn(policies, tree, work, depth)


class Phases(Protocol):
    """The policies of a search, as a structure sees them: `Policies`, made of both."""

    @property
    def game(self) -> Game: ...
    @property
    def selection(self) -> Selection: ...
    @property
    def expansion(self) -> Expansion: ...
    @property
    def rollout(self) -> Rollout: ...
    @property
    def backup(self) -> Backup: ...
    @property
    def solver(self) -> Solver: ...
    @property
    def structure(self) -> Structure[Any]: ...
    @property
    def notes_actions(self) -> bool: ...
    @property
    def all(self) -> tuple[Policy, ...]: ...


def take_child(
    policies: Phases, tree: NodeTable, work: Work, depth: int, node: int, stuck: bool
) -> int:
    """The child that selection takes; `NO_NODE` where the node should get a new one.

    The node is that of the path. It is an argument, as what selection reads next would
    wait for its number to be read from the path. In a tree that is stuck nodes have all
    children they will get; where those are all settled, only a rollout tells of others.
    """
    if tree.nodes[node].num_children == 0:
        return NO_NODE
    if all_closed(tree, node) if stuck else policies.expansion.is_due(tree, node):
        return NO_NODE
    child = policies.selection.select(policies.game, tree, node, work, depth)
    if not stuck and policies.expansion.is_preferred(
        policies.selection, tree, node, child
    ):
        return NO_NODE
    return int(child)


def descend(
    policies: Phases, tree: NodeTable, work: Work, depth: int, child: int
) -> None:
    """Play the action that leads to a child of the place at this depth."""
    game = policies.game
    action = tree.nodes[child].action
    step = work.path[depth + 1]
    step.node = child
    step.place = child
    mover = game.current_player(work.states[CURRENT])
    drawn = is_outcome(game, mover)
    if policies.notes_actions:
        step.action = BY_CHANCE if drawn else action
    if game.has_chance:
        step.chance = 0
    step.mover = work.path[depth].mover if drawn else mover
    game.apply(work.states[CURRENT], action)
    work.note_rewards(game, work.states[CURRENT], depth + 1)


def learn(policies: Phases, tree: NodeTable, work: Work, depth: int) -> None:
    """Tell the solver of an end."""
    if not work.begin_proof(depth):
        return
    policies.solver.learn(policies.game, tree, work, depth)
    work.end_proof(depth)
