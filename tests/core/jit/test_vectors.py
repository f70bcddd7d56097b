"""What looks at several words at once, against its slow twin."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.errors import CompileError
from playout.core.jit import vectors
from playout.core.jit.native import kernel


@kernel
def run_of(word: Any, length: int, steps: Any) -> bool:
    return vectors.any_run(word, length, steps[0], steps[1], steps[2], steps[3])


@cache  # compiled in the process that runs it, not in all that collect the tests
def _native() -> Any:
    return run_of.compile(np.uint64(1), 0, np.zeros(4, dtype=np.int64))


@given(
    st.integers(0, 2**64 - 1),
    st.integers(1, 64),
    st.lists(st.integers(1, 63), min_size=4, max_size=4),
    st.integers(0, 63),
    st.booleans(),
)
def test_runs(
    word: int, length: int, steps: list[int], first: int, planted: bool
) -> None:
    if planted:  # a line, or all but its last bit
        for k in range(length):
            word |= 1 << min(63, first + k * steps[2])
    word &= 2**64 - 1
    plain = any(
        all(word >> (start + k * step) & 1 for k in range(length))
        for step in steps
        for start in range(64)
    )
    assert vectors.any_run(np.uint64(word), length, *steps) == plain
    assert _native()(np.uint64(word), length, np.array(steps)) == plain


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 8, 9, 16, 33, 63, 64])
def test_a_run_of_exactly_so_many(length: int) -> None:
    steps = np.array([40, 1, 50, 60])
    word = np.uint64((1 << length) - 1)
    assert _native()(word, length, steps)
    assert length == 64 or not _native()(word, length + 1, steps)


@kernel
def unpack_natively(byte: Any, offset: int, out: Any, start: int) -> int:
    return vectors.unpack(byte, offset, out, start)


@pytest.mark.parametrize("number", [np.int32, np.int64, np.uint32])
def test_a_byte_is_unpacked_the_same_both_ways(number: Any) -> None:
    native = unpack_natively.compile(np.uint64(1), 3, np.zeros(11, dtype=number), 1)
    for byte in range(256):
        outs = np.full((2, 11), 77, dtype=number)
        counts = [
            unpack(np.uint64(byte), 100, out, 2)
            for unpack, out in zip((native, vectors.unpack), outs, strict=True)
        ]
        assert outs[0].tolist() == outs[1].tolist()
        assert counts == [byte.bit_count()] * 2
        expected = [100 + n for n in range(8) if byte >> n & 1]
        assert outs[0, 2 : 2 + len(expected)].tolist() == expected
        assert outs[0, [0, 1, 10]].tolist() == [77] * 3


@kernel
def five_natively(rows: Any, first: int) -> bool:
    return vectors.any_five(rows, first)


@pytest.mark.parametrize("word", [np.uint32, np.uint64])
def test_five_in_a_line_wherever_it_begins(word: Any) -> None:
    width, draw = np.dtype(word).itemsize * 8, np.random.default_rng(1)
    native = five_natively.compile(np.zeros(14, dtype=word), 2)
    seen = {True: 0, False: 0}
    for number in range(3000):
        cells = draw.random((14, width)) < (0.05, 0.15, 0.25)[number % 3]
        padded = np.pad(cells, ((0, 0), (4, 4)))
        expected = any(
            np.logical_and.reduce(
                [padded[2 + n * down :, 4 + n * right :][:8, :width] for n in range(5)]
            ).any()
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        )
        weights = word(1) << np.arange(width, dtype=word)
        rows = (cells * weights).sum(axis=1, dtype=word)
        assert native(rows, 2) == vectors.any_five(rows, 2) == expected
        seen[expected] += 1
    assert min(seen.values()) > 300


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros(24, dtype=np.uint32)[::2],  # with gaps
        np.zeros(12, dtype=np.int32),
        np.zeros(12, dtype=np.float64),
        np.zeros((12, 2), dtype=np.uint64),
    ],
)
def test_what_vectors_cannot_read_is_refused(rows: Any) -> None:
    with pytest.raises(CompileError, match="any_five"):
        five_natively.compile(rows, 0)
    if rows.dtype != np.int32:
        with pytest.raises(CompileError, match="unpack"):
            unpack_natively.compile(np.uint64(1), 0, rows, 0)
