"""`int`, `min` and `max` in kernels, against Numba's own."""

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import njit, typeof

from playout.core.jit.internals import cpu_target
from playout.core.jit.lowering import jit_options

NAN, INF = math.nan, math.inf
NUMBERS: list[Any] = [
    *(np.uint8(value) for value in (0, 7, 255)),
    *(np.int32(value) for value in (-7, 0, 2**31 - 1)),
    *(np.uint64(value) for value in (0, 7, 2**53 - 1)),
    *(np.float32(value) for value in (-0.5, 7, NAN, INF)),
    *(value for value in (-0.5, 0.0, -0.0, 7.0, NAN, INF, -INF)),
    *(value for value in (-(2**53) + 1, -7, 0, 7)),
]


def larger(first: Any, second: Any) -> Any:
    return max(first, second)


def smaller(first: Any, second: Any) -> Any:
    return min(first, second)


def as_in_kernels(function: Callable[..., Any]) -> Any:
    return njit(**jit_options(False))(function)


def is_same(first: Any, second: Any) -> bool:
    """Equal with the sign of a zero, and no number like no number."""
    return (math.isnan(first) and math.isnan(second)) or (
        first == second and math.copysign(1, first) == math.copysign(1, second)
    )


def numbas_type(function: Callable[..., Any], types: tuple[Any, Any]) -> Any:
    """What Numba says the larger or the smaller of two numbers is."""
    builtin = max if function is larger else min
    context = cpu_target.typing_context
    return context.resolve_function_type(builtin, types, {}).return_type


@pytest.mark.parametrize("function", [larger, smaller])
def test_two_numbers_are_compared_as_python_does(function: Callable[..., Any]) -> None:
    compiled = as_in_kernels(function)
    for pair in itertools.product(NUMBERS, repeat=2):
        assert is_same(compiled(*pair), function(*pair)), (function, pair)
    types = {typeof(number) for number in NUMBERS}
    ours = {sig.args: sig.return_type for sig in compiled.nopython_signatures}
    assert ours == {
        pair: numbas_type(function, pair) for pair in itertools.product(types, repeat=2)
    }


def whole(number: Any) -> Any:
    return int(number)


@pytest.mark.parametrize("number", [n for n in NUMBERS if math.isfinite(n)])
def test_a_number_becomes_whole_as_in_python(number: Any) -> None:
    assert as_in_kernels(whole)(number) == int(number)


def other_forms(number: float, flag: bool, numbers: Any) -> Any:
    return (
        max(number, flag),
        min(flag, number),
        max(flag, not flag),
        max(number, 3.5, 2),
        min(number, 3.5, 2),
        max((number, 9.0)),
        min(numbers[0], numbers[1]),
        int(flag),
        int(numbers[0]) + min(3, 2) + max(3, 2) + int(4.9),
    )


@pytest.mark.parametrize("flag", [False, True])
def test_what_is_not_two_numbers_is_left_to_numba(flag: bool) -> None:
    args = 2.5, flag, np.array([4.5, -1.5])
    assert as_in_kernels(other_forms)(*args) == other_forms(*args)


def linked(compiled: Any, *args: Any) -> int:
    """Libraries that a compiled function is linked with."""
    compiled(*args)
    (result,) = compiled.overloads.values()
    return len(result.library._linking_libraries)


@pytest.mark.parametrize(
    ("function", "args"), [(larger, (1.5, 2)), (smaller, (1.5, 2)), (whole, (1.5,))]
)
def test_they_are_written_into_their_caller(function: Any, args: Any) -> None:
    """Numba's own are functions that are linked."""
    assert linked(as_in_kernels(function), *args) < linked(njit(function), *args)


def test_of_what_is_not_numbers_they_are_numbas() -> None:
    assert linked(as_in_kernels(whole), True) == linked(njit(whole), True)
