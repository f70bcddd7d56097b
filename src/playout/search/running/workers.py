"""`ThreadTeam`: the threads that search one tree, be it one or several.

A team is given the tree with every call and keeps no reference to it, which would keep
its memory.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.jit.atomics import make_signals, raise_stop, zeros_apart
from ...core.jit.models import keep_place
from ...core.jit.rows import Rows
from ...core.rng import Rng, make_rng
from ..best_line import line_keeper
from ..kernels.policies import Policies, make_work
from ..kernels.shared_tree import (
    BranchWork,
    LeafWork,
    SharedWork,
    share_branches,
    share_leaves,
)
from ..kernels.simulate import simulate
from ..policy import Policy
from ..scale import scale_for
from ..selection.base import Selection
from ..selection.leads import NoLeads
from ..tree.nodes import INFO_DTYPE
from ..tree.tree import Tree
from ..work import AT_ROOT, Work

__all__ = ["ThreadTeam", "splits"]

Call = tuple[Any, ...]

#: A tree needs so many nodes for each thread and action, or fewer threads take part:
#: else it would be full of nodes that threads took and have not used.
LEAST_NODES = 8


class ThreadTeam:
    """The threads of one tree, with what each works in.

    Args:
        policies: what they search by.
        rngs: random numbers, for each of them.
        virtual_loss: the return that a simulation under way is assumed to lose.

    Attributes:
        kernel: what they run.
        works: what each works in.
        scale: brings results to the scale of the search, for all of them.
        line: keeps the best game of a puzzle that any of them has seen.
    """

    def __init__(
        self, policies: Policies, rngs: list[Rng], virtual_loss: float
    ) -> None:
        self.policies, self.rngs = policies, rngs
        self.virtual_loss, self.scale = virtual_loss, scale_for(policies.game)
        self.line = line_keeper(policies.game)
        self.kernel = self._kernel()
        self.forget()

    def forget(self) -> None:
        """Forget what policies keep in tables, and what a failure left behind."""
        self.line.forget()
        self.works = [self._work(rng) for rng in self.rngs]
        self.trunks: list[Work] = []
        self.taken: list[Rows] = []  # by each thread: the nodes it has for itself
        self.rngs = [work.rng for work in self.works]
        if len(self.rngs) > 1:
            self.signals = make_signals()
            self.works = [self._shared(work) for work in self.works]
        if self.kernel is share_branches:
            self.taken = [Rows(zeros_apart(1, INFO_DTYPE)) for _ in self.rngs]
            self.trunks = [self._trunk(work) for work in self.works]

    def pause(self, paused: bool) -> None:
        """Ask for no exact searches for a while, or go on."""
        for work in self.works:
            work.exact.pause(paused)

    def reseed(self, seed: int, streams: list[int]) -> None:
        """Begin the random numbers of a seed."""
        for rng, stream in zip(self.rngs, streams, strict=True):
            rng.state[:] = make_rng(seed, stream=stream).state

    def go_to(self, seen: NDArray[np.void]) -> None:
        """Get ready to search from what the player to move knows: `[1]`."""
        for work in (*self.works, *self.trunks):
            work.states.array[AT_ROOT] = seen[0]
        for taken in self.taken:
            taken.array[:] = np.zeros(1, INFO_DTYPE)

    def calls(self, tree: Tree, until: int, end: int, in_turn: bool) -> list[Call]:
        """The kernel's arguments for each thread.

        Args:
            tree: the tree.
            until: the visits that its root is to have.
            end: the visits that it must not pass.
            in_turn: whether the threads are called one after the other, so that each
                has to leave some simulations to the next.
        """
        for kept in (self.policies, tree, *self.works, *self.trunks):
            keep_place(kept)
        count, done = self._useful(tree), tree.visits
        untils = [
            done + (until - done) * (index + 1) // count if in_turn else until
            for index in range(count)
        ]
        if self.kernel is not share_branches:
            return [
                (self.policies, tree, work, until, end)
                for work, until in zip(self.works, untils, strict=True)
            ]
        views = [dataclasses.replace(tree, info=taken) for taken in self.taken]
        own = zip(views, self.trunks, self.works, untils, strict=False)
        return [(self.policies, tree, *each) for each in own]

    def fail(self) -> None:
        """Have all threads end, as one of them has failed."""
        if len(self.works) > 1:
            raise_stop(self.signals)

    def return_unused(self, tree: Tree) -> None:
        """Give back the nodes that threads took and did not use.

        Those between others' stay in the tree, as leaves that nothing leads to.
        """
        for own in sorted((taken[0] for taken in self.taken), key=_end, reverse=True):
            first, end = own.num_nodes, own.capacity
            tree.nodes.array["num_children"][first:end] = 0
            if end == tree.num_nodes:
                tree.info[0].num_nodes = first
            own.num_nodes = own.capacity = 0

    @property
    def num_unused(self) -> int:
        """How many nodes threads took and have not used yet."""
        return sum(own[0].capacity - own[0].num_nodes for own in self.taken)

    def _kernel(self) -> Any:
        """What the threads run."""
        if len(self.rngs) == 1:
            return simulate
        return share_branches if splits(self.policies) else share_leaves

    def _useful(self, tree: Tree) -> int:
        """How many threads there are nodes for: each takes some for itself."""
        if self.kernel is not share_branches:
            return len(self.works)
        each = LEAST_NODES * self.policies.game.num_actions()
        return max(1, min(len(self.works), tree.capacity // each))

    def _work(self, rng: Rng) -> Work:
        return make_work(self.policies, rng, self.scale, self.line)

    def _trunk(self, below: Work) -> Work:
        """What a thread works in above its branches, with the lock."""
        own = self._shared(self._work(below.rng))
        own.thread[0].locks = 1
        return dataclasses.replace(
            own, rng=below.rng, exact=below.exact, leads=NoLeads()
        )

    def _shared(self, work: Work) -> SharedWork:
        kind = BranchWork if self.kernel is share_branches else LeafWork
        return kind.share(work, self.signals, len(self.rngs), self.virtual_loss)


def splits(policies: Policies) -> bool:
    """Whether a result can be told to a branch, and later to the nodes above it.

    That is so where the backup says so, and nothing else wants to see whole paths.
    """
    told = (policies.selection, policies.rollout)
    untold = all(type(policy).update is Policy.update for policy in told)
    untold = untold and type(policies.selection).select is Selection.select
    whole = policies.notes_actions or policies.game.has_chance
    return policies.backup.splits and untold and not whole


def _end(taken: Any) -> int:
    """The end of a thread's own nodes."""
    return int(taken.capacity)
