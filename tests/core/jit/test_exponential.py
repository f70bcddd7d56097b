"""Exponentials: as accurate as is said, and the same compiled and as plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.jit.exponential import FARTHEST, exponential, exponentials
from playout.core.jit.native import kernel


@kernel
def all_of(numbers, count):
    exponentials(numbers, count)


@pytest.fixture(scope="module")
def native():
    return all_of.compile(np.zeros(1), 1)


@given(st.floats(-FARTHEST, FARTHEST))
def test_twelve_digits_are_right(x):
    assert exponential(x) == pytest.approx(math.exp(x), rel=5e-13, abs=0)


def test_beyond_the_range_it_is_what_it_is_at_its_end():
    assert exponential(1e9) == exponential(FARTHEST) < math.inf
    assert exponential(-math.inf) == exponential(-FARTHEST) > 0.0


def test_it_never_falls(native):
    """A move that is likelier by the sum is likelier by its exponential."""
    numbers = np.linspace(-3.0, 3.0, 200_001)
    native(numbers, len(numbers))
    assert (np.diff(numbers) > 0).all()


@pytest.mark.parametrize("count", [0, 1, 7, 9, 16, 81])
def test_compiled_it_gives_the_same_bits(native, count):
    rng = np.random.default_rng(count)
    given = rng.uniform(-FARTHEST, FARTHEST, 81) * rng.uniform(0, 1, 81) ** 4
    numbers, wanted = given.copy(), given.copy()
    native(numbers, count)
    exponentials(wanted, count)
    assert numbers.tobytes() == wanted.tobytes()
    assert numbers[count:].tobytes() == given[count:].tobytes()
