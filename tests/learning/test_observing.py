from dataclasses import dataclass

import numpy as np
import pytest

from playout.adapters.objects import from_object
from playout.core.errors import UsageError
from playout.games.contract.game import Game
from playout.games.positions.position import Position
from playout.games.registry import make_game
from playout.games.tic_tac_toe.rules import TicTacToe
from playout.learning.observing import PlaneWriter, RandomSymmetry, expect_trainable


def test_planes_are_what_the_rules_write():
    positions = [
        Position.from_moves(TicTacToe(), o) for o in ([], ["b2"], ["a1", "c3"])
    ]
    states = np.concatenate([position.array for position in positions])
    planes = PlaneWriter(TicTacToe())(states)
    assert planes.shape == (3, *TicTacToe().observation_shape())
    for position, found in zip(positions, planes, strict=True):
        written = np.zeros(found.shape, np.float32)
        TicTacToe().observe(position.state, written)
        assert (found == written).all()


def test_positions_are_turned_in_every_way_their_policies_with_them():
    planes = PlaneWriter(TicTacToe())(
        Position.from_moves(TicTacToe(), ["a1", "b2"]).array
    )
    policies = planes.reshape(1, 2, 9)[:, 0]  # all on the stone of the mover
    many = np.repeat(planes, 200, axis=0), np.repeat(policies, 200, axis=0)
    turned, shares = RandomSymmetry(TicTacToe())(*many, np.random.default_rng(1))
    assert (turned.reshape(200, 2, 9)[:, 0] == shares).all()
    assert set(np.flatnonzero(shares.sum(axis=0))) == {0, 2, 6, 8}
    assert (turned[:, 1] == planes[:, 1]).all()  # the middle stays


@dataclass(frozen=True)
class Blind(TicTacToe):
    """Tic-tac-toe that does not say what a network sees."""

    observe = Game.observe


class Object:
    """Take one or two of three stones, in the style of the tutorials."""

    def __init__(self, left=3):
        self.left = left

    def get_legal_actions(self):
        return [taken for taken in (1, 2) if taken <= self.left]

    def is_game_over(self):
        return self.left == 0

    def game_result(self):
        return -1

    def move(self, taken):
        return Object(self.left - taken)


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (
            Blind(),
            "the rules do not say what a network sees: write `observation_shape`",
        ),
        (make_game("kuhn-poker"), "games of two players in which nothing is hidden"),
        (from_object(Object), "write its rules as a Game"),
    ],
)
def test_games_that_cannot_be_learnt_are_refused(game, said):
    with pytest.raises(UsageError, match="X: ") as caught:
        expect_trainable(game, "X")
    assert said in str(caught.value)


def test_games_with_points_of_their_own_are_refused():
    @dataclass(frozen=True)
    class Points(TicTacToe):
        return_range = (0.0, 3.0)

    with pytest.raises(UsageError, match="won, drawn or lost"):
        expect_trainable(Points(), "X")
