"""In kernels `not`, `any`, `all` and `@` mean what they mean in Python.

What others compile does not know them: tests/core/jit/test_internals_others.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from playout.core.jit.advice import advice_on
from playout.core.jit.lowering import jit_options


def as_in_kernels(function: Callable[..., Any], checked: bool = False) -> Any:
    return njit(**jit_options(checked))(function)


@pytest.mark.parametrize("checked", [False, True])
def test_they_are_those_of_python(checked: bool) -> None:
    def look(line: Any) -> Any:
        large = [number for number in line if number > 2]
        found = set(large)
        none = not large, not found, not (1, 2), not {1: 2}, not line[0], not ()
        return (
            none,
            any(line),
            all(line),
            any(large),
            all(found),
            all((line[0] > 0, line[0] > 1)),
        )

    compiled = as_in_kernels(look, checked)
    for numbers in [1, 2, 3], [3, 3], [0, 3], [0, 0, 1], [1, 1], [2, 2, 2], [0]:
        line = np.array(numbers)
        assert compiled(line) == look(line)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("kind", [np.int8, np.uint64])
def test_products_are_those_of_numpy(kind: Any, checked: bool) -> None:
    def multiply(line: Any, table: Any) -> Any:
        return (
            line @ line,
            (line @ table).sum(),
            (table @ line)[1],
            (table.T @ table)[0, 1],
            np.dot(table, line)[0],
            np.dot(line, b=table)[1],
            line.dot(table)[0],
            table.dot(table)[1, 1],
        )

    line = np.array([1, 0, 1], kind)
    table = np.array([[1, 0, 1], [1, 1, 0], [0, 1, 1]], kind)
    line, table = line * kind(9), table * kind(5)
    assert as_in_kernels(multiply, checked)(line, table) == multiply(line, table)


def test_truths_are_multiplied_with_numbers() -> None:
    def multiply(line: Any, flags: Any) -> Any:
        return line @ flags

    line = np.array([9, 2, 1])
    assert as_in_kernels(multiply)(line, line > 1) == multiply(line, line > 1) == 11


def test_products_of_floats_are_left_to_numba() -> None:
    pytest.importorskip("scipy", reason="Numba multiplies floats by SciPy's BLAS")

    def multiply(a: Any, b: Any) -> Any:
        return a @ b, np.dot(a, b), a.dot(b)

    numbers = np.array([0.5, 1.5])
    assert as_in_kernels(multiply)(numbers, numbers) == (2.5, 2.5, 2.5)


def test_functions_within_know_them_too() -> None:
    """Those that are called, and those that are handed on; every index is checked."""

    def order(first: int) -> Any:
        def weight(row: Any) -> Any:
            return -10 * any(TABLE[row] == 2) - total_of(TABLE[row])

        return sorted([first, 1, 2], key=weight)[0]

    compiled = as_in_kernels(order, checked=True)
    assert compiled(0) == order(0) == 1
    with pytest.raises(IndexError):
        compiled(7)


TABLE = np.array([[3, 4], [2, 0], [0, 0]])


def total_of(line: Any) -> Any:
    return sum(line)


def test_no_array_is_true_or_false() -> None:
    def is_empty(table: Any) -> Any:
        return not table

    def is_any(table: Any) -> Any:
        return any(table)

    with pytest.raises(TypingError) as negated:
        as_in_kernels(is_empty)(np.zeros(3))
    assert "ask for its length" in str(advice_on(str(negated.value)))
    with pytest.raises(TypingError) as asked:
        as_in_kernels(is_any)(np.zeros((2, 2)))
    assert "as in (cells == 1).any()" in str(advice_on(str(asked.value)))


def test_a_range_is_not_assigned_to_a_part() -> None:
    def number(line: Any) -> Any:
        line[:2] = range(2)

    with pytest.raises(TypingError) as found:
        as_in_kernels(number)(np.zeros(3, np.int32))
    assert "write np.arange" in str(advice_on(str(found.value)))


def test_lines_that_are_multiplied_are_of_one_length() -> None:
    product = as_in_kernels(lambda a, b: a @ b)
    assert product(np.arange(3), np.arange(3)) == 5
    with pytest.raises(ValueError, match="different lengths"):
        product(np.arange(3), np.arange(4))
