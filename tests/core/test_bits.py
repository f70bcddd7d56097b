"""Bit operations against their slow twins."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
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
