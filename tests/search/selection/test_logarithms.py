"""Tables and polynomials against the functions that they stand for."""

import math
from typing import Any

import numpy as np
import pytest

from playout import UCT
from playout.core.jit.native import kernel
from playout.search.selection.logarithms import _TABLE, root_of_log
from tests.search.support import row


def test_tables_and_formulas_meet() -> None:
    uct = UCT(c_uct=1.0)
    for n in (1, 2, 1023, 1024, _TABLE - 1, _TABLE, _TABLE + 1, 10**6, 2**32 - 1):
        assert uct.parent_term(row(n)) == pytest.approx(math.sqrt(math.log(n)))
        assert uct.score(row(n, 0.5 * n), 1.0) == pytest.approx(0.5 + 1 / math.sqrt(n))


@kernel
def roots_of_logs(counts: Any, out: Any) -> None:
    for index in range(len(counts)):
        out[index] = root_of_log(counts[index])


def test_roots_of_logs_to_eleven_digits() -> None:
    """Near every power of two and in between; interpreted as compiled."""
    powers = 2 ** np.arange(1, 33)[:, None] + np.arange(-1, 2)
    spread = np.geomspace(2, 2**32 - 1, 20_000).astype(np.int64)
    counts = np.unique(np.concatenate([powers.ravel(), spread]))
    counts = counts[counts < 2**32]
    plain, native = np.zeros(len(counts)), np.zeros(len(counts))
    roots_of_logs(counts, plain)
    roots_of_logs.compile(counts, native)(counts, native)
    assert (plain == native).all()
    assert plain == pytest.approx(np.sqrt(np.log(counts)), rel=1e-11)
    assert (np.diff(plain) > 0).all()


def test_of_no_visits() -> None:
    assert root_of_log(0) == 0.0
