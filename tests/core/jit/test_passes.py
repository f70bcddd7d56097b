"""Passes that most functions have no use for: those that have one get them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from playout.core.jit import internals
from playout.core.jit.native import kernel


def plain(number: int) -> int:
    return 3 * number if number > 2 else number


def listed(number: int) -> int:
    return sum([plain(n) for n in range(number)])


def nested(number: int) -> int:
    def twice(value: int) -> int:
        return 2 * value

    return twice(number) + twice(number + 1)


def written(number: int) -> int:
    return int(np.array([number, 2 * number, 7]).sum())


def over_arrays(numbers: NDArray[np.int64], number: int) -> int:
    return int((numbers * number + 2 * numbers - 1).sum())


@kernel
def all_of_them(numbers: NDArray[np.int64], number: int) -> int:
    found = plain(number) + listed(number) + nested(number) + written(number)
    return found + over_arrays(numbers, number)


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> dict[str, set[str]]:
    """The functions over which Numba's passes run, by the name of the pass."""
    seen: dict[str, set[str]] = {}
    for step in (
        internals.InlineClosureLikes,
        internals.NopythonRewrites,
        internals.IRLegalization,
    ):
        run, functions = step.run_pass, seen.setdefault(step.__name__, set())

        def run_noting(
            self: Any, state: Any, run: Any = run, functions: set[str] = functions
        ) -> bool:
            functions.add(state.func_id.func_name)
            return run(self, state)

        monkeypatch.setattr(step, "run_pass", run_noting)
    return seen


def test_they_run_where_they_may_find_something(
    noted: dict[str, set[str]], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    numbers = np.arange(6)
    native = all_of_them.compile(numbers, 4)
    for number in range(7):
        assert native(numbers, number) == all_of_them(numbers, number)
    ours = {"plain", "listed", "nested", "written", "over_arrays", "all_of_them"}
    # Since Python 3.12 a list in brackets is no function within a function.
    listed = {"listed"} if sys.version_info < (3, 12) else set()
    assert noted["InlineClosureLikes"] & ours == {"nested", "written"} | listed
    assert noted["NopythonRewrites"] & ours == {"over_arrays", "written"}
    # Where something is owned that has to be given up: an array, or a list.
    assert noted["IRLegalization"] & ours == {
        "listed", "written", "over_arrays", "all_of_them",
    }  # fmt: skip
