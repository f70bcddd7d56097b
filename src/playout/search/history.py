"""What actions have been worth wherever they were played."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.compiled import Compiled
from ..core.errors import UsageError
from ..games.game import Game
from .policy import BY_CHANCE, CURRENT
from .selection import Selection, expect_at_least, inverse_root, root_of_log
from .tree import CLOSED, list_children

__all__ = ["ActionTable", "ProgressiveHistory"]


@dataclass(frozen=True)
class ActionTable(Compiled):
    """How games went in which a player played an action.

    Attributes:
        counts: `[P * A]` int64, how often player p played action a, at `p * A + a`.
        sums: `[P * A]` float64, the sum of p's returns in those games.
    """

    counts: NDArray[np.int64]
    sums: NDArray[np.float64]

    interpreted_methods = frozenset({"of_game"})

    @classmethod
    def of_game(cls, game: Game) -> ActionTable:
        """An empty table."""
        size = game.num_players() * max(1, game.num_actions())
        return cls(np.zeros(size, dtype=np.int64), np.zeros(size))

    def learn(self, work: Any, plies: int) -> None:
        """Take in the game that was just played. Modified in place."""
        for ply in range(1, plies + 1):
            step = work.path[ply]
            if step.action != BY_CHANCE:
                place = step.mover * len(work.actions) + step.action
                self.counts[place] += 1
                self.sums[place] += work.returns[step.mover]

    def mean(self, work: Any, player: int, action: int, unknown: float) -> float:
        """The average return; `unknown` for an action that was never played."""
        place = player * len(work.actions) + action
        if self.counts[place] == 0:
            return unknown
        return self.sums[place] / self.counts[place]


@dataclass(frozen=True)
class ProgressiveHistory(Selection):
    """UCT with what the action was worth elsewhere, for as long as the child loses.

    UCT's score `+ history * (1 + H) / (L + 1)` with `L = (n - W) / 2`, the child's
    losses, and H the average return of all games in which the same player played the
    same action: Nijssen and Winands, "Enhancements for Multi-Player Monte-Carlo Tree
    Search", CG 2010, section 4.1, brought from scores in [0, 1] to returns in [-1, 1].

    Attributes:
        c_uct: exploration constant, as in `UCT`.
        history: weight of the history, at least 0; 3 to 5 in the paper.
        first_play: the score of a child without visits; infinity takes every child once
            first.
    """

    c_uct: float = 1.0
    history: float = 3.0
    first_play: float = math.inf

    uses_actions = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, c_uct=self.c_uct, history=self.history)
        if math.isnan(self.first_play):
            raise UsageError("first_play must be a number, not nan")
        for name in ("c_uct", "history", "first_play"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def tables(self, game: Game) -> Compiled:
        return ActionTable.of_game(game)

    def select(self, game: Any, tree: Any, node: int, work: Any, depth: int) -> int:
        player = game.current_player(work.states[CURRENT])
        nodes = tree.nodes
        term = self.c_uct * root_of_log(nodes[node].visits)
        count = list_children(tree, node, work.actions)
        best, top = int(work.actions[0]), -math.inf
        for index in range(count):
            child = nodes[work.actions[index]]
            score = self.first_play
            if child.visits > 0:
                mean = work.selection_tables.mean(work, player, child.action, 0.0)
                score = self.mixed(child, term, mean)
            if score > top and not child.proven & CLOSED:
                best, top = int(work.actions[index]), score
        return best

    def mixed(self, child: Any, parent_term: float, mean: float) -> float:
        """The score of a visited child whose action has this mean elsewhere."""
        root = inverse_root(child.visits)
        losses = 0.5 * (child.visits - child.value_sum)
        known = self.history * (1.0 + mean) / (losses + 1.0)
        return (child.value_sum * root + parent_term) * root + known

    def update(self, tree: Any, work: Any, depth: int, plies: int) -> None:
        work.selection_tables.learn(work, plies)
