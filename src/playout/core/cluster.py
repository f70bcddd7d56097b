"""Ray: whether it is there, and how to reach a cluster."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import os
import re
import socket
from typing import Any

from .errors import UsageError, quote

__all__ = ["expect_ray", "join_ray", "read_executor", "start_ray"]

#: The address that `join_ray` has last connected this process to; None for its own Ray.
_joined: list[str | None] = [None]


def read_executor(
    text: object, asked: str, processes: bool = False
) -> tuple[str, str | None]:
    """What an executor's text says: its kind, and the cluster's address.

    >>> read_executor("ray:10.0.0.1:6379", "executor")
    ('ray', '10.0.0.1:6379')

    Args:
        text: `local`, `ray`, `ray:ADDRESS`, or `processes`.
        asked: how it was asked for, as a message says it.
        processes: whether `processes` may be asked for.

    Raises:
        UsageError: it is none of these.
    """
    kind, colon, address = text.partition(":") if isinstance(text, str) else ("",) * 3
    plain = ("local", "processes") if processes else ("local",)
    if text in plain or (kind == "ray" and bool(colon) == bool(address)):
        return kind, address or None
    raise UsageError(
        f"{asked}: {quote(text)} is not {', '.join(plain)}, ray or ray:ADDRESS"
    )


def expect_ray(asked: str) -> None:
    """Complain where Ray is not installed.

    Args:
        asked: how it was asked for, as a message says it.

    Raises:
        UsageError: it is not; says what to install.
    """
    if importlib.util.find_spec("ray") is None:
        raise UsageError(f"{asked}: this needs `pip install playout[cluster]`")


def start_ray(address: str | None, asked: str, processors: int | None = None) -> Any:
    """Ray's module, connected to a cluster.

    Args:
        address: of the cluster, as `ray.init` takes it; None to start one here.
        asked: how it was asked for, as a message says it.
        processors: of one that is started here; by default all there are.

    Raises:
        UsageError: Ray is not installed, or does not answer at the address.
    """
    expect_ray(asked)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = importlib.import_module("ray")
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    try:
        _expect_listener(address)
        if address is None:
            ray.init("local", num_cpus=processors, include_dashboard=False, **quiet)
        else:
            ray.init(address, **quiet)
    except Exception as error:  # where Ray begins too slowly it raises no other kind
        where = "here" if address is None else f"at {address}"
        raise UsageError(f"{asked}: no Ray {where}: {error}") from None
    return ray


def join_ray(address: str | None, asked: str) -> Any:
    """The same, but a Ray that this process is connected to already will do.

    Raises:
        UsageError: it is connected to another than the one at the address.
    """
    expect_ray(asked)
    ray = importlib.import_module("ray")
    if not ray.is_initialized():
        ray = start_ray(address, asked)
        _joined[0] = address
    elif address is not None and address != _joined[0]:
        raise UsageError(f"{asked}: this process is connected to another Ray already")
    return ray


def _expect_listener(address: str | None) -> None:
    """Complain at once where no server listens; Ray takes two minutes to find out."""
    place = re.fullmatch(r"(?:ray://)?(.+):(\d+)", address or "")
    if place is not None:
        socket.create_connection((place[1], int(place[2])), timeout=10).close()
