"""`RemoteForest`: trees that grow in actors, each a process of its own.

An actor has a `Forest` of one tree, with its share of the random numbers and of the
memory, and does with it what the search would do with a tree of its own. The tree stays
there, from move to move; after each step its top comes back, which is all that limits,
proofs and the merged root need. The line that a result shows is asked for when it is
known which tree has it.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...core.errors import PlayoutError
from ...core.interrupt import deferring, safe_point
from ...core.packing import pack
from ...games.contract.units import Units
from ...games.positions.position import Position
from ..best_line import WholeGame, best_of
from ..limit import Limit
from ..selection.base import Selection
from ..tree.nodes import ROOT
from ..tree.tree import Tree
from .forest import Forest
from .naming import action_to_send, renumbered, state_to_send
from .tree_actor import StepReport

__all__ = ["RemoteForest"]

#: How long a chunk of simulations should take: as long as it takes to ask for it, but
#: no less than the first and no more than the second.
CHUNK_SECONDS, MOST_SECONDS = 0.05, 0.5
#: How often it is looked, while actors work, whether Ctrl-C was pressed.
POLL_SECONDS = 0.2
#: How long to wait for actors to be given a place.
START_SECONDS = 300


class RemoteForest(Forest):
    """A forest whose trees are in actors; here are their tops, as they were last.

    Where the actors are, subclasses say.

    Args:
        arguments: those of `Forest`.
    """

    #: How it is asked for, and who would lose a tree, in messages.
    asked: ClassVar[str]
    keeper: ClassVar[str]

    patience = 1  # Ctrl-C waits for the actors

    def __init__(
        self,
        policies: Any,
        seed: int,
        streams: list[list[int]],
        virtual_loss: float,
        interpreted: bool,
    ) -> None:
        super().__init__(policies, seed, streams[:1], virtual_loss, interpreted)
        self.streams, self.virtual_loss = streams, virtual_loss
        self._position = Position(policies.game)
        self._actors: list[Any] = []
        self._lines: list[WholeGame | None] = []

    @property
    def chunk_seconds(self) -> float:
        return min(max(CHUNK_SECONDS, self.delay), MOST_SECONDS)

    def __enter__(self) -> RemoteForest:
        return self

    def __exit__(self, *_: object) -> None:
        self.return_unused()

    def compile(self, checked: bool = False) -> float:
        """Compile here first: errors come up here, and actors nearby load it.

        Raises:
            UsageError: there is no such place, or the game cannot be sent there.
            PlayoutError: it has no room for the trees, or lost one.
        """
        seconds = super().compile(checked)
        self._start()
        return seconds

    def begin(self) -> bool:
        """No: actors are told once how they search."""
        return False

    def best_line(self) -> WholeGame | None:
        return best_of(self._lines)

    def deepen(self, tree: Tree, node: int) -> tuple[Tree, int]:
        for actor, known in zip(self._actors, self.trees, strict=False):
            if known is tree:
                action = int(tree.nodes[node].action)
                sent = action_to_send(self.policies.game, action)
                ((line, names),) = self._call("line", [actor], [(sent,)])
                if names is not None:
                    line = renumbered(line, names, self._position.copy().play(action))
                return line, ROOT
        return tree, node

    def clear(self, position: Position) -> None:
        self._position = position.copy()
        super().clear(position)

    def advance(self, position: Position, mover: int) -> None:
        self._position = position.copy()
        super().advance(position, mover)

    def make_room(self, limit: Limit, position: Position) -> None:
        self._position = position.copy()
        super().make_room(limit, position)

    def reseed(self, seed: int) -> None:
        self.seed = seed
        self._do("reseed", seed)

    def forget(self) -> None:
        self.trees = []
        self._do("forget")

    def restart(self, root_mover: int) -> None:
        self._do("restart", root_mover)

    def keep(self, action: int, root_mover: int) -> None:
        sent = action_to_send(self.policies.game, action)
        self._tell("keep", sent, root_mover)

    def plant(
        self, capacity: int, root_mover: int, seen: NDArray[np.void], units: Units
    ) -> None:
        self._start()  # anew, where one was lost
        sent = state_to_send(self.policies.game, seen)
        self._tell("plant", capacity, root_mover, sent, units)

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
        self._tell("do", step, *arguments)

    def _tell(self, method: str, *arguments: Any) -> None:
        """The same call to every actor."""
        self._call(method, self._actors, [arguments] * len(self._actors))

    def _start(self) -> None:
        """Have an actor for every tree."""
        if self._actors:
            return
        what = self.policies, self.virtual_loss, self.interpreted
        packed = pack(what, self.asked)
        given = [(packed, self.seed, row) for row in self.streams]
        try:
            self._actors = self._make_actors(len(given))
            self._call("set_up", self._actors, given, START_SECONDS)
            self._call("compile", self._actors, [()] * len(given))
        except BaseException:
            self._stop()
            raise

    def _stop(self) -> None:
        """End the actors, and with them the trees."""
        actors, self._actors, self.trees = self._actors, [], []
        with contextlib.suppress(Exception):  # of one that is lost
            self._end(actors)

    # -- where the actors are ----------------------------------------------------------

    def _make_actors(self, count: int) -> list[Any]:
        """So many actors, each a `TreeActor`."""
        raise NotImplementedError

    def _begin(self, actor: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        """Ask an actor; returns the call, which goes on."""
        raise NotImplementedError

    def _unfinished(self, calls: list[Any], seconds: float) -> list[Any]:
        """Those that are not over after so many seconds."""
        raise NotImplementedError

    def _answers(self, calls: list[Any]) -> list[Any]:
        """What calls that are over have brought."""
        raise NotImplementedError

    def _end(self, actors: list[Any]) -> None:
        """End actors, whatever they do."""
        raise NotImplementedError

    def _no_room(self) -> str:
        """What to say where actors are not there after `START_SECONDS`."""
        return ""

    # -- calls -------------------------------------------------------------------------

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
            calls = [
                self._begin(actor, method, own)
                for actor, own in zip(actors, arguments, strict=True)
            ]
            interrupt = self._wait_for(calls, seconds)
            answers = self._answers(calls)
            for answer in answers:
                if isinstance(answer, PlayoutError):
                    raise answer
        except BaseException as error:
            self._stop()
            if isinstance(error, PlayoutError) or not isinstance(error, Exception):
                raise
            why = str(error).strip().partition("\n")[0]
            raise PlayoutError(f"{self.keeper} has lost a tree: {why}") from None
        if steps := [answer for answer in answers if isinstance(answer, StepReport)]:
            self.trees[:] = [
                step.top
                if step.names is None
                else renumbered(step.top, step.names, self._position)
                for step in steps
                if step.top is not None
            ]
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
            calls = self._unfinished(calls, left)
            try:
                safe_point()
            except KeyboardInterrupt as caught:
                if interrupt is not None:
                    raise
                interrupt = caught
            if calls and time.monotonic() >= end:
                raise PlayoutError(
                    f"{self.asked}: {len(self.streams)} trees have found no place in "
                    f"{seconds} seconds{self._no_room()}"
                )
        return interrupt
