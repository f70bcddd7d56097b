"""`RaySource`: self-play in the actors of a Ray cluster, one learner here.

Each actor plays its own games side by side, with a network that is sent to it whenever
there is a new one. An actor that is lost with its machine is replaced; games that it
had not finished are lost with it.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.cluster import expect_ray, read_executor, start_ray
from ..core.errors import PlayoutError
from ..games.registry import make_game
from .config import TrainConfig
from .replay import Lesson
from .selfplay import SelfPlay

if TYPE_CHECKING:
    from .trainer import Source

__all__ = ["RaySource", "source_maker"]

#: Seconds after which an actor tells what it has.
REPORT_SECONDS = 1.0
#: So many actors may be lost one after another, before a game comes of any.
MOST_LOST = 5


def source_maker(
    executor: str, spec: str, config: TrainConfig
) -> Callable[[int], Source] | None:
    """What makes a source with a seed; None for this process.

    Args:
        executor: `local`, `ray` or `ray:ADDRESS`.
        spec: the game.
        config: how it is searched.

    Raises:
        UsageError: there is no such executor, or Ray is not installed.
    """
    kind, address = read_executor(executor, "--executor")
    if kind == "local":
        return None
    expect_ray("--executor ray")
    return lambda seed: RaySource(address, spec, config, seed)


class RaySource:
    """Games from a cluster.

    Playout with the extra `net` must be installed on its machines, and files that the
    game's spec names must be there.

    Args:
        address: of the cluster, as `ray.init` takes it; None to start one here.
        spec: the game.
        config: how it is searched; `games_at_once` are those of each actor.
        seed: of all random numbers.
        actors: how many, each on one processor; by default as many as there are.

    Attributes:
        seconds: that self-play took so far, all actors together.
        network_seconds: of these, the ones that the network took.

    Raises:
        UsageError: Ray is not installed, or does not answer at the address.
    """

    def __init__(
        self,
        address: str | None,
        spec: str,
        config: TrainConfig,
        seed: int,
        actors: int | None = None,
    ) -> None:
        self._ray = start_ray(address, "--executor ray", actors)
        there = int(self._ray.cluster_resources().get("CPU", 1))
        self._make = spec, config, os.getcwd()
        self._seeds = np.random.SeedSequence(seed)
        self.seconds = self.network_seconds = 0.0
        self._network: Any = None
        self._lost = 0
        self._steps: dict[Any, Any] = {}
        self._count = actors or max(1, there)

    def use(self, path: Path) -> None:
        """Have all actors play with the network of a file from now on."""
        self._network = self._ray.put((path.name, path.read_bytes()))
        while len(self._steps) < self._count:
            self._begin(self._start())
        for actor in self._steps.values():
            actor.use.remote(self._network)

    def step(self) -> list[Lesson]:
        """Wait for a moment; returns what the games that ended teach.

        Raises:
            PlayoutError: the rules failed, or actors are lost again and again.
        """
        ready, _ = self._ray.wait(list(self._steps), timeout=REPORT_SECONDS)
        lessons: list[Lesson] = []
        for reference in ready:
            actor = self._steps.pop(reference)
            try:
                found, seconds, network_seconds = self._ray.get(reference)
            except self._ray.exceptions.RayActorError as lost:
                actor = self._replace(lost)
            except self._ray.exceptions.RayTaskError as failed:
                raise PlayoutError(f"self-play failed: {failed.cause}") from None
            else:
                self._lost = 0
                self.seconds += seconds
                self.network_seconds += network_seconds
                lessons += found
            self._begin(actor)
        return lessons

    def close(self) -> None:
        """End all actors; may be called twice."""
        if self._ray is not None:
            for actor in self._steps.values():
                self._ray.kill(actor)
            self._steps.clear()
            self._ray.shutdown()
            self._ray = None

    def _begin(self, actor: Any) -> None:
        self._steps[actor.step.remote()] = actor

    def _start(self) -> Any:
        """A new actor, which has the network."""
        (sequence,) = self._seeds.spawn(1)
        seed = int(sequence.generate_state(1)[0])
        actor = self._ray.remote(_Actor).options(num_cpus=1).remote(*self._make, seed)
        actor.use.remote(self._network)
        return actor

    def _replace(self, lost: Exception) -> Any:
        self._lost += 1
        if self._lost > MOST_LOST:
            raise PlayoutError(f"Ray has lost its workers: {lost}") from None
        return self._start()


class _Actor:
    """Self-play somewhere in the cluster."""

    def __init__(
        self, spec: str, config: TrainConfig, directory: str, seed: int
    ) -> None:
        if os.path.isdir(directory):  # so that files are found, where there are any
            os.chdir(directory)
        self.source = SelfPlay(make_game(spec), config, 1, seed)
        self._folder = tempfile.TemporaryDirectory()

    def use(self, network: tuple[str, bytes]) -> None:
        """Play with the network of this file from now on."""
        name, content = network
        path = Path(self._folder.name) / name
        path.write_bytes(content)
        self.source.use(path)

    def step(self) -> tuple[list[Lesson], float, float]:
        """Play until a game has ended, and for a moment at least; with the seconds."""
        source, lessons, began = self.source, list[Lesson](), time.monotonic()
        before = source.seconds, source.network_seconds
        while not lessons or time.monotonic() - began < REPORT_SECONDS:
            lessons += source.step()
        seconds, network = source.seconds, source.network_seconds
        return lessons, seconds - before[0], network - before[1]
