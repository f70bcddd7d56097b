"""The driver: one simulation selects, expands, rolls out and backs up.

Plain functions over `Compiled` arguments: they are compiled for a search, and run as
they are for one that is interpreted.
"""

from __future__ import annotations

from typing import Any

from ...core.jit.native import kernel
from ...core.jit.rows import fetch_ahead
from ...games.contract.game import Game, State
from ..rollout.base import Rollout
from ..solver.bounds import is_settled, plies_left
from ..tree.children import link_parts
from ..tree.nodes import FULL, NO_NODE, ROOT, STUCK, NodeTable
from ..work import AT_LEAF, CURRENT, Work
from .chance import chance_moves, draw_child, leads_to_chance
from .policies import Policies
from .structure import Phases, descend

__all__ = ["simulate"]


@kernel
def simulate(
    policies: Policies, tree: NodeTable, work: Work, until: int, at_most: int
) -> None:
    """Run simulations until the root has `until` visits. Modified in place.

    Where several children are made at once, all are played out even if that passes
    `until`, so that the tree does not depend on how often the clock is read; the root
    never gets more than `at_most` visits. A tree that becomes full ends it as well, for
    room to be made.
    """
    policies.structure.start(policies, tree, work)
    work.leads.forget()
    root = tree.nodes[ROOT]
    info = tree.info[0]
    while root.visits < until and info.full != FULL and not is_settled(root.proven):
        simulation(policies, tree, work, at_most)


def simulation(policies: Policies, tree: NodeTable, work: Work, at_most: int) -> None:
    """One pass: select a leaf, expand it, play its new children out, back up."""
    depth = select_leaf(policies, tree, work)
    leaf = work.path[depth].place
    if policies.structure.knows(policies, tree, leaf) or work.exact.knows(tree, leaf):
        count_known(policies, tree, work, depth)
        return
    first, count = NO_NODE, 0
    if policies.structure.expands_leaves() and not work.expands_later(policies):
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


def select_leaf(policies: Policies, tree: NodeTable, work: Work) -> int:
    """Selection: walk down from the root to a leaf; returns its depth."""
    game, structure = policies.game, policies.structure
    structure.begin(policies, tree, work)
    depth = work.exact.begin(policies, tree, work)
    if depth >= 0:
        return depth
    depth = 0
    node = work.path[0].place
    stuck = tree.info[0].full == STUCK
    while node != NO_NODE and not structure.knows(policies, tree, node):
        if chance_moves(game, work, depth):
            child = draw_child(game, tree, work, depth, max_depth(policies, work))
        else:
            child = structure.take_child(policies, tree, work, depth, node, stuck)
        if child == NO_NODE:
            break
        # Read as soon as the action is played. A child made just now has none. A first
        # block of two may stand in two lines, one of four in three.
        first, parts = tree.nodes[child].first_child, link_parts(tree.nodes)
        fetch_ahead(tree.nodes, first)
        if parts > 1:
            fetch_ahead(tree.nodes, first + 2)
        if parts > 2:
            fetch_ahead(tree.nodes, first + 4)
        descend(policies, tree, work, depth, child)
        depth += 1
        node = structure.arrive(policies, tree, work, depth, child)
        if work.exact.settles(policies, tree, work, depth):
            break
    return depth


def expand(
    policies: Phases, tree: NodeTable, work: Work, depth: int
) -> tuple[int, int]:
    """Expansion of the place at this depth: the first child to go to, and how many.

    None where it may not have any, where there is no room, and where the leaf itself is
    what is evaluated.
    """
    leaf = work.path[depth].place
    first, count = NO_NODE, 0
    may_grow = work.start_depth() + depth < max_depth(policies, work)
    may_grow = may_grow and not leads_to_chance(policies.game, work, depth)
    if may_grow and policies.expansion.can_grow(tree, leaf):
        first, count = policies.expansion.expand(
            policies.game, work.states[CURRENT], tree, leaf, work
        )
    if count > 0:
        policies.selection.init_children(policies.game, tree, work, depth, first, count)
        policies.backup.init_children(policies.game, tree, work, depth, first, count)
        if policies.expansion.evaluates_leaf():
            return NO_NODE, 0
        if policies.expansion.visits_first():
            count = 1
        elif policies.expansion.leaves_choice():
            child = policies.selection.select(policies.game, tree, leaf, work, depth)
            if tree.nodes[child].visits == 0:
                first = child
            else:  # an older one, which is not what is visited
                work.leads.drop(leaf)
            count = 1
    return first, count


