"""Solver: what is known for sure of a node, from the ends of games upwards.

Every node has two bounds on its exact value, *for the player who moved into it*, in
steps of one: at first -1 and 1; equal once the node is proven. A game's end gives its
node both; a node's bounds follow from its children's by minimax.

    Cazenave and Saffidine, "Score Bounded Monte-Carlo Tree Search", CG 2010, section 3;
    Winands, Bjornsson, Saito, "Monte-Carlo Tree Search Solver", CG 2008, for the proof
    of wins and losses alone.

The bounds share the column `proven`:

| bits | meaning                                                                       |
|------|-------------------------------------------------------------------------------|
| 0, 1 | lower bound + 1                                                               |
| 2, 3 | 1 - upper bound                                                               |
| 4    | `CLOSED`: no better for the one who chooses than what is sure; not entered    |

So 0 says nothing. `proof_plies` counts the actions from a proven node to the end: the
fewest known for a win, the most for a loss; `UNKNOWN_PLIES` where nothing tells.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...core.errors import UsageError
from ...core.jit.compiled import static
from ...core.jit.rows import Row
from ...games.contract.game import Game, State, has_own
from ..tree.children import list_children
from ..tree.nodes import CLOSED, ROOT, NodeTable
from ..tree.tree import Tree
from ..work import Work
from .base import Solver, expect_provable
from .bounds import (
    UNKNOWN_PLIES,
    bounds,
    cap_children,
    is_proven,
    lower_of,
    plies_to_end,
    upper_of,
)

__all__ = ["ScoreBounds"]


_SETTLE = ("game", "search", "no")
#: More positions at a time would take longer than a search may overrun its limit.
_MOST_NODES = 100_000
_RANGES = (
    *((f"{kind}_nodes", 0, _MOST_NODES) for kind in ("leaf", "visited", "root")),
    *((name, 1, 2**30) for name in ("visited_at", "root_every")),
)


@dataclass(frozen=True)
class ScoreBounds(Solver):
    """Wins, losses and draws in games of two players whose returns add up to 0.

    Besides the ends of games it learns from exact searches (see `kernels.settling`).
    Those look at some positions each time, as the following say; 0 asks none.

    Attributes:
        settle: "game": by the game's own `settle`, where it has one; "search": else by
            alpha-beta from the rules alone; "no".
        leaf_nodes: positions for a leaf that is about to be played out.
        least_success: the share of leaves that must be settled for all to be asked, 0
            to 1; else it is one of 32.
        visited_nodes: positions for a node that is visited often.
        visited_at: how many visits that are, at least 1; again at four times as many.
        root_nodes: positions for the root, at once and again.
        root_every: after how many simulations that is, at least 1.
    """

    settle: str = static("game")
    leaf_nodes: int = 50
    least_success: float = 0.05
    visited_nodes: int = 500
    visited_at: int = 32
    root_nodes: int = 2000
    root_every: int = 500

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.settle not in _SETTLE:
            raise UsageError(
                f"settle must be {', '.join(_SETTLE)}, not {self.settle!r}"
            )
        for name, least, most in _RANGES:
            if not least <= getattr(self, name) <= most:
                raise UsageError(
                    f"{name} must be {least} to {most}, not {getattr(self, name)}"
                )
        if not 0 <= self.least_success <= 1:
            raise UsageError(f"least_success must be 0 to 1, not {self.least_success}")
        object.__setattr__(self, "least_success", float(self.least_success))

    def settling(self, game: Game) -> str:
        """Which exact search this game is settled by: as `settle`, "no" if by none."""
        if self.settle == "no" or game.has_chance or game.has_hidden:
            return "no"
        if has_own(game, "settle"):
            return "game"
        return "search" if self.settle == "search" else "no"

    def reroot(self, tree: Tree) -> None:
        """Forget a proof that the new root's children do not show.

        What `settle` has proven of a node does not tell which move is to be played.
        """
        root = tree.nodes[ROOT]
        asked = not is_proven(root.proven) and root.proof_plies > 0
        if asked or (is_proven(root.proven) and not _is_shown(tree)):
            root.proven = 0
            asks = root.visits // self.root_every
            root.proof_plies = min(asks, UNKNOWN_PLIES - 1)

    def check(self, game: Game) -> None:
        expect_provable(self, game)
        if game.num_players() != 2 or not game.zero_sum:
            raise UsageError(
                "ScoreBounds is for games of two players whose returns add up to 0 "
                f"(zero_sum = True), which {type(game).__name__} is not; MaxNBounds() "
                "is for others"
            )

    def ends(self, game: Game, state: State) -> bool:
        return bool(game.is_terminal(state))

    def knows(self, game: Game, tree: NodeTable, node: int) -> bool:
        """Whether it is proven; only chance leads there, as selection does not."""
        return game.has_chance and is_proven(tree.nodes[node].proven)

    def recall(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        mover = work.path[depth].mover
        value = float(lower_of(tree.nodes[work.path[depth].node].proven))
        work.returns[mover] = value
        work.returns[1 - mover] = -value

    def learn(self, game: Game, tree: NodeTable, work: Work, depth: int) -> None:
        value = work.returns[work.path[depth].mover]
        leaf = tree.nodes[work.path[depth].node]
        if is_proven(leaf.proven):
            return
        leaf.proven = bounds(max(-1, math.floor(value)), min(1, math.ceil(value)))
        leaf.proof_plies = work.exact.leaf_plies()
        self.propagate(game, tree, work, depth)

    def improve(self, game: Game, tree: NodeTable, work: Work, index: int) -> bool:
        """Take over what the children of `work.path[index]` prove; whether any did."""
        nodes = tree.nodes
        step = work.path[index]
        node = nodes[step.node]
        if game.has_chance and step.chance == 1:
            return improve_chance(tree, work, node, step.node)
        count = list_children(tree, step.node, work.actions)
        lower, upper = -1, -1 if count == node.num_legal else 1
        for i in range(count):
            proven = nodes[work.actions[i]].proven
            lower = max(lower, lower_of(proven))
            upper = max(upper, upper_of(proven))
        for i in range(count):
            child = nodes[work.actions[i]]
            if upper_of(child.proven) <= lower:
                child.proven |= CLOSED
        tells_plies = lower == upper
        if tells_plies:
            node.proof_plies = plies_to_end(tree, work.actions, count, lower)
        if work.path[index + 1].mover != step.mover:
            lower, upper = -upper, -lower
        # Children that proved more may have been recycled.
        lower = max(lower, lower_of(node.proven))
        upper = min(upper, upper_of(node.proven))
        found = bounds(lower, upper)
        if found == node.proven & ~CLOSED:
            return False
        if is_proven(found) and not tells_plies:  # by what `settle` said of it, too
            node.proof_plies = UNKNOWN_PLIES
            same = work.path[index + 1].mover == step.mover
            value = lower_of(found) if same else -lower_of(found)
            cap_children(tree, work.actions, count, value)
        node.proven = found | (node.proven & CLOSED)
        return True


def _is_shown(tree: Tree) -> bool:
    """Whether the root's children prove what it is worth."""
    known = tree.nodes.array["proven"][tree.children(ROOT)]
    lower = int(lower_of(known).max(initial=-1))
    complete = len(known) == tree.nodes[ROOT].num_legal
    return lower == 1 or (complete and lower == int(upper_of(known).max(initial=-1)))


def improve_chance(tree: NodeTable, work: Work, node: Row, number: int) -> bool:
    """Take over what all outcomes of chance prove together; whether that is news.

    The average lies between the lowest and the highest of them; an outcome that was
    never drawn may be anything. `proof_plies` follows from the longest of them.
    """
    count = list_children(tree, number, work.actions)
    lower, upper, plies = 1, -1, 0
    for i in range(count):
        child = tree.nodes[work.actions[i]]
        lower = min(lower, lower_of(child.proven))
        upper = max(upper, upper_of(child.proven))
        plies = max(plies, child.proof_plies)
    if count < node.num_legal:
        lower, upper = -1, 1
    # Outcomes that proved more may have been recycled.
    lower = max(lower, lower_of(node.proven))
    upper = min(upper, upper_of(node.proven))
    found = bounds(lower, upper)
    if found == node.proven & ~CLOSED:
        return False
    if lower == upper:
        node.proof_plies = min(1 + plies, 2**15 - 1)
    node.proven = found | (node.proven & CLOSED)
    return True
