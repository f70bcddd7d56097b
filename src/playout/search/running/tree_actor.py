"""`TreeActor`: what a process does that has one tree of a search in another process."""

from __future__ import annotations

import functools
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

from ...core.errors import PlayoutError
from ...games.contract.game import Game
from ...games.contract.units import Units
from ..best_line import WholeGame
from ..result.excerpt import TreeTop, line_below, top_of
from ..tree.nodes import ROOT
from ..tree.recycle import compile_recycler
from ..tree.tree import Tree
from .forest import Forest
from .naming import action_here, names_to_send, state_here

__all__ = ["StepReport", "TreeActor"]


@dataclass(frozen=True)
class StepReport:
    """What an actor returns after a step.

    Attributes:
        top: the top of its tree, if it has one.
        names: of the actions in it, where their numbers say nothing elsewhere.
        seconds: what the step took.
        line: the best game of a puzzle that it has seen.
    """

    top: TreeTop | None
    names: list[str] | None
    seconds: float
    line: WholeGame | None = None


def _answered(method: Callable[..., Any]) -> Callable[..., Any]:
    """Have a method return what it raises, as an error of Playout's own."""

    @functools.wraps(method)
    def answer(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except PlayoutError as error:
            return error
        except Exception as error:
            *_, (frame, line) = walk_tb(error.__traceback__)
            place = f"{frame.f_code.co_filename} line {line}"
            return PlayoutError(
                "the rules or a policy failed in a tree of another process: "
                f"{type(error).__name__}: {error} ({place})"
            )

    return answer


class TreeActor:
    """One tree, in a process of its own. What its methods raise, they return."""

    @_answered
    def set_up(self, packed: bytes, seed: int, streams: list[int]) -> None:
        policies, virtual_loss, interpreted = pickle.loads(packed)
        self.forest = Forest(policies, seed, [streams], virtual_loss, interpreted)
        self.forest.__enter__()  # for as long as the actor lives

    @_answered
    def compile(self) -> None:
        self.forest.compile()
        if not self.forest.interpreted:
            dtype = self.forest.policies.node_dtype
            Tree.reserve(1, dtype).subtree(ROOT, 1)  # what keeping a part of it runs
            compile_recycler(dtype)

    @_answered
    def do(self, step: str, *arguments: Any) -> StepReport:
        """Take a step of `Forest`."""
        started = time.perf_counter()
        getattr(self.forest, step)(*arguments)
        return self._report(started)

    @_answered
    def keep(self, action: int | str, root_mover: int) -> StepReport:
        """Keep what is below an action of the root."""
        started = time.perf_counter()
        self.forest.keep(action_here(self._game, action), root_mover)
        return self._report(started)

    @_answered
    def plant(self, capacity: int, mover: int, seen: Any, units: Units) -> StepReport:
        """Have room for so many nodes, to be searched from a state."""
        started = time.perf_counter()
        self.forest.plant(capacity, mover, state_here(self._game, seen), units)
        return self._report(started)

    @_answered
    def line(self, action: int | str) -> tuple[Tree, list[str] | None]:
        """What is most visited below an action of the root, and how it is named."""
        tree = self.forest.trees[0]
        children = tree.children(ROOT)
        actions = tree.nodes.array["action"][children]
        (child,) = children[actions == action_here(self._game, action)]
        line = line_below(tree, int(child))
        return line, names_to_send(self._game, line)

    @property
    def _game(self) -> Game:
        return self.forest.policies.game

    def _report(self, started: float) -> StepReport:
        seconds = time.perf_counter() - started
        tops = [top_of(tree, self.forest.num_unused) for tree in self.forest.trees]
        top = tops[0] if tops else None
        names = None if top is None else names_to_send(self._game, top)
        return StepReport(top, names, seconds, self.forest.best_line())
