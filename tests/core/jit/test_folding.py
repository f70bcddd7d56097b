"""What is known before typing is not compiled, and nothing else changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from playout import Compiled, CompileError, static
from playout.core.jit import folding
from playout.core.jit.bits import popcount
from playout.core.jit.compiled import compiled_type
from playout.core.jit.lowering import known_dispatcher
from playout.core.jit.native import kernel
from playout.core.jit.rows import fetch_ahead


@pytest.fixture(autouse=True)
def _nothing_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes from disk is not compiled, and tests nothing here."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))


class Colour(IntEnum):
    BLACK = 1


@dataclass(frozen=True)
class Rules(Compiled):
    size: int = static(3)
    strict: bool = static(False)
    rule: str = static("plain")

    def nothing(self) -> None:
        """What most hooks do."""

    def half(self) -> float:
        return 0.5

    def length(self) -> int:
        return self.size

    def colour(self) -> int:
        return Colour.BLACK

    def is_lenient(self) -> bool:
        return not self.strict

    @property
    def renju(self) -> bool:
        return self.strict

    def is_renju(self) -> bool:
        return self.renju

    def guarded(self, array: Any) -> int:
        if not self.strict:
            return 7
        array[0] = self.missing  # type: ignore[attr-defined]
        return 8

    def both(self, array: Any) -> bool:
        return self.strict and self.guarded(array) == 7

    def dice(self, array: Any) -> bool:
        return bool(self.strict and array[0])


@dataclass(frozen=True)
class Search(Compiled):
    rules: Rules
    bonus: int = 5

    def length(self) -> int:
        return self.rules.length()

    def with_bonus(self) -> int:
        return self.rules.size + self.bonus

    def counted(self, array: Any) -> bool:
        array[0] += 1
        return False

    def failing(self, array: Any) -> bool:
        array[self.rules.size]
        return False

    def endless(self, depth: int) -> int:
        return self.endless(depth)

    def huge(self) -> int:
        return 2**70


def no_chance(search: Search, array: Any) -> bool:
    return search.rules.strict and array[0] == 1


#: What is asked, and the functions that are compiled besides `ask` and that itself.
FOLDED: dict[str, Callable[[Search, Any], Any]] = {
    "nothing": lambda search, array: search.rules.nothing(),
    "half": lambda search, array: search.rules.half(),
    "static field": lambda search, array: search.rules.length(),
    "enumeration": lambda search, array: search.rules.colour(),
    "not": lambda search, array: search.rules.is_lenient(),
    "property": lambda search, array: search.rules.is_renju(),
    "guard": lambda search, array: search.rules.guarded(array),
    "and": lambda search, array: search.rules.both(array),
    "bool": lambda search, array: search.rules.dice(array),
    "call": lambda search, array: search.length(),
    "function": lambda search, array: no_chance(search, array),
}


@pytest.mark.parametrize("name", FOLDED)
@pytest.mark.parametrize("checked", [False, True])
def test_calls_that_always_return_the_same_are_not_compiled(
    name: str, checked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = FOLDED[name]
    search, array = Search(Rules()), np.zeros(1, dtype=np.int64)
    compiled: list[FunctionType] = []
    run_pass = folding.ConstantFolding.run_pass
    monkeypatch.setattr(
        folding.ConstantFolding,
        "run_pass",
        lambda self, state: (
            compiled.append(state.func_id.func) or run_pass(self, state)
        ),
    )
    native = kernel(ask).compile(search, array, checked=checked)
    assert compiled == [ask]
    answer, expected = native(search, array), ask(search, array)
    assert answer == expected
    assert type(answer) is type(expected) or name == "enumeration"


def test_branches_that_cannot_run_are_not_typed() -> None:
    def ask(search: Search, array: Any) -> int:
        if search.rules.is_renju():
            array[0] = search.rules.missing  # type: ignore[attr-defined]
        if not search.rules.strict and search.rules.rule != "renju":
            return 1
        return int(search.missing)  # type: ignore[attr-defined]

    array = np.zeros(1, dtype=np.int64)
    assert kernel(ask).compile(Search(Rules()), array)(Search(Rules()), array) == 1


def test_another_value_takes_the_other_branch() -> None:
    def ask(search: Search, array: Any) -> bool:
        return search.rules.dice(array)

    search = Search(Rules(strict=True))
    native = kernel(ask).compile(search, np.zeros(1, dtype=np.int64))
    assert native(search, np.zeros(1, dtype=np.int64)) is False
    assert native(search, np.ones(1, dtype=np.int64)) is True


def test_run_time_fields_are_read() -> None:
    def ask(search: Search) -> int:
        return search.with_bonus()

    native = kernel(ask).compile(Search(Rules()))
    assert native(Search(Rules(), bonus=5)) == 8
    assert native(Search(Rules(), bonus=6)) == 9


def test_what_has_an_effect_is_done() -> None:
    def ask(search: Search, array: Any) -> bool:
        return search.counted(array) or search.counted(array)

    array = np.zeros(1, dtype=np.int64)
    native = kernel(ask).compile(Search(Rules()), array)
    assert native(Search(Rules()), array) is False
    assert array[0] == 2


def test_what_fails_fails() -> None:
    def ask(search: Search, array: Any) -> bool:
        return search.failing(array)

    array = np.zeros(3, dtype=np.int64)
    native = kernel(ask).compile(Search(Rules()), array, checked=True)
    with pytest.raises(IndexError):
        native(Search(Rules()), array)


def test_arguments_that_do_not_fit_are_told() -> None:
    def ask(search: Search) -> float:
        return search.rules.half(1)  # type: ignore[call-arg]

    with pytest.raises(CompileError):
        kernel(ask).compile(Search(Rules()))


def test_a_variable_that_is_set_twice_is_not_known() -> None:
    def ask(search: Search, other: Search) -> int:
        if search.bonus > 5:
            search = other
        return search.bonus

    native = kernel(ask).compile(Search(Rules()), Search(Rules()))
    assert native(Search(Rules(), bonus=6), Search(Rules(), bonus=1)) == 1


@pytest.mark.parametrize("method", ["endless", "huge"])
def test_what_has_no_value_of_64_bits_is_left_to_numba(method: str) -> None:
    typ = compiled_type(Search(Rules()))
    function = vars(Search)[method]
    arguments = (typ, None)[: function.__code__.co_argcount]
    assert folding._returned(function, arguments) is None


@pytest.mark.parametrize("function", [fetch_ahead, popcount])
def test_functions_with_code_of_their_own_are_not_followed(function: Any) -> None:
    """Interpreted, the first does nothing at all."""
    count = function.__code__.co_argcount
    assert folding._returned(function, (None,) * count) is None
    assert known_dispatcher(function, False) is None


def test_generators_and_lists_of_arguments_are_not_followed() -> None:
    def generator() -> Any:
        yield 1

    def many(*numbers: int) -> int:
        return 1

    def named(*, number: int = 1) -> int:
        return 1

    for function in (generator, many, named):
        assert folding._returned(function, ()) is None


def test_what_was_folded_is_known_by_its_function() -> None:
    def ask(search: Search) -> Any:
        return search.rules.half()

    kernel(ask).compile(Search(Rules()))
    assert set(folding.constants_of(vars(Rules)["half"])) == {0.5}
    assert folding.constants_of(vars(Search)["counted"]) == []
