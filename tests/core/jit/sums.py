"""A kernel in parts that a second process can compile."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playout.core.jit.compiled import Compiled, constant
from playout.core.jit.native import Kernel

Parts = list[tuple[Any, tuple[Any, ...]]]

HERE = os.getpid()


@dataclass(frozen=True)
class Weights(Compiled):
    factor: float = 3.0

    @constant
    def many(self) -> np.ndarray:
        """More than Numba writes into the code: it writes an address."""
        return np.full(200_000, 0.25)

    def weigh(self, number: int) -> float:
        return self.factor * number

    def pick(self, number: int) -> float:
        return float(self.many[number])


def sums() -> tuple[Kernel, Parts]:
    """A kernel that nobody has compiled yet, and two parts of it."""

    def divided(weights: Any, number: int) -> float:
        return weights.weigh(number) / (number - 2)  # inf at 2: NumPy's error model

    def squared(number: int) -> int:
        if number < 0:
            raise ValueError("negative", number)
        return number * number

    def both(weights: Any, number: int) -> float:
        return squared(number) + divided(weights, number)

    return Kernel(both), [(squared, (1,)), (divided, (Weights(), 1))]


def memory_files() -> int:
    """How many files in memory are open that parts come in."""
    links = (
        os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")
    )
    there = filter(os.path.lexists, links)  # that of the listing itself is gone
    return sum("memfd:playout" in os.readlink(link) for link in there)


def children() -> set[str]:
    """Processes that this one has started and not seen the end of."""
    found = Path("/proc/self/task").glob("*/children")
    return {pid for listed in found for pid in listed.read_text().split()}
