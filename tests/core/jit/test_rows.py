"""Rows that are copied with all their bytes, and rows that are read as signed."""

import pickle
from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows, SignedRows, copy_rows


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


NAMES, KINDS = "abcdef", ("u1", "u2", "u4", "i2", "u8", "f4")
MIXED = np.dtype([*zip(NAMES, KINDS, strict=True), ("cells", "u1", 3)])


@kernel
def below_zero(rows: Rows, out: Any) -> None:
    """Narrow fields by signs, differences, bits and quotients that are below 0."""
    row = rows[0]
    out[0], out[1], out[2], out[3] = -row.a, -row.b, -row.c, -row.d
    out[4], out[5], out[6] = row.a - row.b, row.b - row.c, row.c - row.d
    out[7], out[8], out[9] = ~row.a, (row.a - 9) // 2, row.cells[1]
    out[10] = row.f - row.c


@kernel
def as_they_are(rows: Rows, out: Any) -> None:
    """What is read unsigned from `SignedRows` too."""
    row = rows[0]
    out[0] = -row.e > 0
    out[1] = -row.cells[0] > 0


@kernel
def written(rows: Rows, others: Rows) -> int:
    """Fields that are written wrap around, and whole rows are copied."""
    rows[0].a = 300
    rows[0].c -= 10
    rows[0].cells[2] += 255
    others[0] = rows[0]
    return int(others[0].a + others[0].d)


def mixed(kind: type[Rows]) -> Any:
    rows = np.zeros(1, MIXED)
    rows[0] = (3, 500, 70_000, -2, 2**64 - 1, 1.5, (7, 200, 9))
    return kind(rows)


def test_narrow_numbers_are_read_as_plain_python_reads_them() -> None:
    rows, plain = mixed(SignedRows), np.zeros(11)
    below_zero.function(rows, plain)
    assert plain[:4].tolist() == [-3, -500, -70_000, 2]
    native = np.zeros(11)
    below_zero.compile(rows, native)(rows, native)
    assert native.tolist() == plain.tolist()
    other = np.zeros(11)
    below_zero.compile(mixed(Rows), other)(mixed(Rows), other)
    assert other.tolist() != plain.tolist()  # else there would be no need of them


def test_long_numbers_and_cells_are_read_as_they_are() -> None:
    rows, found = mixed(SignedRows), np.zeros(2)
    as_they_are.compile(rows, found)(rows, found)
    assert found.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kinds", [(SignedRows, Rows), (Rows, SignedRows)])
def test_rows_of_both_kinds_are_copied(kinds: tuple[type[Rows], type[Rows]]) -> None:
    rows, others = mixed(kinds[0]), kinds[1](np.zeros(1, MIXED))
    written.compile(rows, others)(rows, others)
    assert others.array.tobytes() == rows.array.tobytes()


def test_they_are_written_and_copied_as_others_are() -> None:
    kept = []
    for compiled in (False, True):
        rows, others = mixed(SignedRows), mixed(SignedRows)
        call = written.compile(rows, others) if compiled else written.function
        assert call(rows, others) == 300 - 256 - 2
        assert others.array.tobytes() == rows.array.tobytes()
        kept.append(rows.array)
    assert kept[0].tobytes() == kept[1].tobytes()
    assert kept[0][["a", "b", "c"]].tolist() == [(44, 500, 69_990)]


def test_they_stay_what_they_are_when_they_are_sent() -> None:
    rows = pickle.loads(pickle.dumps(mixed(SignedRows)))
    assert type(rows) is SignedRows
    assert rows[0].c == 70_000
