"""Variables in kernels: what is allocated is freed, and the rest is left alone."""

from __future__ import annotations

import resource
from typing import Any

import numpy as np
import pytest

from playout.core.jit import internals
from playout.core.jit.native import kernel
from tests.core.jit.modules import code_of


@kernel
def sums_of_new_arrays(times: int, size: int) -> float:
    total = 0.0
    for number in range(times):
        numbers = np.full(size, 1.0 + number)
        if number % 2 == 0:
            numbers = numbers + 1.0
        total += numbers[size - 1]
    return total


@kernel
def lengths(times: int) -> int:
    total = 0
    for number in range(times):
        found = [number]
        while len(found) < 5:
            found.append(len(found))
        total += len(found)
    return total


def test_arrays_that_a_kernel_makes_are_freed() -> None:
    """400 of 8 MB each would be 3.2 GB."""
    native = sums_of_new_arrays.compile(2, 10)
    assert native(5, 10) == sums_of_new_arrays(5, 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    native(400, 1_000_000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 200_000  # kB


def test_only_what_may_own_something_is_given_up(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    given_up: set[str] = set()
    give_up = internals.Lower.delvar

    def noted(self: Any, name: str) -> None:
        given_up.add(name.partition(".")[0])
        give_up(self, name)

    monkeypatch.setattr(internals.Lower, "delvar", noted)
    assert lengths.compile(1)(7) == lengths(7) == 35
    assert "found" in given_up
    assert not {"times", "total", "number"} & given_up


def chosen(is_given: bool, number: int) -> int:
    value = 1
    if is_given:
        value = number
    return value


def test_what_owns_nothing_is_set_without_being_read(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read are `is_given`, `number` and, where it is returned, `value`."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    assert code_of(chosen, monkeypatch, True, 3).count(" = load ") == 3
