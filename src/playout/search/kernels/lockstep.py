"""Many searches with one evaluator, step by step side by side.

Each has a tree of its own, and what it works in; the leaves that wait are common to
them, so that one batch has leaves of all. A step is one call for all of them: it
finishes what was evaluated and looks for the next leaves.
"""

from __future__ import annotations

from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...core.jit.structs import Structs
from ...games.contract.game import CHANCE, Game
from ..tree.children import clear_tree, list_children
from ..tree.nodes import FULL, ROOT
from ..work import AT_ROOT
from .policies import Policies
from .stepwise import GOOD, Pending, find_leaves, finish_leaf, first_wrong, let_go

__all__ = ["HAS_CHOICE", "plant", "read_roots", "root_mover", "step", "take_back"]

#: What `plant` says where there is something to choose at every root.
HAS_CHOICE = -1


@kernel
def plant(
    policies: Policies,
    trees: Structs,
    works: Structs,
    roots: Rows,
    low: float,
    high: float,
) -> int:
    """Begin anew from these states; the first in which no player moves, or -1.

    Args:
        policies: of all of them.
        trees: one for each search.
        works: what each works in.
        roots: the states.
        low: the return that -1 in a tree stands for, to people.
        high: the same of 1.
    """
    game = policies.game
    for index in range(len(roots)):
        tree, state = trees[index], roots[index]
        if game.is_terminal(state) or game.current_player(state) == CHANCE:
            return index
        clear_tree(tree, root_mover(game, game.current_player(state)))
        tree.info[0].low = low
        tree.info[0].high = high
        works[index].states[AT_ROOT] = state
    return HAS_CHOICE


def root_mover(game: Game, player: int) -> int:
    """Whom a new root's own value is for: of two opponents the one not to move."""
    if game.num_players() == 2 and game.zero_sum:
        return (player - 1) % 2
    return max(player, 0)


@kernel
def step(
    policies: Policies,
    trees: Structs,
    works: Structs,
    pending: Pending,
    first: int,
    end: int,
    until: int,
) -> int:
    """Finish the leaves that wait, and find the next of some of the searches.

    Args:
        policies: of all of them.
        trees: one for each search.
        works: what each works in, with `pending`.
        pending: the leaves, with what was said of them; then the next ones.
        first: the first of these searches.
        end: the first that is none of them.
        until: the visits that each root is to have.

    Returns:
        `GOOD`; or the first row of which something was said that cannot be, and nothing
        is changed. `pending.batch` has how many leaves wait, and whether a tree is
        full.
    """
    batch = pending.batch[0]
    wrong = first_wrong(policies.game, works[first])
    if wrong != GOOD:
        return wrong
    for row in range(batch.count):
        batch.row = row
        index = pending.searches[row]
        finish_leaf(policies, trees[index], works[index], row)
    batch.count = 0
    batch.row = -1
    batch.full = 0
    for index in range(first, end):
        batch.search = index
        tree = trees[index]
        find_leaves(policies, tree, works[index], until, until)
        if tree.info[0].full == FULL:
            batch.full = 1
    return GOOD


@kernel
def take_back(
    policies: Policies, trees: Structs, works: Structs, pending: Pending
) -> None:
    """Give up the leaves that wait; see `undo`."""
    batch = pending.batch[0]
    for row in range(batch.row + 1, batch.count):
        index = pending.searches[row]
        depth = pending.bring_back(works[index], row)
        let_go(policies, trees[index], works[index], depth)
    batch.count = 0
    batch.row = -1


@kernel
def read_roots(trees: Structs, works: Structs, roots: Rows, children: Rows) -> None:
    """Copy every root and its children.

    Args:
        trees: one for each of B searches.
        works: what each works in; their buffers of actions are written to.
        roots: `[B]` rows of nodes, written.
        children: `[B * A]` rows of nodes, by the action that leads to each; where there
            is none, nothing is written.
    """
    for index in range(len(roots)):
        tree, buffer = trees[index], works[index].actions
        roots[index] = tree.nodes[ROOT]
        first = index * len(buffer)
        for place in range(list_children(tree, ROOT, buffer)):
            row = tree.nodes[buffer[place]]
            children[first + row.action] = row
