"""All moves as first: what an action is worth, learned from wherever it came later.

Every child counts, besides its own visits, the games that went through its parent and
in which the same player played its action at any later time: in the tree or in the
rollout, but not after the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError
from ...core.jit.compiled import Compiled
from ...core.jit.rows import Row
from ...games.contract.game import Game
from ..expansion.all_children import AllChildren
from ..expansion.base import Expansion
from ..tree.children import block_size, list_children, next_block
from ..tree.nodes import CLOSED, NO_NODE, NodeTable
from ..work import BY_CHANCE, CURRENT, Work
from .base import Selection, expect_at_least
from .logarithms import root_of_log

__all__ = ["GRAVE", "RAVE"]


@dataclass(frozen=True)
class LaterActions(Compiled):
    """Which actions come later in the game that was just played.

    Attributes:
        games: `[1]` int64, how many games there were.
        seen: `[P * A]` int64, the last game in which player p played action a.
        twin: `[A]` int32, the child of another node that has the same action.
    """

    games: NDArray[np.int64]
    seen: NDArray[np.int64]
    twin: NDArray[np.int32]


@dataclass(frozen=True)
class RAVE(Selection):
    """Rapid action value estimation: `(1 - b) W/n + b Wa/m`, b from 1 to 0 with visits.

    `b = m / (n + m + rave_bias n m)`; m and Wa are the child's visits and sum of
    returns by all moves as first. UCT's exploration term may be added.

    Gelly and Silver, "Monte-Carlo Tree Search and Rapid Action Value Estimation in
    Computer Go", Artificial Intelligence 175, 2011, sections 4.3 and 4.5.

    Attributes:
        rave_bias: at least 0: the square of the bias expected of all moves as
            first, for returns in [-1, 1]; the larger, the sooner own visits decide.
        c_uct: exploration constant, at least 0; RAVE mostly does without.
        first_play: the score of a child of which nothing at all is known; infinity
            takes it first.

    >>> from types import SimpleNamespace as Row
    >>> child = Row(visits=10, value_sum=5.0, amaf_visits=10, amaf_sum=-5.0)
    >>> RAVE(rave_bias=0.0).score(child, 0.0)
    0.0
    """

    rave_bias: float = 0.001
    c_uct: float = 0.0
    first_play: float = math.inf

    columns = (("amaf_sum", "f8"), ("amaf_visits", "u4"))
    uses_actions = True

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, rave_bias=self.rave_bias, c_uct=self.c_uct)
        if math.isnan(self.first_play):
            raise UsageError("first_play must be a number, not nan")
        for name in ("rave_bias", "c_uct", "first_play"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def usual_expansion(self) -> Expansion:
        return AllChildren(visit_all=False)

    def tables(self, game: Game) -> Compiled:
        size = max(1, game.num_actions())
        return LaterActions(
            np.zeros(1, dtype=np.int64),
            np.zeros(game.num_players() * size, dtype=np.int64),
            np.full(size, NO_NODE, dtype=np.int32),
        )

    def parent_term(self, parent: Row) -> float:
        return self.c_uct * root_of_log(parent.visits)

    def score(self, child: Row, parent_term: float) -> float:
        return self.mixed(child, child, parent_term)

    def first_score(self, child: Row, parent_term: float) -> float:
        return self.mixed(child, child, parent_term)

    def mixed(self, child: Row, twin: Row, parent_term: float) -> float:
        """The score of a child with the all-moves-as-first statistics of another."""
        n = float(child.visits)
        m = float(twin.amaf_visits)
        if n + m == 0.0:
            return self.first_play
        weight = m / (n + m + self.rave_bias * n * m)
        own = child.value_sum / n if n > 0.0 else 0.0
        later = twin.amaf_sum / m if m > 0.0 else 0.0
        exploration = parent_term / math.sqrt(max(1.0, n))
        return (1.0 - weight) * own + weight * later + exploration

    def update(self, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
        later = work.selection_tables
        later.games[0] += 1
        for ply in range(plies, 0, -1):
            step = work.path[ply]
            if step.action == BY_CHANCE:
                continue
            later.seen[step.mover * len(work.actions) + step.action] = later.games[0]
            if ply <= depth + 1:
                self.credit(tree, work, work.path[ply - 1].place, step.mover)

    def credit(self, tree: NodeTable, work: Work, node: int, player: int) -> None:
        """Count a game for the children of a node whose actions came up later."""
        later = work.selection_tables
        nodes = tree.nodes
        row = nodes[node]
        block = row.first_child
        done = 0
        while done < row.num_children:
            size = block_size(nodes, done, row.num_children)
            for child in range(block, block + size):
                place = player * len(work.actions) + nodes[child].action
                if later.seen[place] == later.games[0]:
                    nodes[child].amaf_visits += 1
                    nodes[child].amaf_sum += work.returns[player]
            done += size
            if done < row.num_children:
                block = next_block(nodes, block)


@dataclass(frozen=True)
class GRAVE(RAVE):
    """RAVE with the statistics of an ancestor while a node has too few of its own.

    Cazenave, "Generalized Rapid Action Value Estimation", IJCAI 2015. The ancestor is
    the nearest one with `ref` visits in which the same player is to move (the paper
    takes the nearest of either player); where none has so many, the uppermost. A
    child whose action the ancestor does not have is judged by its own statistics.

    Attributes:
        rave_bias, c_uct, first_play: as in `RAVE`.
        ref: visits from which on a node's own statistics are used, at least 0; 50 in
            the paper.
    """

    ref: int = 50

    def __post_init__(self) -> None:
        super().__post_init__()
        expect_at_least(0, ref=self.ref)

    def select(
        self, game: Game, tree: NodeTable, node: int, work: Work, depth: int
    ) -> int:
        player = game.current_player(work.states[CURRENT])
        source = self.reference(tree, work, depth, player)
        if source == node:
            return self.best_child(tree, node)
        twin = work.selection_tables.twin
        for index in range(list_children(tree, source, work.actions)):
            child = int(work.actions[index])
            twin[tree.nodes[child].action] = child
        best = self.best_by(tree, node, work)
        for index in range(list_children(tree, source, work.actions)):
            twin[tree.nodes[work.actions[index]].action] = NO_NODE
        return best

    def reference(self, tree: NodeTable, work: Work, depth: int, player: int) -> int:
        """The node whose statistics are used at `work.path[depth]`."""
        node = work.path[depth].place
        index = depth
        while tree.nodes[node].visits < self.ref and index > 0:
            index -= 1
            step = work.path[index + 1]
            if step.mover == player and step.action != BY_CHANCE:
                node = work.path[index].place
        return node

    def best_by(self, tree: NodeTable, node: int, work: Work) -> int:
        """The child with the highest score by its twin's statistics."""
        twin = work.selection_tables.twin
        nodes = tree.nodes
        term = self.parent_term(nodes[node])
        count = list_children(tree, node, work.actions)
        best, top = int(work.actions[0]), -math.inf
        for index in range(count):
            number = int(work.actions[index])
            child = nodes[number]
            other = twin[child.action]
            score = self.mixed(
                child, nodes[other if other != NO_NODE else number], term
            )
            if score > top and not child.proven & CLOSED:
                best, top = number, score
        return best
