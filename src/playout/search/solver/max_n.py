"""Solver for any number of players, each of whom wants the most for itself (max^n).

    Luckhardt and Irani, "An Algorithmic Solution of N-Person Games", AAAI 1986, for
    max^n; the bounds are those of `score_bounds`, one pair for each player.

The bounds hold however a player chooses among moves that are equally good for it: a
player who has lost anyway may decide which other one wins ("kingmaking"), and no proof
relies on that. For the one who chooses at a node, the value is at least the best lower
bound of a child and at most the best upper bound; a move not tried yet may bring 1. For
the others, it lies between the lowest and the highest bound of the children that may
still be chosen: those whose upper bound, for the one who chooses, is no less than what
is sure for it.

The column `bounds` holds four bits a player (see `score_bounds`), the first player's
lowest. `proven` holds those of the player who moved into the node, and `CLOSED` where
the one who chose it has a better move for sure. The root counts as moved into by the
player who is to move there, so that it is proven when there is nothing left to choose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from ...core.errors import UsageError
from ...core.jit.rows import Row
from ...games.contract.game import Actions, Game, State
from ..tree.children import list_children
from ..tree.nodes import CLOSED, PROOF_COLUMNS, ROOT, NodeTable
from ..tree.tree import Tree
from ..work import Work
from .base import Solver, expect_provable
from .bounds import bounds, is_proven, lower_of, plies_to_end, upper_of

__all__ = ["MOST_PLAYERS", "MaxNBounds"]

MOST_PLAYERS = 8
#: Who chooses where chance does.
_NOBODY = -1


@dataclass(frozen=True)
class MaxNBounds(Solver):
    """Wins, losses and draws of every player, in games of up to eight."""

    columns: ClassVar[tuple[tuple[str, str], ...]] = (
        *PROOF_COLUMNS,
        ("bounds", "u4"),
    )

    def check(self, game: Game) -> None:
        expect_provable(self, game)
        if game.num_players() > MOST_PLAYERS:
            raise UsageError(
                f"MaxNBounds is for {MOST_PLAYERS} players at most; Unsolved() is for "
                "all"
            )

    def reroot(self, tree: Tree) -> None:
        """Make the root's proof that of the one who is to move there."""
        root = tree.nodes[ROOT]
        proven = tree.nodes.array["proven"][tree.children(ROOT)]
        complete = len(proven) == root.num_legal > 0
        lower = int(lower_of(proven).max()) if len(proven) else -1
        upper = int(upper_of(proven).max()) if complete else 1
        root.proven = bounds(lower, upper)
        root.bounds = 0  # of all players: or no path would go on from it

    def ends(self, game: Game, state: State) -> bool:
        return bool(game.is_terminal(state))

    def knows(self, game: Game, tree: NodeTable, node: int) -> bool:
        """Whether the values of all players are proven."""
        known = tree.nodes[node].bounds
        for player in range(game.num_players()):
            if not is_proven(bounds_for(known, player)):
                return False
        return True

    def recall(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        known = tree.nodes[work.path[depth].node].bounds
        for player in range(game.num_players()):
            work.returns[player] = float(lower_of(bounds_for(known, player)))

    def learn(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        if self.note_end(game, tree, work, depth):
            self.propagate(game, tree, work, depth)

    def note_end(self, game: Game, tree: NodeTable, work: Work, depth: int) -> bool:
        """Note the values of an end; whether they were not known."""
        known = 0
        for player in range(game.num_players()):
            value = work.returns[player]
            found = bounds(max(-1, math.floor(value)), min(1, math.ceil(value)))
            known |= found << 4 * player
        step = work.path[depth]
        leaf = tree.nodes[step.node]
        if leaf.bounds == known:
            return False
        leaf.bounds = known
        leaf.proven = bounds_for(known, step.mover)
        leaf.proof_plies = 0
        return True

    def improve(self, game: Game, tree: NodeTable, work: Work, index: int) -> bool:
        return self.combine(game, tree, work, index)

    def combine(self, game: Game, tree: NodeTable, work: Work, index: int) -> bool:
        """Take over what the children of `work.path[index]` prove; whether any did."""
        step = work.path[index]
        node = tree.nodes[step.node]
        chooser = work.path[index + 1].mover
        if game.has_chance and step.chance == 1:
            chooser = _NOBODY
        count = list_children(tree, step.node, work.actions)
        known = node.bounds
        found = 0
        for player in range(game.num_players()):
            lower, upper = value_range(tree, work.actions, count, player, chooser)
            if count < node.num_legal:
                upper = 1
                lower = lower if player == chooser else -1
            lower = max(lower, lower_of(bounds_for(known, player)))
            upper = min(upper, upper_of(bounds_for(known, player)))
            found |= bounds(lower, upper) << 4 * player
        if game.zero_sum:
            found = tighten_sum(found, game.num_players())
        if found == known:
            return False
        node.bounds = found
        node.proven = bounds_for(found, step.mover) | (node.proven & CLOSED)
        close_inferior(tree, work.actions, count, node, chooser)
        return True


def bounds_for(known: int, player: int) -> int:
    """One player's bounds, of all.

    >>> known = bounds(1, 1) | bounds(-1, 0) << 4
    >>> [(lower_of(b), upper_of(b)) for b in (bounds_for(known, p) for p in (0, 1, 2))]
    [(1, 1), (-1, 0), (-1, 1)]
    """
    return (known >> 4 * player) & 15


def value_range(
    tree: NodeTable, children: Actions, count: int, player: int, chooser: int
) -> tuple[int, int]:
    """The bounds of a player's value if one of these children is chosen.

    Chance may choose any; a player takes none that is worse than what is sure for it.
    """
    sure = -1
    if chooser != _NOBODY:
        for i in range(count):
            known = bounds_for(tree.nodes[children[i]].bounds, chooser)
            sure = max(sure, lower_of(known))
    lower, upper = 1, -1
    for i in range(count):
        known = tree.nodes[children[i]].bounds
        if chooser == _NOBODY or upper_of(bounds_for(known, chooser)) >= sure:
            lower = min(lower, lower_of(bounds_for(known, player)))
            upper = max(upper, upper_of(bounds_for(known, player)))
    return (sure if player == chooser else lower), upper


def tighten_sum(known: int, players: int) -> int:
    """Tighten every player's bounds, given that all values add up to 0.

    >>> known = tighten_sum(bounds(1, 1) | bounds(0, 1) << 4, 3)
    >>> [(lower_of(b), upper_of(b)) for b in (bounds_for(known, p) for p in (0, 1, 2))]
    [(1, 1), (0, 0), (-1, -1)]
    """
    for _ in range(players):  # a bound made tighter may tighten another
        least, most = 0, 0
        for player in range(players):
            least += lower_of(bounds_for(known, player))
            most += upper_of(bounds_for(known, player))
        better = 0
        for player in range(players):
            lower = lower_of(bounds_for(known, player))
            upper = upper_of(bounds_for(known, player))
            tighter = bounds(max(lower, upper - most), min(upper, lower - least))
            better |= tighter << 4 * player
        known = better
    return known


def close_inferior(
    tree: NodeTable, children: Actions, count: int, node: Row, chooser: int
) -> None:
    """Close children that the chooser will not take; count the actions to the end.

    Exact for one player; of several, the least that is known.
    """
    sure, open_to, most = -1, -1, 0
    for i in range(count):
        child = tree.nodes[children[i]]
        sure = max(sure, lower_of(child.proven))
        open_to = max(open_to, upper_of(child.proven))
        most = max(most, child.proof_plies)
    if chooser == _NOBODY:
        node.proof_plies = min(1 + most, 2**15 - 1)
        return
    for i in range(count):
        child = tree.nodes[children[i]]
        if upper_of(child.proven) < sure:
            child.proven |= CLOSED
    if sure == open_to:
        node.proof_plies = plies_to_end(tree, children, count, sure)
