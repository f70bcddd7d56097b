"""Array fields are NumPy arrays, with compiled arithmetic."""

from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.jit.views import Cells

DTYPE = np.dtype(
    [
        ("cells", "i1", (2, 3)),
        ("seen", "?", (2, 2)),
        ("parts", [("left", "i4"), ("flags", "?", 2)], 2),
        ("total", "i8"),
    ]
)


def a_state() -> Any:
    states = np.zeros(1, dtype=DTYPE)
    states["cells"] = [[100, 2, 0], [1, 0, 100]]
    return states


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("cells.sum()", 203),
        ("(cells == 100).sum()", 2),
        ("np.count_nonzero(cells == 100)", 2),
        ("cells[0].max() + 100", 200),
        ("(cells * 2).max()", 200),
        ("(cells**2).max()", 10_000),
        ("np.where(cells == 100, cells, 300)[0, 1]", 300),
        ("(cells + cells).min()", -56),  # both are narrow, and Numba's is
        ("cells.copy()[0, 0] + 100", 200),
        ("sum(value + 100 for value in cells.flat)", 803),
        ("[line.sum() for line in cells]", [102, 101]),
        ("np.flatnonzero(cells == 100).tolist()", [0, 5]),
        ("np.argwhere(cells == 2)[0].tolist()", [0, 1]),
    ],
)
def test_they_compute_as_compiled_code_does(given: str, wanted: Any) -> None:
    assert eval(given, {"np": np, "cells": Rows(a_state())[0].cells}) == wanted


def test_what_is_read_is_a_plain_number_and_a_slice_is_a_view() -> None:
    states = a_state()
    state = Rows(states)[0]
    assert type(state.cells[0, 0]) is int
    assert type(state.cells.max()) is int
    assert type((state.cells == 1).any()) is bool
    column = state.cells[:, 0]
    assert isinstance(column, Cells)
    column[0] = 130  # wraps
    state.cells[1] += 1
    state.cells[1] += [200, 0, 0]
    assert states["cells"][0].tolist() == [[-126, 2, 0], [-54, 1, 101]]
    state.cells = 7
    state.cells[0] = np.array([300, 1, 2])
    assert states["cells"][0].tolist() == [[44, 1, 2], [7, 7, 7]]
    state.cells[1].fill(300)
    assert states["cells"][0].tolist() == [[44, 1, 2], [44, 44, 44]]


def test_a_state_is_not_copied() -> None:
    with pytest.raises(AttributeError, match="`apply` works in place"):
        Rows(a_state())[0].copy()


@kernel
def mark(rows: Any, index: int) -> None:
    state = rows[0]
    state.seen[1, index] = True
    state.seen[0] = state.seen[1]
    state.parts[1].flags[0] = not state.seen[0, 0]
    state.parts[0].left = state.seen.sum()
    state.total = 10 * state.seen[:, 1:].sum() + (state.cells == 100).sum()


def test_a_field_may_be_an_array_of_booleans() -> None:
    results = []
    for checked in (None, False, True):
        states = a_state()
        native = (
            mark if checked is None else mark.compile(Rows(states), 1, checked=checked)
        )
        native(Rows(states), 1)
        results.append(states)
    assert len({states.tobytes() for states in results}) == 1
    assert results[0]["seen"][0].tolist() == [[False, True], [False, True]]
    assert results[0]["parts"][0]["flags"].tolist() == [[False, False], [True, False]]
    assert results[0]["total"][0] == 22
