"""Elements of arrays in kernels are NumPy's: of every type, at every index."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from playout import Compiled
from playout.core.errors import CompileError
from playout.core.jit import elements
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows

KINDS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "?"]


def exchanged(numbers: Any, index: Any, value: Any) -> Any:
    """Read at the start, from the end and at an index; write at the index."""
    before = numbers[index]
    numbers[index] = value
    numbers[0] = numbers[-1]
    return before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("index", [2, -2, np.uint8(3), np.uint64(1), np.int16(-3), 0])
def test_every_type_at_every_index(kind: str, index: Any) -> None:
    slow = np.array([3, 0, 1, 7, 1]).astype(kind)
    fast = slow.copy()
    native = kernel(exchanged).compile(fast, index, 1)
    assert native(fast, index, 1) == exchanged(slow, index, 1)
    assert fast.tolist() == slow.tolist()


@pytest.mark.parametrize("value", [2.75, 1, True, np.float32(-2.5), np.int8(-1)])
@pytest.mark.parametrize("kind", ["i4", "f4", "f8", "?", "i1"])
def test_what_is_written_is_converted(kind: str, value: Any) -> None:
    slow, fast = np.zeros(4, kind), np.zeros(4, kind)
    exchanged(slow, 1, value)
    kernel(exchanged).compile(fast, 1, value)(fast, 1, value)
    assert fast.tolist() == slow.tolist()


def of_parts(table: Any, index: int) -> float:
    """Rows, slices, copies and steps are Numba's; their elements are not."""
    row = table[index]
    row[1] = 5.0
    part = row[1:]
    part[0] += 1.0
    every_second = table[:, 0]
    every_second[1] = 3.0
    return row[1] + part[-1] + table[index, 2] + every_second[0]


def test_parts_of_tables() -> None:
    slow = np.arange(12.0).reshape(3, 4)
    fast = slow.copy()
    assert kernel(of_parts).compile(fast, 1)(fast, 1) == of_parts(slow, 1)
    assert np.array_equal(slow, fast)


PACKED = np.dtype([("flag", "?"), ("marks", "i4", 3), ("on", "?", 5), ("sum", "f8")])


@dataclass(frozen=True)
class Marks(Compiled):
    rows: Rows
    cells: NDArray[np.int16]

    def move(self, row: int, index: int) -> float:
        state = self.rows[row]
        state.marks[index] = self.cells[index] + state.marks[-1]
        state.on[index + 1] = state.marks[index] > 3
        self.cells[index] = 40_000  # wraps around
        return state.marks[0] + state.on[index] + self.cells[index]


def moved(marks: Marks, row: int, index: int) -> float:
    return marks.move(row, index)


def test_fields_of_packed_rows() -> None:
    """An array in a row begins at any byte."""

    def make() -> Marks:
        rows = np.zeros(3, PACKED)
        rows["marks"] = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
        return Marks(Rows(rows), np.array([1, 2, 3], np.int16))

    fast, slow = make(), make()
    native = kernel(moved).compile(fast, 1, 1)
    for row in range(3):
        for index in (0, 2, 1, -1):
            assert native(fast, row, index) == _wrapped(slow, row, index)
    assert fast.rows.array.tobytes() == slow.rows.array.tobytes()
    assert fast.cells.tolist() == slow.cells.tolist()


def _wrapped(marks: Marks, row: int, index: int) -> float:
    """The same, where NumPy raises what overflows."""
    state = marks.rows[row]
    state.marks[index] = int(marks.cells[index]) + int(state.marks[-1])
    state.on[index + 1] = state.marks[index] > 3
    marks.cells[index] = 40_000 - 65_536
    return int(state.marks[0]) + int(state.on[index]) + int(marks.cells[index])


def test_what_is_read_only_is_not_written() -> None:
    numbers = np.zeros(3)
    numbers.flags.writeable = False
    with pytest.raises(CompileError):
        kernel(exchanged).compile(numbers, 1, 1.0)


def test_checked_code_tests_every_index() -> None:
    numbers = np.zeros(3)
    native = kernel(exchanged).compile(numbers, 1, 1.0, checked=True)
    with pytest.raises(IndexError):
        native(numbers, 3, 1.0)


def test_elements_are_ours_and_all_else_is_left_to_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    made: list[str] = []
    for name in ("load_element", "store_element"):
        make = getattr(elements, name)

        def noted(*args: Any, name: str = name, make: Any = make) -> Any:
            made.append(name)
            return make(*args)

        monkeypatch.setattr(f"playout.core.jit.variables.{name}", noted)
    kernel(of_parts).compile(np.zeros((2, 4), np.float32), 1)
    assert made.count("store_element") == 2
    assert made.count("load_element") == 3  # not of every second
