"""Hashes of rows: the same interpreted and compiled; other bytes give other hashes."""

from typing import Any

import numpy as np
import pytest

from playout.core.jit.hashing import row_hash
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows


@kernel
def hashes(rows: Any, out: Any) -> None:
    for index in range(len(rows)):
        out[index] = row_hash(rows[index])


@pytest.mark.parametrize("size", [1, 8, 11])
def test_compiled_hashes_are_the_same_and_every_byte_counts(size: int) -> None:
    rows = np.zeros(size + 1, dtype=[("bytes", "u1", (size,))])
    for index in range(size):
        rows["bytes"][index, index] = 1  # the last row stays zero
    plain, native = np.zeros((2, size + 1), dtype=np.uint64)
    with np.errstate(over="ignore"):
        hashes(Rows(rows), plain)
    hashes.compile(Rows(rows), native)(Rows(rows), native)
    assert plain.tolist() == native.tolist()
    assert len(set(plain.tolist())) == size + 1
