"""NUMBA_OPT says how much is optimised, and what is kept says how much it was."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from numba import config

from playout.core.jit.compiled import Compiled
from playout.core.jit.native import kernel
from playout.core.jit.optimisation import optimisation


@dataclass(frozen=True)
class Powers(Compiled):
    base: int = 3

    def power(self, exponent: int) -> int:
        product = 1
        for _ in range(exponent):
            product *= self.base
        return product


def powers(numbers: Powers, most: int) -> int:
    total = 0
    for exponent in range(most):
        total += numbers.power(exponent)
    return total


def at_level(level: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "OPT", type(config.OPT)(level))


def test_a_level_finds_nothing_that_another_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLAYOUT_CACHE_DIR", str(tmp_path))
    found = []
    for level in (3, 1, 0, 3, 1):
        at_level(level, monkeypatch)
        native = kernel(powers).compile(Powers(), 5)
        assert native(Powers(), 5) == 121
        found.append(native.from_cache)
    assert found == [False, False, False, True, True]


def test_checked_code_is_optimised_a_little_at_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels = []
    for level in (3, 1, 0):
        at_level(level, monkeypatch)
        levels.append((optimisation(False), optimisation(True)))
    assert levels == [(3, 1), (1, 1), (0, 0)]
