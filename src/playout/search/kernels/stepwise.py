"""A search that stops at leaves, which are evaluated outside of it.

    begin     runs simulations until some of them wait at a leaf
    ...       somebody evaluates the states that wait, in any language, at leisure
    finish    expands these leaves, and backs their values up

Both are the driver's own simulation: `StepWork` keeps it from playing a leaf out, and
notes it in `Pending` instead. A leaf that is an end of the game, or known to the
solver, is finished at once. One leaf at a time grows, node by node, the tree of a
search whose rollout gives the same values. Several, the batch, are kept apart by
virtual losses.

With `OnEvaluation` a leaf gets its children when it is finished. One that waits is
`OWNED` until then: a simulation that comes to it again has nothing to do there, and the
batch ends.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...core.jit.native import kernel
from ...core.jit.rows import Rows
from ...games.contract.game import Game, State
from ..selection.leads import NoLeads
from ..solver.bounds import is_settled
from ..tree.nodes import FREE, FULL, OWNED, ROOT, NodeTable
from ..work import CURRENT, Work
from .chance import play_chance
from .pending import Pending
from .policies import Policies
from .simulate import back_up, expand, roll_out, simulation
from .virtual_loss import THREAD_DTYPE, add_virtual_loss

__all__ = ["GOOD", "StepWork", "begin", "finish", "undo"]

#: How far values may lie outside of the game's range by rounding; they count as its
#: ends. For players of a zero-sum game, how far their sum may be from 0.
SLACK = 1e-3
#: What `first_wrong` says where all values and priors can be used.
GOOD = -1


@dataclass(frozen=True)
class StepWork(Work):
    """What a search works in whose leaves are evaluated elsewhere.

    Attributes:
        pending: the leaves that wait.
        thread: `[1]` row of `THREAD_DTYPE`, for the virtual loss.
    """

    pending: Pending
    thread: Rows

    interpreted_methods = frozenset({"of"})

    @classmethod
    def of(cls, work: Work, pending: Pending, virtual_loss: float) -> StepWork:
        """The same buffers, and leaves that wait."""
        thread = np.zeros(1, dtype=THREAD_DTYPE)
        thread["virtual_loss"] = virtual_loss
        own: Any = {field.name: getattr(work, field.name) for field in fields(Work)}
        own["leads"] = NoLeads()  # virtual losses come and go
        return cls(**own, pending=pending, thread=Rows(thread))

    def expands_later(self, policies: Policies) -> bool:
        return policies.expansion.evaluates_leaf()

    def prior(self, game: Game, state: State, action: int) -> float:
        """The prior that was given from outside, else the game's own."""
        batch = self.pending.batch[0]
        if batch.row < 0 or batch.has_priors == 0:
            return float(self.judge.prior(game, state, action))
        return float(self.pending.priors[batch.row * len(self.actions) + action])

    def release_tree(self, policies: Policies, tree: NodeTable, depth: int) -> bool:
        """Have the leaf wait; only where the game is over it is finished at once.

        Where chance moves it draws, so that what waits is always a player's turn.
        """
        game, state = policies.game, self.states[CURRENT]
        play_chance(game, self, depth)
        if game.is_terminal(state):
            if policies.expansion.evaluates_leaf():
                expand(policies, tree, self, depth)  # which notes that it has none
            return True
        pending = self.pending
        full = pending.batch[0].count == pending.room(game)
        if full or not may_wait(policies, tree, self, depth):
            self.pending.batch[0].crowded = 1
            return False
        pending.keep(game, self, depth)
        if pending.batch[0].shared == 1:
            add_virtual_loss(tree, self, depth, 1)
        return False


# -- compiled --------------------------------------------------------------------------


@kernel
def begin(
    policies: Policies, tree: NodeTable, work: StepWork, until: int, at_most: int
) -> int:
    """Run simulations until a batch of leaves waits; returns how many do.

    It ends earlier as `simulate` does, and where one comes to a leaf that waits. A
    batch that was begun is filled even if that passes `until`, so that the tree does
    not depend on how often the clock is read.
    """
    work.pending.batch[0].count = 0
    find_leaves(policies, tree, work, until, at_most)
    return int(work.pending.batch[0].count)


@kernel
def finish(policies: Policies, tree: NodeTable, work: StepWork) -> int:
    """Expand the leaves that wait and back up what was said of them.

    Returns:
        `GOOD`; or, where that is not what it must be, the first row of which that is
        so, and nothing is changed.
    """
    pending = work.pending
    batch = pending.batch[0]
    wrong = first_wrong(policies.game, work)
    if wrong != GOOD:
        return wrong
    pending.take_up()
    while batch.done < batch.answers:
        finish_next(policies, tree, work)
    return GOOD


