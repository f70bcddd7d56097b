"""`Mean`: discounted results against the formula."""

from typing import Any

import pytest

from playout import MCTS, Limit, Mean, Position, RandomChild, TicTacToe, Tree, Unsolved
from tests.search.support import path_work
from tests.toys import Nim, ThreeWays, TwiceNim


@pytest.mark.parametrize(
    ("movers", "returns", "sums"),
    [
        ([1, 0, 1, 0], [1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]),
        ([0, 1, 0, 1], [1.0, -1.0], [1.0, -1.0, 1.0, -1.0]),
        ([1, 0, 0, 1], [0.5, -0.5], [-0.5, 0.5, 0.5, -0.5]),  # one moves twice
        ([2, 0, 1, 2], [0.5, 0.25, -1.0], [-1.0, 0.5, 0.25, -1.0]),
    ],
)
def test_every_node_gets_the_return_of_who_moved_into_it(
    movers: list[int], returns: list[float], sums: list[float]
) -> None:
    """Twice, down to the third of four nodes and then to the last."""
    tree = Tree.reserve(10)
    for depth in (2, 3):
        Mean().update(tree, path_work(movers, returns), depth, plies=7)
    rows = tree.nodes.array[:5]
    assert rows["visits"].tolist() == [2, 2, 2, 1, 0]
    expected = [2 * value for value in sums[:3]] + [sums[3], 0.0]
    assert rows["value_sum"].tolist() == expected


@pytest.mark.parametrize(
    ("discount", "plies", "weight"),
    [(0.0, 9, 1.0), (0.25, 1, 0.75), (0.25, 3, 0.25), (0.25, 5, 0.0), (1.0, 0, 1.0)],
)
def test_a_later_end_counts_less(discount: float, plies: int, weight: float) -> None:
    tree = Tree.reserve(10)
    Mean(discount).update(tree, path_work([1, 0], [1.0, -1.0]), 1, plies)
    assert tree.nodes.array["value_sum"][:2].tolist() == [-weight, weight]


@pytest.mark.parametrize(
    ("game", "moves", "best"),
    [
        (TicTacToe(), "a1 b1 a2 b2", "a3"),  # for the first player,
        (TicTacToe(), "a1 b1 c3 b2", "b3"),  # which must stop the second,
        (TicTacToe(), "a1 b1 a2 b2 c3", "b3"),  # for the second,
        (TwiceNim(stones=4), "", "2"),  # who moves twice,
        (ThreeWays(), "1 1", "0"),  # and for the third of three
    ],
    ids=str,
)
def test_what_is_good_for_whoever_moves_is_visited_most(
    game: Any, moves: str, best: str
) -> None:
    position = Position.from_moves(game, moves.split())
    expansion, solver = RandomChild(urgent="never"), Unsolved()
    search = MCTS(game, seed=1, expansion=expansion, solver=solver, interpreted=True)
    result = search.search(position, Limit(simulations=120))
    means = {row.move: row.mean for row in result.actions}
    assert result.move == best
    assert means[best] == max(means.values())


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
