"""Rows are copied with all their bytes."""

import numpy as np
import pytest

from playout.core.jit.rows import copy_rows


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
        np.dtype([("cells", "u1", 70), ("player", "i1")]),
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
