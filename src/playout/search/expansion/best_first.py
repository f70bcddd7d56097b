"""Children by their priors: those that selection asks for, and a few beside them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.errors import UsageError, quote
from ...core.jit.compiled import Compiled, static
from ...core.jit.hashing import MIX_1
from ...core.jit.rows import Rows
from ...games.contract.game import Game, State
from ..tree.children import (
    add_behind,
    find_child,
    last_block,
    last_of_block,
    room_behind,
)
from ..tree.nodes import (
    AS_ACTION,
    CLOSED,
    LATER_PRIOR,
    NO_NODE,
    QUARTERS,
    NodeTable,
)
from ..work import Work
from .base import LeafExpansion, Scores

__all__ = ["LikeliestFirst"]

#: How many of the likeliest actions are looked for at a time, at least. Where the block
#: has room for one child, the second action waits: the node notes it.
AT_LEAST = 2
#: The least prior that is written: of half precision, the smallest number above 0.
LEAST_PRIOR = 2.0**-24
_ODD, _32, _33 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32), np.uint64(33)

CANDIDATE_DTYPE = np.dtype([("prior", "f8"), ("action", "i4"), ("tie_break", "u4")])


@dataclass(frozen=True)
class CandidateTable(Compiled):
    """The actions that a node's next children are made of.

    Attributes:
        rows: `[A]` rows of `CANDIDATE_DTYPE`: the highest `prior` first, as the game
            gives it; of equal ones the highest `tie_break`.
        priors: `[A]` float64, a buffer for what the game says of all candidates.
    """

    rows: Rows
    priors: NDArray[np.float64]


@dataclass(frozen=True)
class LikeliestFirst(LeafExpansion):
    """The likeliest children first, more of them when selection prefers the next one.

    For selections that score moves which were never tried, such as `PUCT`: of the
    actions without a child they prefer the one with the highest `prior`, so that one
    alone has to be known. What is visited is what `AllChildren(visit_all=False)` would
    have visited. Ties, which are all moves of a game without a `prior`, are broken at
    random. With a selection that takes every move once before any twice, as `UCT()`
    does, this is the order in which they are tried.

    Attributes:
        threshold, urgent: as in `RandomChild`.
        at_once: 1, 2 or 4: how many children are made at a time, at least. With 1,
            which takes least memory, the priors of all are asked for two children at a
            time, of which the second waits without a node of its own; from the 32nd
            child on a sixteenth as many as there are are made at once, and wait
            unvisited. With 4 priors are asked for less often, which pays where a
            network says them.
    """

    at_once: int = static(1)

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        """Priors are shares of the sum over all actions that may be tried."""
        priors = (
            ("prior", "f2"),  # of the action that leads here
            ("next_prior", "f2"),  # of the likeliest action here without a child
        )
        if self.at_once == 1:
            waiting = "next_action", AS_ACTION  # it plus 1 where it waits, else 0
            # in the last child of a node where one waits: of the action after
            return *priors, waiting, LATER_PRIOR
        return (*priors, QUARTERS) if self.at_once == 4 else priors

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.at_once not in (1, 2, 4):
            raise UsageError(f"at_once must be 1, 2 or 4, not {quote(self.at_once)}")
        object.__setattr__(self, "at_once", int(self.at_once))  # NumPy's, too

    def tables(self, game: Game) -> Compiled:
        size = max(1, game.num_actions())
        return CandidateTable(Rows(np.zeros(size, CANDIDATE_DTYPE)), np.zeros(size))

    def visits_first(self) -> bool:
        return True

    def is_due(self, tree: NodeTable, node: int) -> bool:
        row = tree.nodes[node]
        return row.num_children == 0 and self.may_grow(row, node)

    def can_grow(self, tree: NodeTable, node: int) -> bool:
        return self.may_grow(tree.nodes[node], node)

    def is_preferred(
        self, selection: Scores, tree: NodeTable, node: int, child: int
    ) -> bool:
        row = tree.nodes[node]
        taken = tree.nodes[child]
        if row.num_children >= row.num_legal or taken.visits == 0:
            return False
        if taken.proven & CLOSED:
            return True
        term = selection.parent_term(row)
        untried = selection.untried_score(row.next_prior, term)
        return bool(untried > selection.score(taken, term))

    def expand(
        self, game: Game, state: State, tree: NodeTable, node: int, work: Work
    ) -> tuple[int, int]:
        row = tree.nodes[node]
        if self.at_once == 1:  # else nobody waits
            if row.next_action > 0 and row.num_children > 0:  # else they were recycled
                return make_next(tree, node)
        legal = self.candidates(game, state, node, work)
        row.num_legal = legal
        if row.num_children >= legal:
            return NO_NODE, 0
        block, before = last_block(tree, node)
        bound = math.inf  # what has a higher prior than the last child has a child too
        if row.num_children > 0:
            work.judge.look(game, state)
            last = tree.nodes[last_of_block(row, block, before)]
            bound = work.judge.prior(game, state, last.action)
        first, size = room_behind(tree, node, block, before)
        if first == NO_NODE:
            return NO_NODE, 0
        listed, total, left = list_likeliest(
            game, state, tree, node, bound, work, legal, max(AT_LEAST, size)
        )
        rows = work.expansion_tables.rows
        count = min(listed, size)
        for index in range(count):
            new = tree.nodes[first + index]
            new.action = rows[index].action
            new.prior = max(LEAST_PRIOR, rows[index].prior / total)
        row.num_children += count
        row.next_prior = share_left(left, total)
        if self.at_once == 1:
            row.next_action = 0
            if count < listed:
                row.next_prior = max(LEAST_PRIOR, rows[count].prior / total)
                row.next_action = 1 + rows[count].action
                tree.nodes[first].later_prior = share_left(left, total)
        return first, count


def share_left(left: float, total: float) -> float:
    """The share of the likeliest action that is left; 0 where there is none."""
    return max(LEAST_PRIOR, left / total) if left > 0.0 else 0.0


def make_next(tree: NodeTable, node: int) -> tuple[int, int]:
    """Make the child that waits, the next after the last one."""
    row = tree.nodes[node]
    block, before = last_block(tree, node)
    later = tree.nodes[last_of_block(row, block, before)].later_prior
    child = add_behind(tree, node, row.next_action - 1, block, before)
    if child == NO_NODE:
        return NO_NODE, 0
    tree.nodes[child].prior = row.next_prior
    row.next_prior = later
    row.next_action = 0
    return child, 1


def list_likeliest(
    game: Game,
    state: State,
    tree: NodeTable,
    node: int,
    bound: float,
    work: Work,
    legal: int,
    size: int,
) -> tuple[int, float, float]:
    """List the likeliest candidates without a child in `work.expansion_tables`.

    Args:
        game: the rules.
        state: the node's own.
        tree: the tree.
        node: the one that gets children.
        bound: the prior of its last child; infinite where it has none.
        work: its first actions are all candidates.
        legal: how many those are.
        size: how long the list may become.

    Returns:
        The length of the list; the sum of all candidates' priors; and the highest prior
        of a candidate that has no child and is not in the list.
    """
    rows, priors = work.expansion_tables.rows, work.expansion_tables.priors
    work.judge.priors(game, state, work.actions, legal, priors)
    total = left = 0.0
    worst = -math.inf  # the last prior of a full list
    count, salt = 0, work.rng.next()
    for index in range(legal):
        prior = priors[index]
        total += prior
        if prior > bound:
            continue
        if prior < worst:
            left = max(left, prior)
            continue
        action = int(work.actions[index])
        if prior == bound and find_child(tree, node, action) != NO_NODE:
            continue
        left = max(left, worst)  # one goes: this action, or the last of a full list
        insert(rows, count, size, action, prior, tie_break_of(action, salt))
        count = min(count + 1, size)
        if count == size:
            worst = rows[size - 1].prior
    return count, total, left


def tie_break_of(action: int, salt: Any) -> int:
    """31 random bits for an action, from one random number for all of them.

    By one shift and one multiplication of SplitMix64's (see `mix`).
    """
    mixed = salt + np.uint64(action) * _ODD
    return int(np.int64(((mixed ^ (mixed >> _32)) * MIX_1) >> _33))


def insert(
    rows: Rows, count: int, size: int, action: int, prior: float, tie_break: int
) -> None:
    """Put an action into a sorted list of `count`; the last of a full list goes."""
    place = count
    while place > 0:
        before = rows[place - 1]
        if before.prior > prior:
            break
        if before.prior == prior and before.tie_break >= tie_break:
            break
        if place < size:
            rows[place] = before
        place -= 1
    if place < size:
        rows[place].action = action
        rows[place].prior = prior
        rows[place].tie_break = tie_break
