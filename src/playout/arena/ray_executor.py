"""`RayExecutor`: games on a Ray cluster, or on a Ray of this machine's own.

Each actor plays one game at a time, in a watched worker as on a single machine, so a
player that fails loses wherever it sits, and records are the same. An actor that is
lost with its machine is replaced, and its game, which nobody lost, is played again.
"""

from __future__ import annotations

import os
import time
from typing import Any

from ..core.cluster import start_ray
from ..core.errors import PlayoutError, UsageError
from ..core.text.fields import expect_at_most
from .executors import MOST_ATTEMPTS, Finished, LocalExecutor, Notify, most_at_once
from .record import GameRecord
from .task import GameTask

__all__ = ["RayExecutor"]


class RayExecutor:
    """Plays up to `concurrency` games at once on a cluster.

    Playout must be installed on its machines, and files that specs name must be there.

    Args:
        address: of the cluster, as `ray.init` takes it; None to start one here.
        concurrency: games at once, at least 1; each takes one processor.
        say: told, in a sentence, what is being waited for.

    Raises:
        UsageError: Ray is not installed, or does not answer at the address.
    """

    def __init__(
        self,
        address: str | None = None,
        concurrency: int = 1,
        say: Notify | None = None,
    ) -> None:
        if concurrency < 1:
            raise UsageError(f"concurrency must be at least 1, not {concurrency}")
        if address is None:  # it runs here, however many processors it is told of
            expect_at_most("concurrency", concurrency, most_at_once())
        self._ray = start_ray(address, "--executor ray", concurrency)
        self._expect_processors(concurrency)
        self.concurrency = concurrency
        self.say = say or (lambda sentence: None)
        self._idle: list[Any] = []
        self._games: dict[Any, tuple[Any, GameTask, int]] = {}

    def __enter__(self) -> RayExecutor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def room(self) -> int:
        return self.concurrency - len(self._games)

    def prepare(self, tasks: list[GameTask]) -> None:
        for task in tasks:
            self.say(f"Preparing {' and '.join(task.players)} on the cluster ...")
            actor = self._idle_actor()
            try:
                error = self._ray.get(actor.prepare.remote(task))
            except self._ray.exceptions.RayActorError as lost:
                raise PlayoutError(f"Ray has lost a worker: {lost}") from None
            if error is not None:
                raise error
            self._idle.append(actor)

    def submit(self, task: GameTask) -> None:
        self._begin(task, attempt=1)

    def wait(self, seconds: float) -> Finished:
        if not self._games:  # others play what is left
            time.sleep(seconds)
            return []
        ready, _ = self._ray.wait(list(self._games), num_returns=1, timeout=seconds)
        finished: Finished = []
        for reference in ready:
            actor, task, attempt = self._games.pop(reference)
            try:
                record = self._ray.get(reference)
            except self._ray.exceptions.RayActorError as lost:
                if attempt >= MOST_ATTEMPTS:
                    raise PlayoutError(f"Ray has lost its workers: {lost}") from None
                self._begin(task, attempt + 1)
            else:
                self._idle.append(actor)
                if isinstance(record, PlayoutError):
                    raise record
                finished.append((task, record))
        return finished

    def close(self) -> None:
        if self._ray is not None:
            for actor, _, _ in self._games.values():
                self._ray.kill(actor)
            self._games.clear()
            self._ray.shutdown()
            self._ray = None

    def _expect_processors(self, wanted: int) -> None:
        """Complain now, where an actor would wait for a processor for ever."""
        there = int(self._ray.cluster_resources().get("CPU", 0))
        if wanted > there:
            self._ray.shutdown()
            raise UsageError(
                f"--concurrency: the cluster has {there} processors, not {wanted}"
            )

    def _begin(self, task: GameTask, attempt: int) -> None:
        actor = self._idle_actor()
        self._games[actor.play.remote(task)] = actor, task, attempt

    def _idle_actor(self) -> Any:
        if self._idle:
            return self._idle.pop()
        actor = self._ray.remote(_GameActor).options(num_cpus=1)
        return actor.remote(os.getcwd())


class _GameActor:
    """A watched worker somewhere in the cluster."""

    def __init__(self, directory: str) -> None:
        if os.path.isdir(directory):  # so that files are found, where there are any
            os.chdir(directory)
        self.executor = LocalExecutor()

    def prepare(self, task: GameTask) -> PlayoutError | None:
        try:
            self.executor.prepare([task])
        except PlayoutError as error:
            return error
        return None

    def play(self, task: GameTask) -> GameRecord | PlayoutError:
        self.executor.submit(task)
        try:
            while not (finished := self.executor.wait(60.0)):
                pass
        except PlayoutError as error:
            return error
        return finished[0][1]
