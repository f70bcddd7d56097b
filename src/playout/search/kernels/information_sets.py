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
`hash_index`), under a hash of what their observer knows and of the set that it came
from, as there may be any number of them. Untried actions are tried first, in random
order (`RandomChild`, whose parameters have no effect here).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...core.errors import UsageError
from ...core.jit.hashing import mix, row_hash
from ...games.contract.game import CHANCE, Actions, Game
from ..backup.mean import Mean
from ..expansion.one_child import RandomChild
from ..policy import Policy
from ..tree.children import add_child, allocate, next_block
from ..tree.children import block_size as size_of_block
from ..tree.hash_index import TABLE_BYTES, TableTree, enter, find_key
from ..tree.nodes import CLOSED, NO_NODE, PROOF_COLUMNS, ROOT, STUCK, TableColumns
from ..tree.tree import Tree
from ..work import AT_ROOT, CURRENT, SCRATCH, Work
from .simulate import max_depth
from .structure import Phases, Structure

__all__ = ["InformationSets"]


@dataclass(frozen=True)
class InformationSets(Structure[TableTree]):
    """Nodes of information sets, which a table finds, and below each its actions.

    An action's place is the set of whoever is to move after it.
    """

    columns: ClassVar[tuple[tuple[str, str], ...]] = (
        *TableColumns.columns,
        *PROOF_COLUMNS,
    )
    bytes_per_row: ClassVar[int] = TABLE_BYTES
    keeps_subtrees: ClassVar[bool] = False

    def check(self, policies: Phases) -> None:
        if not isinstance(policies.expansion, RandomChild):
            _refuse(policies.expansion, "which actions there are is seen one by one")
        if not isinstance(policies.backup, Mean):
            _refuse(
                policies.backup,
                "children are not always there to be taken; Mean() does, and what is "
                "derived from it",
            )
        for policy in policies.all:
            if type(policy).init_children is not Policy.init_children:
                _refuse(policy, "it judges single states, and here many look the same")

    def reserve(self, game: Game, capacity: int, dtype: np.dtype[Any]) -> Tree:
        return TableTree.with_table(capacity, dtype)

    # -- compiled ----------------------------------------------------------------------

    def begin(self, policies: Phases, tree: TableTree, work: Work) -> None:
        """Draw what the player at the root does not know."""
        work.states[CURRENT] = work.states[AT_ROOT]
        game, state = policies.game, work.states[CURRENT]
        game.determinize(state, game.current_player(state), work.rng)

    def take_child(
        self,
        policies: Phases,
        tree: TableTree,
        work: Work,
        depth: int,
        node: int,
        stuck: bool,
    ) -> int:
        """The child of an action that is legal here.

        An action that was never tried is tried first, drawn uniformly.
        """
        if depth >= max_depth(policies, work):
            return NO_NODE
        untried, tried = open_children(policies.game, tree, work, node)
        child = NO_NODE
        if untried > 0:
            child = add_child(tree, node, work.actions[work.rng.below(untried)])
            if child == NO_NODE:
                tree.info[0].full = STUCK
        if child == NO_NODE and tried > 0:
            child = policies.selection.select(policies.game, tree, node, work, depth)
        note_available(policies, tree, node)
        return int(child)

    def arrive(
        self, policies: Phases, tree: TableTree, work: Work, depth: int, child: int
    ) -> int:
        """The set of whoever is to move; the way ends where the child is new."""
        if tree.nodes[child].visits == 0 or is_over_after_chance(policies.game, work):
            return NO_NODE
        node = find_set(policies, tree, work, depth)
        if node != NO_NODE:
            work.path[depth].place = node
        return node

    def expands_leaves(self) -> bool:
        return False

    def back_up(
        self,
        policies: Phases,
        tree: TableTree,
        work: Work,
        depth: int,
        plies: int,
        ended: bool,
    ) -> None:
        """The backup of the actions; a set has the visits and the returns as well.

        Those are for the player who chooses in it.
        """
        policies.backup.update(tree, work, depth, plies)
        for index in range(1, depth + 1):
            step = work.path[index]
            if step.place != step.node:
                row = tree.nodes[step.place]
                row.visits += 1
                if index < depth:
                    row.value_sum += work.returns[work.path[index + 1].mover]


def _refuse(policy: Policy, why: str) -> None:
    raise UsageError(f"{policy} does not work where information is hidden: {why}")


# -- compiled --------------------------------------------------------------------------


def open_children(
    game: Game, tree: TableTree, work: Work, node: int
) -> tuple[int, int]:
    """Close all children but those of actions that are legal in this state.

    Returns how many legal actions have no child, which then stand at the front of
    `work.actions`, and how many have one.
    """
    legal = game.legal_actions(work.states[CURRENT], work.actions)
    nodes = tree.nodes
    row = nodes[node]
    if row.num_children == 0:
        row.num_legal = legal if node == ROOT else game.num_actions()
    count = row.num_children
    block = row.first_child
    done = tried = 0
    while done < count:
        size = size_of_block(nodes, done, count)
        for child in range(block, block + size):
            place = position_of(nodes[child].action, work.actions, legal - tried)
            if place == NO_NODE:
                nodes[child].proven |= CLOSED
            else:
                nodes[child].proven &= ~CLOSED
                tried += 1
                work.actions[place] = work.actions[legal - tried]
        done += size
        if done < count:
            block = next_block(nodes, block)
    return legal - tried, tried


def position_of(action: int, actions: Actions, count: int) -> int:
    """Where an action stands in a list; `NO_NODE` where it does not."""
    for place in range(count):
        if actions[place] == action:
            return place
    return NO_NODE


def note_available(policies: Phases, tree: TableTree, node: int) -> None:
    """Tell selection which children could have been taken."""
    nodes = tree.nodes
    row = nodes[node]
    count = row.num_children
    block = row.first_child
    done = 0
    while done < count:
        size = size_of_block(nodes, done, count)
        for child in range(block, block + size):
            if not nodes[child].proven & CLOSED:
                policies.selection.note_available(nodes[child])
        done += size
        if done < count:
            block = next_block(nodes, block)


def is_over_after_chance(game: Game, work: Work) -> bool:
    """Play what chance draws; whether the game is over then."""
    state = work.states[CURRENT]
    while not game.is_terminal(state):
        if not (game.has_chance and game.current_player(state) == CHANCE):
            return False
        game.apply(state, game.sample_chance(state, work.actions, work.rng))
    return True


def find_set(policies: Phases, tree: TableTree, work: Work, depth: int) -> int:
    """The node of the information set of whoever is to move; made where it is new.

    It is known by what its observer sees, and by the set that this observer was in
    before: with a single one the last set, with many the last in which the same player
    was to move.
    """
    game = policies.game
    mover = game.current_player(work.states[CURRENT])
    single = policies.selection.single_observer()
    observer = game.current_player(work.states[AT_ROOT]) if single else mover
    work.states[SCRATCH] = work.states[CURRENT]
    game.hide(work.states[SCRATCH], observer)
    before = ROOT
    for index in range(depth - 1, 0, -1):
        if single or work.path[index + 1].mover == mover:
            before = work.path[index].place
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
