"""What a failure costs."""

from dataclasses import dataclass

import pytest

from playout import TicTacToe
from playout.arena.forfeits import forfeit_returns, returns_without
from playout.arena.session import Session
from tests.toys import Nim


@pytest.mark.parametrize(
    ("count", "loser", "bounds", "returns"),
    [
        (2, 1, (-2, 2), (2.0, -2.0)),
        (1, 0, (-1, 1), (-1.0,)),
        (5, 3, (0, 1), (0.625, 0.625, 0.625, 0.0, 0.625)),
        (2, 1, (1, 3), (3.0, 1.0)),
        (2, None, (1, 3), (2.0, 2.0)),
    ],
)
def test_who_forfeits_loses_the_most_there_is_to_lose(count, loser, bounds, returns):
    assert forfeit_returns(count, loser, bounds) == returns


@dataclass(frozen=True)
class Debts(Nim):
    """What is lost has no bounds that anybody knows of."""

    return_range = None

    def returns(self, state, player):
        return 50.0 if state.player != player else -50.0


def test_without_bounds_the_worst_of_random_games_is_lost():
    assert returns_without(Debts(), 0) == (-50.0, 50.0)
    assert returns_without(Debts(), None) == (0.0, 0.0)
    assert returns_without(TicTacToe(), 1) == (1.0, -1.0)


def test_resigning_costs_as_much():
    game = Debts()
    record = Session(game, [None, None]).resign(1).record()
    assert record.returns == (50.0, -50.0)
