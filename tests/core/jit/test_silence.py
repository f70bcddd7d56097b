"""What is said where Numba fell over without a word; it is told by Numba's frames."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout.core.errors import CompileError
from playout.core.jit.native import kernel

SQUARE = np.zeros((2, 2), np.int64)
ROWS = np.zeros(2, np.dtype([("cells", np.int64, (3,))]))


def set_of_arrays(cells: Any) -> int:
    return len({cells})


def masked(cells: Any) -> Any:
    return cells[cells > 2]


def set_by_a_mask(cells: Any) -> None:
    cells[cells > 2, 0:1] = cells


def divided_in_place(cells: Any) -> None:
    cells /= 2


def another_shape(rows: Any) -> None:
    rows[0].cells = np.zeros(4)


@pytest.mark.parametrize(
    ("function", "given", "said"),
    [
        (set_of_arrays, SQUARE, "a set of such values"),
        (masked, SQUARE, "a mask of several dimensions"),
        (set_by_a_mask, SQUARE, "a mask of several dimensions"),
        (divided_in_place, SQUARE, "an array that cannot hold the result"),
        (another_shape, ROWS, "an array in place of a field"),
    ],
)
def test_what_numba_says_nothing_of(
    function: Callable[[Any], Any],
    given: Any,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line is named, too."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    with pytest.raises(CompileError, match=said) as caught:
        kernel(function).compile(given)
    line = function.__code__.co_firstlineno + (function is not set_of_arrays)
    assert f"test_silence.py line {line}" in str(caught.value)
