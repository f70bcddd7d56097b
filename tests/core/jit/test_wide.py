"""Wide numbers: compiled ones are cut where Python's are not, and else the same."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playout.core.jit.native import kernel
from playout.core.jit.wide import count_ones, first_one, wide, word_of

WORDS = st.integers(0, 2**64 - 1)


@kernel
def of_one(a, b, shift, out):
    results(wide(a), wide(b), shift, out)


@kernel
def of_two(a, b, shift, out):
    results(wide(a, b), wide(b, a), shift, out)


@kernel
def of_three(a, b, shift, out):
    results(wide(a, b, a), wide(b, a, b), shift, out)


def results(x, y, shift, out):
    """What all operators give, three words each; the numbers last."""
    write(x & y, out, 0)
    write(x | y, out, 1)
    write(x ^ y, out, 2)
    write(~x, out, 3)
    write(x + y, out, 4)
    write(x - y, out, 5)
    write(-x, out, 6)
    write(x << shift, out, 7)
    write(x >> shift, out, 8)
    out[30] = np.uint64(count_ones(x))
    out[31] = np.uint64(first_one(x) if x != 0 else 0)
    out[32] = np.uint64(1 if x == y else 0)
    out[33] = np.uint64(1 if x != 0 else 0)
    x |= y << 1
    write(x, out, 9)


def write(number, out, place):
    for n in range(3):
        out[3 * place + n] = word_of(number, n)


KERNELS = {1: of_one, 2: of_two, 3: of_three}


@cache
def compiled(words):
    """The kernel of so many words, compiled in the process that runs it."""
    return KERNELS[words].compile(
        np.uint64(1), np.uint64(1), 1, np.zeros(34, np.uint64)
    )


@pytest.mark.parametrize("words", KERNELS)
@given(WORDS, WORDS, st.integers(0, 63))
def test_compiled_is_as_in_python(words, a, b, shift):
    native, plain = np.zeros((2, 34), dtype=np.uint64)
    arguments = np.uint64(a), np.uint64(b), shift
    compiled(words)(*arguments, native)
    KERNELS[words](*arguments, plain)
    assert native[30:].tolist() == plain[30:].tolist()
    for place in range(10):  # as far as a number of so many words goes
        first, last = 3 * place, 3 * place + words
        assert native[first:last].tolist() == plain[first:last].tolist()
        assert native[last : first + 3].tolist() == [0] * (3 - words)


def test_counts_and_comparisons():
    out = np.zeros(34, dtype=np.uint64)
    compiled(3)(np.uint64(0), np.uint64(1), 1, out)  # one bit, in the second word
    assert out[30:].tolist() == [1, 64, 0, 1]
    assert first_one(wide(np.uint64(0), np.uint64(0), np.uint64(8))) == 131
    assert count_ones(wide(np.uint64(3), np.uint64(1))) == 3
