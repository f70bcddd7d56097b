"""The driver: one simulation selects, expands, rolls out and backs up.

Plain functions over `Compiled` arguments: run as they are they are the slow twin,
compiled they are the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..core.atomics import apart, lock, unlock
from ..core.compiled import Compiled, static
from ..core.native import ExampleCall, kernel
from ..core.rng import Rng
from ..core.rows import Rows, fetch_ahead
from ..games.game import CHANCE, Game
from .backup import Backup
from .expansion import Expansion
from .policy import AT_LEAF, AT_ROOT, BY_CHANCE, CURRENT, Policy, compose_columns
from .rollout import Rollout
from .selection import Selection
from .sharing import lend, note_result, take_back
from .solver import Solver, is_proven
from .tree import (
    FULL,
    NO_NODE,
    ROOT,
    STUCK,
    UNKNOWN,
    GraphColumns,
    TableColumns,
    add_child,
    all_closed,
    find_child,
)

__all__ = ["Policies", "Work", "parts_of", "simulate"]


@dataclass(frozen=True)
class Policies(Compiled):
    """A game and how it is searched.

    Attributes:
        notes_actions: whether a policy wants to know which actions were played; set by
            itself.
        transpositions: whether a graph is searched instead of a tree.
    """

    game: Game
    selection: Selection
    expansion: Expansion
    rollout: Rollout
    backup: Backup
    solver: Solver
    notes_actions: bool = static(False)
    transpositions: bool = static(False)

    interpreted_methods = frozenset({"all", "node_dtype", "root_is_special"})

    def __post_init__(self) -> None:
        super().__post_init__()
        wanted = any(policy.uses_actions for policy in self.all)
        object.__setattr__(self, "notes_actions", wanted)

    @property
    def all(self) -> tuple[Policy, ...]:
        """The policies of all phases."""
        return (self.selection, self.expansion, self.rollout, self.backup, self.solver)

    @property
    def node_dtype(self) -> np.dtype[Any]:
        """The dtype of a node with the columns of all policies."""
        table: tuple[type, ...] = (TableColumns,) if self.game.has_hidden else ()
        table = (GraphColumns,) if self.transpositions else table
        return compose_columns((*self.all, *table))

    @property
    def root_is_special(self) -> bool:
        """Whether a subtree cannot be kept between moves."""
        if self.game.has_hidden or self.transpositions:
            return True
        return any(policy.root_is_special for policy in self.all)


PATH_DTYPE = np.dtype(
    [("node", "i4"), ("action", "i4"), ("mover", "i4"), ("chance", "i4")]
)


@dataclass(frozen=True)
class Work(Compiled):
    """What a simulation works in; nothing is allocated while searching.

    Attributes:
        states: `[4]` rows of the game's dtype: at the root, now, at the leaf, scratch.
        path: `[L]` rows: a node, the player who moved into it (the last who did, where
            chance led there), and, in games of chance, 1 where chance moves on. Where a
            policy wants to know what was played, the action that led there (`BY_CHANCE`
            for an outcome); then there are `[2 L]`, and the rollout's steps follow.
        actions: `[A]` int32, the buffer for legal actions.
        returns: `[P]` float64, the last result for each player.
        rng: the stream of random numbers.
        selection_tables: what the selection policy keeps.
        rollout_tables: what the rollout policy keeps.
    """

    states: Rows
    path: Rows
    actions: NDArray[np.int32]
    returns: NDArray[np.float64]
    rng: Rng
    selection_tables: Compiled
    rollout_tables: Compiled

    #: Between threads; see `sharing`.
    sharing: ClassVar[str] = "nothing"

    @classmethod
    def for_policies(cls, policies: Policies, rng: Rng) -> Work:
        """Buffers of the right sizes."""
        game = policies.game
        length = game.max_game_length() + 2
        length *= 2 if policies.notes_actions or game.has_hidden else 1
        return cls(
            Rows(apart(np.zeros(4, dtype=game.state_dtype()))),
            Rows(apart(np.zeros(length, dtype=PATH_DTYPE))),
            apart(np.zeros(max(1, game.num_actions()), dtype=np.int32)),
            apart(np.zeros(game.num_players(), dtype=np.float64)),
            Rng(apart(rng.state)),
            policies.selection.tables(game),
            policies.rollout.tables(game),
        )


@kernel
def simulate(policies: Any, tree: Any, work: Any, until: int, at_most: int) -> None:
    """Run simulations until the root has `until` visits. Modified in place.

    Where several children are made at once, all are played out even if that passes
    `until`, so that the tree does not depend on how often the clock is read; the root
    never gets more than `at_most` visits. A tree that becomes full ends it as well, for
    room to be made.
    """
    work.path[0].node = ROOT
    work.path[0].mover = tree.info[0].root_mover
    root = tree.nodes[ROOT]
    info = tree.info[0]
    while root.visits < until and info.full != FULL and not is_proven(root.proven):
        simulation(policies, tree, work, at_most)


def parts_of(policies: Policies, tree: Any, work: Any) -> list[ExampleCall]:
    """Calls for a second process to compile, those needed first first; see `beside`.

    They take long to compile, are needed late, and have little in common with the rest
    (what has is compiled twice). Not every kernel makes them all.
    """
    game, state = policies.game, work.states[CURRENT]
    return [
        (type(game).urgent_actions, (game, state, work.actions)),
        (evaluate, (game, policies.rollout, state, work.returns)),
        (learn, (policies, tree, work, 0)),
    ]


def simulation(policies: Any, tree: Any, work: Any, at_most: int) -> None:
    """One pass: select a leaf, expand it, play its new children out, back up."""
    depth = select_leaf(policies, tree, work)
    leaf = work.path[depth].node
    if policies.solver.knows(policies.game, tree, leaf):
        count_known(policies, tree, work, depth)
        return
    first, count = expand(policies, tree, work, depth)
    if count == 0:
        if tree.info[0].full == FULL and tree.nodes[leaf].num_children > 0:
            return  # not a leaf: once there is room, or is known to be none, it goes on
        play_out(policies, tree, work, depth)
        return
    if count > 1:
        work.states[AT_LEAF] = work.states[CURRENT]
    for child in range(first, first + count):
        if child > first:
            if tree.nodes[work.path[0].node].visits >= at_most:
                return
            work.states[CURRENT] = work.states[AT_LEAF]
        descend(policies, tree, work, depth, child)
        play_out(policies, tree, work, depth + 1)


def expand(policies: Any, tree: Any, work: Any, depth: int) -> tuple[int, int]:
    """Expansion of the node at this depth: the first child to go to, and how many.

    None where it may not have any, and where there is no room.
    """
    leaf = work.path[depth].node
    first, count = NO_NODE, 0
    may_grow = not (policies.game.has_chance and work.path[depth].chance == 1)
    above = work.desk[0].above if work.sharing == "branches" else 0
    may_grow = may_grow and above + depth < max_depth(policies, work)
    if may_grow and policies.expansion.can_grow(tree, leaf):
        first, count = policies.expansion.expand(
            policies.game, work.states[CURRENT], tree, leaf, work
        )
    if count > 0:
        policies.selection.meet(policies.game, tree, work, depth, first, count)
        policies.backup.meet(policies.game, tree, work, depth, first, count)
        if policies.expansion.leaves_choice():
            child = policies.selection.select(policies.game, tree, leaf, work, depth)
            if tree.nodes[child].visits == 0:  # else it is none of these
                first = child
            count = 1
    return first, count


def select_leaf(policies: Any, tree: Any, work: Any) -> int:
    """Selection: walk down from the root to a node to expand; returns its depth.

    Where chance moves, the way goes on by what it draws, whatever the outcomes' values.
    """
    game = policies.game
    work.states[CURRENT] = work.states[AT_ROOT]
    depth = 0
    node = work.path[0].node
    stuck = tree.info[0].full == STUCK
    while not policies.solver.knows(game, tree, node):
        if chance_moves(game, work, depth):
            child = draw_child(game, tree, work, depth, max_depth(policies, work))
        else:
            child = take_child(policies, tree, work, depth, node, stuck)
        if child == NO_NODE:
            break
        # Read as soon as the action is played. A child made just now has none.
        fetch_ahead(tree.nodes, tree.nodes[child].first_child)
        descend(policies, tree, work, depth, child)
        depth += 1
        node = child
    return depth


def take_child(
    policies: Any, tree: Any, work: Any, depth: int, node: int, stuck: bool
) -> int:
    """The child that selection takes; `NO_NODE` where the way ends at the node.

    The node is that of the path, known without a look at it: what selection reads next
    waits for its number. In a tree that is stuck nodes have all children they will get;
    where those are all settled, only a rollout tells of the others.
    """
    if tree.nodes[node].num_children == 0:
        return NO_NODE
    if all_closed(tree, node) if stuck else policies.expansion.is_due(tree, node):
        return NO_NODE
    child = policies.selection.select(policies.game, tree, node, work, depth)
    if not stuck and policies.expansion.is_preferred(
        policies.selection, tree, node, child
    ):
        return NO_NODE
    return int(child)


def max_depth(policies: Any, work: Any) -> int:
    """How deep the tree may grow."""
    rows = len(work.path)
    if policies.notes_actions:
        rows //= 2
    return rows - 1


def chance_moves(game: Any, work: Any, depth: int) -> bool:
    """Whether it is chance's turn now; the path notes it. Free where there is none."""
    if not game.has_chance:
        return False
    state = work.states[CURRENT]
    moves = not game.is_terminal(state) and game.current_player(state) == CHANCE
    work.path[depth].chance = 1 if moves else 0
    return moves


