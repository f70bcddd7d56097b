"""`Remembered` answers as the evaluator does, and asks about every state once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from playout.core.errors import EvaluatorError
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.observing import PlaneWriter
from playout.learning.remembered import Remembered

GAME = TicTacToe()
OBSERVED = PlaneWriter(GAME)


class Judge:
    """Says the same of the same planes; counts what it is asked."""

    def __init__(self, players: int | None = None) -> None:
        self.players, self.asked = players, 0
        self.fails = False

    def __call__(self, planes: NDArray[np.float32]) -> tuple[Any, Any]:
        if self.fails:
            raise RuntimeError("no answer")
        self.asked += len(planes)
        sums = planes.reshape(len(planes), -1) @ np.arange(18)
        values = sums if self.players is None else np.tile(sums, (self.players, 1)).T
        return values, np.stack([sums, 1 - sums], axis=1)


def draw(rng: np.random.Generator, count: int) -> NDArray[np.void]:
    """States with up to two stones of each player in four cells; there are 81."""
    states = np.zeros(count, GAME.state_dtype())
    owners = rng.integers(0, 3, (count, 4))
    for player in (0, 1):
        states["stones"][:, player] = (owners == player) @ [1, 2, 4, 8]
    return states


@pytest.mark.parametrize("players", [None, 3])
@pytest.mark.parametrize("most", [1, 8, 40, 1000])
def test_it_answers_as_the_evaluator_does(players: int | None, most: int) -> None:
    rng, judge = np.random.default_rng(1), Judge(players)
    remembered = Remembered(GAME, judge, most)
    for _ in range(100):
        states = draw(rng, int(rng.integers(1, 12)))
        for given, wanted in zip(
            remembered(states), Judge(players)(OBSERVED(states)), strict=True
        ):
            assert np.array_equal(given, wanted)
    if most == 1000:
        assert judge.asked == 81


def test_what_failed_is_asked_again() -> None:
    rng, judge = np.random.default_rng(2), Judge()
    remembered = Remembered(GAME, judge, 100)
    first, second = draw(rng, 5), draw(rng, 9)
    remembered(first)
    judge.fails = True
    with pytest.raises(RuntimeError, match="no answer"):
        remembered(second)
    judge.fails = False
    assert np.array_equal(remembered(second)[0], judge(OBSERVED(second))[0])
    assert np.array_equal(remembered(first)[0], judge(OBSERVED(first))[0])


def test_what_is_answered_too_short_is_refused_and_forgotten() -> None:
    """A single answer to several states would count for each of them."""
    rng, judge = np.random.default_rng(4), Judge()
    remembered = Remembered(GAME, judge, 100)
    first, second = draw(rng, 5), draw(rng, 9)
    remembered(first)
    remembered.evaluator = lambda planes: judge(planes[:1])
    with pytest.raises(EvaluatorError, match="it gave 1 answers to"):
        remembered(second)
    remembered.evaluator = judge
    assert np.array_equal(remembered(second)[0], judge(OBSERVED(second))[0])


def test_another_evaluator_is_asked_anew() -> None:
    rng, other = np.random.default_rng(3), Judge(players=2)
    remembered = Remembered(GAME, Judge())
    states = draw(rng, 7)
    remembered(states)
    remembered.use(other)
    values, _ = remembered(states)
    assert np.array_equal(values, Judge(2)(OBSERVED(states))[0])
    assert 0 < other.asked <= 7
