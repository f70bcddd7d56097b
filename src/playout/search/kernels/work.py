"""What a simulation is told and what it works in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import apart
from ...core.jit.compiled import Compiled, static
from ...core.jit.rows import Rows
from ...core.rng import Rng
from ...games.contract.game import Game
from ..backup.base import Backup
from ..expansion.base import Expansion
from ..policy import Policy, compose_columns
from ..rollout.base import Rollout
from ..selection.base import Selection
from ..solver.base import Solver
from .structure import Structure

__all__ = ["Policies", "Work"]


@dataclass(frozen=True)
class Policies(Compiled):
    """A game and how it is searched.

    Attributes:
        structure: what is grown.
        notes_actions: whether a policy wants to know which actions were played; set by
            itself.
    """

    game: Game
    selection: Selection
    expansion: Expansion
    rollout: Rollout
    backup: Backup
    solver: Solver
    structure: Structure
    notes_actions: bool = static(False)

    interpreted_methods = frozenset({"all", "node_dtype", "root_is_special"})

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = any(policy.uses_actions for policy in self.all)
        object.__setattr__(self, "notes_actions", wanted)

    @property
    def all(self) -> tuple[Policy, ...]:
        """The policies of all phases."""
        return (self.selection, self.expansion, self.rollout, self.backup, self.solver)

    @property
    def node_dtype(self) -> np.dtype[Any]:
        """The dtype of a node with the columns of all policies."""
        return compose_columns((*self.all, self.structure))

    @property
    def root_is_special(self) -> bool:
        """Whether a subtree cannot be kept between moves."""
        special = any(policy.root_is_special for policy in self.all)
        return special or not self.structure.keeps_subtrees


PATH_DTYPE = np.dtype(
    [
        ("node", "i4"),
        ("place", "i4"),
        ("action", "i4"),
        ("mover", "i2"),
        ("chance", "i2"),
    ]
)


@dataclass(frozen=True)
class Work(Compiled):
    """What a simulation works in; nothing is allocated while searching.

    Attributes:
        states: `[4]` rows of the game's dtype: at the root, now, at the leaf, scratch.
        path: `[L]` rows: a node, the place whose children come next (see `structure`),
            the player who moved into it (the last who did, where chance led there),
            and, in games of chance, 1 where chance moves on. Where a policy wants to
            know what was played, the action that led there (`BY_CHANCE` for an
            outcome); then there are `[2 L]`, and the rollout's steps follow.
        actions: `[A]` int32, the buffer for legal actions.
        returns: `[P]` float64, the last result for each player.
        rng: the stream of random numbers.
        selection_tables: what the selection policy keeps.
        rollout_tables: what the rollout policy keeps.
    """

    states: Rows
    path: Rows
    actions: NDArray[np.int32]
    returns: NDArray[np.float64]
    rng: Rng
    selection_tables: Compiled
    rollout_tables: Compiled

    @classmethod
    def for_policies(cls, policies: Policies, rng: Rng) -> Work:
        """Buffers of the right sizes."""
        game = policies.game
        length = game.max_game_length() + 2
        length *= 2 if policies.notes_actions else 1
        return cls(
            Rows(apart(np.zeros(4, dtype=game.state_dtype()))),
            Rows(apart(np.zeros(length, dtype=PATH_DTYPE))),
            apart(np.zeros(max(1, game.num_actions()), dtype=np.int32)),
            apart(np.zeros(game.num_players(), dtype=np.float64)),
            Rng(apart(rng.state)),
            policies.selection.tables(game),
            policies.rollout.tables(game),
        )

    # -- compiled: what one of several threads does otherwise (see `shared_tree`) ------

    def above(self) -> int:
        """How many actions lead from the root to `path[0]`."""
        return 0

    def lend(self, tree: Any, depth: int) -> bool:
        """Let others have the tree during a rollout; whether the search goes on."""
        return True

    def take_back(self, tree: Any, depth: int) -> bool:
        """Have the tree again after a rollout; whether the search goes on."""
        return True

    def begin_proof(self) -> bool:
        """Keep others from what is proven; whether the search goes on."""
        return True

    def end_proof(self) -> None:
        """Let others read it again."""

    def note_result(self, plies: int) -> None:
        """Keep a result for the nodes above `path[0]`."""
