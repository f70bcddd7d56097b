"""Solver for puzzles: no line is played to its end twice.

A puzzle is for one player who knows all, without chance (`best_line.is_puzzle`). Its
returns may be any numbers, so only seeing all ends proves which is the largest. But an
end that was seen once tells nothing new, as the best line is kept apart from the tree.
So ends are closed, and nodes whose children are all closed. Without this solver UCT
returns to the best line that it knows again and again, and finds no better one.

When the root's children are all closed, every line has been seen, and the best one is
the best there is. That needs no bounds on returns; a win is proven where the largest
return there can be was found, which must be known for it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...core.jit.compiled import static
from ...games.contract.game import Game
from ..best_line import expect_puzzle
from ..tree.children import all_closed
from ..tree.nodes import CLOSED, EXHAUSTED, ROOT, NodeTable
from ..tree.tree import Tree
from ..work import Work
from .base import expect_provable
from .max_n import MaxNBounds

__all__ = ["Exhaustion"]


@dataclass(frozen=True)
class Exhaustion(MaxNBounds):
    """Closes what was seen to its end, and proves wins and losses as `MaxNBounds`.

    Attributes:
        proves: whether it proves them; else it closes alone, as it has to where returns
            have no bounds.
    """

    proves: bool = static(True)

    def check(self, game: Game) -> None:
        expect_puzzle(game, "Exhaustion")
        if self.proves:
            closing = "Exhaustion(proves=False), the default there, only closes"
            expect_provable(self, game, f"{closing} what was seen")

    def reroot(self, tree: Tree) -> None:
        """Open all nodes again: the best line may have begun with another move."""
        in_use = tree.nodes.array["proven"][: tree.num_nodes]  # of gigabytes
        in_use &= ~(CLOSED | EXHAUSTED)
        super().reroot(tree)

    def learn(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        is_new = False
        if self.proves:
            is_new = self.note_end(game, tree, work, depth)
        leaf = tree.nodes[work.path[depth].node]
        if depth > 0 and (is_new or leaf.proven & CLOSED == 0):
            leaf.proven |= CLOSED
            self.propagate(game, tree, work, depth)

    def improve(self, game: Game, tree: NodeTable, work: Work, index: int) -> bool:
        is_new = False
        if self.proves:
            is_new = self.combine(game, tree, work, index)
        return self.close(tree, work.path[index].node) or is_new

    def close(self, tree: NodeTable, number: int) -> bool:
        """Close a node whose children are all closed; whether it was open before."""
        node = tree.nodes[number]
        bit = EXHAUSTED if number == ROOT else CLOSED
        if node.proven & bit != 0 or node.num_children != node.num_legal:
            return False
        if not all_closed(tree, number):
            return False
        node.proven |= bit
        return True
