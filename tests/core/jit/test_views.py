"""Array fields are NumPy arrays, with compiled arithmetic."""

import pickle
from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.jit.views import Cells, UnfitNumber, refusing_overflow

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


def test_all_fields_are_listed_for_who_completes_names() -> None:
    row = Rows(a_state())[0]
    assert {"cells", "seen", "parts", "total"} <= set(dir(row))
    assert row.total == 0
    assert not [name for name in dir(row) if " " in name]


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


PACKED = np.dtype(
    [
        ("few", "i1"),
        ("left", "i4"),
        ("bits", "u8"),
        ("part", "f4"),
        ("is_on", "?"),
        ("line", "i2", 3),
        ("board", "i1", (2, 2)),
        ("words", "u8", 2),
    ]
)


@pytest.mark.parametrize("dtype", [PACKED, np.dtype(PACKED.descr, align=True)])
def test_numbers_read_alike_the_first_time_and_later(dtype: np.dtype[Any]) -> None:
    """Later reads are from memory, packed or not; types are as in compiled code."""
    array = np.zeros(3, dtype)
    state, other = Rows(array)[1], Rows(array)[-1]
    for few, left, bits in ((-3, 1 << 20, 1 << 63), (5, -7, 3)):
        state.few, state.left, state.bits = few, left, np.uint64(bits)
        for _ in range(3):
            assert (state.few, state.left) == (few, left)
            assert type(state.few) is type(state.left) is int
            assert type(state.bits) is np.uint64
            assert state.bits == bits
    for _ in range(3):
        state.few, state.left, state.part, state.is_on = 200, 1 << 31, 0.1, 7
        state.bits = -1
        assert (state.few, state.left, state.is_on) == (-56, -(1 << 31), True)
        assert state.part == float(np.float32(0.1))
        assert int(state.bits) == (1 << 64) - 1
        state.few = 2.9
        assert state.few == 2
    assert (other.few, other.left) == (0, 0)
    other.few = 1
    assert array["few"].tolist() == [0, 2, 1]


@pytest.mark.parametrize("dtype", [PACKED, np.dtype(PACKED.descr, align=True)])
def test_single_cells_are_read_and_written_in_memory(dtype: np.dtype[Any]) -> None:
    array = np.zeros(1, dtype)
    state = Rows(array)[0]
    state.line[1] = state.line[-1] = 70_000
    assert (state.line[1], state.line[-1], type(state.line[1])) == (4464, 4464, int)
    state.board[0, 1] = 130
    state.board[1] = 5
    state.board[1, -1] += 1
    assert array["board"].tolist() == [[[0, -126], [5, 6]]]
    assert isinstance(state.board[1], Cells)
    assert state.board[np.int64(1), 0] == 5
    assert state.line[1:].tolist() == [4464, 4464]
    state.line[:2] = [1, 2]
    assert state.line.sum() == 4467
    state.words[1] = -1
    assert type(state.words[1]) is np.uint64
    state.board = [[1, 2], [3, 4]]
    assert state.board[1, 0] == 3
    for index in (7, (0, 7), (0, 0, 0)):
        with pytest.raises(IndexError, match="index"):
            state.board[index]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("state.count = 300", "300 does not fit the field 'count', which holds 0 to 2"),
        ("state.count -= 1", "-1 does not fit the field 'count', which holds 0 to 255"),
        ("state.count = -1.5", "-1 does not fit the field 'count'"),
        ("state.board[0, 1] = 128", "128 does not fit the field 'board', which holds "),
        ("state.board[0][1] = 128", "128 does not fit an array of int8, which holds "),
        (
            "state.board = 200",
            "200 does not fit the field 'board', which holds -128 to",
        ),
        ("state.board[:] = [[1, 2], [3, -129]]", "-129 does not fit the field 'board'"),
        (
            "state.board[0] = np.array([1.0, 700.5])",
            "700 does not fit the field 'board'",
        ),
    ],
)
def test_what_does_not_fit_is_refused_where_that_is_wanted(written, said) -> None:
    fields = [("count", "u1"), ("board", "i1", (2, 2)), ("word", "u8")]
    array = np.zeros(1, dtype=fields)
    exec(written, {"np": np, "state": Rows(array)[0]})  # it wraps
    assert array["word"] == 0
    state = Rows(np.zeros(1, dtype=fields))[0]
    with refusing_overflow(), pytest.raises(UnfitNumber, match=said):
        exec(written, {"np": np, "state": state})


def test_what_fits_is_not_refused_and_words_of_64_bits_wrap() -> None:
    state = Rows(np.zeros(1, [("count", "u1"), ("line", "i2", 2), ("word", "u8")]))[0]
    with refusing_overflow():
        state.count = 255.9
        state.line = [-(1 << 15), 32767.5]
        state.word = -1
    assert state.word == 2**64 - 1
    state.count += 1
    assert state.count == 0


def test_rows_go_to_another_process() -> None:
    rows = pickle.loads(pickle.dumps(Rows(a_state())))
    assert rows[0].cells[0, 0] == 100
