"""What is remembered while kernels are compiled is what Numba would say."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from llvmlite import ir
from numba import types
from numba.core import event
from numba.extending import overload

from playout.core.errors import CompileError
from playout.core.jit import contexts
from playout.core.jit.compiled import Compiled
from playout.core.jit.contexts import KernelContext, KernelTarget
from playout.core.jit.internals import Context, CPUContext, cpu_target
from playout.core.jit.native import kernel


@pytest.fixture(autouse=True)
def _nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from disk is not compiled, and tests nothing here."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


def first(number: Any, power: int) -> Any:
    return (number + 1) * number - number // 3 if number > power else number**power


def second(number: Any, power: int) -> Any:
    if number > power:
        return (number + 1) * number - number // 3
    return number**power


@pytest.mark.parametrize("number", [np.uint64(5), 5, 5.5, np.float32(0.5), True])
def test_operators_mean_the_same_from_memory(number: Any) -> None:
    contexts._signatures.clear()
    for function in (first, second):
        known = dict(contexts._signatures)
        compiled = kernel(function).compile(number, 2)
        assert not compiled.from_cache
        assert compiled(number, 2) == function(number, 2)
    assert len(known) > 4
    assert contexts._signatures == known, "the second was typed from memory"


def test_numba_is_asked_once_how_numbers_are_added(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When they are typed; not at each `+`, and not when code is generated."""
    asked: list[tuple[Any, ...]] = []
    ask = types.Function.get_call_type

    def note(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if self.typing_key is operator.add:
            asked.append(args)
        return ask(self, context, args, kws)

    def add(number: Any) -> Any:
        return number + number + number + number

    monkeypatch.setattr(contexts, "_signatures", {})
    monkeypatch.setattr(types.Function, "get_call_type", note)
    kernel(add).compile(np.float32(2))
    assert asked == [(types.float32, types.float32)]


def test_numba_is_asked_once_what_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []
    ask = types.Function.get_call_type

    def note(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if self.typing_key is bool:
            asked.append(args)
        return ask(self, context, args, kws)

    def noted(flags: Any, number: Any) -> None:
        flags[0], flags[1] = bool(number), number
        flags[2] = number

    monkeypatch.setattr(contexts, "_signatures", {})
    monkeypatch.setattr(types.Function, "get_call_type", note)
    flags = np.zeros(3, bool)
    kernel(noted).compile(flags, 2)(flags, 2)
    assert flags.all()
    assert asked == [(types.int64,)]


def test_dividing_by_zero_is_not_what_powers_of_numba_make_of_it() -> None:
    """Numba divides with other errors in a function of its own for the power."""

    def both(base: float, exponent: int, zero: float) -> float:
        return base**exponent + base / zero

    def share(wins: float, visits: float) -> float:
        return wins / visits

    assert kernel(both).compile(1.0, 2, 0.0)(1.0, 2, 0.0) == np.inf
    assert kernel(share).compile(1.0, 0.0)(1.0, 0.0) == np.inf


def test_powers_of_numba_are_not_what_kernels_make_of_dividing_by_zero() -> None:
    def share(wins: float, visits: float) -> float:
        return wins / visits

    def power(base: float, exponent: int) -> float:
        return base**exponent

    kernel(share).compile(1.0, 0.0)
    with pytest.raises(ZeroDivisionError):
        kernel(power).compile(0.0, -1)(0.0, -1)


def third(numbers: Any, index: int) -> Any:
    return numbers[index] + numbers[0]


def test_bounds_are_tested_where_they_are_to_be() -> None:
    """Code without such tests was made before, and is made after."""
    numbers = np.arange(3)
    kernel(third).compile(numbers, 2)
    checked = kernel(third).compile(numbers, 2, checked=True)
    assert checked(numbers, 2) == 2
    with pytest.raises(IndexError):
        checked(numbers, 3)
    assert kernel(third).compile(numbers, 2)(numbers, 2) == 2


SIZES = [
    (ir.IntType(1), 1),
    (ir.IntType(64), 8),
    (ir.ArrayType(ir.IntType(16), 5), 10),
    (ir.LiteralStructType([ir.IntType(8), ir.IntType(64)]), 16),
    (ir.LiteralStructType([ir.IntType(8), ir.IntType(64)], packed=True), 9),
]


@pytest.mark.parametrize(("typ", "size"), SIZES, ids=str)
def test_llvm_is_asked_once_how_large_a_type_is(
    typ: Any, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contexts, "_sizes", {})
    target = KernelTarget(cpu_target.target_context)
    assert target.get_abi_sizeof(typ) == size
    monkeypatch.setattr(type(typ), "get_abi_size", None)
    assert target.get_abi_sizeof(typ) == size


def twice(number: Any) -> Any:
    """Numba is told of it below."""
    raise NotImplementedError


def test_what_is_registered_is_known_to_the_next_kernel() -> None:
    kernel(third).compile(np.arange(3), 2)

    @overload(twice)
    def double(number):  # type: ignore[no-untyped-def]
        return lambda number: 2 * number

    def fourfold(number: Any) -> Any:
        return twice(twice(number))

    assert kernel(fourfold).compile(3)(3) == 12


def test_what_is_registered_for_one_call_is_found_at_the_next() -> None:
    """Methods are registered by name when a kernel first has one, amid a compile."""

    @dataclass(frozen=True)
    class Counter(Compiled):
        step: int = 1

        def name_that_no_other_has(self, number: Any) -> Any:
            return number + self.step

    def counted(counter: Any, number: Any) -> Any:
        return counter.name_that_no_other_has(number)

    assert kernel(counted).compile(Counter(2), 3)(Counter(2), 3) == 5


def inlined(number: Any) -> Any:
    """Numba is told below to inline it."""
    raise NotImplementedError


def test_what_numba_is_to_inline_is_inlined() -> None:
    @overload(inlined, inline="always")
    def implementation(number):  # type: ignore[no-untyped-def]
        return lambda number: number + 5

    def caller(number: Any) -> Any:
        nothing = None
        return inlined(number) if not bool(nothing) else 0

    assert kernel(caller).compile(3)(3) == 8


def test_registries_are_looked_at_once_for_a_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[type] = []
    for kind in (Context, CPUContext):
        refresh = kind.refresh
        monkeypatch.setattr(
            kind,
            "refresh",
            lambda self, refresh=refresh: looks.append(type(self)) or refresh(self),
        )
    kernel(within).compile(2)
    assert looks.count(KernelContext) == 1
    assert looks.count(KernelTarget) == 1


def test_a_failure_leaves_no_function_under_way() -> None:
    with pytest.raises(CompileError):
        kernel(lambda number: number.nothing).compile(2)
    assert KernelContext.functions_under_way == 0


def test_calls_of_llvm_are_timed_for_a_kernel_and_not_for_each_function_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timed: list[str] = []
    install = event.install_timer
    monkeypatch.setattr(
        event,
        "install_timer",
        lambda kind, told: timed.append(kind) or install(kind, told),
    )
    kernel(within).compile(np.int16(2))
    assert timed.count("numba:llvm_lock") == 1


def within(number: Any) -> Any:
    return third((number, number), 0) + third((number, number), 1)
