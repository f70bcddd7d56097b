"""`Structs`: what is written in one is what is read, compiled and not."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from playout import Compiled, static
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows
from playout.core.jit.structs import Structs

PAIR = np.dtype([("left", "i4"), ("right", "f8")])


@dataclass(frozen=True)
class Inner(Compiled):
    factor: float
    even: bool


@dataclass(frozen=True)
class Outer(Compiled):
    numbers: NDArray[np.int64]
    rows: Rows
    inner: Inner
    base: int = static(7)

    def total(self) -> float:
        found = 0.0
        for index in range(len(self.numbers)):
            found += self.numbers[index] * self.rows[index].right
        return found * self.inner.factor + self.base + (1 if self.inner.even else 0)


@kernel
def sum_of(structs: Structs, count: int) -> float:
    total = 0.0
    for index in range(count):
        structs[index].rows[0].left += 1
        total += structs[index].total()
    return total


def make(count: int) -> list[Outer]:
    made = []
    for index in range(count):
        rows = np.zeros(index + 1, PAIR)
        rows["right"] = 0.5
        numbers = np.arange(index + 1, dtype=np.int64)
        inner = Inner(float(index), index % 2 == 0)
        made.append(Outer(numbers, Rows(rows), inner))
    return made


def test_compiled_and_interpreted_read_the_same_objects() -> None:
    slow, fast = make(5), make(5)
    native = Structs(fast, interpreted=False)
    total = sum_of(Structs(slow, interpreted=True), 5)
    assert sum_of.compile(native, 5)(native, 5) == total
    assert total == sum(item.total() for item in slow)
    assert [item.rows[0].left for item in fast] == [1] * 5


def test_an_object_may_be_replaced() -> None:
    items = make(3)
    for interpreted in (True, False):
        structs = Structs(items, interpreted)
        structs[0] = items[2]
        assert structs[0] is items[2]
        assert len(structs) == 3
