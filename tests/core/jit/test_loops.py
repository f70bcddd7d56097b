"""Loops that count upwards: the same numbers as Python's, and nothing else is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.errors import CompileError
from playout.core.jit import loops
from playout.core.jit.native import kernel
from tests.core.jit.modules import code_of

LEAST, MOST = -(2**63), 2**63 - 1


def up_to(stop: Any) -> int:
    total, last = 0, -7
    for number in range(stop):
        total += 3 * number + 1
        last = number
    return total * 10 + last


def from_to(start: Any, stop: Any) -> int:
    total, last = 0, -7
    for number in range(start, stop):
        total += 3 * number + 1
        last = number
    return total * 10 + last


@pytest.fixture(scope="module")
def native() -> Callable[..., int]:
    return kernel(from_to).compile(1, 2)


@given(st.integers(-20, 20), st.integers(-20, 20))
def test_numbers_are_those_of_python(native: Any, start: int, stop: int) -> None:
    assert native(start, stop) == from_to(start, stop)


@pytest.mark.parametrize("kind", [int, np.int32, np.int8, np.uint8, np.uint64, bool])
def test_limits_of_any_whole_type(kind: Any) -> None:
    compiled = kernel(up_to).compile(kind(1))
    for stop in (0, 1) if kind is bool else (0, 1, 5, 100):
        assert compiled(kind(stop)) == up_to(int(stop))
    if kind in (int, np.int32, np.int8):
        assert compiled(kind(-3)) == up_to(-3)


@pytest.mark.parametrize("kinds", [(np.int8, int), (np.uint8, np.int32)])
def test_limits_of_two_types(kinds: Any) -> None:
    start, stop = kinds
    assert kernel(from_to).compile(start(2), stop(9))(start(2), stop(9)) == from_to(
        2, 9
    )


def steps_to(start: int, stop: int) -> int:
    steps = 0
    for number in range(start, stop):
        steps += 1 + (number & 0)
    return steps


@pytest.mark.parametrize("start", [MOST - 3, MOST, LEAST])
def test_the_largest_and_the_least_numbers(start: int) -> None:
    stop = min(start + 5, MOST)
    assert kernel(steps_to).compile(1, 2)(start, stop) == stop - start


def begun(start: Any, stop: Any) -> int:
    steps = 0
    for _ in range(start, stop):
        steps += 1
        if steps == 3:
            break
    return steps


@pytest.mark.parametrize(("kind", "least"), [(int, LEAST), (np.uint64, 0)])
def test_limits_further_apart_than_half_of_all_numbers(kind: Any, least: int) -> None:
    """Numba's range takes them for a way down."""
    native = kernel(begun).compile(kind(1), kind(2))
    far = least + 2**63 + 5
    assert native(kind(least), kind(far)) == begun(least, far) == 3
    assert native(kind(far), kind(least)) == begun(far, least) == 0


def many_kinds(n: int) -> int:
    total = 0
    for i in range(n):  # left early, with an `else`
        for j in range(i, n):
            if j == 4:
                break
            total += i * j
        else:
            total += 1000
        if i == 6:
            continue
        n -= 1  # changes nothing: the range is made
        total += i
    for i in range(0, n, 2):
        total += 5 * i
    for i in range(n, 0, -1):
        total -= i * i
    i = 99
    for i in range(n, n):
        total += i
    return total * 100 + i


def other_uses(n: int) -> int:
    total = 0
    for k in (held := range(n)):
        total += k * len(held)
    named = range(2, n)
    for k in named:
        total += k + named.start
    for k, each in enumerate(range(n)):
        total += k * each
    for a, b in zip(range(n), range(1, n + 1)):  # noqa: B905
        total += a * b
    return total + sum([k * k for k in range(n)]) + (3 in range(n))


def by_another_name(n: int) -> int:
    counted = range
    total = 0
    for k in counted(n):
        total += k
    for k in counted(n, 0, -1):
        total += 10 * k
    return total + len(counted(3))


def named_in_passing(n: int) -> int:
    total = 0
    for k in (counted := range)(n):
        total += k
    return total + counted(n, 9).start


def shadowed(n: int) -> int:
    range = odd
    total = 0
    for k in range(n):
        total += k
    return total


def odd(n: int) -> tuple[int, int]:
    return n, 2 * n + 1


def yielded(n: int) -> Iterator[int]:
    for k in range(n):
        yield k * k


def of_a_generator(n: int) -> int:
    total = 0
    for k in yielded(n):
        total += k
    return total


def deeper(n: int, wide: bool) -> int:
    total = 0
    for k in range(2 if wide else 1, n):
        total += k
    return total


@pytest.mark.parametrize(
    "function",
    [
        many_kinds, other_uses, by_another_name, named_in_passing, shadowed,
        of_a_generator,
    ],
)  # fmt: skip
@pytest.mark.parametrize("checked", [False, True])
def test_loops_of_all_kinds(function: Any, checked: bool) -> None:
    compiled = kernel(function).compile(1, checked=checked)
    assert [compiled(n) for n in range(9)] == [function(n) for n in range(9)]


def hashed(n: Any) -> np.uint64:
    found = np.uint64(2**63 + 1)
    for number in range(n):
        found = found * np.uint64(31) + number
    return found


def last_in_array(n: Any) -> Any:
    found = np.zeros(1, np.int32)
    for number in range(n):
        found = np.full(1, number)
    return found[0]


def test_numbers_have_the_type_that_a_range_gives_them() -> None:
    with np.errstate(over="ignore"):
        expected = hashed(3)
    assert kernel(hashed).compile(np.uint8(1))(np.uint8(3)) == int(expected)
    assert kernel(last_in_array).compile(np.int8(1))(np.int8(3)) == 2


@pytest.mark.parametrize("checked", [False, True])
def test_limits_with_a_sign_and_without_in_one_process(checked: bool) -> None:
    for kinds in ((np.uint64, int), (int, int), (int, np.uint64), (np.uint8, np.int8)):
        start, stop = (kind(limit) for kind, limit in zip(kinds, (2, 9), strict=True))
        native = kernel(from_to).compile(start, stop, checked=checked)
        assert native(start, stop) == from_to(2, 9)


def test_a_limit_that_depends() -> None:
    compiled = kernel(deeper).compile(1, True)
    for n in range(5):
        for wide in (False, True):
            assert compiled(n, wide) == deeper(n, wide)


def test_only_loops_by_one_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    found: list[int] = []
    run = loops.CountedLoops.run_pass

    def noted(self: Any, state: Any) -> bool:
        if state.func_id.func_name in ("many_kinds", "other_uses"):
            blocks = state.func_ir.blocks.values()
            found.append(sum(len(loops._calls(state.func_ir, b)) for b in blocks))
        return run(self, state)

    monkeypatch.setattr(loops.CountedLoops, "run_pass", noted)
    kernel(many_kinds).compile(np.int16(1))
    kernel(other_uses).compile(np.int16(1))
    assert found == [3, 1]  # the comprehension's


def test_a_loop_takes_few_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the five reads two are its own, and of the four places three."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    code = code_of(steps_to, monkeypatch, 1, 2)
    assert code.count(" = load ") <= 5
    assert code.count(" = alloca ") <= 4


@pytest.mark.parametrize("limit", ["text", 1j])
def test_what_is_no_limit_is_told_of_range(limit: Any) -> None:
    with pytest.raises(CompileError, match=r"No implementation .* signature: range\("):
        kernel(up_to).compile(limit)
