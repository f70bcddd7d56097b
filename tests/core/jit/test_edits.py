"""What a cell of a notebook sets anew is seen by what is compiled after it."""

from __future__ import annotations

import threading
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playout.core.jit import edits, folding, lowering
from playout.core.jit.native import kernel

CELL = """
import numpy as np
import helpers

BONUS, TABLE, RATES = 1, np.arange(3), [0.5, 2.0]
ZERO, TABLES = 0.0, (np.arange(3), np.arange(3))

def bonus():
    return BONUS

def entry(index):
    return TABLE[index] + helpers.EXTRA + helpers.more.OFFSET

def sign(one):
    return -1.0 if np.signbit(ZERO * one) else 1.0

def last(index):
    return TABLES[1][index]

def rate(index):
    return RATES[index]

def ask(number):
    return (number * rate(1) + bonus() + entry(2)) * sign(1.0) + last(0)
"""


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The names of a notebook that has run its first cell."""
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    helpers = types.ModuleType("helpers")
    helpers.EXTRA = 100  # type: ignore[attr-defined]
    helpers.more = types.ModuleType("helpers.more")  # type: ignore[attr-defined]
    helpers.more.OFFSET = 0  # type: ignore[attr-defined]
    monkeypatch.setitem(__import__("sys").modules, "helpers", helpers)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(CELL, names)
    return names


def asked(notebook: dict[str, Any]) -> float:
    ask = notebook["ask"]
    answer = kernel(ask).compile(10)(10)
    assert answer == ask(10)
    return float(answer)


def test_nothing_is_edited_at_first(notebook: dict[str, Any]) -> None:
    assert asked(notebook) == 123
    assert not edits.is_edited()
    before = lowering.known_dispatcher(notebook["entry"], False)
    assert before is not None
    assert asked(notebook) == 123
    assert lowering.known_dispatcher(notebook["entry"], False) is before


@pytest.mark.parametrize(
    ("edit", "answer"),
    [
        ("BONUS = 5", 127),
        ("BONUS = 1.5", 123.5),
        ("TABLE[2] = 7", 128),
        ("RATES = (0.5, 3.0)", 133),
        ("helpers.EXTRA = 200", 223),
        ("helpers.more.OFFSET = 1", 124),
        ("ZERO = -0.0", -123),
        ("TABLES[1][0] = 4", 127),
        ("def bonus():\n    return 2", 124),
        ("def rate(index, other=4.0):\n    return other", 143),
    ],
)
def test_edits_are_seen(notebook: dict[str, Any], edit: str, answer: float) -> None:
    assert asked(notebook) == 123
    exec(edit, notebook)
    assert asked(notebook) == answer
    assert asked(notebook) == answer


def test_the_same_value_again_is_no_edit(notebook: dict[str, Any]) -> None:
    asked(notebook)
    for cell in ("BONUS = int('1')", "TABLE = np.arange(3)", "RATES = [0.5, 2.0]"):
        exec(cell, notebook)
        assert not edits.is_edited(), cell


def test_a_variable_of_an_outer_function_is_read() -> None:
    def outer() -> Any:
        offset = 1

        def added(number: int) -> int:
            return number + offset

        def change(to: int) -> None:
            nonlocal offset
            offset = to

        return added, change

    added, change = outer()
    edits.remember(added)
    assert not edits.is_edited()
    change(2)
    assert edits.is_edited()
    lowering.forget_edited()
    assert not edits.is_edited()


def test_what_was_folded_is_forgotten_too(notebook: dict[str, Any]) -> None:
    asked(notebook)
    assert folding.constants_of(notebook["bonus"]) == {(): 1}
    notebook["BONUS"] = 9
    asked(notebook)
    assert folding.constants_of(notebook["bonus"]) == {(): 9}


def test_what_cannot_be_compared_is_no_edit_for_ever() -> None:
    """A global of that name may have nothing to do with the code."""
    names: dict[str, Any] = {"size": [threading.Lock()], "cells": list(range(5000))}
    names["size"].append(names["size"])
    exec("def area(board):\n    return board.size * board.cells", names)
    edits.remember(names["area"])
    assert not edits.is_edited()
    names["size"].append(1)
    assert edits.is_edited()
    lowering.forget_edited()


def test_libraries_are_not_looked_at() -> None:
    edits.forget()
    edits.remember(np.linalg.norm.__wrapped__)
    edits.remember(edits.forget)
    assert edits._read == {}
