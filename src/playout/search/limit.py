"""`Limit`: when a search stops, and how large its tree may grow."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

from ..core.errors import UsageError
from ..core.text.fields import check_fields

__all__ = ["Limit", "default_memory", "expect_seconds"]

#: The tree's memory by default, in bytes; half of what is free if that is less.
DEFAULT_MEMORY = 2 << 30
#: Where Linux says how much there is, what it can give back included.
_MEMINFO = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable:\s+(\d+) kB$", re.MULTILINE)
#: Where it says how many pages of address space this process has.
_STATM = Path("/proc/self/statm")


@dataclass(frozen=True)
class Limit:
    """Whichever comes first ends the search; all are honoured together.

    Attributes:
        seconds: time to think, above 0; compiling is not counted. Overshoot is at most
            one chunk of a few milliseconds, or one rollout of a slower game.
        simulations: how many simulations to run, at least 1.
        nodes: how many nodes the tree may have, at least 1. At the limit the least
            visited parts of the tree make room and the search goes on; it always has
            room for the root's moves. A larger tree, kept from searches before, is
            given up. Several trees divide them.
        memory: bytes the tree may take, at least 1; like `nodes`. By default 2 GiB, or
            half of the free memory, or of the addresses that the system grants
            (`ulimit -v`), if that is less. While a full tree makes room, or is cut
            down to what a move leaves of it, it takes an eighth more for a moment; a
            tree that is copied because the limit has grown is there twice. Free memory
            is measured once for every `MCTS`.

    Where information is hidden and with transpositions no room is made: a full tree
    stays as it is, and the search goes on in it.

    With neither `seconds` nor `simulations`, the search ends when the tree is full, or
    has stopped growing.

    >>> Limit(seconds=1, simulations=5000)
    Limit(seconds=1, simulations=5000, nodes=None, memory=None)
    """

    seconds: float | None = None
    simulations: int | None = None
    nodes: int | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        given = [self.seconds, self.simulations, self.nodes, self.memory]
        if all(value is None for value in given):
            raise UsageError(
                "a limit needs at least one of seconds, simulations, nodes and memory"
            )
        expect_seconds("seconds", self.seconds)
        for name in ("simulations", "nodes", "memory"):
            value = getattr(self, name)
            if value is not None and (value != int(value) or value < 1):
                raise UsageError(f"{name} must be a whole number above 0, not {value}")

    def node_capacity(
        self, node_bytes: int, root_moves: int, default_memory: int, trees: int = 1
    ) -> int:
        """How many nodes of this size each of so many trees may have.

        Args:
            node_bytes: of a node, with all that is kept for it elsewhere.
            root_moves: for which there must be room in any case.
            default_memory: what all trees may take where the limit does not say.
            trees: how many there are.
        """
        memory = default_memory
        if self.memory is not None:
            memory = min(self.memory, _machine_memory())
        capacity = min(memory // node_bytes, self.nodes or 2**31 - 1) // trees
        return max(min(capacity, 2**31 - 1), root_moves + 2)


def expect_seconds(name: str, seconds: float | None) -> None:
    """Complain about a time that nobody can think for; None is no limit.

    Raises:
        UsageError: names the parameter.
    """
    if seconds is not None and not (math.isfinite(seconds) and seconds > 0):
        raise UsageError(f"{name} must be above 0 and finite, not {seconds}")


def default_memory() -> int:
    """The memory that a search may take by default, in bytes."""
    return min(DEFAULT_MEMORY, _free_memory() // 2, _free_addresses() // 2)


def _machine_memory() -> int:
    """What this machine has in all, in bytes; 1 TiB where that is unknown."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 1 << 40


def _free_memory() -> int:
    """What can be had without swapping; twice the default where that is unknown."""
    try:
        found = _AVAILABLE.search(_MEMINFO.read_text("ascii"))
    except (OSError, UnicodeDecodeError):
        found = None
    if found is not None:
        return 1024 * int(found[1])
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2 * DEFAULT_MEMORY


def _free_addresses() -> int:
    """What a process may still reserve that has a limit (`ulimit -v`)."""
    try:
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most == resource.RLIM_INFINITY:
            return 2 * DEFAULT_MEMORY
        pages = int(_STATM.read_text("ascii").split()[0])
    except (ImportError, OSError, ValueError):
        return 2 * DEFAULT_MEMORY
    return max(0, most - pages * resource.getpagesize())
