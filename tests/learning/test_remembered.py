"""`Remembered` answers as the evaluator does, and asks about every state once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from playout.learning.remembered import Remembered

SHAPE = (2, 3)


class Judge:
    """Says the same of the same planes; counts what it is asked."""

    def __init__(self, players: int | None = None) -> None:
        self.players, self.asked = players, 0
        self.fails = False

    def __call__(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        if self.fails:
            raise RuntimeError("no answer")
        self.asked += len(planes)
        sums = planes.reshape(len(planes), -1).sum(axis=1)
        values = sums if self.players is None else np.tile(sums, (self.players, 1)).T
        return values, np.stack([sums, 1 - sums], axis=1)


def draw(rng: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Planes of 0 and 1, of which there are 64."""
    return rng.integers(0, 2, (count, *SHAPE)).astype(np.float32)


@pytest.mark.parametrize("players", [None, 3])
@pytest.mark.parametrize("most", [1, 8, 40, 1000])
def test_it_answers_as_the_evaluator_does(players: int | None, most: int) -> None:
    rng, judge = np.random.default_rng(1), Judge(players)
    remembered = Remembered(judge, most)
    for _ in range(100):
        planes = draw(rng, int(rng.integers(1, 12)))
        for given, wanted in zip(
            remembered(planes), Judge(players)(planes), strict=True
        ):
            assert np.array_equal(given, wanted)
    if most == 1000:
        assert judge.asked == 64


def test_what_failed_is_asked_again() -> None:
    rng, judge = np.random.default_rng(2), Judge()
    remembered = Remembered(judge, 100)
    first, second = draw(rng, 5), draw(rng, 9)
    remembered(first)
    judge.fails = True
    with pytest.raises(RuntimeError, match="no answer"):
        remembered(second)
    judge.fails = False
    assert np.array_equal(remembered(second)[0], judge(second)[0])
    assert np.array_equal(remembered(first)[0], judge(first)[0])
