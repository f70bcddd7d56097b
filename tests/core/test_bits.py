"""Bit operations against their slow twins."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from playout.core import bits
from playout.core.errors import CompileError
from playout.core.native import kernel
from playout.core.rows import Rows


@kernel
def all_of(word: Any, n: Any, out: Any) -> None:
    out[0] = bits.popcount(word)
    out[1] = bits.lowest(word)
    out[2] = bits.nth(word, n)
    out[3] = np.int64(bits.nth_bit(word, n))
    out[4] = bits.highest(word)


_out = np.zeros(5, dtype=np.int64)
_native = all_of.compile(np.uint64(1), 0, _out)


@given(st.integers(0, 2**64 - 1), st.integers(0, 63))
def test_compiled_equals_plain(word: int, n: int) -> None:
    out = np.zeros(5, dtype=np.int64)
    _native(np.uint64(word), n, out)
    assert out[0] == word.bit_count() == bits.popcount(np.uint64(word))
    assert out[1] == bits.lowest(np.uint64(word))
    assert out[2] == bits.nth(np.uint64(word), n)
    assert np.uint64(out[3]) == bits.nth_bit(np.uint64(word), n)
    assert out[4] == bits.highest(np.uint64(word)) == word.bit_length() - 1


@kernel
def by_arithmetic(word: Any, n: int) -> int:
    return bits._select(word, n)


@kernel
def by_pdep(word: Any, n: int) -> int:
    return bits.lowest(bits._pdep(np.uint64(1) << np.uint64(n), word))


_WAYS = [by_arithmetic, *([by_pdep] if bits._HAS_PDEP else [])]
_natives = [way.compile(np.uint64(1), 0) for way in _WAYS]


@given(st.integers(0, 2**64 - 1), st.integers(0, 63))
@example(2**64 - 1, 63)
@example(1 << 63, 0)
def test_both_ways_to_the_nth_bit(word: int, n: int) -> None:
    """`nth` takes the one that is fast on this processor; here are those it can."""
    expected = bits.nth(np.uint64(word), n)
    assert [native(np.uint64(word), n) for native in _natives] == [expected] * len(
        _WAYS
    )


@kernel
def run_of(word: Any, length: int, steps: Any) -> bool:
    return bits.any_run(word, length, steps[0], steps[1], steps[2], steps[3])


_run_of = run_of.compile(np.uint64(1), 0, np.zeros(4, dtype=np.int64))


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
    assert bits.any_run(np.uint64(word), length, *steps) == plain
    assert _run_of(np.uint64(word), length, np.array(steps)) == plain


@pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 8, 9, 16, 33, 63, 64])
def test_a_run_of_exactly_so_many(length: int) -> None:
    steps = np.array([40, 1, 50, 60])
    word = np.uint64((1 << length) - 1)
    assert _run_of(word, length, steps)
    assert length == 64 or not _run_of(word, length + 1, steps)


@pytest.mark.parametrize("word", [0, 1, 1 << 63, 2**64 - 1])
def test_edges(word: int) -> None:
    assert bits.lowest(np.uint64(word)) == (
        64 if word == 0 else (word & -word).bit_length() - 1
    )


@kernel
def sign_of(number: Any) -> int:
    if bits.likely(number >= 0):
        return 1
    return -1


def test_what_is_likely_need_not_be_true() -> None:
    native = sign_of.compile(0)
    for number in (3, 0, -4):
        assert native(number) == sign_of(number) == (1 if number >= 0 else -1)


@kernel
def count(rows: Any) -> int:
    return bits.popcount(rows[0].words)


@kernel
def count_two(word: Any) -> int:
    return bits.popcount(word, word)


@kernel
def count_named(word: Any) -> int:
    return bits.popcount(bits=word)


@pytest.mark.parametrize("wrong", [count, count_two])
def test_what_is_no_number_is_not_counted(wrong: Any) -> None:
    rows = Rows(np.zeros(1, dtype=[("words", "u8", 2)]))
    with pytest.raises(CompileError, match="popcount"):
        wrong.compile(rows if wrong is count else np.uint64(1))


@pytest.mark.parametrize("word", [np.int8(-1), np.uint8(255), True, 5, np.uint64(5)])
def test_numbers_of_all_kinds_are_counted(word: Any) -> None:
    assert count_named.compile(word)(word) == count_named(word)


@kernel
def halves(a: Any, b: Any, out: Any) -> None:
    out[0], out[1] = bits.wide_product(a, b)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@example(2**64 - 1, 2**64 - 1)
def test_a_product_has_all_its_bits(a: int, b: int) -> None:
    for function in (halves, _halves):
        out = np.zeros(2, dtype=np.uint64)
        function(np.uint64(a), np.uint64(b), out)
        assert (int(out[0]) << 64 | int(out[1])) == a * b


_halves = halves.compile(np.uint64(1), np.uint64(1), np.zeros(2, dtype=np.uint64))


@kernel
def unpack_natively(byte: Any, offset: int, out: Any, start: int) -> int:
    return bits.unpack(byte, offset, out, start)


@pytest.mark.parametrize("number", [np.int32, np.int64, np.uint32])
def test_a_byte_is_unpacked_the_same_both_ways(number: Any) -> None:
    native = unpack_natively.compile(np.uint64(1), 3, np.zeros(11, dtype=number), 1)
    for byte in range(256):
        outs = np.full((2, 11), 77, dtype=number)
        counts = [
            unpack(np.uint64(byte), 100, out, 2)
            for unpack, out in zip((native, bits.unpack), outs, strict=True)
        ]
        assert outs[0].tolist() == outs[1].tolist()
        assert counts == [byte.bit_count()] * 2
        expected = [100 + n for n in range(8) if byte >> n & 1]
        assert outs[0, 2 : 2 + len(expected)].tolist() == expected
        assert outs[0, [0, 1, 10]].tolist() == [77] * 3


@kernel
def five_natively(rows: Any, first: int) -> bool:
    return bits.any_five(rows, first)


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
        assert native(rows, 2) == bits.any_five(rows, 2) == expected
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
