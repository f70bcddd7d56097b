"""Leaves that wait to be judged outside of the search, and what was said of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.jit.compiled import Compiled, static
from ...core.jit.rows import Rows
from ...games.contract.game import Game
from ...games.contract.units import declared_range
from ..work import CURRENT, Work, path_dtype
from .policies import Policies

__all__ = ["Pending", "make_pending"]

BATCH_DTYPE = np.dtype(
    [
        ("count", "i8"),  # leaves that wait
        ("first", "i8"),  # the row of the first of them
        ("most", "i8"),  # of them at a time, at least 1
        ("answers", "i8"),  # leaves that are being finished
        ("first_answer", "i8"),  # the row of the first of these
        ("done", "i8"),  # of these, with how many that has begun
        ("row", "i8"),  # the leaf that is being finished, of these, or -1
        ("wrong", "i8"),  # the first of which something was said that cannot be
        ("search", "i8"),  # which of several searches is looking for leaves
        ("shared", "i1"),  # 1 if several may wait, so that virtual losses are needed
        ("full", "i1"),  # 1 if one of several searches has a tree without room
        ("crowded", "i1"),  # 1 if a simulation came to a leaf that waits
        ("bounded", "i1"),  # 1 if the game's returns have bounds
        ("per_player", "i1"),  # 1 if there is a value for every player
        ("has_priors", "i1"),  # 1 if there are priors
    ]
)


@dataclass(frozen=True)
class Pending(Compiled):
    """Leaves that wait, at most N, and what was said of them.

    There are R rows for leaves: N where all are finished before the next are looked
    for; else twice as many, of which the halves take turns.

    Attributes:
        batch: `[1]` row of `BATCH_DTYPE`.
        states: `[R]` rows of the game's dtype.
        depths: `[R]` int64, how deep each leaf is.
        searches: `[R]` int64, which of several searches each is of.
        paths: `[R * L]` rows, the way to each; none where only one of a search can
            wait, whose way its `work.path` still is.
        observations: `[N * S]` float32, what `game.observe` writes; or none.
        values: `[N * P]` float64, in the game's own units: for each player, or where
            that is not so for the one to move alone, in the row's first place.
        priors: `[N * A]` float32, 0 or more; only legal actions are looked at.
        observes: whether these are kept.
    """

    batch: Rows
    states: Rows
    depths: NDArray[np.int64]
    searches: NDArray[np.int64]
    paths: Rows
    observations: NDArray[np.float32]
    values: NDArray[np.float64]
    priors: NDArray[np.float32]
    observes: bool = static(False)

    # -- compiled ----------------------------------------------------------------------

    def keep(self, game: Game, work: Work, depth: int) -> None:
        """Note that the current state waits, at a leaf of this depth."""
        batch = self.batch[0]
        row = batch.first + batch.count
        self.states[row] = work.states[CURRENT]
        self.depths[row] = depth
        self.searches[row] = batch.search
        if len(self.paths) > 0:
            first = row * len(work.path)
            for index in range(depth + 1):
                self.paths[first + index] = work.path[index]
        if self.observes:
            size = len(self.observations) // self.room(game)
            begin = batch.count * size
            planes = self.observations[begin : begin + size]
            planes[:] = 0.0
            game.observe(self.states[row], planes.reshape(game.observation_shape()))
        batch.count += 1

    def room(self, game: Game) -> int:
        """How many leaves may wait: N."""
        return len(self.values) // game.num_players()

    def take_up(self) -> None:
        """Begin to finish the leaves that wait: none waits any more."""
        batch, count = self.batch[0], self.batch[0].count
        batch.count = 0  # first: a Ctrl-C between the two finds none twice
        batch.first_answer = batch.first
        batch.done = 0
        batch.answers = count

    def forget(self) -> None:
        """No leaf waits, and none is being finished."""
        batch = self.batch[0]
        batch.count = 0
        batch.answers = 0
        batch.done = 0
        batch.row = -1

    def bring_back(self, work: Work, row: int) -> int:
        """Have a leaf's state and path in `work` again; returns its depth."""
        work.states[CURRENT] = self.states[row]
        depth = self.depths[row]
        if len(self.paths) > 0:
            first = row * len(work.path)
            for index in range(depth + 1):
                work.path[index] = self.paths[first + index]
        return depth


def make_pending(
    policies: Policies,
    most: int,
    path_length: int,
    shared: bool,
    searches: int | None = None,
    observes: bool = False,
) -> Pending:
    """Room for leaves that wait.

    Args:
        policies: with which the leaves are found.
        most: how many are to wait at a time, at least 1; a few more may where an
            expansion has several children visited at once.
        path_length: of `work.path`.
        shared: whether leaves of other threads wait in the same tree as well.
        searches: how many searches, each with a tree of its own, wait together; one
            begins to look for leaves while others of another are finished. None: it is
            one search, and they never do.
        observes: whether what the game's `observe` writes is told of them.
    """
    game = policies.game
    actions = max(1, game.num_actions())
    of_one = most + policies.expansion.visits_at_once(game) - 1
    count = (searches or 1) * of_one
    rows = count if searches is None else 2 * count
    size = math.prod(game.observation_shape()) if observes else 0
    batch = np.zeros(1, dtype=BATCH_DTYPE)
    batch["most"], batch["row"] = most, -1
    batch["shared"] = shared or of_one > 1
    batch["bounded"] = declared_range(game) is not None
    return Pending(
        Rows(batch),
        Rows(np.zeros(rows, dtype=game.state_dtype())),
        np.zeros(rows, dtype=np.int64),
        np.zeros(rows, dtype=np.int64),
        Rows(np.zeros(rows * path_length if of_one > 1 else 0, path_dtype(game))),
        np.zeros(count * size, dtype=np.float32),
        np.zeros(count * game.num_players()),
        np.zeros(count * actions, dtype=np.float32),
        observes,
    )
