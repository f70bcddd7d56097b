"""`Mean`: discounted results against the formula."""

import pytest

from playout import MCTS, Limit, Mean, Unsolved
from tests.toys import Nim


def test_discount_prefers_the_shorter_win() -> None:
    for discount, mean in ((0.0, 1.0), (0.1, 0.9)):
        search = MCTS(
            Nim(stones=1), backup=Mean(discount=discount), solver=Unsolved(), seed=1
        )
        assert search.search(limit=Limit(simulations=50)).value == pytest.approx(mean)


def test_discounted_means_are_those_of_the_formula() -> None:
    """Two stones: taking both wins at the 1st action, taking one loses at the 2nd.

    A result r after p actions counts r * max(0, 1 - discount * p).
    """
    for discount, means in (
        (0.1, {"2": 0.9, "1": -0.8}),
        (0.25, {"2": 0.75, "1": -0.5}),
        (0.6, {"2": 0.4, "1": 0.0}),
        (1.0, {"2": 0.0, "1": 0.0}),
    ):
        search = MCTS(
            Nim(stones=2), backup=Mean(discount=discount), solver=Unsolved(), seed=1
        )
        result = search.search(limit=Limit(simulations=400))
        assert {r.move: r.mean for r in result.actions} == pytest.approx(means)
