"""Assignment expressions: their names, and what is computed with them on the spot."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from playout import Compiled, static
from playout.core.jit.native import kernel


@dataclass(frozen=True)
class Names(Compiled):
    """Methods that set names where they are used."""

    size: int = 3

    def compared(self, x: int) -> int:
        return y if (y := x + 1) > 3 else -y

    def of_a_field(self, x: int) -> int:
        if y := self.size:
            return y
        return x

    def in_a_loop(self, x: int) -> int:
        while (y := x - 1) > 3:
            x = y
        return 10 * x + y

    def across_blocks(self, x: int) -> int:
        return ((y := x - 1) or 5) + y

    def set_again(self, x: int) -> int:
        return (y := x + 1) + (y := 2 * x) * y + y

    def two_names(self, x: int) -> int:
        a = b = x + 1
        a += 1
        return a * 10 + b

    def and_then(self, x: int) -> int:
        total = 0
        for i in range(x):
            if (k := i * i) % 2 and (m := k + 1) > 2:
                total += m - k
        return total

    def unpacked(self, x: int) -> int:
        (b, c) = d = (x, x + 1)
        if (p := d[0]) < (q := d[1]) <= (r := p + q):
            return b + c + r
        return 0

    def passed_on(self, x: int) -> int:
        return y if not (y := self.compared(z := x + 1)) else z

    def written(self, x: int) -> int:
        line = [0, 0, 0]
        line[(i := x % 3)] = (value := x + 1)
        return line[i] + value


@kernel
def ask(names: Names, x: int, found: NDArray[np.int64]) -> None:
    """What all methods say of a number."""
    found[0] = names.compared(x)
    found[1] = names.of_a_field(x)
    found[2] = names.in_a_loop(x)
    found[3] = names.across_blocks(x)
    found[4] = names.set_again(x)
    found[5] = names.two_names(x)
    found[6] = names.and_then(x)
    found[7] = names.unpacked(x)
    found[8] = names.passed_on(x)
    found[9] = names.written(x)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("size", [0, 3])
def test_they_are_those_of_python(size: int, checked: bool) -> None:
    names, found, right = Names(size), np.zeros(10, int), np.zeros(10, int)
    native = ask.compile(names, 0, found, checked=checked)
    for x in range(-2, 8):
        native(names, x, found)
        ask.function(names, x, right)
        assert found.tolist() == right.tolist(), x


@dataclass(frozen=True)
class Told(Compiled):
    """A short function of what is known: it is followed, and not compiled."""

    rule: str = static("long")

    def letters(self) -> int:
        return y if (y := len(self.rule)) > 3 else -y


@kernel
def letters_of(told: Told) -> int:
    return told.letters()


def test_it_is_the_same_where_it_is_folded() -> None:
    assert [letters_of.compile(each)(each) for each in (Told(), Told("so"))] == [4, -2]
