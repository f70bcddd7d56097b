"""`RayForest`: trees that grow in the actors of a Ray cluster, one in each.

An actor has a `Forest` of one tree, with its share of the random numbers and of the
memory, and does with it what the search would do with a tree of its own. The tree stays
there, from move to move; after each step its top comes back, which is all that limits,
proofs and the merged root need. The line that a result shows is asked for when it is
known which tree has it.
"""

from __future__ import annotations

import contextlib
import functools
import math
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.cluster import expect_ray, join_ray, pack, read_executor
from ...core.errors import PlayoutError, UsageError
from ...core.interrupt import deferring, safe_point
from ...games.contract.units import Units
from ..best_line import WholeGame, best_of
from ..evaluation.evaluator import Evaluation
from ..result.excerpt import TreeTop, line_below, top_of
from ..selection.base import Selection
from ..tree.nodes import ROOT
from ..tree.recycle import compile_recycler
from ..tree.tree import Tree
from .forest import Forest

__all__ = ["RayForest", "make_forest"]

#: How long a chunk of simulations should take: as long as it takes to ask for it, but
#: no less than the first and no more than the second.
CHUNK_SECONDS, MOST_SECONDS = 0.05, 0.5
#: How often it is looked, while actors work, whether Ctrl-C was pressed.
POLL_SECONDS = 0.2
#: How long to wait for actors to be given a place.
START_SECONDS = 300
#: How a cluster is asked for, in messages.
ASKED = "executor=ray"


def make_forest(
    executor: str, *arguments: Any, evaluation: Evaluation | None = None
) -> Forest:
    """The trees of a search, where they are to grow.

    Raises:
        UsageError: there is no such executor, or it is not installed.
    """
    kind, address = read_executor(executor, "executor")
    if kind == "local":
        given: dict[str, Any] = {"evaluation": evaluation}
        return Forest(*arguments, **given)
    if evaluation is not None:
        raise UsageError("an evaluator is asked here: it takes executor='local'")
    return RayForest(address, *arguments)


@dataclass(frozen=True)
class StepReport:
    """What an actor returns after a step.

    Attributes:
        top: the top of its tree, if it has one.
        seconds: what the step took.
        line: the best game of a puzzle that it has seen.
    """

    top: TreeTop | None
    seconds: float
    line: WholeGame | None = None


