"""Rows that are copied with all their bytes, and rows that fill lines of the cache."""

import numpy as np
import pytest

from playout.core.rows import copy_rows, in_lines


def dirty(dtype: np.dtype) -> np.ndarray:
    """Two rows with every byte set, padding too."""
    rows = np.zeros(2, dtype=dtype)
    rows.view(np.uint8)[:] = np.arange(1, rows.nbytes + 1)
    return rows


@pytest.mark.parametrize(
    "dtype",
    [
        np.dtype([("player", "i1"), ("stones", "u8")], align=True),  # padded inside
        np.dtype([("stones", "u8", 2), ("player", "i1")], align=True),  # and behind
        in_lines([("cells", "u1", 70), ("player", "i1")]),
    ],
)
def test_a_copy_has_every_byte(dtype: np.dtype) -> None:
    rows = dirty(dtype)
    before = rows.tobytes()
    copied = copy_rows(rows)
    assert copied.tobytes() == before
    assert copied.dtype == dtype
    copied.view(np.uint8)[:] = 0
    assert rows.tobytes() == before
    assert copy_rows(rows[1:]).tobytes() == rows[1:].tobytes()


@pytest.mark.parametrize("length", [0, 1, 59, 60, 61, 64, 200])
def test_rows_fill_lines(length: int) -> None:
    dtype = in_lines([("cells", "u1", length), ("count", "i4")])
    assert dtype.itemsize % 64 == 0
    assert dtype.itemsize - length - 4 < 64
    assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize
    rows = dirty(dtype)
    assert rows.copy().tobytes() == rows.tobytes()  # all of it is fields
