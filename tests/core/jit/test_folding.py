"""What is known before typing is not compiled, and nothing else changes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from playout import Compiled, CompileError, constant, static
from playout.core.jit import folding
from playout.core.jit.bits import popcount
from playout.core.jit.checked import RuleFault
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
    assert set(folding.constants_of(vars(Rules)["half"]).values()) == {0.5}
    assert folding.constants_of(vars(Search)["counted"]) == {}


@pytest.mark.parametrize("checked", [False, True])
def test_members_of_enumerations_and_their_values_are_numbers(checked: bool) -> None:
    def ask(number: int) -> int:
        return max(number, Colour.BLACK) + Colour.BLACK.value

    assert kernel(ask).compile(0, checked=checked)(0) == 2


def misspelt() -> bool:
    return bool(nowhere)  # type: ignore[name-defined]  # noqa: F821


def nowhere_in_a_module() -> int:
    _ = math.missing  # type: ignore[attr-defined]
    return 1


def not_set(search: Search) -> int:
    if search.rules.strict:
        number = 1
    _ = number
    return 2


def no_attribute(search: Search) -> int:
    _ = search.lenght  # type: ignore[attr-defined]
    return 2


@pytest.mark.parametrize(
    "function", [misspelt, nowhere_in_a_module, not_set, no_attribute]
)
def test_mistakes_are_left_to_numba_that_lead_to_nothing(function: Any) -> None:
    given = (Search(Rules()),)[: function.__code__.co_argcount]
    assert folding._returned(function, tuple(map(compiled_type, given))) is None
    with pytest.raises((NameError, AttributeError)):
        function(*given)


def test_an_attribute_of_something_unknown_may_have_an_effect() -> None:
    def reads(thing: Any) -> bool:
        _ = thing.tick
        return False

    assert folding._returned(reads, (None,)) is None


@dataclass(frozen=True)
class Table(Compiled):
    size: int = static(3)

    @constant
    def number(self) -> int:
        if self.size < 10:
            raise ValueError("too small a board")
        return 5


@dataclass(frozen=True)
class Guarded(Compiled):
    table: Table
    large: bool = static(False)


def test_what_cannot_run_is_not_computed() -> None:
    def ask(guarded: Guarded) -> int:
        if guarded.large:
            return int(guarded.table.number)
        return 1

    assert kernel(ask).compile(Guarded(Table()))(Guarded(Table())) == 1


def before(number: int) -> int:
    return -1


def test_an_index_below_0_that_was_computed_is_told() -> None:
    def ask(array: Any) -> int:
        return int(array[before(1)])

    array = np.arange(3)
    assert kernel(ask).compile(array)(array) == 2
    with pytest.raises(RuleFault, match="below 0"):
        kernel(ask).compile(array, checked=True)(array)
