"""Compiled classes: one source, two ways to run it.

Also of `core/jit/native.py`.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from playout import Compiled, CompileError, constant, static
from playout.core.jit.compiled import CompiledType, compiled_type
from playout.core.jit.native import Kernel, kernel
from playout.core.jit.rows import Row, Rows, fetch_ahead
from playout.core.jit.views import wrap

FACTOR = 3
TABLE = np.array([10, 20, 30])


def helper(x: Any) -> Any:
    return x * FACTOR


@dataclass(frozen=True)
class Thing(Compiled):
    offset: int = 5
    pair: tuple[int, int] = (1, 2)
    flag: bool = True
    weight: float = 0.5
    size: int = static(4)
    rule: str = static("plain")

    @constant
    def squares(self) -> Any:
        return np.arange(self.size) ** 2

    @constant
    def area(self) -> int:
        return self.size * self.size

    @property
    def twice(self) -> int:
        return self.offset * 2

    @staticmethod
    def unused() -> None:
        raise AssertionError("never compiled")

    def by_rule(self, x: Any) -> Any:
        if self.rule == "plain":
            return x
        return self.missing_in_plain_rules(x)  # pruned before it is typed

    def compute(self, x: Any, bonus: int = 100) -> Any:
        return (
            helper(x)
            + self.squares[2]
            + self.area
            + self.twice
            + self.pair[1]
            + TABLE[1]
            + self.by_rule(x)
            + bonus
        )


@kernel
def run(thing: Any, x: int) -> Any:
    return thing.compute(x), thing.compute(x, bonus=1), thing.weight, thing.flag


@pytest.mark.parametrize("checked", [False, True])
def test_one_source_gives_the_same_both_ways(checked: bool) -> None:
    thing = Thing()
    expected = run(thing, 7)
    assert expected[0] == 21 + 4 + 16 + 10 + 2 + 20 + 7 + 100
    assert run.compile(thing, 7, checked=checked)(thing, 7) == expected


def test_run_time_fields_share_one_compile() -> None:
    assert compiled_type(Thing(offset=1)) == compiled_type(Thing(offset=2))
    native = run.compile(Thing(offset=1), 0)
    assert native(Thing(offset=50), 7) == run(Thing(offset=50), 7)


def test_static_fields_are_part_of_the_type() -> None:
    assert compiled_type(Thing(size=4)) != compiled_type(Thing(size=5))
    assert "size=5" in compiled_type(Thing(size=5)).name


def test_a_type_pickles_without_its_class() -> None:
    import pickle

    typ = compiled_type(Thing())
    payload = pickle.dumps(typ)
    assert b"test_compiled" not in payload
    assert b"Thing" in payload  # its name, but no reference to the class
    again = pickle.loads(payload)
    assert isinstance(again, CompiledType)
    assert again == typ


def test_text_must_be_static() -> None:
    @dataclass(frozen=True)
    class Bad(Compiled):
        label: str = "x"

    with pytest.raises(CompileError, match=r"label: str = static\('x'\)"):
        compiled_type(Bad())


def test_a_constant_may_not_read_run_time_fields() -> None:
    @dataclass(frozen=True)
    class Bad(Compiled):
        stones: int = 3

        @constant
        def table(self) -> Any:
            return np.arange(self.stones)

        def get(self) -> Any:
            return self.table[0]

    @kernel
    def get(bad: Any) -> Any:
        return bad.get()

    with pytest.raises(CompileError, match="reads the field `stones`"):
        get.compile(Bad())


def test_a_class_must_be_a_dataclass() -> None:
    class Bad(Compiled):
        pass

    with pytest.raises(CompileError, match="@dataclass"):
        compiled_type(Bad())


def test_arrays_in_fields_have_one_dimension() -> None:
    @dataclass(frozen=True)
    class Bad(Compiled):
        table: Any = None

    with pytest.raises(CompileError, match="2 dimensions"):
        compiled_type(Bad(np.zeros((2, 2))))


def test_other_objects_in_fields_are_refused() -> None:
    @dataclass(frozen=True)
    class Bad(Compiled):
        thing: Any = None

    with pytest.raises(CompileError, match="numbers, booleans, tuples"):
        compiled_type(Bad(object()))


def test_an_index_outside_a_row_or_buffer_is_found_when_checked() -> None:
    @kernel
    def read(rows: Any, buffer: Any, index: int) -> int:
        return rows[index].left + buffer[index]

    rows, buffer = (
        Rows(np.zeros(3, dtype=[("left", "i4")])),
        np.zeros(3, dtype=np.int32),
    )
    native = read.compile(rows, buffer, 0, checked=True)
    assert native(rows, buffer, 2) == 0
    with pytest.raises(IndexError):
        native(rows, buffer, 3)


# -- rows ------------------------------------------------------------------------------

DTYPE = np.dtype(
    [
        ("a", "i1"),
        ("b", "u1"),
        ("c", "u8"),
        ("d", "i8"),
        ("e", "f8"),
        ("m", "u2", (2, 3)),
    ]
)


@kernel
def mangle(rows: Any, amount: int) -> None:
    row = rows[0]
    row.a += amount
    row.b -= amount
    row.c = row.c * np.uint64(0x9E3779B97F4A7C15) + np.uint64(7)
    row.d = row.d * 3 - amount
    row.e += 0.1
    row.m[1, 2] += amount * 1000
    row.m[0, 0] = row.m[1, 2]
    rows[1] = rows[0]


@pytest.mark.parametrize("amount", [0, 1, 100, 127, 200])
def test_rows_wrap_around_as_memory_does(amount: int) -> None:
    plain, native = np.zeros(2, dtype=DTYPE), np.zeros(2, dtype=DTYPE)
    compiled = mangle.compile(Rows(native), 1)
    with np.errstate(over="ignore"):
        for _ in range(40):
            mangle(Rows(plain), amount)
            compiled(Rows(native), amount)
            assert plain.tobytes() == native.tobytes()


@kernel
def fetch(rows: Any, index: int) -> None:
    fetch_ahead(rows, index)


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 10**15, -(10**15)])
def test_any_row_may_be_fetched_ahead(index: int) -> None:
    rows = np.arange(2 * DTYPE.itemsize, dtype=np.uint8).view(DTYPE)
    before = rows.tobytes()
    fetch(Rows(rows), index)
    for checked in (False, True):
        fetch.compile(Rows(rows), 0, checked=checked)(Rows(rows), index)
    assert rows.tobytes() == before


@pytest.mark.parametrize("kind", [np.uint64, np.int8, np.float64, np.bool_])
def test_any_element_of_an_array_may_be_fetched_ahead(kind: Any) -> None:
    array = np.ones(3, dtype=kind)
    native = fetch.compile(array, 0)
    for index in (-1, 0, 2, 3, 10**15, -(10**15)):
        fetch(array, index)
        native(array, index)
    assert array.tolist() == [1, 1, 1]


def test_rows_know_their_fields() -> None:
    row = Rows(np.zeros(1, dtype=DTYPE))[0]
    with pytest.raises(AttributeError, match="no field 'x'"):
        _ = row.x
    with pytest.raises(AttributeError, match="no field 'x'"):
        row.x = 1
    assert isinstance(row, Row)
    assert isinstance(row.c, np.uint64)
    assert type(row.a) is int


def test_wrap_is_modulo_two_to_the_width() -> None:
    for text in ("i1", "u1", "i4", "u4", "i8", "u8"):
        dtype = np.dtype(text)
        for value in (-(2**70) + 3, -1, 0, 1, 2**31, 2**63, 2**64 + 5):
            expected = np.array([value % 2**64], dtype=np.uint64).astype(dtype)[0]
            assert wrap(value, dtype) == expected


def test_the_order_of_members_does_not_count():
    """A class from a pickle lists members in another order, and has the same digest."""
    members = {
        name: value
        for name, value in reversed(vars(Thing).items())
        if name not in ("__dict__", "__weakref__")
    }
    again = type("Thing", Thing.__bases__, members)
    assert list(vars(again))[:5] != list(vars(Thing))[:5]
    assert compiled_type(again()).digest == compiled_type(Thing()).digest


@dataclass(frozen=True)
class Large(Compiled):
    @constant
    def many(self) -> np.ndarray:
        """More than Numba writes into the code: it writes an address."""
        return np.full(200_000, 0.25)

    def pick(self, number: int) -> float:
        return float(self.many[number])


def test_the_memory_behind_a_large_constant_is_kept() -> None:
    def read(large: Any, number: int) -> float:
        return large.pick(number)

    native = Kernel(read).compile(Large(), 1)
    (kept,) = compiled_type(Large()).source.constants.values()
    assert native(Large(), 7) == 0.25
    kept.flags.writeable = True
    kept[7] = 0.5  # it is this memory that the code reads
    assert native(Large(), 7) == 0.5
