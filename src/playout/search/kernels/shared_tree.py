"""Several threads on one tree.

Two kernels do it, and the policies decide which:

- `share_leaves` holds the lock except during rollouts. It serves every policy and every
  kind of game.
- `share_branches` has threads own whole branches of the tree for some simulations at a
  time. They take the lock to find a branch, and to update the nodes above it; in the
  branch they run the plain search. Writing memory that other threads write, too, is
  slow, and this way they do so once for many simulations.

The column `owner` tells where branches begin. Nodes above all branches are `TRUNK`, so
a way down from the root ends at the first node that is not. That node is either `OWNED`
by a thread, or free to be taken. When its branch has grown, it becomes `TRUNK`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import (
    announce_news,
    apart,
    lock,
    news,
    stopped,
    unlock,
    wait_for_news,
)
from ...core.jit.native import kernel
from ...core.jit.rows import Row, Rows, fetch_ahead
from ..selection.leads import NoLeads
from ..solver.bounds import is_proven, is_settled
from ..tree.children import all_closed, clear_nodes
from ..tree.nodes import FREE, FULL, NO_NODE, OWNED, ROOT, STUCK, TRUNK, NodeTable
from ..work import AT_ROOT, CURRENT, Work
from .policies import Policies
from .simulate import count_known, expand, simulation
from .structure import descend, take_child
from .virtual_loss import THREAD_DTYPE, add_virtual_loss

__all__ = ["BranchWork", "LeafWork", "SharedWork", "share_branches", "share_leaves"]

#: The most simulations in a branch at a time, and its visits for each of them.
MOST_RESULTS, VISITS_PER_RESULT = 256, 4
#: A node becomes `TRUNK` with so many visits, or with the root's divided by so many for
#: every thread if that is more: then there are branches enough for all.
LEAST_TRUNK, BRANCHES_PER_THREAD = 16, 64
#: Before that it must have so many visits for every child, as otherwise little
#: would be done in a branch between two locks; unless branches are too few for threads.
VISITS_PER_BRANCH, FEWEST_PER_THREAD = 256, 2
#: How many branches owned by others a thread comes to before it gives up its turn.
MOST_LOOKS = 2000
#: The most nodes that a thread takes at a time to make children of.
ARENA = 1024


@dataclass(frozen=True)
class SharedWork(Work):
    """What one of several threads works in.

    Attributes:
        signals: the lock and the call to stop, common to all.
        thread: `[1]` row of `THREAD_DTYPE`.
        results: `[MOST_RESULTS * (P + 1)]` returns for every player, and the plies.
        keeps_leads: whether no other thread changes a node's children meanwhile.
    """

    keeps_leads: ClassVar[bool] = False

    signals: NDArray[np.int64]
    thread: Rows
    results: NDArray[np.float64]

    @classmethod
    def share(
        cls,
        work: Work,
        signals: NDArray[np.int64],
        threads: int,
        virtual_loss: float,
    ) -> SharedWork:
        """A thread's buffers; `work` gives those that a single thread has, too."""
        thread = np.zeros(1, dtype=THREAD_DTYPE)
        thread["virtual_loss"], thread["num_threads"] = virtual_loss, threads
        room = np.zeros(MOST_RESULTS * (len(work.returns) + 1))
        own: Any = {field.name: getattr(work, field.name) for field in fields(Work)}
        if not cls.keeps_leads:
            own["leads"] = NoLeads()
        thread_rows, results = Rows(apart(thread)), apart(room)
        return cls(**own, signals=signals, thread=thread_rows, results=results)


class LeafWork(SharedWork):
    """For threads that leave the tree only for rollouts."""

    def release_tree(self, policies: Policies, tree: NodeTable, depth: int) -> bool:
        if stopped(self.signals):
            return False
        add_virtual_loss(tree, self, depth, 1)
        unlock(self.signals)
        return True

    def acquire_tree(self, tree: NodeTable, depth: int) -> bool:
        if not lock(self.signals):
            return False
        add_virtual_loss(tree, self, depth, -1)
        return True


