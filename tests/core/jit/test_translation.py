"""Assignment expressions: their names, and what is computed with them on the spot.

And of which functions the translation is kept.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from playout import Compiled, static
from playout.core.jit import translation
from playout.core.jit.internals import FunctionIdentity, Interpreter
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


# -- what is kept ----------------------------------------------------------------------

BONUS = 3


def with_all(number: Any, times: int) -> Any:
    """Loops, conditions, operators, calls, a tuple and something from outside."""
    total = number * 0
    for step in range(times):
        pair = (step, number)
        total += pair[1] ** 2 if step % 2 and not step > 4 else max(pair[0], BONUS)
        while total > 100:
            total -= 50
    return total


KINDS = (1, 2.0, np.float32(2), np.int16(7), np.uint64(3), True)


@pytest.fixture
def translated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of functions whose bytecode is translated, in this order."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    found: list[str] = []
    interpret = Interpreter.interpret

    def noted(self: Any, bytecode: Any) -> Any:
        found.append(self.func_id.func_name)
        return interpret(self, bytecode)

    monkeypatch.setattr(Interpreter, "interpret", noted)
    return found


def test_a_function_is_translated_twice_and_compiled_for_any_types(
    translated: list[str],
) -> None:
    for number in KINDS:
        native = kernel(with_all).compile(number, 3)
        assert not native.from_cache
        for times in range(9):
            assert native(number, times) == with_all(type(number)(number), times)
    assert translated.count("with_all") == 2


def trying(number: Any) -> Any:
    try:
        return with_all(number, 3)
    except Exception:
        return number - number


def test_one_that_catches_exceptions_is_translated_twice(translated: list[str]) -> None:
    """Numba has it read names that stand nowhere outside."""
    for number in (1, 2.0, np.float32(3), np.int16(2)):
        assert kernel(trying).compile(number)(number) == trying(number)
    assert translated.count("trying") == 2


def test_what_is_read_from_outside_is_read_again(
    translated: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (np.int8(1), np.uint8(2), np.uint16(2)):
        kernel(with_all).compile(number, 3)
    identity = FunctionIdentity.from_function(with_all)
    assert translation._kept(identity)
    monkeypatch.setitem(with_all.__globals__, "BONUS", 30)
    assert translation._kept(identity) is None
    assert kernel(with_all).compile(np.uint32(1), 1)(1, 1) == 30


def adder(amount: int) -> Any:
    def add(number: Any) -> Any:
        return number + amount

    return add


def test_functions_of_one_code_have_their_own(translated: list[str]) -> None:
    one, ten = adder(1), adder(10)
    for number in (1, 2.0, np.float32(3)):
        assert kernel(one).compile(number)(number) == number + 1
        assert kernel(ten).compile(number)(number) == number + 10
    assert translated.count("add") == 4


def test_one_with_a_function_within_is_translated_each_time(
    translated: list[str],
) -> None:
    def outer(number: Any) -> Any:
        def inner(value: Any) -> Any:
            return 2 * value

        return inner(number) + 1

    for number in (1, 2.0, np.float32(3), np.int16(2)):
        assert kernel(outer).compile(number)(number) == outer(number)
    assert translated.count("outer") == 4


def test_other_code_of_the_same_function_is_translated(translated: list[str]) -> None:
    def changing(number: Any) -> Any:
        return number + 1

    for number in (1, 2.0, np.float32(3)):
        kernel(changing).compile(number)
    changing.__code__ = (lambda number: number + 5).__code__
    assert translation._kept(FunctionIdentity.from_function(changing)) is None
