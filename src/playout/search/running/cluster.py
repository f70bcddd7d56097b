"""`RayForest`: trees in the actors of a Ray cluster, one in each."""

from __future__ import annotations

import contextlib
from typing import Any

from ...core.cluster import expect_ray, join_ray
from .remote import RemoteForest
from .tree_actor import TreeActor

__all__ = ["RayForest"]


class RayForest(RemoteForest):
    """A forest whose trees are in a Ray cluster.

    Args:
        address: of the cluster; None for a Ray that this process is connected to, or
            one that is started here.
        arguments: those of `Forest`.

    Raises:
        UsageError: Ray is not installed.
    """

    asked, keeper = "executor=ray", "Ray"

    def __init__(self, address: str | None, *arguments: Any) -> None:
        expect_ray(self.asked)
        super().__init__(*arguments)
        self.address = address

    def _make_actors(self, count: int) -> list[Any]:
        self._ray = join_ray(self.address, self.asked)
        kind = self._ray.remote(TreeActor).options(scheduling_strategy="SPREAD")
        return [kind.remote() for _ in range(count)]

    def _begin(self, actor: Any, method: str, arguments: tuple[Any, ...]) -> Any:
        if not self._ray.is_initialized():
            raise ConnectionError("this process has left the cluster")
        return getattr(actor, method).remote(*arguments)

    def _unfinished(self, calls: list[Any], seconds: float) -> list[Any]:
        _, calls = self._ray.wait(calls, num_returns=len(calls), timeout=seconds)
        return calls

    def _answers(self, calls: list[Any]) -> list[Any]:
        return list(self._ray.get(calls))

    def _end(self, actors: list[Any]) -> None:
        for actor in actors if self._ray.is_initialized() else ():
            with contextlib.suppress(Exception):  # of one that is lost
                self._ray.kill(actor)

    def _no_room(self) -> str:
        free = self._ray.available_resources().get("CPU", 0)
        return f"; of the cluster's processors {free:g} are free"
