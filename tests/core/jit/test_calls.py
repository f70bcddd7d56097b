"""Calls within kernels: their results, how they end, and how short they are."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from tests.core.jit.modules import code_of


@pytest.fixture(autouse=True)
def _nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from disk is not compiled, and tests nothing here."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


def small(number: int) -> int:
    if number > 9:
        raise ValueError("too large")
    if number < -9:
        raise KeyError
    return number + 1


def deeper(number: int) -> int:
    return small(number) * 2


def deepest(number: int) -> int:
    total = 0
    for step in range(3):
        total += deeper(number + step)
    return total


@pytest.mark.parametrize("checked", [False, True])
def test_an_exception_comes_through_all_callers(checked: bool) -> None:
    native = kernel(deepest).compile(1, checked=checked)
    assert native(1) == deepest(1)
    with pytest.raises(ValueError, match=r"^too large$"):
        native(8)
    with pytest.raises(KeyError):
        native(-11)
    assert native(2) == deepest(2)


def perhaps(number: int) -> int | None:
    if number == 3:
        return None
    return small(number)


def count_of_none(numbers: int) -> int:
    found = 0
    for number in range(numbers):
        value = perhaps(number)
        if value is None:
            found += 100
        else:
            found += value
    return found


def test_a_result_that_may_be_none() -> None:
    native = kernel(count_of_none).compile(1)
    assert [native(n) for n in range(9)] == [count_of_none(n) for n in range(9)]
    with pytest.raises(ValueError, match="too large"):
        native(11)


def nothing(numbers: Any, place: int) -> None:
    numbers[place] = small(place)


def filled(numbers: Any) -> int:
    for place in range(len(numbers)):
        nothing(numbers, place)
    return int(numbers.sum())


def test_a_function_without_a_result() -> None:
    assert kernel(filled).compile(np.zeros(5, int))(np.zeros(5, int)) == 15
    with pytest.raises(ValueError, match="too large"):
        kernel(filled).compile(np.zeros(5, int))(np.zeros(12, int))


def caught(number: int) -> int:
    total = deeper(0)
    for step in range(3):
        try:
            total += deeper(number + step)
        except Exception:
            total += 1000
        total += deeper(step)
    return total


def uncaught(number: int) -> int:
    return caught(number) + small(number - 4)


def test_an_exception_that_is_caught() -> None:
    """Since Python 3.12 Numba itself does not catch a second one in the same loop."""
    native = kernel(uncaught).compile(1)
    for number in (1, 7, 8) if sys.version_info >= (3, 12) else (1, 8, 9, 13):
        assert native(number) == uncaught(number)
    with pytest.raises(ValueError, match="too large"):
        native(20)


def up_to(stop: int) -> Any:
    for number in range(stop):
        yield small(number)


def sum_of_yielded(stop: int) -> int:
    total = 0
    for number in up_to(stop):
        total += number
    return total


def test_a_generator_comes_to_its_end_and_may_fail() -> None:
    native = kernel(sum_of_yielded).compile(1)
    assert [native(n) for n in range(5)] == [sum_of_yielded(n) for n in range(5)]
    with pytest.raises(ValueError, match="too large"):
        native(12)


def pair(number: int) -> tuple[int, float]:
    return number, number / 2


def unpacked(number: int) -> float:
    whole, half = pair(number)
    return 10 * whole + half


def test_results_of_several_values() -> None:
    assert kernel(unpacked).compile(1)(7) == unpacked(7)


def plain(number: int) -> int:
    return number + 1


def many_calls(number: int) -> int:
    number = plain(plain(plain(plain(plain(number)))))
    return plain(plain(plain(plain(plain(number)))))


def test_a_call_takes_few_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine lines with what follows where it fails; Numba's take thirty."""
    lines = len(code_of(many_calls, monkeypatch, 1).splitlines())
    assert lines - len(code_of(plain, monkeypatch, 1).splitlines()) < 10 * 10
