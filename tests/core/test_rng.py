"""Random numbers: the same both ways, uniform, and independent by seed."""

from typing import Any

import numpy as np
import pytest

from playout.core.jit.native import kernel
from playout.core.rng import draw_from, draws_per_number, make_rng


@kernel
def draw(rng: Any, n: int, out: Any) -> None:
    for i in range(len(out)):
        out[i] = rng.below(n)


@kernel
def draw_uniform(rng: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] = rng.uniform()


@pytest.mark.parametrize("n", [1, 2, 7, 225, 2**31 + 11, 2**32 - 1])
def test_interpreted_and_compiled_draw_the_same(n: int) -> None:
    ours, theirs = np.zeros(50, dtype=np.int64), np.zeros(50, dtype=np.int64)
    with np.errstate(over="ignore"):
        draw(make_rng(5), n, ours)
    draw.compile(make_rng(5), n, theirs)(make_rng(5), n, theirs)
    assert ours.tolist() == theirs.tolist()
    assert ours.max() < n


@pytest.mark.parametrize("n", [3, 7, 10])
def test_draws_are_uniform(n: int) -> None:
    """Chi-squared; a fair generator fails with probability below 1e-6 (fixed seed)."""
    out = np.zeros(1_000_000, dtype=np.int64)
    draw.compile(make_rng(1), n, out)(make_rng(1), n, out)
    counts = np.bincount(out, minlength=n)
    chi2 = float(((counts - len(out) / n) ** 2 / (len(out) / n)).sum())
    assert chi2 < {3: 27.7, 7: 39.0, 10: 45.1}[n]


def test_large_bounds_have_no_modulo_bias() -> None:
    """With n = 3 * 2**30, multiplying without rejection would favour a third."""
    n = 3 * 2**30
    out = np.zeros(300_000, dtype=np.int64)
    draw.compile(make_rng(2), n, out)(make_rng(2), n, out)
    thirds = np.bincount(out % 3, minlength=3)
    assert abs(thirds - 100_000).max() < 5 * np.sqrt(300_000 * 2 / 9)


def test_uniform_floats() -> None:
    out = np.zeros(200_000)
    draw_uniform.compile(make_rng(3), out)(make_rng(3), out)
    assert 0 <= out.min() < 0.001
    assert 0.999 < out.max() < 1
    assert abs(out.mean() - 0.5) < 5 / np.sqrt(12 * len(out))


def test_seeds_and_streams_differ() -> None:
    states = {
        int(make_rng(seed, stream).state[0])
        for seed in range(100)
        for stream in range(10)
    }
    assert len(states) == 1000


@kernel
def draw_in_turn(rng: Any, n: int, draws: int, out: Any) -> None:
    for i in range(len(out)):
        if i % draws == 0:
            bits = rng.next()
        out[i], bits = draw_from(bits, n)


@pytest.mark.parametrize("n", [1, 2, 7, 81, 225, 484, 2**31 - 1])
def test_draws_from_one_number_are_uniform_and_apart(n: int) -> None:
    """Chi-squared of each place among the draws, and of each pair of neighbours.

    A fair generator fails with probability below 1e-6 (fixed seed).
    """
    draws = draws_per_number(n)
    assert n**draws <= 2**32
    drawn = np.zeros(draws * 200_000, dtype=np.int64)
    draw_in_turn.compile(make_rng(4), n, draws, drawn)(make_rng(4), n, draws, drawn)
    plain = np.zeros(4 * draws, dtype=np.int64)
    with np.errstate(over="ignore"):
        draw_in_turn(make_rng(4), n, draws, plain)
    assert plain.tolist() == drawn[: len(plain)].tolist()
    assert 0 <= drawn.min() <= drawn.max() < n
    parts = drawn * min(n, 9) // n  # of nearly the same size
    sizes = np.bincount(np.arange(n) * 9 // n) if 9 < n <= 484 else np.ones(min(n, 9))
    chances = sizes / sizes.sum()
    columns = parts.reshape(-1, draws)
    for place in range(draws):
        assert is_even(columns[:, place], chances)
        pair = columns[:, place - 1] * len(chances) + columns[:, place]
        if draws > 1:
            assert is_even(pair, np.outer(chances, chances).ravel())


def is_even(drawn: Any, chances: Any) -> bool:
    """Chi-squared, to six standard deviations and ten above its mean."""
    expected = len(drawn) * chances
    counts = np.bincount(drawn, minlength=len(chances))
    chi2 = float(((counts - expected) ** 2 / expected).sum())
    freedom = len(chances) - 1
    return chi2 <= freedom + 6 * np.sqrt(2 * freedom) + 10
