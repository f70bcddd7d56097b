"""A digest that is remembered is made anew after every change of what it has read."""

import dataclasses
import math
import types
from typing import Any

import numpy as np
import pytest

from playout.core.jit import digest
from playout.core.jit.compiled import Compiled, compiled_type
from playout.core.jit.dependencies import Dependencies
from playout.core.jit.digest import Digest, remembered

SOURCE = """
import dataclasses, functools
TABLE, NUMBERS, NESTED, WORDS = np.arange(5), [1, 2], ([3], {"a": {4}}), {"b": 1}

def helper(n):
    return n + 1

def deeper(n, *, step=2, rest=[5]):
    return helper(n) * step + helpers.HIDDEN

def outer():
    held = 7
    def inner(n):
        return n + held
    return inner

inner = outer()
part = functools.partial(helper, 1)

class Base:
    size = 3
    def method(self):
        return self.late() if hasattr(self, "late") else self.size

class Other:
    limit = [8]

@dataclasses.dataclass
class Loose:
    number: int

@dataclasses.dataclass(frozen=True)
class Fixed:
    inside: object

LOOSE, FIXED = Loose(1), Fixed([9])

class Rules(Base):
    other = Other
    def play(self, n):
        total = deeper(n) + inner(n) + part() + len(NUMBERS) + TABLE[0] + NESTED[0][0]
        return total + WORDS["b"] + self.method() + abs(n) + LOOSE.number + FIXED.inside
"""


@pytest.fixture
def world() -> dict[str, Any]:
    helpers = types.ModuleType("helpers")
    helpers.HIDDEN, helpers.UNUSED = 1, 1  # type: ignore[attr-defined]
    space: dict[str, Any] = {"np": np, "__name__": "world"}
    space["helpers"] = helpers
    exec(SOURCE, space)
    return space


def add(rules: type) -> Any:
    def members(digest: Digest) -> None:
        for name in ("play", "other", "size"):
            digest.add_method(rules, name)

    return members


def fresh(rules: type) -> str:
    found = Digest()
    add(rules)(found)
    return found.hexdigest()


def set_code(space: dict[str, Any]) -> None:
    space["helper"].__code__ = (lambda n: n + 2).__code__


def set_cell(space: dict[str, Any]) -> None:
    space["inner"].__closure__[0].cell_contents = 8


CHANGES = {
    "a global function": lambda w: w.update(helper=lambda n: n - 1),
    "a function's code": set_code,
    "a default of a keyword": lambda w: w["deeper"].__kwdefaults__.update(step=3),
    "a default list": lambda w: w["deeper"].__kwdefaults__["rest"].append(6),
    "defaults": lambda w: setattr(w["helper"], "__defaults__", (1,)),
    "a variable of an outer function": set_cell,
    "a partial": lambda w: w.update(part=w["functools"].partial(w["helper"], 2)),
    "a list": lambda w: w["NUMBERS"].append(3),
    "an array": lambda w: w["TABLE"].__setitem__(0, 9),
    "a list in a tuple": lambda w: w["NESTED"][0].append(1),
    "a set in a dict": lambda w: w["NESTED"][1]["a"].add(5),
    "a dict": lambda w: w["WORDS"].update(c=1),
    "a number for its equal": lambda w: w.update(WORDS={"b": True}),
    "a member of a module": lambda w: setattr(w["helpers"], "HIDDEN", 2),
    "a name that was Python's": lambda w: w.update(abs=math.floor),
    "an attribute of the class": lambda w: setattr(w["Rules"], "size", 4),
    "of its base": lambda w: setattr(w["Base"], "size", 5),
    "a method of its base": lambda w: setattr(w["Base"], "method", lambda self: 1),
    "a method that was not there": lambda w: setattr(w["Rules"], "late", lambda s: 1),
    "one of the base that was not there": lambda w: setattr(
        w["Base"], "late", lambda s: 1
    ),
    "another base": lambda w: setattr(
        w["Rules"], "__bases__", (type("New", (w["Base"],), {"size": 6}),)
    ),
    "a list of another class": lambda w: w["Other"].limit.append(1),
    "an attribute of another class": lambda w: setattr(w["Other"], "more", 1),
    "an instance": lambda w: setattr(w["LOOSE"], "number", 2),
    "what a frozen instance holds": lambda w: w["FIXED"].inside.append(1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_every_change_is_seen(world: dict[str, Any], change: Any) -> None:
    rules = world["Rules"]
    before = remembered(rules, add(rules))
    assert before == fresh(rules)
    change(world)
    after = remembered(rules, add(rules))
    assert after == fresh(rules)
    assert after != before


def test_nothing_else_is_read_again(
    world: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = world["Rules"]
    before = remembered(rules, add(rules))
    world["unknown"] = world["helpers"].UNUSED = 2

    def never(*_: Any) -> None:
        raise AssertionError

    assert remembered(rules, never) == before


def test_what_cannot_be_known_is_never_remembered(world: dict[str, Any]) -> None:
    rules = world["Rules"]
    world["NUMBERS"].append(memoryview(b"a"))  # which cannot be pickled
    assert remembered(rules, add(rules)) != remembered(rules, add(rules))


@dataclasses.dataclass(frozen=True)
class Game(Compiled):
    def size(self) -> int:
        return HEIGHT


HEIGHT = 3


def test_a_type_is_another_after_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    before = compiled_type(Game())
    assert compiled_type(Game()) == before
    monkeypatch.setitem(globals(), "HEIGHT", 4)
    assert compiled_type(Game()) != before
    monkeypatch.undo()
    assert compiled_type(Game()) == before


def test_of_a_class_that_is_remembered_no_code_is_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = compiled_type(Game())
    monkeypatch.setattr(digest.Digest, "_add_function", None)
    assert compiled_type(Game()) == before


def test_only_those_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digest, "_remembered", {})
    monkeypatch.setattr(digest, "MOST_REMEMBERED", 3)
    kinds = [type(f"Kind{number}", (), {}) for number in range(4)]
    for kind in (*kinds[:3], kinds[0], kinds[3]):
        remembered(kind, lambda found: None)
    assert list(digest._remembered) == [kinds[2], kinds[0], kinds[3]]


def test_nothing_noted_holds() -> None:
    assert Dependencies().hold()
