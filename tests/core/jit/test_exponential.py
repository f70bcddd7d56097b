"""Exponentials: as accurate as is said, and the same compiled and as plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.jit.exponential import FARTHEST, exponential, exponentials
from playout.core.jit.native import kernel

LN2 = math.log(2)


@kernel
def of_row(numbers, count):
    exponentials(numbers, count)


@kernel
def one_by_one(numbers, count):
    for index in range(count):
        numbers[index] = exponential(numbers[index])


@pytest.fixture(scope="module", params=[of_row, one_by_one])
def native(request):
    return request.param.compile(np.zeros(1), 1)


@given(st.floats(-FARTHEST, FARTHEST))
def test_twelve_digits_are_right(x):
    assert exponential(x) == pytest.approx(math.exp(x), rel=5e-13, abs=0)


def test_it_does_not_fall_where_another_power_of_two_begins():
    for doublings in range(-40, 41):
        seam = (doublings + 0.5) * LN2
        row = [exponential(seam + step * 1e-12) for step in range(-3, 4)]
        assert row == sorted(row)


@pytest.mark.parametrize("count", [0, 1, 7, 9, 16, 81])
def test_compiled_it_gives_the_same_bits(native, count):
    rng = np.random.default_rng(count)
    row = rng.uniform(-FARTHEST, FARTHEST, 81) * rng.uniform(0, 1, 81) ** 4
    row[:7] = math.inf, -math.inf, 1e9, -1e9, FARTHEST, -0.0, LN2 / 2
    numbers, wanted = row.copy(), row.copy()
    native(numbers, count)
    exponentials(wanted, count)
    assert numbers.tobytes() == wanted.tobytes()
    assert numbers[count:].tobytes() == row[count:].tobytes()
    assert (numbers[:count] > 0.0).all()
    assert (numbers[:count] < math.inf).all()


def test_what_is_no_number_stays_so(native):
    row = np.array([0.0, math.nan, 1.0])
    native(row, 3)
    assert np.isnan(row).tolist() == [False, True, False]
    assert row[2] == exponential(1.0)
    assert math.isnan(exponential(math.nan))
