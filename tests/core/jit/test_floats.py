"""Sums of rows: compiled and as plain Python, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playout.core.jit.floats import LANES, add_rows
from playout.core.jit.native import kernel


@kernel
def add(
    out: Any,
    numbers: Any,
    first: int,
    width: int,
    rows: Any,
    factors: Any,
    n: int,
    begin: int,
    end: int,
) -> None:
    add_rows(out, numbers, first, width, rows, factors, n, begin, end)


@pytest.fixture(scope="module")
def native() -> Any:
    return add.compile(*example(LANES, 3, 1))


def example(width: int, count: int, seed: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(0, 1, 7 + 6 * width).astype(np.float32)
    rows = rng.integers(0, 5, 8).astype(np.int32)
    factors = rng.normal(0, 1, 8).astype(np.float32)
    out = np.zeros(width, np.float32)
    return out, numbers, 7, width, rows, factors, count, 0, width


@pytest.mark.parametrize("width", [LANES, 3 * LANES])
@pytest.mark.parametrize("count", [0, 1, 8])
def test_compiled_it_adds_and_rounds_as_python_does(
    native: Any, width: int, count: int
) -> None:
    one, other = example(width, count, 2), example(width, count, 2)
    native(*one)
    add_rows(*other)
    assert one[0].tobytes() == other[0].tobytes()
    rows, factors = one[4][:count], one[5][:count]
    table = one[1][7:].astype(float).reshape(6, width)
    assert one[0] == pytest.approx(table[0] + factors @ table[1 + rows], abs=1e-5)


@pytest.mark.parametrize("begin", [0, 1, 2])
@pytest.mark.parametrize("end", [0, 1, 2, 3])
def test_of_some_columns_the_others_stay(native: Any, begin: int, end: int) -> None:
    columns = begin * LANES, end * LANES
    one, other = (example(3 * LANES, 8, 2)[:-2] + columns for _ in range(2))
    whole = example(3 * LANES, 8, 2)
    native(*one)
    native(*whole)
    add_rows(*other)
    wanted = np.zeros(3 * LANES, np.float32)
    wanted[slice(*columns)] = whole[0][slice(*columns)]
    assert one[0].tobytes() == other[0].tobytes() == wanted.tobytes()
