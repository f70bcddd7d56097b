"""Sums of rows and layers: compiled and as plain Python, bit for bit.

Also of `core/jit/lanes.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from playout.core.jit.floats import (
    LANES,
    SUMS,
    add_layer,
    add_rows,
    clip,
    dot,
    rounded,
)
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


@kernel
def add_up(
    out: Any,
    numbers: Any,
    first: int,
    width: int,
    inputs: Any,
    place: int,
    count: int,
    begin: int,
    end: int,
) -> None:
    add_layer(out, numbers, first, width, inputs, place, count, begin, end)


@kernel
def cut(numbers: Any, out: Any, place: int, width: int) -> None:
    clip(numbers, out, place, width)


@kernel
def multiply(
    numbers: Any, place: int, factors: Any, first: int, width: int, out: Any
) -> None:
    out[0] = dot(numbers, place, factors, first, width)


def normal(count: int, seed: int = 1) -> Any:
    return np.random.default_rng(seed).normal(0, 1, count).astype(np.float32)


def layer(width: int, count: int, begin: int, end: int) -> tuple[Any, ...]:
    rows = 1 + rounded(count, SUMS)
    numbers = normal(7 + rows * width)
    numbers[7 + (1 + count) * width :] = 0.0  # rows that fill up
    inputs, out = normal(5 + rows, 2), np.full(width, 7, np.float32)
    return out, numbers, 7, width, inputs, 5, count, begin, end


@pytest.mark.parametrize("count", [1, 3, 4, 33])
@pytest.mark.parametrize("columns", [(0, 3), (1, 2), (2, 3), (1, 1)])
def test_a_layer_is_added_up_as_python_does(count: int, columns: Any) -> None:
    begin, end = (each * LANES for each in columns)
    one, other = (layer(3 * LANES, count, begin, end) for _ in range(2))
    add_up.compile(*one)(*one)
    add_layer(*other)
    assert one[0].tobytes() == other[0].tobytes()
    table = one[1][7 : 7 + (1 + count) * 3 * LANES].astype(float)
    table = table.reshape(1 + count, 3 * LANES)
    wanted = table[0] + one[4][5 : 5 + count].astype(float) @ table[1:]
    assert one[0][begin:end] == pytest.approx(wanted[begin:end], abs=1e-5)
    assert (np.delete(one[0], np.s_[begin:end]) == 7).all()


def test_numbers_are_clipped_as_python_does() -> None:
    numbers = 2 * normal(2 * LANES)
    numbers[:5] = [-0.0, 1.0, np.inf, -np.inf, np.nan]
    one, other = np.full(3 * LANES, 7, np.float32), np.full(3 * LANES, 7, np.float32)
    arguments = numbers, one, 3, 2 * LANES
    cut.compile(*arguments)(*arguments)
    clip(numbers, other, 3, 2 * LANES)
    assert one.tobytes() == other.tobytes()
    assert one[3:8].tolist() == [0, 1, 1, 0, 0]
    assert (one[[0, 2, -1]] == 7).all()
    assert one[8 : 3 + 2 * LANES] == pytest.approx(np.clip(numbers[5:], 0, 1))


@pytest.mark.parametrize("width", [LANES, 3 * LANES])
def test_products_are_added_up_as_python_does(width: int) -> None:
    numbers, factors, out = normal(4 * LANES), normal(4 * LANES, 2), np.zeros(1)
    arguments = numbers, 3, factors, 9, width
    multiply.compile(*arguments, out)(*arguments, out)
    assert out[0] == dot(*arguments)
    products = numbers[3 : 3 + width].astype(float) * factors[9 : 9 + width]
    assert out[0] == pytest.approx(products.sum(), abs=1e-5)