def draw_child(game: Any, tree: Any, work: Any, depth: int, deepest: int) -> int:
    """The child for an outcome drawn by its probability; made where it is new.

    `NO_NODE` at a node never visited, which is a leaf first. Without room for a child
    as well; the outcome is then played, for the rollout to go on from.
    """
    if not game.has_chance:
        return NO_NODE
    node = work.path[depth].node
    row = tree.nodes[node]
    if row.visits == 0 and node != ROOT:
        return NO_NODE
    state = work.states[CURRENT]
    if row.num_legal == UNKNOWN:
        row.num_legal = game.legal_actions(state, work.actions)
    action = game.sample_chance(state, work.actions, work.rng)
    child = find_child(tree, node, action)
    if child == NO_NODE and depth < deepest:
        child = add_child(tree, node, action)
    if child == NO_NODE:
        game.apply(state, action)
    return child


def count_known(policies: Any, tree: Any, work: Any, depth: int) -> None:
    """Backup of the exact values of a leaf."""
    policies.solver.recall(policies.game, tree, work, depth)
    plies = depth + tree.nodes[work.path[depth].node].proof_plies
    if work.sharing == "branches":
        plies += work.desk[0].above
        note_result(work, plies)
    policies.backup.update(tree, work, depth, plies)
    policies.selection.update(tree, work, depth, depth)