@kernel
def undo(policies: Policies, tree: NodeTable, work: StepWork) -> None:
    """Give up the leaves that wait, and take what they left in the tree off again."""
    batch = work.pending.batch[0]
    for row in range(batch.done, batch.answers):  # some may have been finished
        let_go(policies, tree, work, batch.first_answer + row)
    for row in range(batch.count):
        let_go(policies, tree, work, batch.first + row)
    work.pending.forget()


def find_leaves(
    policies: Policies, tree: NodeTable, work: StepWork, until: int, at_most: int
) -> None:
    """Run simulations until another batch of leaves waits, or the search is over."""
    policies.structure.start(policies, tree, work)
    batch = work.pending.batch[0]
    batch.crowded = 0
    before = batch.count
    root, info = tree.nodes[ROOT], tree.info[0]
    while batch.count < before + batch.most and batch.crowded == 0:
        if root.visits >= (until if batch.count == before else at_most):
            return
        if info.full == FULL or is_settled(root.proven):
            return
        simulation(policies, tree, work, at_most)


def may_wait(policies: Policies, tree: NodeTable, work: StepWork, depth: int) -> bool:
    """Whether the leaf at this depth does not wait yet; then from now on it does."""
    if policies.expansion.evaluates_leaf():
        leaf = tree.nodes[work.path[depth].place]
        if leaf.owner == OWNED:
            return False
        leaf.owner = OWNED
    return True


def let_go(policies: Policies, tree: NodeTable, work: StepWork, row: int) -> int:
    """End the wait of a leaf: what `release_tree` has begun; returns its depth."""
    depth = work.pending.bring_back(work, row)
    if policies.expansion.evaluates_leaf():
        tree.nodes[work.path[depth].place].owner = FREE
    if work.pending.batch[0].shared == 1:
        add_virtual_loss(tree, work, depth, -1)
    return depth


def finish_next(policies: Policies, tree: NodeTable, work: StepWork) -> None:
    """Expansion of the next leaf, where that has not been done, and backup."""
    batch = work.pending.batch[0]
    row = batch.done
    batch.row = row
    batch.done = row + 1
    depth = let_go(policies, tree, work, batch.first_answer + row)
    if policies.expansion.evaluates_leaf():
        expand(policies, tree, work, depth)
    ended, plies = False, 0
    if policies.game.is_terminal(work.states[CURRENT]):  # as was said from outside
        ended, plies = roll_out(policies, work, depth)
    else:
        take_values(policies.game, work, row)
    back_up(policies, tree, work, depth, depth + plies, ended)
    batch.row = -1


def take_values(game: Game, work: StepWork, row: int) -> None:
    """Write what was said of a row to `work.returns`, on the scale of the search."""
    players = game.num_players()
    values, returns = work.pending.values, work.returns
    mover = game.current_player(work.states[CURRENT])
    per_player = work.pending.batch[0].per_player == 1
    first = row * players
    if per_player:
        for player in range(players):
            returns[player] = on_scale(work, values[first + player])
    else:
        returns[mover] = on_scale(work, values[first])
    if players == 2 and game.zero_sum:
        known = 0 if per_player else mover
        returns[1 - known] = -returns[known]


def on_scale(work: StepWork, value: float) -> float:
    """A value on the scale of the search, rounding errors beyond its ends left out."""
    found = work.scale.near(value)
    if work.pending.batch[0].bounded == 1:
        found = max(-1.0, min(1.0, found))
    return found


def first_wrong(game: Game, work: StepWork) -> int:
    """The first row of which something was said that cannot be; `GOOD` if none."""
    batch = work.pending.batch[0]
    for row in range(batch.count):
        if not (has_good_values(game, work, row) and has_good_priors(work, row)):
            return row
    return GOOD


def has_good_values(game: Game, work: StepWork, row: int) -> bool:
    """Whether values are numbers, in the game's range, and add up to what they must."""
    batch, players = work.pending.batch[0], game.num_players()
    count = players if batch.per_player == 1 else 1
    total = 0.0
    for index in range(row * players, row * players + count):
        value = work.pending.values[index]
        if not -np.inf < value < np.inf:
            return False
        score = work.scale.of(value)
        if batch.bounded == 1 and not -1.0 - SLACK <= score <= 1.0 + SLACK:
            return False
        total += score
    return not (count > 1 and game.zero_sum and abs(total) > SLACK * count)


def has_good_priors(work: StepWork, row: int) -> bool:
    """Whether priors, if there are any, are all numbers of at least 0."""
    if work.pending.batch[0].has_priors == 0:
        return True
    actions = len(work.actions)
    for index in range(row * actions, (row + 1) * actions):
        if not 0.0 <= work.pending.priors[index] < np.inf:
            return False
    return True