class RayForest(Forest):
    """A forest whose trees are in actors; here are their tops, as they were last.

    Args:
        address: of the cluster; None for a Ray that this process is connected to, or
            one that is started here.
        arguments: those of `Forest`.

    Raises:
        UsageError: Ray is not installed.
    """

    patience = 1  # Ctrl-C waits for the actors

    def __init__(
        self,
        address: str | None,
        policies: Any,
        seed: int,
        streams: list[list[int]],
        virtual_loss: float,
        interpreted: bool,
    ) -> None:
        expect_ray(ASKED)
        super().__init__(policies, seed, streams[:1], virtual_loss, interpreted)
        self.streams, self.address = streams, address
        self.virtual_loss = virtual_loss
        self._actors: list[Any] = []
        self._lines: list[WholeGame | None] = []

    @property
    def chunk_seconds(self) -> float:
        return min(max(CHUNK_SECONDS, self.delay), MOST_SECONDS)

    def __enter__(self) -> RayForest:
        return self

    def __exit__(self, *_: object) -> None:
        self.return_unused()

    def compile(self, checked: bool = False) -> float:
        """Compile here first: errors come up here, and actors nearby load it.

        Raises:
            UsageError: there is no cluster, or the game cannot be sent there.
            PlayoutError: the cluster has no place for the trees, or lost one.
        """
        seconds = super().compile(checked)
        self._start()
        return seconds

    def best_line(self) -> WholeGame | None:
        return best_of(self._lines)

    def deepen(self, tree: Tree, node: int) -> tuple[Tree, int]:
        for actor, known in zip(self._actors, self.trees, strict=False):
            if known is tree:
                action = int(tree.nodes[node].action)
                (line,) = self._call("line", [actor], [(action,)])
                return line, ROOT
        return tree, node

    def reseed(self, seed: int) -> None:
        self.seed = seed
        self._do("reseed", seed)

    def forget(self) -> None:
        self.trees = []
        self._do("forget")

    def restart(self, root_mover: int) -> None:
        self._do("restart", root_mover)

    def keep(self, action: int, root_mover: int) -> None:
        self._do("keep", action, root_mover)

    def plant(
        self, capacity: int, root_mover: int, seen: NDArray[np.void], units: Units
    ) -> None:
        self._start()  # anew, where one was lost
        self._do("plant", capacity, root_mover, seen, units)

    def plan(self, simulations: int | None) -> None:
        if type(self.policies.selection).plan is Selection.plan:
            return  # nobody wants to know: it would take a message to every actor
        each = None if simulations is None else max(1, simulations // len(self.streams))
        self._do("plan", each)

    def grow(
        self, untils: Sequence[int], ends: Sequence[int], seconds: float | None
    ) -> None:
        steps: list[tuple[Any, ...]] = [
            ("grow", [until], [end], seconds)
            for until, end in zip(untils, ends, strict=True)
        ]
        self._call("do", self._actors, steps)

    def return_unused(self) -> None:
        self._do("return_unused")

    def _do(self, step: str, *arguments: Any) -> None:
        """Have every actor take a step of `Forest`."""
        self._call("do", self._actors, [(step, *arguments)] * len(self._actors))

    def _start(self) -> None:
        """Have an actor for every tree."""
        if self._actors:
            return
        self._ray = join_ray(self.address, ASKED)
        what = self.policies, self.virtual_loss, self.interpreted
        packed = pack(self._ray, what, ASKED)
        kind = self._ray.remote(_TreeActor).options(scheduling_strategy="SPREAD")
        self._actors = [kind.remote() for _ in self.streams]
        given = [(packed, self.seed, row) for row in self.streams]
        try:
            self._call("set_up", self._actors, given, START_SECONDS)
            self._call("compile", self._actors, [()] * len(given))
        except BaseException:
            self._stop()
            raise

    def _stop(self) -> None:
        """End the actors, and with them the trees."""
        actors, self._actors, self.trees = self._actors, [], []
        for actor in actors if self._ray.is_initialized() else ():
            with contextlib.suppress(Exception):  # of one that is lost
                self._ray.kill(actor)

    @deferring()
    def _call(
        self,
        method: str,
        actors: list[Any],
        arguments: list[tuple[Any, ...]],
        seconds: float | None = None,
    ) -> list[Any]:
        """What all actors answer; Ctrl-C waits for that, unless it comes twice.

        Raises:
            PlayoutError: an actor is lost, with all trees; or one has failed.
        """
        if not actors:
            return []
        started = time.perf_counter()
        try:
            if not self._ray.is_initialized():
                raise ConnectionError("this process has left the cluster")
            calls = [
                getattr(actor, method).remote(*own)
                for actor, own in zip(actors, arguments, strict=True)
            ]
            interrupt = self._wait_for(calls, seconds)
            answers = self._ray.get(calls)
            for answer in answers:
                if isinstance(answer, PlayoutError):
                    raise answer
        except BaseException as error:
            self._stop()
            if isinstance(error, PlayoutError) or not isinstance(error, Exception):
                raise
            why = str(error).strip().partition("\n")[0]
            raise PlayoutError(f"Ray has lost a tree: {why}") from None
        if steps := [answer for answer in answers if isinstance(answer, StepReport)]:
            self.trees[:] = [step.top for step in steps if step.top is not None]
            self._lines = [step.line for step in steps]
            took = max(step.seconds for step in steps)
            self.delay = max(0.0, time.perf_counter() - started - took)
        if interrupt is not None:
            raise interrupt
        return answers

    def _wait_for(
        self, calls: list[Any], seconds: float | None
    ) -> KeyboardInterrupt | None:
        """Wait until all are answered; an interrupt meanwhile is returned."""
        interrupt = None
        end = math.inf if seconds is None else time.monotonic() + seconds
        while calls:
            left = min(POLL_SECONDS, max(0.0, end - time.monotonic()))
            _, calls = self._ray.wait(calls, num_returns=len(calls), timeout=left)
            try:
                safe_point()
            except KeyboardInterrupt as caught:
                if interrupt is not None:
                    raise
                interrupt = caught
            if calls and time.monotonic() >= end:
                free = self._ray.available_resources().get("CPU", 0)
                raise PlayoutError(
                    f"{ASKED}: {len(self.streams)} trees have found no place in "
                    f"{seconds} seconds; of the cluster's processors {free:g} are free"
                )
        return interrupt


def _answered(method: Callable[..., Any]) -> Callable[..., Any]:
    """Have a method return what it raises, as an error of Playout's own."""

    @functools.wraps(method)
    def answer(*arguments: Any) -> Any:
        try:
            return method(*arguments)
        except PlayoutError as error:
            return error
        except Exception as error:
            return PlayoutError(
                "the rules or a policy failed in a tree on the cluster: "
                f"{type(error).__name__}: {error}"
            )

    return answer


class _TreeActor:
    """One tree, somewhere in the cluster."""

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
        seconds = time.perf_counter() - started
        tops = [top_of(tree, self.forest.num_unused) for tree in self.forest.trees]
        line = self.forest.best_line()
        return StepReport(tops[0] if tops else None, seconds, line)

    @_answered
    def line(self, action: int) -> Tree:
        """What is most visited below an action of the root."""
        tree = self.forest.trees[0]
        children = tree.children(ROOT)
        actions = tree.nodes.array["action"][children]
        return line_below(tree, int(children[actions == action][0]))