def max_depth(policies: Phases, work: Work) -> int:
    """How deep the tree may grow."""
    rows = len(work.path)
    if policies.notes_actions:
        rows //= 2
    return rows - 1


def play_out(policies: Policies, tree: NodeTable, work: Work, depth: int) -> None:
    """Rollout from the current state, and backup of its result."""
    if not work.release_tree(policies, tree, depth):
        return
    ended, plies = roll_out(policies, work, depth)
    if not work.acquire_tree(tree, depth):
        return
    back_up(policies, tree, work, depth, depth + plies, ended)


def roll_out(policies: Policies, work: Work, depth: int) -> tuple[bool, int]:
    """Rollout: whether the leaf is an end to learn from, and the actions played."""
    game = policies.game
    state = work.states[CURRENT]
    ended = policies.solver.ends(game, state)
    if leads_to_chance(game, work, depth):
        ended = False  # of an outcome that has no node, this one proves nothing
    plies = 0
    if work.exact.proves_leaf(game, state, work, ended):
        return True, 0
    if sum_rewards(game, policies, work):
        return False, 0
    if not ended:
        if policies.notes_actions:
            plies = policies.rollout.play_noting(game, state, work, depth)
        else:
            plies = policies.rollout.play(game, state, work, depth)
    evaluate(game, policies.rollout, state, work)
    return ended, plies


def sum_rewards(game: Game, policies: Any, work: Work) -> bool:
    """A rollout that writes what it brings to `work.returns`, if there is one."""
    if game.has_rewards:
        gamma = policies.backup.gamma
        state = work.states[CURRENT]
        return bool(policies.rollout.play_summing(game, state, work, gamma))
    return False


def back_up(
    policies: Policies, tree: NodeTable, work: Work, depth: int, plies: int, ended: bool
) -> None:
    """Back up `work.returns`, and tell all policies of the result.

    Args:
        policies: of all phases.
        tree: modified in place.
        work: the path from the root, and what came out.
        depth: of the leaf.
        plies: actions from `work.path[0]` to the end of the game.
        ended: whether the leaf is an end of the game to learn from.
    """
    info = tree.info[0]
    if depth > info.max_depth:
        info.max_depth = depth
    plies += work.start_depth()
    policies.structure.back_up(policies, tree, work, depth, plies, ended)
    policies.selection.update(tree, work, depth, plies)
    policies.rollout.update(tree, work, depth, plies)
    work.line.note(policies.game, work, plies)
    work.note_result(plies)


def count_known(policies: Policies, tree: NodeTable, work: Work, depth: int) -> None:
    """Backup of the exact values of a leaf."""
    policies.structure.recall(policies, tree, work, depth)
    above = work.start_depth()
    plies = above + depth + plies_left(tree.nodes[work.path[depth].place])
    policies.structure.back_up(policies, tree, work, depth, plies, False)
    policies.selection.update(tree, work, depth, depth)
    work.note_result(plies)


def evaluate(game: Game, rollout: Rollout, state: State, work: Work) -> None:
    """Write each player's result to `work.returns`, on the scale of the search.

    Of a game that did not end it is the rollout's estimate. Where there are rewards on
    the way, it is what comes after them: nothing, once a game has ended.
    """
    players = game.num_players()
    returns, scale = work.returns, work.scale
    ended = game.is_terminal(state)
    if game.has_rewards and ended:
        returns[:] = 0.0
        return
    if players == 2 and game.zero_sum:
        returns[0] = (
            scale.of(game.returns(state, 0))
            if ended
            else scale.near(work.judge.estimate(rollout, game, state, 0))
        )
        returns[1] = -returns[0]
    else:
        for player in range(players):
            returns[player] = (
                scale.of(game.returns(state, player))
                if ended
                else scale.near(work.judge.estimate(rollout, game, state, player))
            )
