"""Many searches with one evaluator, step by step side by side.

Each has a tree of its own, and what it works in; the leaves that wait are common to
them, so that one batch has leaves of all. A step is one call for all of them: of one
after the other it finishes what was evaluated and looks for the next leaves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.jit.native import kernel
from ...core.jit.rows import Rows, fetch_ahead
from ...core.jit.structs import Structs
from ...games.contract.game import CHANCE, Game
from ..tree.children import clear_tree, list_children
from ..tree.nodes import FULL, ROOT, NodeTable
from ..work import AT_ROOT, CURRENT
from .pending import Pending
from .policies import Policies
from .stepwise import GOOD, StepWork, find_leaves, finish_next, first_wrong, let_go

__all__ = ["HAS_CHOICE", "plant", "read_roots", "root_mover", "step", "take_back"]

#: What `plant` says where there is something to choose at every root.
HAS_CHOICE = -1
#: How many searches before its turn what a search reads first is fetched.
AHEAD = 3
#: How many rows are fetched of its tree: the root and, of most games, its children.
FETCHED_ROWS = 8


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
    pendings: Structs,
    bounds: NDArray[np.int64],
    first: int,
    end: int,
    until: int,
) -> int:
    """Finish the leaves that wait, and find the next, of some shares of the searches.

    Args:
        policies: of all of them.
        trees: one for each search.
        works: what each works in, with the `Pending` of its share.
        pendings: for each share its leaves, with what was said of them; then the next.
        bounds: `[S, 2]`, for each share its first search, and the first that is not.
        first: the first of these shares.
        end: the first that is none of them.
        until: the visits that each root is to have.

    Returns:
        `GOOD`; or the first share of which something was said that cannot be. There
        nothing is changed, and its `batch` has the row. Otherwise that has how many
        leaves wait, and whether a tree is full.
    """
    for share in range(first, end):
        pending = pendings[share]
        low, high = bounds[share, 0], bounds[share, 1]
        batch = pending.batch[0]
        batch.wrong = first_wrong(policies.game, works[low])
        if batch.wrong != GOOD:
            return share
        pending.take_up()
        batch.first = len(pending.depths) // 2 - batch.first  # the other half
        batch.full = 0
        for index in range(low, high):
            if index + AHEAD < high:
                fetch_search(trees[index + AHEAD], works[index + AHEAD])
            tree, work = trees[index], works[index]
            while batch.done < batch.answers:
                if pending.searches[batch.first_answer + batch.done] != index:
                    break
                finish_next(policies, tree, work)
            batch.search = index
            find_leaves(policies, tree, work, until, until)
            if tree.info[0].full == FULL:
                batch.full = 1
    return GOOD


def fetch_search(tree: NodeTable, work: StepWork) -> None:
    """Have what a search reads first fetched, while others are at work.

    Of thousands of trees none is still in the caches when its turn comes.
    """
    fetch_ahead(tree.info, 0)
    for row in range(0, FETCHED_ROWS, 2):  # of which two share a line
        fetch_ahead(tree.nodes, row)
    for row in range(0, CURRENT + 2, 2):
        fetch_ahead(work.states, row)
    for row in range(0, FETCHED_ROWS, 4):
        fetch_ahead(work.path, row)


@kernel
def take_back(
    policies: Policies, trees: Structs, works: Structs, pending: Pending
) -> None:
    """Give up the leaves that wait; see `undo`."""
    batch = pending.batch[0]
    last = batch.first_answer + batch.answers
    for row in range(batch.first_answer + batch.done, last):  # some may be finished
        index = pending.searches[row]
        let_go(policies, trees[index], works[index], row)
    for row in range(batch.first, batch.first + batch.count):
        index = pending.searches[row]
        let_go(policies, trees[index], works[index], row)
    pending.forget()


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
