"""Rows whose narrow numbers are read as those of 64 bits."""

import pickle
from typing import Any

import numpy as np
import pytest

from playout.core.jit import wide_rows
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.jit.wide_rows import WideRows

NAMES, KINDS = "abcdef", ("u1", "u2", "u4", "i2", "u8", "f4")
MIXED = np.dtype([*zip(NAMES, KINDS, strict=True), ("cells", "u1", 3)])


@kernel
def below_zero(rows: Rows, out: Any) -> None:
    """Narrow fields by signs, differences, bits and quotients that are below 0."""
    row = rows[0]
    out[0], out[1], out[2], out[3] = -row.a, -row.b, -row.c, -row.d
    out[4], out[5], out[6] = row.a - row.b, row.b - row.c, row.c - row.d
    out[7], out[8], out[9] = ~row.a, (row.a - 9) // 2, row.cells[1]
    out[10], out[11] = row.f - row.c, row.f * row.f + row.f


@kernel
def as_they_are(rows: Rows, out: Any) -> None:
    """What is read unsigned from `WideRows` too."""
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
    rows[0] = (3, 500, 70_000, -2, 2**64 - 1, 0.1, (7, 200, 9))
    return kind(rows)


def test_narrow_numbers_are_read_as_plain_python_reads_them() -> None:
    rows, plain = mixed(WideRows), np.zeros(12)
    below_zero.function(rows, plain)
    assert plain[:4].tolist() == [-3, -500, -70_000, 2]
    native = np.zeros(12)
    below_zero.compile(rows, native)(rows, native)
    assert native.tolist() == plain.tolist()
    other = np.zeros(12)
    below_zero.compile(mixed(Rows), other)(mixed(Rows), other)
    assert other.tolist() != plain.tolist()  # else there would be no need of them


def test_long_numbers_and_cells_are_read_as_they_are() -> None:
    rows, found = mixed(WideRows), np.zeros(2)
    as_they_are.compile(rows, found)(rows, found)
    assert found.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kinds", [(WideRows, Rows), (Rows, WideRows)])
def test_rows_of_both_kinds_are_copied(kinds: tuple[type[Rows], type[Rows]]) -> None:
    rows, others = mixed(kinds[0]), kinds[1](np.zeros(1, MIXED))
    written.compile(rows, others)(rows, others)
    assert others.array.tobytes() == rows.array.tobytes()


def test_they_are_written_and_copied_as_others_are() -> None:
    kept = []
    for compiled in (False, True):
        rows, others = mixed(WideRows), mixed(WideRows)
        call = written.compile(rows, others) if compiled else written.function
        assert call(rows, others) == 300 - 256 - 2
        assert others.array.tobytes() == rows.array.tobytes()
        kept.append(rows.array)
    assert kept[0].tobytes() == kept[1].tobytes()
    assert kept[0][["a", "b", "c"]].tolist() == [(44, 500, 69_990)]


def test_they_stay_what_they_are_when_they_are_sent() -> None:
    rows = pickle.loads(pickle.dumps(mixed(WideRows)))
    assert type(rows) is WideRows
    assert rows[0].c == 70_000


#: More numbers than 16 bits can tell apart: all of those, what lies between two of them
#: and beside, what is too large and too small, and drawn ones.
ALL = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float64)


def numbers() -> Any:
    ordered = np.sort(ALL[np.isfinite(ALL)])
    between = (ordered[1:] + ordered[:-1]) / 2
    beside = np.concatenate([np.nextafter(between, s * np.inf) for s in (-1, 1)])
    rng = np.random.default_rng(5)
    drawn = rng.normal(size=20_000) * 10.0 ** rng.integers(-12, 6, 20_000)
    edges = [65519.0, 65520.0, 65536.0, 1e308, 1e-30, 5e-324, np.inf, np.nan]
    return np.concatenate([ALL, between, beside, drawn, edges, np.negative(edges)])


@kernel
def halves(rows: Rows, given: Any, found: Any) -> None:
    """Write numbers into fields of 16 bits, and read them."""
    for index in range(len(given)):
        rows[index].share = given[index]
        found[index] = rows[index].share


@pytest.mark.parametrize("by_instruction", [True, False])
def test_numbers_of_16_bits_are_numpys(
    by_instruction: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if by_instruction and not wide_rows._READS_HALVES:
        pytest.skip("this processor has no instruction for them")
    monkeypatch.setattr(wide_rows, "_READS_HALVES", by_instruction)
    given = numbers()
    first = "u1" if by_instruction else "i2"  # two records: two compiles
    kind = [("before", first), ("share", "f2")]
    rows, found = WideRows(np.zeros(len(given), kind)), np.zeros(len(given))
    halves.compile(rows, given, found)(rows, given, found)
    with np.errstate(over="ignore"):
        expected = given.astype(np.float16)
    known = ~np.isnan(expected)
    assert (rows.array["share"].view("u2")[known] == expected.view("u2")[known]).all()
    assert np.array_equal(found, expected.astype(np.float64), equal_nan=True)
    slow = WideRows(np.zeros(100, kind)), given[:: len(given) // 100][:100], found[:100]
    halves.function(*slow)
    assert np.array_equal(found[:100], slow[1].astype("f2"), equal_nan=True)
