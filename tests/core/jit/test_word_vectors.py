"""Vectors of words, compiled and of NumPy, against words one by one."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.errors import CompileError
from playout.core.jit.native import kernel
from playout.core.jit.word_vectors import (
    any_bit,
    count_bits,
    fill_like,
    load_words,
    store_words,
    word_at,
    words_in_vector,
)

SEEDS = st.integers(0, 2**32 - 1)


@kernel
def all_of(words: Any, first: int, step: int, out: Any) -> int:
    a, b = load_words(words, first), load_words(words, first + 1)
    results = a & b, a | b, a ^ b, ~a, a << step, a >> step
    c = load_words(words, first)
    c &= ~b
    c |= a << 1
    c ^= b
    place = 0
    for n in range(len(out) // 7):
        for result in results:
            out[place] = word_at(result, n)
            place += 1
        out[place] = word_at(c, n)
        place += 1
    return count_bits(a) + 1000 * count_bits(c)


def one_by_one(words: Any, first: int, step: int, bits: int) -> tuple[list[int], int]:
    """The same by Python's integers."""
    out, counts = [], 0
    whole = (1 << bits) - 1
    for n in range(first, first + words_in_vector(bits)):
        a, b = int(words[n]), int(words[n + 1])
        c = (a & ~b | a << 1 & whole) ^ b
        out += [a & b, a | b, a ^ b, ~a & whole, a << step & whole, a >> step, c]
        counts += a.bit_count() + 1000 * c.bit_count()
    return out, counts


@cache  # compiled in the process that runs it, not in all that collect the tests
def native(bits: int) -> Any:
    return all_of.compile(*arguments(bits, 0), 1, room(bits))


def arguments(bits: int, seed: int) -> tuple[Any, int]:
    """Words, and the first of a vector of them: the last one is the array's last."""
    rng = np.random.default_rng(seed)
    first = int(rng.integers(0, 5))
    count = first + 1 + words_in_vector(bits)
    return rng.integers(0, 2**bits, count, dtype=f"u{bits // 8}"), first


def room(bits: int) -> Any:
    return np.zeros(7 * words_in_vector(bits), np.uint64)


@pytest.mark.parametrize("bits", [32, 64])
@given(SEEDS, st.integers(0, 31))
def test_every_word_is_as_alone(bits: int, seed: int, step: int) -> None:
    words, first = arguments(bits, seed)
    expected = one_by_one(words, first, step, bits)
    for run in (all_of, native(bits)):
        out = room(bits)
        counts = run(words, first, step, out)
        assert (out.tolist(), counts) == expected


@kernel
def written(words: Any, word: Any, out: Any) -> tuple[bool, bool]:
    """Writes a vector with one word cleared wherever it is, from place 1 on."""
    a = load_words(words, 0)
    b = fill_like(a, word)
    store_words(a & ~b, out, 1)
    return any_bit(a), any_bit(a & ~b)


@pytest.mark.parametrize("kind", [np.uint32, np.uint64])
@pytest.mark.parametrize("word", [0, 5, 2**32 - 1, 2**64 - 1])
@pytest.mark.parametrize("place", [None, 0, 7])
def test_words_are_written_and_looked_for(
    kind: Any, word: int, place: int | None
) -> None:
    words = np.zeros(words_in_vector(8 * np.dtype(kind).itemsize), kind)
    if place is not None:
        words[place] = 2**31 + 1
    compiled = written.compile(words, np.uint64(1), np.zeros(len(words) + 2, kind))
    for run in (written, compiled):
        out = np.full(len(words) + 2, 9, kind)
        found = run(words, np.uint64(word), out)
        left = [int(each) & ~word for each in words]
        assert out.tolist() == [9, *left, 9]
        assert found == (place is not None, any(left))


@kernel
def mixed(narrow: Any, wide: Any, out: Any) -> None:
    out[0] = word_at(load_words(narrow, 0) & load_words(wide, 0), 0)


def test_words_of_two_widths_are_not_mixed() -> None:
    narrow, wide = np.zeros(16, np.uint32), np.zeros(8, np.uint64)
    with pytest.raises(CompileError):
        mixed.compile(narrow, wide, np.zeros(1, np.uint64))


@pytest.mark.parametrize("kind", [np.int32, np.uint16, np.float64])
def test_what_is_no_array_of_words_is_refused(kind: Any) -> None:
    words = np.zeros(64, kind)
    with pytest.raises(CompileError):
        mixed.compile(words, words, np.zeros(1, np.uint64))


def test_words_that_are_not_there_are_not_loaded_by_interpreted_code() -> None:
    with pytest.raises(AssertionError):
        load_words(np.zeros(16, np.uint32), 1)
