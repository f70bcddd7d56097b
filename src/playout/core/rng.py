"""Random numbers that are the same in all three ways of running.

SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators",
OOPSLA 2014): one addition of state, so a draw waits for nothing. Bounded draws use
Lemire's method ("Fast Random Integer Generation in an Interval", 2019) with its
rejection step: no modulo bias. Uniform rollouts take several draws from each number,
which are uniform to one part in 2**32 (`draw_from`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import UsageError, quote
from .jit.bits import wide_product
from .jit.compiled import Compiled
from .jit.hashing import MIX_1, mix
from .text.fields import is_whole

__all__ = ["Rng", "draw_from", "draws_per_number", "make_rng"]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MASK_32 = np.uint64(0xFFFFFFFF)
_32, _11 = np.uint64(32), np.uint64(11)
_UNIT = 1.0 / (1 << 53)


@dataclass(frozen=True)
class Rng(Compiled):
    """A stream of random numbers.

    Attributes:
        state: `[1]` uint64, modified in place by every draw.
    """

    state: NDArray[np.uint64]

    def next(self) -> Any:
        """64 random bits."""
        state = self.state[0] + _GOLDEN
        self.state[0] = state
        return mix(state)

    def below(self, n: Any) -> Any:
        """A uniform integer in `0 .. n - 1`, for `1 <= n < 2**32`."""
        size = np.uint64(n)
        product = (self.next() >> _32) * size
        low = product & _MASK_32
        if low < size:
            threshold = ((_MASK_32 - size) + np.uint64(1)) % size
            while low < threshold:
                product = (self.next() >> _32) * size
                low = product & _MASK_32
        return np.int64(product >> _32)

    def uniform(self) -> Any:
        """A uniform float in [0, 1) with 53 random bits."""
        return float(self.next() >> _11) * _UNIT


def draw_from(bits: Any, n: Any) -> tuple[Any, Any]:
    """An integer in `0 .. n - 1`, and the bits that are left for the next draw.

    The probability of each is `1 / n` to one part in 2**32, if no more are taken than
    `draws_per_number` says. After Brackett-Rozinsky and Lemire, "Batched Ranged Random
    Integer Generation" (2024), without the rejections that make it exact.

    Args:
        bits: of `rng.next()`, or what the draw before has left.
        n: 1 to 2**32.

    >>> drawn, bits = draw_from(np.uint64(3 << 62), 6)
    >>> int(drawn), int(bits) == 1 << 63
    (4, True)
    """
    drawn, left = wide_product(bits, np.uint64(n))
    return np.int64(drawn), left


def draws_per_number(n: int) -> int:
    """How many integers below `n` to take from one random number: a power of two.

    >>> [draws_per_number(n) for n in (7, 81, 225, 484)]
    [8, 4, 4, 2]
    """
    draws, sizes = 1, n
    while draws < 16 and sizes <= 1 << 16:
        draws, sizes = 2 * draws, sizes * sizes
    return draws


def make_rng(seed: int, stream: int = 0) -> Rng:
    """The generator of a seed; streams of one seed are unrelated.

    >>> with np.errstate(over="ignore"):
    ...     rng = make_rng(7)
    ...     [int(rng.below(10)) for _ in range(8)]
    [6, 8, 6, 0, 3, 2, 6, 3]

    Raises:
        UsageError: the seed is not a whole number of at most 64 bits.
    """
    if not is_whole(seed) or not -(2**63) <= seed < 2**64:
        raise UsageError(
            f"seed must be a whole number of at most 64 bits, not {quote(seed)}"
        )
    seed = int(seed)
    with np.errstate(over="ignore"):
        state = mix(np.uint64(seed & (2**64 - 1)) + _GOLDEN)
        state = mix(state ^ mix(np.uint64(stream & (2**64 - 1)) + MIX_1))
    return Rng(np.array([state], dtype=np.uint64))
