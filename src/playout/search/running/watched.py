"""Policies whose answers are looked at, as those of others are before they are trusted.

A wrong answer would be played silently, or lead a compiled search out of its arrays. So
a class is derived from the policy's own, with the same methods, each asked by one of
the functions here, which raise a `PolicyFault`. Both run compiled.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from ...core.jit.hashing import row_hash
from ...core.jit.rows import Row
from ...games.contract.game import Game, State
from ..backup.base import Backup
from ..policy import Policy
from ..tree.children import block_size, next_block
from ..tree.nodes import NodeTable
from ..work import Work

__all__ = ["PolicyFault", "StateFault", "is_own", "watched"]

P = TypeVar("P", bound=Policy)


class PolicyFault(Exception):
    """A policy's answer is wrong; holds the name of the method that gave it.

    Where that is an action, or makes one a child's, it stands in `work.actions[0]`.
    """


class StateFault(PolicyFault):
    """A policy's method has written to the state; holds the name of the method."""


def is_own(policy: Policy) -> bool:
    """Whether a policy is Playout's, or the evaluator that it asks: they are tested."""
    asked = getattr(policy, "evaluator", policy)
    return type(asked).__module__.startswith("playout.")


def own_method(cls: type, name: str) -> FunctionType | None:
    """A method that others wrote for a policy; None if it is Playout's, or none."""
    found = getattr(cls, name, None)
    if not isinstance(found, FunctionType) or found.__module__.startswith("playout."):
        return None
    return found


def watched(policy: P) -> P:
    """The policy with a look at all that its own methods answer.

    Of a rollout with a `play` of its own, nobody knows what it uses `choose` for.
    """
    cls = type(policy)
    methods: dict[str, Any] = {}
    of_phase = _OF_BACKUPS if isinstance(policy, Backup) else _WATCHING
    for name, watching in of_phase.items():
        if any(own_method(cls, asked) for asked in (name, *_ASKS.get(name, ()))):
            methods |= {name: watching, f"unwatched_{name}": getattr(cls, name)}
    if own_method(cls, "play"):
        methods.pop("choose", None)
    if not methods:
        return policy
    named = {"__module__": cls.__module__, "__qualname__": cls.__qualname__}
    other = copy.copy(policy)
    object.__setattr__(other, "__class__", type(cls.__name__, (cls,), methods | named))
    return other


# -- what stands in for a method of the policy, which is `self` ------------------------


def _choose(self: Any, game: Game, state: State, work: Work, ply: int) -> int:
    before = row_hash(state)
    action = self.unwatched_choose(game, state, work, ply)
    if row_hash(state) != before:
        raise StateFault("choose")
    if not _is_legal(game, state, work, action):
        work.actions[0] = action
        raise PolicyFault("choose")
    return action


def _play(self: Any, game: Game, state: State, work: Work, depth: int) -> int:
    plies = self.unwatched_play(game, state, work, depth)
    if not 0 <= plies <= game.max_game_length():
        raise PolicyFault("play")
    return plies


def _estimate(self: Any, game: Game, state: State, player: int) -> float:
    before = row_hash(state)
    value = self.unwatched_estimate(game, state, player)
    if row_hash(state) != before:
        raise StateFault("estimate")
    if math.isnan(value):
        raise PolicyFault("estimate")
    return value


def _parent_term(self: Any, parent: Row) -> float:
    value = self.unwatched_parent_term(parent)
    if math.isnan(value):
        raise PolicyFault("parent_term")
    return value


def _score(self: Any, child: Row, parent_term: float) -> float:
    value = self.unwatched_score(child, parent_term)
    if math.isnan(value):
        raise PolicyFault("score")
    return value


def _first_score(self: Any, child: Row, parent_term: float) -> float:
    value = self.unwatched_first_score(child, parent_term)
    if math.isnan(value):
        raise PolicyFault("first_score")
    return value


def _untried_score(self: Any, prior: float, parent_term: float) -> float:
    value = self.unwatched_untried_score(prior, parent_term)
    if math.isnan(value):
        raise PolicyFault("untried_score")
    return value


def _select(
    self: Any, game: Game, tree: NodeTable, node: int, work: Work, depth: int
) -> int:
    child = self.unwatched_select(game, tree, node, work, depth)
    if not _is_child(tree, node, child):
        raise PolicyFault("select")
    return child


def _expand(
    self: Any, game: Game, state: State, tree: NodeTable, node: int, work: Work
) -> tuple[int, int]:
    before = row_hash(state)
    first, count = self.unwatched_expand(game, state, tree, node, work)
    if row_hash(state) != before:
        raise StateFault("expand")
    for child in range(first, first + count):
        if not _is_child(tree, node, child):
            raise PolicyFault("expand")
        action = tree.nodes[child].action
        if not _is_legal(game, state, work, action):
            work.actions[0] = action
            raise PolicyFault("children")
    return first, count


def _update(self: Any, tree: NodeTable, work: Work, depth: int, plies: int) -> None:
    before = _visits_on_path(tree, work, depth)
    self.unwatched_update(tree, work, depth, plies)
    # A root without one more visit would be searched for ever.
    if _visits_on_path(tree, work, depth) != before + depth + 1:
        raise PolicyFault("visits")
    for index in range(depth + 1):
        if math.isnan(tree.nodes[work.path[index].node].value_sum):
            raise PolicyFault("value_sum")


_WATCHING: dict[str, Callable[..., Any]] = {
    "choose": _choose,
    "play": _play,
    "estimate": _estimate,
    "parent_term": _parent_term,
    "score": _score,
    "first_score": _first_score,
    "untried_score": _untried_score,
    "select": _select,
    "expand": _expand,
}
#: Selections and rollouts have an `update`, too, which counts no visits.
_OF_BACKUPS: dict[str, Callable[..., Any]] = {"update": _update}
#: What Playout's own method asks of a policy, and passes on.
_ASKS = {"expand": ("candidates",)}


def _visits_on_path(tree: NodeTable, work: Work, depth: int) -> int:
    total = 0
    for index in range(depth + 1):
        total += tree.nodes[work.path[index].node].visits
    return total


def _is_legal(game: Game, state: State, work: Work, action: int) -> bool:
    """Whether an action can be played; fills `work.actions`."""
    count = game.legal_actions(state, work.actions)
    for index in range(count):
        if work.actions[index] == action:
            return True
    return False


def _is_child(tree: NodeTable, node: int, wanted: int) -> bool:
    """Whether a node is one of another's children."""
    parent = tree.nodes[node]
    count, block = parent.num_children, parent.first_child
    done = 0
    while done < count:
        size = block_size(tree.nodes, done, count)
        if block <= wanted < block + size:
            return True
        done += size
        if done < count:
            block = next_block(tree.nodes, block)
    return False
