"""What the pipeline changes for kernels, and that nothing of it stays behind."""

from typing import Any

import numpy as np
import pytest
from llvmlite.binding import ffi
from numba import njit, types
from numba.core import event

from playout.core import pipeline
from playout.core.errors import CompileError
from playout.core.native import kernel


@kernel
def arithmetic(number: Any, power: int) -> Any:
    return (number + 1) * number - number // 3 if number > power else number**power


@pytest.mark.parametrize("number", [np.uint64(5), 5, 5.5, np.float32(0.5), True])
def test_operators_mean_the_same_the_second_time(number: Any) -> None:
    """The second kernel is typed from memory."""
    for _ in range(2):
        compiled = kernel(arithmetic.function).compile(number, 2)
        assert compiled(number, 2) == arithmetic(number, 2)


def test_only_operators_on_numbers_are_remembered() -> None:
    arithmetic.compile(1, 2)
    for function, args in pipeline._signatures:
        assert function.typing_key in pipeline._OPERATORS
        assert all(isinstance(arg, (types.Number, types.Boolean)) for arg in args)
    assert len(pipeline._signatures) > 4


@kernel
def impossible(number: Any) -> Any:
    return number.no_such_thing


def test_numba_is_told_of_llvm_again_after_compiling() -> None:
    before = list(ffi.lib._lock._cblist)
    assert before, "Numba listens no more, so that nothing needs to be hidden from it"
    arithmetic.compile(2.5, 2)
    assert ffi.lib._lock._cblist == before
    with pytest.raises(CompileError, match="no_such_thing"):
        impossible.compile(1)
    assert ffi.lib._lock._cblist == before
    with event.install_recorder("numba:llvm_lock") as recorder:
        njit(lambda number: number + 1)(1)
    assert recorder.buffer


def test_numba_is_not_told_of_llvm_during() -> None:
    with pipeline.unobserved():
        assert not ffi.lib._lock._cblist
        with pipeline.unobserved():
            pass
        assert not ffi.lib._lock._cblist
    assert ffi.lib._lock._cblist