class BranchWork(SharedWork):
    """For threads that own a branch of the tree for a while."""

    keeps_leads = True

    def start_depth(self) -> int:
        return int(self.thread[0].start_depth)

    def begin_proof(self, depth: int) -> bool:
        thread = self.thread[0]
        if depth > 0:
            return True  # below the root of a branch all is this thread's own
        if thread.locks == 0 and not lock(self.signals):
            return False
        thread.locks += 1
        return True

    def end_proof(self, depth: int) -> None:
        thread = self.thread[0]
        if depth > 0:
            return
        thread.learned = 1
        thread.locks -= 1
        if thread.locks == 0:
            unlock(self.signals)

    def note_result(self, plies: int) -> None:
        thread = self.thread[0]
        players = len(self.returns)
        place = thread.num_done * (players + 1)
        for player in range(players):
            self.results[place + player] = self.returns[player]
        self.results[place + players] = plies
        thread.num_done += 1


# -- compiled --------------------------------------------------------------------------


@kernel
def share_leaves(
    policies: Policies, tree: NodeTable, work: LeafWork, until: int, at_most: int
) -> None:
    """Run simulations, like `simulate`, on one of several threads."""
    policies.structure.start(policies, tree, work)
    while lock(work.signals):
        if is_over(tree, until):
            unlock(work.signals)
            return
        simulation(policies, tree, work, at_most)
        if stopped(work.signals):
            return
        unlock(work.signals)


@kernel
def share_branches(
    policies: Policies,
    tree: NodeTable,
    view: NodeTable,
    trunk: BranchWork,
    work: BranchWork,
    until: int,
) -> None:
    """Run simulations, like `simulate`, on one of several threads, branch by branch.

    Args:
        policies: what to search by.
        tree: the tree that is common to all.
        view: the same nodes, with new ones for this thread alone.
        trunk: to work in above a branch.
        work: to work in below.
        until: the visits that the root is to have.
    """
    policies.structure.start(policies, tree, trunk)
    work.leads.forget()
    looks = 0
    if not lock(work.signals):
        return
    while not (looks == MOST_LOOKS or is_over(tree, until)):
        if tree.nodes[ROOT].owner == TRUNK and trunk.exact.is_due(tree):
            if not ask_root(policies, tree, trunk):
                return
            continue
        depth = find_branch(policies, tree, trunk)
        branch = tree.nodes[trunk.path[depth].node]
        if branch.owner == OWNED:
            known = news(work.signals)
            unlock(work.signals)
            looks += 1
            wait_for_news(work.signals, known)
            if not lock(work.signals):
                return
            continue
        looks = 0
        supply(tree, view, len(work.actions))
        take_branch(tree, view, trunk, work, depth, until)
        unlock(work.signals)
        search_branch(policies, view, work)
        if not lock(work.signals):
            return
        give_back(policies, tree, view, trunk, work)
        announce_news(work.signals)
    unlock(work.signals)


def is_over(tree: NodeTable, until: int) -> bool:
    """Whether no simulation is left to begin."""
    root = tree.nodes[ROOT]
    if root.visits >= until or tree.info[0].full == FULL:
        return True
    return is_settled(root.proven)


def ask_root(policies: Policies, tree: NodeTable, trunk: BranchWork) -> bool:
    """Ask about the root while others have the lock; whether the search goes on."""
    tree.nodes[ROOT].proof_plies += 1
    unlock(trunk.signals)
    said = trunk.exact.ask_root(policies, trunk)
    if not lock(trunk.signals):
        return False
    known = is_settled(tree.nodes[ROOT].proven)
    if not known and trunk.exact.note_root(policies, tree, trunk, said):
        trunk.thread[0].num_done = 0
        count_known(policies, tree, trunk, 1)
    return True


def find_branch(policies: Policies, tree: NodeTable, trunk: BranchWork) -> int:
    """Selection in the trunk: the depth of the first node below it."""
    trunk.states[CURRENT] = trunk.states[AT_ROOT]
    stuck = tree.info[0].full == STUCK
    depth = 0
    node = ROOT
    while tree.nodes[node].owner == TRUNK and not policies.solver.knows(
        policies.game, tree, node
    ):
        child = take_child(policies, tree, trunk, depth, node, stuck)
        if child == NO_NODE and not stuck:
            child, _ = expand(policies, tree, trunk, depth)
        if child == NO_NODE:
            child = policies.selection.select(policies.game, tree, node, trunk, depth)
        fetch_ahead(tree.nodes, tree.nodes[child].first_child)
        descend(policies, tree, trunk, depth, child)
        depth += 1
        node = child
    return depth


