"""Bit operations against their slow twins."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from playout.core.errors import CompileError
from playout.core.jit import bits
from playout.core.jit.native import kernel
from playout.core.jit.rows import Rows


@kernel
def all_of(word: Any, n: Any, out: Any) -> None:
    out[0] = bits.popcount(word)
    out[1] = bits.lowest(word)
    out[2] = bits.nth(word, n)
    out[3] = np.int64(bits.nth_bit(word, n))
    out[4] = bits.highest(word)


@cache  # compiled in the process that runs it, not in all that collect the tests
def _native() -> Any:
    return all_of.compile(np.uint64(1), 0, np.zeros(5, dtype=np.int64))


@given(st.integers(0, 2**64 - 1), st.integers(0, 63))
def test_compiled_equals_plain(word: int, n: int) -> None:
    out = np.zeros(5, dtype=np.int64)
    _native()(np.uint64(word), n, out)
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


@cache
def _natives() -> list[Any]:
    return [way.compile(np.uint64(1), 0) for way in _WAYS]


@given(st.integers(0, 2**64 - 1), st.integers(0, 63))
@example(2**64 - 1, 63)
@example(1 << 63, 0)
def test_both_ways_to_the_nth_bit(word: int, n: int) -> None:
    """`nth` takes the faster way on this processor; tried are those it supports."""
    expected = bits.nth(np.uint64(word), n)
    found = [native(np.uint64(word), n) for native in _natives()]
    assert found == [expected] * len(_WAYS)


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
    for function in (halves, _halves()):
        out = np.zeros(2, dtype=np.uint64)
        function(np.uint64(a), np.uint64(b), out)
        assert (int(out[0]) << 64 | int(out[1])) == a * b


@cache
def _halves() -> Any:
    return halves.compile(np.uint64(1), np.uint64(1), np.zeros(2, dtype=np.uint64))


@kernel
def list_natively(word: Any, offset: int, out: Any, count: int) -> int:
    return bits.list_bits(word, offset, out, count)


@given(st.integers(0, 2**64 - 1))
@example(2**64 - 1)
def test_bits_are_listed_ascending(word: int) -> None:
    expected = [7, *(100 + n for n in range(64) if word >> n & 1)]
    for function in (bits.list_bits, _list()):
        out = np.full(65, 7, dtype=np.int32)
        assert function(np.uint64(word), 100, out, 1) == len(expected)
        assert out[: len(expected)].tolist() == expected


@cache
def _list() -> Any:
    return list_natively.compile(np.uint64(1), 0, np.zeros(65, dtype=np.int32), 1)
