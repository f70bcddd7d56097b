"""The trees of a search, what they are searched in, and what is kept between moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.rng import make_rng
from ..games.game import CHANCE
from ..games.position import Position
from .crew import Crew
from .graph import Graph
from .hidden import SetTree
from .kernel import Policies
from .limit import Limit, default_memory
from .table import TABLE_BYTES
from .tree import ROOM, ROOT, Tree

__all__ = ["Forest", "follows", "new_tree"]

#: The random numbers of a search's second tree or thread; the first one's stream is 0,
#: and choices draw from 1 and 2.
FIRST_STREAM = 16


class Forest:
    """One tree, or several of the same position that grow apart.

    Attributes:
        trees: as many as were asked for, or none before there is room for them.
        crews: who searches each of them.
    """

    def __init__(
        self,
        policies: Policies,
        seed: int,
        num_trees: int,
        threads: int,
        virtual_loss: float,
    ) -> None:
        self.policies = policies
        self.trees: list[Tree] = []
        streams = [0, *range(FIRST_STREAM, FIRST_STREAM + num_trees * threads - 1)]
        self.streams = np.array(streams).reshape(num_trees, threads).tolist()
        self.node_dtype = policies.node_dtype
        self.default_memory: int | None = None  # before it is first needed
        self.crews = [
            Crew(policies, [make_rng(seed, stream) for stream in row], virtual_loss)
            for row in self.streams
        ]

    def reseed(self, seed: int) -> None:
        """Begin the random numbers of a seed."""
        for crew, streams in zip(self.crews, self.streams, strict=True):
            crew.reseed(seed, streams)

    def forget(self) -> None:
        """Give up the trees, with their memory, and what policies keep in tables."""
        self.trees = []
        for crew in self.crews:
            crew.forget()

    def clear(self, position: Position) -> None:
        """Begin anew in a position."""
        for tree in self.trees:
            tree.clear(_root_mover(position))

    def advance(self, position: Position, mover: int) -> None:
        """Keep what is below the last move to a position; a player's, or chance's."""
        for index, tree in enumerate(self.trees):
            last = tree.info[0].root_mover if mover == CHANCE else mover
            below = self._below(tree, position.actions[-1])
            below.info[0].root_mover = _root_mover(position, last)
            self.trees[index] = below

    def make_room(self, limit: Limit, position: Position) -> None:
        """Have trees for a position, as large as the limit allows; they divide it."""
        moves = position.game.num_actions()
        moves *= 3 if self.policies.transpositions else 1  # edges, nodes, and to spare
        if self.default_memory is None:
            self.default_memory = default_memory()
        node_bytes = self.node_dtype.itemsize
        if self.policies.transpositions or position.game.has_hidden:
            node_bytes += TABLE_BYTES
        capacity = limit.node_capacity(
            node_bytes, moves, self.default_memory, len(self.crews)
        )
        trees: list[Any] = self.trees or [None] * len(self.crews)
        self.trees = [_fit(tree, capacity, self.policies, position) for tree in trees]
        for crew, tree in zip(self.crews, self.trees, strict=True):
            crew.go_to(tree, position)

    def _below(self, tree: Tree, action: int) -> Tree:
        """What is kept of a tree when a move is played."""
        children = tree.children(ROOT)
        kept = children[tree.nodes.array["action"][children] == action]
        if len(kept) and not self.policies.root_is_special:
            below = tree.subtree(int(kept[0]), len(tree.nodes))
            row = below.nodes[ROOT]
            if row.num_children > 0 or row.proven == 0:  # else its proof was recycled
                self.policies.solver.reroot(below)
                return below
        tree.clear(0)
        return tree


def new_tree(policies: Policies, capacity: int) -> Tree:
    """An empty tree, or graph, with room for so many nodes."""
    if policies.game.has_hidden:
        return SetTree.with_room(capacity, policies.node_dtype)
    if policies.transpositions:
        return Graph.for_game(policies.game, capacity, policies.node_dtype)
    return Tree.reserve(capacity, policies.node_dtype)


def _fit(
    tree: Tree | None, capacity: int, policies: Policies, position: Position
) -> Tree:
    """A tree of this capacity; the one there is where it will do.

    One with more nodes than that is given up, its memory with it, and so is a larger
    one in which nothing is left to keep.
    """
    if tree is not None and len(tree.nodes) > capacity:
        if not 1 < tree.num_nodes <= capacity:
            tree = None
    elif tree is not None and len(tree.nodes) < capacity:
        if position.game.has_hidden or policies.transpositions:
            tree = None  # only what is below the root could be copied
    if tree is None:
        tree = new_tree(policies, capacity)
        tree.clear(_root_mover(position))
    elif capacity > len(tree.nodes):
        tree = tree.subtree(ROOT, capacity)
    tree.info[0].capacity = max(capacity, tree.num_nodes)
    tree.info[0].full = ROOM
    return tree


def _root_mover(position: Position, last: int | None = None) -> int:
    """Whom the root's own value is for: of two opponents, the last who moved.

    Where that says nothing of the one who is to move, it is that one.
    """
    player, game = position.current_player, position.game
    if game.num_players() == 2 and game.zero_sum:
        return (player - 1) % 2 if last is None else last
    return max(player, 0) if last is None or player != CHANCE else last


def follows(position: Position, earlier: Position) -> bool:
    """Whether a position was reached from an earlier one by its last moves."""
    known = len(earlier.actions)
    return (
        position.start_text == earlier.start_text
        and len(position.actions) > known
        and position.actions[:known] == earlier.actions
    )