def supply(tree: NodeTable, view: NodeTable, need: int) -> None:
    """Reserve nodes for a thread's new children, if there are any left."""
    info = tree.info[0]
    own = view.info[0]
    own.full = info.full
    room = info.capacity - info.num_nodes
    if info.full == STUCK or own.num_nodes + need <= own.capacity or room == 0:
        return
    size = max(need, min(max(ARENA, 16 * need), info.capacity // 64))
    if own.capacity != info.num_nodes:  # those left of the last share are given up
        clear_nodes(tree, own.num_nodes, own.capacity - own.num_nodes)
        own.num_nodes = info.num_nodes
    info.num_nodes += min(size, room)
    own.capacity = info.num_nodes


def take_branch(
    tree: NodeTable,
    view: NodeTable,
    trunk: BranchWork,
    work: BranchWork,
    depth: int,
    until: int,
) -> None:
    """Own the node at this depth and all below it, for some simulations."""
    row = tree.nodes[trunk.path[depth].node]
    row.owner = OWNED
    thread = work.thread[0]
    left = until - tree.nodes[ROOT].visits
    share = (left + thread.num_threads - 1) // thread.num_threads
    thread.quota = max(1, min(MOST_RESULTS, row.visits // VISITS_PER_RESULT, share))
    thread.num_done = 0
    thread.start_depth = depth
    thread.learned = 0
    add_virtual_loss(tree, trunk, depth, thread.quota)
    view.info[0].max_depth = 0
    work.path[0] = trunk.path[depth]
    work.states[AT_ROOT] = trunk.states[CURRENT]
    add_virtual_loss(tree, work, 0, -1)  # of the simulation that begins


def search_branch(policies: Policies, view: NodeTable, work: BranchWork) -> None:
    """Run simulations from the branch's node on.

    They end early where the thread's nodes might not be enough for one more. The node
    keeps its virtual losses meanwhile: were they taken off one by one, its visits would
    not count its simulations, and no lead would hold there.
    """
    thread = work.thread[0]
    own = view.info[0]
    branch = view.nodes[work.path[0].node]
    work.leads.drop(work.path[0].node)  # others have been there since
    most = branch.visits + thread.quota
    going_on = True
    while going_on:
        simulation(policies, view, work, most)
        going_on = thread.num_done < thread.quota and not is_proven(branch.proven)
        enough = own.capacity - own.num_nodes >= len(work.actions)
        going_on = going_on and (enough or own.full == STUCK) and own.full != FULL


def give_back(
    policies: Policies,
    tree: NodeTable,
    view: NodeTable,
    trunk: BranchWork,
    work: BranchWork,
) -> None:
    """Add the results to the trunk, and give up the branch."""
    thread = work.thread[0]
    depth = thread.start_depth
    add_virtual_loss(tree, work, 0, 1 - thread.quota)
    if depth > 0:
        add_virtual_loss(tree, trunk, depth - 1, -thread.quota)
        back_up_in_trunk(policies, tree, trunk, work)
    info = tree.info[0]
    info.max_depth = max(info.max_depth, depth + view.info[0].max_depth)
    if view.info[0].full == FULL and info.num_nodes == info.capacity:
        info.full = FULL
    node = work.path[0].node
    row = tree.nodes[node]
    if thread.learned == 1:
        policies.solver.propagate(policies.game, tree, trunk, depth)
    row.owner = FREE
    if row.num_children > 0 and row.visits >= visits_of_trunk(
        tree, row, thread.num_threads
    ):
        is_leaf = policies.expansion.is_due(tree, node)
        if info.full == STUCK:
            is_leaf = all_closed(tree, node)
        if not is_leaf:
            row.owner = TRUNK


def visits_of_trunk(tree: NodeTable, row: Row, threads: int) -> int:
    """How many visits a node needs to become `TRUNK`."""
    total = tree.nodes[ROOT].visits
    worthwhile = min(
        VISITS_PER_BRANCH * row.num_children, total // (FEWEST_PER_THREAD * threads)
    )
    return max(LEAST_TRUNK, total // (BRANCHES_PER_THREAD * threads), worthwhile)


def back_up_in_trunk(
    policies: Policies,
    tree: NodeTable,
    trunk: BranchWork,
    work: BranchWork,
) -> None:
    """Backup of the branch's results in the nodes above it."""
    thread = work.thread[0]
    players = len(work.returns)
    for result in range(thread.num_done):
        place = result * (players + 1)
        for player in range(players):
            trunk.returns[player] = work.results[place + player]
        plies = int(work.results[place + players])
        policies.backup.update(tree, trunk, thread.start_depth - 1, plies)
