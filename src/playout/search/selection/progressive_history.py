"""Progressive history: actions that have been good elsewhere are tried sooner."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.compiled import Compiled
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..action_table import ActionTable
from ..tree.children import list_children
from ..tree.nodes import CLOSED, NodeTable
from ..work import CURRENT, Work
from .base import Selection, expect_at_least
from .logarithms import inverse_root, root_of_log

__all__ = ["ProgressiveHistory"]


@dataclass(frozen=True)
class ProgressiveHistory(Selection):
    """UCT and a bonus for the action's results elsewhere, smaller as the child loses.

    UCT's score `+ history * (1 + H) / (L + 1)` with `L = (n - W) / 2`, the child's
    losses, and H the average return of all games in which the same player played the
    same action, each as often as it did: Nijssen and Winands, "Enhancements for
    Multi-Player Monte-Carlo Tree Search", CG 2010, section 4.1, brought from scores in
    [0, 1] to returns in [-1, 1].

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

    def select(
        self, game: Game, tree: NodeTable, node: int, work: Work, depth: int
    ) -> int:
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

    def mixed(self, child: Row, parent_term: float, mean: float) -> float:
        """The score of a visited child whose action has this mean elsewhere."""
        root = inverse_root(child.visits)
        losses = 0.5 * (child.visits - child.value_sum)
        known = self.history * (1.0 + mean) / (losses + 1.0)
        return (child.value_sum * root + parent_term) * root + known

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        work.selection_tables.learn(work, plies)
