"""Parts of arrays are set as NumPy does; that they do not fit takes no text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.compiler import CompilerBase

from playout.core.jit.native import kernel


def cut(array: Any, values: Any) -> None:
    array[: len(values)] = values


def inner(array: Any, values: Any) -> None:
    array[1:3] = values


def columns(array: Any, values: Any) -> None:
    array[:, 1:3] = values


def whole(array: Any, values: Any) -> None:
    array[:] = values


def reverse(array: Any, values: Any) -> None:
    array[::-1] = values


def chosen(array: Any, values: Any) -> None:
    array[np.array([2, 0])] = values


def caught(array: Any, values: Any) -> None:
    try:
        array[1:3] = values
    except Exception:
        array[0] = 77


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("function", "shape", "values"),
    [
        (cut, (5,), np.array([7, 8])),
        (cut, (5,), (7, 8)),
        (inner, (5,), np.array([7])),  # one stands for all
        (inner, (5,), np.array([7, 8], "i1")),
        (inner, (5,), 7),
        (columns, (2, 4), np.array([[7, 8], [9, 10]])),
        (columns, (2, 4), np.array([7, 8])),
        (columns, (2, 4), np.array([[7], [8]])),
        (whole, (2, 4), np.arange(4)),
        (whole, (3,), np.arange(3)),
        (reverse, (3,), np.arange(3)),
        (chosen, (3,), np.array([7, 8])),
        (caught, (5,), np.array([7, 8])),
        (caught, (5,), np.array([7, 8, 9])),  # does not fit
    ],
)
def test_what_is_set_is_as_in_numpy(
    function: Any, shape: tuple[int, ...], values: Any, checked: bool
) -> None:
    slow, fast = np.zeros(shape, int), np.zeros(shape, int)
    function(slow, values)
    kernel(function).compile(fast, values, checked=checked)(fast, values)
    assert fast.tolist() == slow.tolist()


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("function", "shape", "values"),
    [
        (inner, (5,), np.arange(3)),
        (inner, (2,), np.arange(2)),
        (columns, (2, 4), np.ones((3, 2), int)),
        (whole, (2, 4), np.arange(3)),
        (reverse, (3,), np.arange(2)),
    ],
)
def test_what_does_not_fit_is_an_error_and_nothing_is_set(
    function: Any, shape: tuple[int, ...], values: Any, checked: bool
) -> None:
    array = np.zeros(shape, int)
    native = kernel(function).compile(array, values, checked=checked)
    with pytest.raises(ValueError, match="could not broadcast input array"):
        native(array, values)
    with pytest.raises(ValueError, match="could not broadcast input array"):
        function(array, values)
    assert not array.any()


def test_nothing_is_compiled_besides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba's error takes thirty functions, which write both shapes as text."""
    names: list[str] = []
    compile_extra = CompilerBase.compile_extra

    def noted(self: Any, function: Any) -> Any:
        names.append(function.__name__)
        return compile_extra(self, function)

    monkeypatch.setattr(CompilerBase, "compile_extra", noted)
    kernel(cut).compile(np.zeros(3, "i2"), np.zeros(2, "u4"))
    assert names == ["cut"]


def test_what_others_compile_tells_both_shapes() -> None:
    kernel(cut).compile(np.zeros(3), np.zeros(2))
    with pytest.raises(ValueError, match=r"shape \(2,\) from input of shape \(3,\)"):
        njit(inner)(np.zeros(5), np.zeros(3))
