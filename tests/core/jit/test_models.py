"""Instances in kernels: what is read of them is what they hold, at every call."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest
from llvmlite.ir import PointerType
from numpy.typing import NDArray

from playout import Compiled, static
from playout.core.jit import internals
from playout.core.jit.compiled import KEPT, compiled_type
from playout.core.jit.models import FEW, LINE, keep_place
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


def expected(outer: Outer) -> float:
    return pytest.approx(weighed(outer, outer.inner), rel=1e-12)  # type: ignore[no-any-return]


def replaced(outer: Outer, **values: object) -> None:
    """Replace fields of a frozen instance, as nobody may who has a place kept."""
    for name, value in values.items():
        object.__setattr__(outer, name, value)


def test_data_that_is_kept_is_written_once(native: Any) -> None:
    """What is written to arrays is seen; a field that was replaced is not."""
    outer = make(1)
    keep_place(outer)
    assert native(outer, 1) == expected(outer)
    outer.inner.cells[:] = 7
    outer.rows.array["right"] = 0.5
    assert native(outer, 1) == expected(outer)
    before = expected(outer)
    replaced(outer, scale=-1e9)
    assert native(outer, 1) == before
    assert native(make(2), 1) == expected(make(2))  # others are written as ever


def test_a_place_is_kept_once_and_begins_a_line() -> None:
    outer = make(1)
    assert outer._playout_place == 0
    keep_place(outer)
    place = outer._playout_place
    keep_place(outer)
    assert outer._playout_place is place
    assert place % LINE == 0


def through_pickle(outer: Outer) -> Outer:
    found: Outer = pickle.loads(pickle.dumps(outer))
    return found


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, replace, through_pickle])
def test_a_copy_has_no_place(native: Any, copied: Callable[[Outer], Outer]) -> None:
    outer = make(1)
    keep_place(outer)
    native(outer, 1)
    other = copied(outer)
    assert other._playout_place == 0
    replaced(other, scale=outer.scale + 1.0)
    assert native(other, 1) == expected(other)
    assert native(outer, 1) == expected(outer)


def test_checked_code_keeps_its_own(native: Any) -> None:
    """An index beyond an array is found after other code has written the data."""
    outer = make(1)
    keep_place(outer)
    checked = total_of.compile(outer, 1, checked=True)
    for _ in range(2):
        assert native(outer, 1) == checked(outer, 1) == expected(outer)
    short = replace(outer, count=6)
    keep_place(short)
    with pytest.raises(IndexError):
        checked(short, 1)


@dataclass
class Loose(Compiled):
    factor: float


@dataclass(frozen=True)
class Holder(Compiled):
    loose: Loose
    outer: Outer  # too many numbers to be passed as values


@kernel
def factor_of(holder: Holder) -> float:
    return holder.loose.factor


def test_what_is_not_frozen_is_written_at_every_call() -> None:
    holder = Holder(Loose(2.0), make(1))
    keep_place(holder)
    assert holder._playout_place == 0
    native = factor_of.compile(holder)
    assert native(holder) == 2.0
    holder.loose.factor = 3.0
    assert native(holder) == 3.0


def test_what_cannot_be_read_is_not_kept(native: Any) -> None:
    outer = make(1)
    keep_place(outer)
    scale = outer.scale
    replaced(outer, scale="much")
    for _ in range(2):
        with pytest.raises(TypeError):
            native(outer, 1)
    replaced(outer, scale=scale)
    assert native(outer, 1) == expected(outer)


def test_what_is_larger_than_a_place_is_written_at_every_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("playout.core.jit.models.PLACE_BYTES", LINE + 8)

    @kernel
    def scaled(outer: Outer) -> float:
        return outer.total() * 2.0

    outer = make(1)
    keep_place(outer)
    native = scaled.compile(outer)
    assert native(outer) == pytest.approx(2.0 * outer.total(), rel=1e-12)
    replaced(outer, scale=0.25)
    assert native(outer) == pytest.approx(2.0 * outer.total(), rel=1e-12)


def test_no_name_that_rules_may_have_is_taken() -> None:
    """Numba's wrapper asks every instance for its place, by a name of Playout's own."""
    assert KEPT.startswith("_playout_")
