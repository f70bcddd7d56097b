"""A second process compiles parts of a kernel; without it all is compiled here."""

import multiprocessing
import os
import sys
import threading
import warnings
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from playout import MCTS, CompileError, Solver, TicTacToe, Unsolved
from playout.core.jit import helper_process as beside
from playout.core.jit.compiled import Compiled, constant
from playout.core.jit.native import Kernel
from tests.core.jit.sums import Parts, Weights, sums

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process")


def test_parts_made_by_the_second_process_are_linked_in(fetched: list[bool]) -> None:
    kernel, parts = sums()
    compiled = kernel.compile(Weights(), 1, parts=parts)
    assert fetched == [True, True]
    for number in (3, 4, 10):
        assert compiled(Weights(), number) == kernel(Weights(), number)
    assert np.isinf(compiled(Weights(), 2))
    with pytest.raises(ValueError, match="negative") as error:  # made there
        compiled(Weights(), -7)
    assert error.value.args == ("negative", -7)


def test_a_part_has_all_it_needs_where_the_one_before_is_not_wanted(
    fetched: list[bool],
) -> None:
    """What both call was compiled for the first, which nobody fetches."""

    def squared(number: int) -> int:
        if number < 0:
            raise ValueError("negative", number)  # made by its environment
        return number * number

    def unused(number: int) -> int:
        return squared(number) - 1

    def used(number: int) -> int:
        return squared(number) + 1

    def kernel(number: int) -> int:
        return used(number)

    compiled = Kernel(kernel).compile(1, parts=[(unused, (1,)), (used, (1,))])
    assert fetched == [True]
    assert compiled(3) == 10
    with pytest.raises(ValueError, match="negative"):
        compiled(-1)


@dataclass(frozen=True)
class Drawn(Compiled):
    @constant
    def table(self) -> np.ndarray:
        return np.random.default_rng().random(8)

    def first(self) -> float:
        return float(self.table[0])


@dataclass(frozen=True)
class Owner(Compiled):
    drawn: Drawn = Drawn()


def test_a_random_constant_has_one_value_in_both_processes(fetched: list[bool]) -> None:
    """That is how tables for hashing are made."""

    def there(owner: Any) -> float:
        return owner.drawn.first()

    def difference(owner: Any) -> float:
        return there(owner) - owner.drawn.first()

    compiled = Kernel(difference).compile(Owner(), parts=[(there, (Owner(),))])
    assert fetched == [True]
    assert compiled(Owner()) == 0.0


def test_what_was_linked_in_is_kept_on_disk(fetched: list[bool]) -> None:
    kernel, parts = sums()
    compiled = kernel.compile(Weights(), 1, parts=parts)
    again = Kernel(kernel.function).compile(Weights(), 1, parts=parts)
    assert again.from_cache
    assert again(Weights(), 5) == compiled(Weights(), 5)
    assert len(fetched) == 2


def large(offset: int) -> Any:
    """A function too large to be taken into its callers; all have one name."""
    lines = [f"    s = s * {offset + i} ^ n + (s >> {i % 7 + 1})" for i in range(300)]
    source = "\n".join(["def large(n):", f"    s = {offset}", *lines, "    return s"])
    names = {"__name__": __name__}
    exec(compile(source, f"large_{offset}", "exec"), names)
    assert isinstance(names["large"], FunctionType)
    return names["large"]


def test_functions_of_one_name_in_two_kernels_stay_apart(fetched: list[bool]) -> None:
    """What one second process made is linked with what the next one makes."""

    def caller(offset: int) -> Any:
        callee = large(offset)

        def caller(n: int) -> int:
            return callee(n) ^ callee(n + 3)

        return caller

    first, second = caller(1), caller(1000)

    def alone(n: int) -> int:
        return first(n)

    def both(n: int) -> int:
        return first(n) ^ second(n)

    parts: Parts = [(first, (1,)), (second, (1,))]
    one = Kernel(alone).compile(5, parts=parts[:1])(5)
    two = Kernel(both).compile(5, parts=parts)(5) ^ one
    assert fetched == [True, True]
    assert two == Kernel(caller(1000)).compile(5)(5) != one


def test_functions_of_a_module_that_is_not_imported_are_compiled_here(
    fetched: list[bool],
) -> None:
    """As a program has them that was run by `runpy`."""
    names: dict[str, Any] = {"__name__": "nowhere"}
    exec("def part(n): return n + 1\ndef both(n): return part(n) * 2", names)
    kernel = Kernel(names["both"])
    assert kernel.compile(1, parts=[(names["part"], (1,))])(4) == 10
    assert len(fetched) == 1


def test_parts_of_other_types_are_compiled_here(fetched: list[bool]) -> None:
    kernel, parts = sums()
    parts[0] = (parts[0][0], (1.5,))  # never called with such a number
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert fetched == [True]


def test_a_part_that_the_kernel_never_calls_is_no_harm(fetched: list[bool]) -> None:
    kernel, parts = sums()

    def broken(number: int) -> Any:
        return number.no_such_thing  # type: ignore[attr-defined]

    parts.insert(0, (broken, (1,)))
    assert kernel.compile(Weights(), 1, parts=parts)(Weights(), 4) == 22.0
    assert fetched == [True, True]


def test_code_with_addresses_of_the_other_process_is_refused(
    fetched: list[bool],
) -> None:
    def picked(weights: Any, number: int) -> float:
        return weights.pick(number)

    def total(weights: Any, number: int) -> float:
        return picked(weights, number) + picked(weights, number + 1)

    parts: Parts = [(picked, (Weights(), 1))]
    compiled = Kernel(total).compile(Weights(), 1, parts=parts)
    assert compiled(Weights(), 5) == 0.5
    assert fetched == [False]


@dataclass(frozen=True)
class Half(Unsolved):
    """It says that ends teach it something, but not what."""

    learn = Solver.learn

    def ends(self, game: Any, state: Any) -> bool:
        return bool(game.is_terminal(state))


def test_a_method_nobody_has_written_is_found_there_and_named_here(
    fetched: list[bool],
) -> None:
    with pytest.raises(CompileError, match="Half is not complete: it has no learn"):
        MCTS(TicTacToe(), solver=Half()).compile()
    assert fetched[-1] is False


def test_what_is_not_said_here_is_not_said_there(
    fetched: list[bool], capfd: pytest.CaptureFixture[str]
) -> None:
    """Numba warns of functions as values, which kernels keep to themselves."""

    def plus(number: int) -> int:
        return number + 1

    def minus(number: int) -> int:
        return number - 1

    def either(number: int) -> int:
        function = plus if number % 2 else minus
        return function(number)

    def twice(number: int) -> int:
        return either(number) + either(number)

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        Kernel(twice).compile(1, parts=[(either, (1,))])
    assert capfd.readouterr() == ("", "")


def test_one_process_where_another_would_be_of_no_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLAYOUT_COMPILE_ALONE")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1})
    monkeypatch.setattr(threading, "active_count", lambda: beside.MOST_THREADS)
    assert beside._can_help()
    for where, name, value in (
        (os, "sched_getaffinity", lambda pid: {1}),
        (threading, "active_count", lambda: beside.MOST_THREADS + 1),
        (sys, "platform", "darwin"),
        (multiprocessing, "parent_process", lambda: object()),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(where, name, value)
            assert not beside._can_help()
    with monkeypatch.context() as patch:
        patch.delattr(os, "memfd_create")
        assert not beside._can_help()
    monkeypatch.setenv("PLAYOUT_COMPILE_ALONE", "1")
    assert not beside._can_help()
