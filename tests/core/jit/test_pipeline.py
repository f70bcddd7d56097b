"""What the pipeline changes for kernels, and that nothing of it stays behind.

Also of `core/jit/lowering.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import types

from playout.core.jit import pipeline
from playout.core.jit.internals import CodeLibrary
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
    pipeline._signatures.clear()
    for function in (first, second):
        known = dict(pipeline._signatures)
        compiled = kernel(function).compile(number, 2)
        assert not compiled.from_cache
        assert compiled(number, 2) == function(number, 2)
    assert len(known) > 4
    assert pipeline._signatures == known, "the second was typed from memory"
    for asked, args in known:
        assert asked.typing_key in pipeline._OPERATORS
        assert all(isinstance(arg, (types.Number, types.Boolean)) for arg in args)


def test_checked_code_is_optimised_only_a_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It runs for some milliseconds, so that making it fast would not pay."""
    whole: list[CodeLibrary] = []
    optimize = CodeLibrary.optimize
    monkeypatch.setattr(
        CodeLibrary, "optimize", lambda self: whole.append(self) or optimize(self)
    )
    assert kernel(first).compile(7, 2, checked=True)(7, 2) == first(7, 2)
    assert whole == []
    assert kernel(first).compile(7, 2)(7, 2) == first(7, 2)
    assert whole != []