def descend(policies: Any, tree: Any, work: Any, depth: int, child: int) -> None:
    """Play the action that leads to a child of the node at this depth."""
    game = policies.game
    row = tree.nodes[child]
    action = row.action
    step = work.path[depth + 1]
    step.node = child
    mover = game.current_player(work.states[CURRENT])
    if policies.notes_actions:
        step.action = BY_CHANCE if game.has_chance and mover == CHANCE else action
    if game.has_chance:
        step.chance = 0
        if mover == CHANCE:
            mover = work.path[depth].mover
    step.mover = mover
    game.apply(work.states[CURRENT], action)


def play_out(policies: Any, tree: Any, work: Any, depth: int) -> None:
    """Rollout from the current state, and backup of its result."""
    if work.sharing == "leaves" and not lend(tree, work, depth):
        return
    ended, plies = roll_out(policies, work, depth)
    if work.sharing == "leaves" and not take_back(tree, work, depth):
        return
    info = tree.info[0]
    if depth > info.max_depth:
        info.max_depth = depth
    plies += depth
    if work.sharing == "branches":
        plies += work.desk[0].above
    policies.backup.update(tree, work, depth, plies)
    policies.selection.update(tree, work, depth, plies)
    policies.rollout.update(tree, work, depth, plies)
    if work.sharing == "branches":
        note_result(work, plies)
    if ended:
        learn(policies, tree, work, depth)


def roll_out(policies: Any, work: Any, depth: int) -> tuple[bool, int]:
    """Rollout: whether the leaf is an end to learn from, and the actions played."""
    game = policies.game
    state = work.states[CURRENT]
    ended = policies.solver.ends(game, state)
    if game.has_chance and work.path[depth].chance == 1:
        ended = False  # of an outcome that has no node, this one proves nothing
    plies = 0
    if not ended:
        if policies.notes_actions:
            plies = policies.rollout.play_noting(game, state, work, depth)
        else:
            plies = policies.rollout.play(game, state, work, depth)
    evaluate(game, policies.rollout, state, work.returns)
    return ended, plies


def learn(policies: Any, tree: Any, work: Any, depth: int) -> None:
    """Tell the solver of an end; the root of a branch may be read by other threads."""
    if work.sharing == "branches" and not lock(work.signals):
        return
    policies.solver.learn(policies.game, tree, work, depth)
    if work.sharing == "branches":
        work.desk[0].learned = 1
        unlock(work.signals)


def evaluate(game: Any, rollout: Any, state: Any, returns: Any) -> None:
    """The result for every player; of a game that did not end, the rollout's estimate.

    That is 0 for all but those that say otherwise: nobody's win.
    """
    players = game.num_players()
    ended = game.is_terminal(state)
    if players == 2 and game.zero_sum:
        returns[0] = (
            game.returns(state, 0) if ended else rollout.estimate(game, state, 0)
        )
        returns[1] = -returns[0]
    else:
        for player in range(players):
            returns[player] = (
                game.returns(state, player)
                if ended
                else rollout.estimate(game, state, player)
            )
