"""Instances in kernels: what is read of them is what they hold, at every call."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
import pytest
from llvmlite.ir import PointerType
from numpy.typing import NDArray

from playout import Compiled, static
from playout.core.jit import internals
from playout.core.jit.compiled import compiled_type
from playout.core.jit.models import FEW
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

PAIR = np.dtype([("left", "i4"), ("right", "f8")])


@dataclass(frozen=True)
class Empty(Compiled):
    bonus: int = static(3)


@dataclass(frozen=True)
class Inner(Compiled):
    flag: bool
    weights: tuple[float, float]
    cells: NDArray[np.int8]


@dataclass(frozen=True)
class Outer(Compiled):
    nothing: Empty
    count: int
    inner: Inner
    rows: Rows
    scale: float

    def part(self) -> Inner:
        return self.inner

    def total(self) -> float:
        inner = self.part()
        found = 0.0
        for index in range(self.count):
            found += inner.cells[index] * self.rows[index].right
        if inner.flag:
            found += inner.weights[0] - 2.0 * inner.weights[1]
        return found * self.scale + self.nothing.bonus


def weighed(outer: Outer, inner: Inner) -> float:
    return outer.total() + 10.0 * inner.weights[1]


@kernel
def total_of(outer: Outer, times: int) -> float:
    found = 0.0
    for _ in range(times):
        found += weighed(outer, outer.inner)
        outer.rows[0].left += 1
    return found


def make(seed: int, count: int = 5) -> Outer:
    rng = np.random.default_rng(seed)
    rows = np.zeros(count, PAIR)
    rows["right"] = rng.random(count)
    cells = rng.integers(-100, 100, count).astype(np.int8)
    inner = Inner(bool(seed % 2), (rng.random(), rng.random()), cells)
    return Outer(Empty(), count, inner, Rows(rows), rng.random())


@pytest.fixture(scope="module")
def native():
    return total_of.compile(make(0), 1)


def test_compiled_and_interpreted_read_the_same(native) -> None:
    for seed in range(8):
        slow, fast = make(seed), make(seed)
        assert native(fast, 3) == total_of(slow, 3)
        assert np.array_equal(fast.rows.array, slow.rows.array)


def test_another_instance_has_other_fields(native) -> None:
    """What does not change in a kernel may change between two calls."""
    one = make(1)
    before = native(one, 1)
    one.inner.cells[0] += 1
    expected = before + one.scale * one.rows.array[0]["right"]
    assert native(one, 1) == pytest.approx(expected)
    assert native(make(2, count=3), 2) == total_of(make(2, count=3), 2)


def test_a_field_of_another_kind_is_refused(native) -> None:
    wrong = make(1)
    object.__setattr__(wrong, "scale", "twice")
    with pytest.raises((TypeError, ValueError)):
        native(wrong, 1)


def test_functions_are_given_addresses_or_few_numbers() -> None:
    """Not a hundred fields."""
    models = internals.cpu_target.target_context.data_model_manager
    outer, inner = make(0), make(0).inner
    given = models[compiled_type(outer)].get_argument_type()
    assert isinstance(given, PointerType)
    assert len(given.pointee.elements) == len(fields(Outer))
    numbers = 1 + 2 + 2  # a flag, two weights, an address and a size
    assert numbers <= FEW < numbers + 4
    assert len(models[compiled_type(inner)].get_argument_type()) == len(fields(Inner))
