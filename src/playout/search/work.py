"""What a simulation works in: states, the path, buffers, random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.jit.compiled import Compiled
from ..core.jit.rows import Rows
from ..core.rng import Rng
from ..games.contract.game import Game, State
from .scale import Scale
from .tree.nodes import NodeTable

__all__ = [
    "AT_LEAF",
    "AT_ROOT",
    "BY_CHANCE",
    "CURRENT",
    "SCRATCH",
    "Work",
    "path_dtype",
]

#: The rows of `Work.states`.
AT_ROOT, CURRENT, AT_LEAF, SCRATCH = 0, 1, 2, 3
#: What `Work.path` says instead of an action where chance had its turn.
BY_CHANCE = -1

_STEP = [
    ("node", "i4"),
    ("place", "i4"),
    ("action", "i4"),
    ("mover", "i2"),
    ("chance", "i2"),
]


def path_dtype(game: Game) -> np.dtype[Any]:
    """The dtype of a step of `Work.path`."""
    rewards = [("rewards", "f8", (game.num_players(),))]
    return np.dtype(_STEP + (rewards if game.has_rewards else []))


@dataclass(frozen=True)
class Work(Compiled):
    """What a simulation works in; nothing is allocated while searching.

    Attributes:
        states: `[4]` rows of the game's dtype: at the root, now, at the leaf, scratch.
        path: `[L]` rows: a node, the place whose children come next (see `structure`),
            the player who moved into it (the last who did, where chance led there),
            and, in games of chance, 1 where chance moves on. Where a policy wants to
            know what was played, the action that led there (`BY_CHANCE` for an
            outcome); then there are `[2 L]`, and the rollout's steps follow. In games
            with rewards those for each player, on the scale of the search.
        actions: `[A]` int32, the buffer for legal actions.
        returns: `[P]` float64, the last result for each player, from -1 to 1.
        rng: the stream of random numbers.
        scale: brings returns, and estimates of them, to the scale of the search.
        line: keeps the best game of a puzzle (see `best_line`), a `Compiled`.
        selection_tables: what the selection policy keeps, a `Compiled`.
        rollout_tables: what the rollout policy keeps, a `Compiled`.
        expansion_tables: what the expansion policy keeps, a `Compiled`.
        exact: settles states by exact searches (see `settling`), a `Compiled`.
        judge: says what is estimated, values and priors (see `evaluation.native`), a
            `Compiled`.
        leads: knows the best child of nodes with many visits (see `selection.leads`), a
            `Compiled`.
    """

    states: Rows
    path: Rows
    actions: NDArray[np.int32]
    returns: NDArray[np.float64]
    rng: Rng
    scale: Scale
    line: Any
    selection_tables: Any
    rollout_tables: Any
    expansion_tables: Any
    exact: Any
    judge: Any
    leads: Any

    # -- compiled ----------------------------------------------------------------------

    def note_rewards(self, game: Game, state: State, index: int) -> None:
        """Write into `path[index]` what the action has brought that led to a state."""
        if game.has_rewards:
            rewards = self.path[index].rewards
            for player in range(game.num_players()):
                rewards[player] = self.scale.of(game.rewards(state, player))

    def add_rewards(self, game: Game, state: State, index: int) -> None:
        """Add them, for an action without a step of its own."""
        if game.has_rewards:
            rewards = self.path[index].rewards
            for player in range(game.num_players()):
                rewards[player] += self.scale.of(game.rewards(state, player))

    # -- compiled: what one of several threads does otherwise (see `shared_tree`), and -
    # -- a search whose leaves are evaluated elsewhere (see `stepwise`) ----------------

    def expands_later(self, policies: Any) -> bool:
        """Whether a leaf gets its children when it has been evaluated elsewhere."""
        return False

    def look(self, game: Game, state: State) -> None:
        """Get ready to be asked for `prior` of actions of the current state."""
        self.judge.look(game, state)

    def prior(self, game: Game, state: State, action: int) -> float:
        """How promising a legal action of the current state looks beside others."""
        return float(self.judge.prior(game, state, action))

    def start_depth(self) -> int:
        """How many actions lead from the root to `path[0]`."""
        return 0

    def release_tree(self, policies: Any, tree: NodeTable, depth: int) -> bool:
        """Let other threads use the tree; returns whether to play the rollout now."""
        return True

    def acquire_tree(self, tree: NodeTable, depth: int) -> bool:
        """Use the tree again after a rollout; returns whether the search goes on."""
        return True

    def begin_proof(self, depth: int) -> bool:
        """Begin to note what is proven of `path[depth]`, and of nodes below it.

        Other threads may read it of `path[0]`: they are kept from that until
        `end_proof`.

        Returns:
            Whether the search goes on.
        """
        return True

    def end_proof(self, depth: int) -> None:
        """Let other threads read it again."""

    def note_result(self, plies: int) -> None:
        """Keep a result for the nodes above `path[0]`."""
