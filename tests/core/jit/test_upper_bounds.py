"""The highest of many bounds: compiled and as plain Python, and by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.upper_bounds import EIGHT, at_least, highest_bound


@kernel
def look(bases: Any, slopes: Any, first: int, count: int, x: float, found: Any) -> None:
    """The highest; then the bits of all that are at least half of `x`, by eights."""
    found[0] = highest_bound(bases, slopes, first, count, x)
    for eight in range(0, count, EIGHT):
        bits = at_least(bases, slopes, first + eight, x, x / 2)
        found[1 + eight // EIGHT] = float(bits)


def example(count: int, seed: int) -> tuple[Any, ...]:
    """Some bounds behind eight higher ones, and before some that are higher, too."""
    rng = np.random.default_rng(seed)
    room = -(-count // EIGHT) * EIGHT
    bases, slopes = np.full(room + 16, 1e9), rng.uniform(0, 1, room + 16)
    bases[8 : 8 + count] = rng.normal(0, 1, count)
    bases[8 + count : 8 + room] = -np.inf
    return bases, slopes, 8, count, float(rng.uniform(0, 3)), np.zeros(1 + room // 8)


@pytest.fixture(scope="module")
def native() -> Any:
    return look.compile(*example(1, 1))


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 15, 16, 17, 24, 25, 225, 232])
def test_the_highest_is_that_of_the_list(native: Any, count: int) -> None:
    for seed in range(20):
        given = example(count, seed)
        bases, slopes, first, _, x, found = given
        native(*given)
        heights = (bases + slopes * x)[first : first + count].tolist()
        assert found[0] == max(heights, default=-math.inf)
        high = [n for n, height in enumerate(heights) if height >= x / 2]
        words = [int(word) for word in found[1:]]
        assert [8 * w + n for w, bits in enumerate(words) for n in range(8)
                if bits >> n & 1] == high  # fmt: skip
        plain = (*given[:5], np.zeros_like(found))
        look.function(*plain)
        assert plain[5].tobytes() == found.tobytes()


def test_what_is_no_number_is_never_the_highest(native: Any) -> None:
    bases, slopes = np.full(8, -np.inf), np.zeros(8)
    bases[:3] = (np.nan, -4.0, np.nan)
    for run in (native, look.function):
        found = np.zeros(2)
        run(bases, slopes, 0, 3, -10.0, found)
        assert found.tolist() == [-4.0, 0b10]
