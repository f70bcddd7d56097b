"""Search where players know different things: information-set MCTS.

    Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG
    4 (2012), sections IV.C to IV.E: SO-ISMCTS, and MO-ISMCTS.

Every simulation first draws what the player at the root does not know (`determinize`)
and then plays on in that state as if it were the true one. What is learned is kept by
*information set*: by what a player knows where it is to move (`hide`). So a node stands
for all states that look the same, and of its actions each simulation sees only those
that are legal in its own state; selection is told how often each was there to be taken.

Several observers (MO): every player decides by what it knows itself, each in a tree of
its own. A single observer (SO): all decide by what the player at the root knows, so
that opponents are taken to know neither more nor less than it.

All trees share one array. The children of an information set's node are its actions,
which have no children themselves. Sets are not children: they are found by a table (see
`table`), under a hash of what their observer knows and of the set that it came from, as
there may be any number of them. Untried actions are drawn at once (`RandomChild`, whose
parameters play no part here).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.hashing import row_hash
from ..core.native import kernel
from ..core.rng import mix
from ..games.game import CHANCE, Game
from .kernel import Policies, evaluate
from .plain import expect_plain
from .policy import AT_ROOT, CURRENT, SCRATCH
from .selection import ISUCT, UCT, Selection
from .spread import NormalizedUCT
from .table import TableTree, enter, find_key, table_for
from .tree import CLOSED, NO_NODE, ROOT, STUCK, Tree, add_child, allocate
from .tree import block_size as size_of_block

__all__ = ["SetTree", "check_hidden", "default_selection", "simulate_hidden"]

#: The most actions of an information set: nobody knows which will be legal in it.
MANY = 2**15 - 1


class SetTree(TableTree):
    """Nodes of information sets, which a table finds, and below each its actions."""

    @classmethod
    def with_room(cls, capacity: int, dtype: np.dtype[Any]) -> SetTree:
        """An empty one with room for so many nodes."""
        plain = Tree.reserve(capacity, dtype)
        return cls(plain.nodes, plain.info, plain.blank, table_for(capacity))


def default_selection(game: Game) -> Selection:
    """The selection for this kind of game."""
    if game.has_hidden:
        return ISUCT()
    return NormalizedUCT() if game.num_players() == 1 else UCT()


def check_hidden(policies: Policies) -> None:
    """Complain about policies that cannot work where information is hidden.

    Raises:
        UsageError: one reads what each action was, looks at single states, or makes
            or updates nodes in another way.
    """
    if policies.game.has_hidden:
        expect_plain(policies, "where information is hidden")


@kernel
def simulate_hidden(
    policies: Any, tree: Any, work: Any, until: int, at_most: int
) -> None:
    """Run simulations until the root has `until` visits. Modified in place."""
    work.path[0].node = ROOT
    work.path[0].mover = tree.info[0].root_mover
    root = tree.nodes[ROOT]
    while root.visits < until:
        simulation(policies, tree, work)


def simulation(policies: Any, tree: Any, work: Any) -> None:
    """One pass: draw what is hidden, walk down, expand, play out, back up."""
    game = policies.game
    observer = game.current_player(work.states[AT_ROOT])
    work.states[CURRENT] = work.states[AT_ROOT]
    game.determinize(work.states[CURRENT], observer, work.rng)
    depth = walk(policies, tree, work, observer)
    state = work.states[CURRENT]
    plies = policies.rollout.play(game, state, work, depth)
    evaluate(game, policies.rollout, state, work.returns)
    info = tree.info[0]
    if (depth + 1) // 2 > info.max_depth:
        info.max_depth = (depth + 1) // 2
    policies.backup.update(tree, work, depth, depth + plies)
    policies.selection.update(tree, work, depth, depth + plies)
    policies.rollout.update(tree, work, depth, depth + plies)


def walk(policies: Any, tree: Any, work: Any, observer: int) -> int:
    """Selection and expansion, from decision to decision; the depth of the leaf.

    In `work.path` the information sets stand at even places, those who choose there as
    their movers, and behind each the child that was taken.
    """
    game = policies.game
    depth = 0
    while depth + 3 < len(work.path):
        node = work.path[depth].node
        player = game.current_player(work.states[CURRENT])
        child, is_new = take_child(policies, tree, work, depth, node)
        if child == NO_NODE:
            return depth
        depth += 1
        work.path[depth].node = child
        work.path[depth].mover = player
        game.apply(work.states[CURRENT], tree.nodes[child].action)
        if is_new or is_over_after_chance(game, work):
            return depth
        node = find_set(policies, tree, work, depth, observer)
        if node == NO_NODE:
            return depth
        depth += 1
        work.path[depth].node = node
        work.path[depth].mover = game.current_player(work.states[CURRENT])
    return depth


def take_child(
    policies: Any, tree: Any, work: Any, depth: int, node: int
) -> tuple[int, bool]:
    """The child of an action that is legal here, and whether it is new.

    An action never tried before is tried first, drawn uniformly.
    """
    untried, tried = open_children(policies.game, tree, work, node)
    child, is_new = NO_NODE, False
    if untried > 0:
        child = add_child(tree, node, work.actions[work.rng.below(untried)])
        is_new = child != NO_NODE
        if not is_new:
            tree.info[0].full = STUCK
    if child == NO_NODE and tried > 0:
        child = policies.selection.select(policies.game, tree, node, work, depth)
    count_offers(policies, tree, node)
    return child, is_new


def open_children(game: Any, tree: Any, work: Any, node: int) -> tuple[int, int]:
    """Close all children but those of actions that are legal in this state.

    Returns how many legal actions have no child, which then stand at the front of
    `work.actions`, and how many have one.
    """
    legal = game.legal_actions(work.states[CURRENT], work.actions)
    nodes = tree.nodes
    row = nodes[node]
    if row.num_children == 0:
        row.num_legal = legal if node == ROOT else MANY
    count = row.num_children
    block = row.first_child
    done = tried = 0
    while done < count:
        size = size_of_block(done, count)
        for child in range(block, block + size):
            place = position_of(nodes[child].action, work.actions, legal - tried)
            if place == NO_NODE:
                nodes[child].proven |= CLOSED
            else:
                nodes[child].proven &= ~CLOSED
                tried += 1
                work.actions[place] = work.actions[legal - tried]
        block = nodes[block].link
        done += size
    return legal - tried, tried


def position_of(action: int, actions: Any, count: int) -> int:
    """Where an action stands in a list; `NO_NODE` where it does not."""
    for place in range(count):
        if actions[place] == action:
            return place
    return NO_NODE


def count_offers(policies: Any, tree: Any, node: int) -> None:
    """Tell selection which children could have been taken."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = size_of_block(done, count)
        for child in range(block, block + size):
            if not nodes[child].proven & CLOSED:
                policies.selection.offer(nodes[child])
        block = nodes[block].link
        done += size


def is_over_after_chance(game: Any, work: Any) -> bool:
    """Play what chance draws; whether the game is over then."""
    state = work.states[CURRENT]
    while not game.is_terminal(state):
        if not (game.has_chance and game.current_player(state) == CHANCE):
            return False
        game.apply(state, game.sample_chance(state, work.actions, work.rng))
    return True


def find_set(policies: Any, tree: Any, work: Any, depth: int, observer: int) -> int:
    """The node of the information set of whoever is to move; made where it is new."""
    game = policies.game
    mover = game.current_player(work.states[CURRENT])
    single = policies.selection.single_observer()
    if not single:
        observer = mover
    work.states[SCRATCH] = work.states[CURRENT]
    game.hide(work.states[SCRATCH], observer)
    before = ROOT
    for index in range(depth - 1, 0, -2):
        if single or work.path[index].mover == mover:
            before = work.path[index].node
            break
    key = mix(row_hash(work.states[SCRATCH]) ^ np.uint64(before))
    node = find_key(tree, key)
    if node == NO_NODE:
        node = allocate(tree, 1)
        if node == NO_NODE:
            tree.info[0].full = STUCK
        else:
            enter(tree, node, key)
    return node
