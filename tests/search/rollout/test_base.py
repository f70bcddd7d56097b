"""What holds for every rollout policy."""

from typing import Any

import pytest

from playout import (
    MCTS,
    ConnectFour,
    Decisive,
    Limit,
    Position,
    TicTacToe,
    Uniform,
    Unsolved,
    UsageError,
)
from playout.search.rollout.truncated import Truncated
from playout.search.rollout.weighted import Weighted
from tests.toys import Nim


@pytest.mark.parametrize(
    "rollout",
    [Uniform(), Uniform(generic=True), Decisive(), Decisive(generic=True)],
)
def test_every_rollout_policy_searches(rollout: Any) -> None:
    position = Position.from_moves(ConnectFour(), list("4455"))
    result = MCTS(ConnectFour(), rollout=rollout, seed=1).search(
        position, Limit(simulations=3000)
    )
    assert result.move in "36"  # three in a row with both ends open wins
    assert result.value > 0.5


def test_generic_decisive_rollouts_go_by_urgent_actions_alone() -> None:
    def visits(game: Any, **options: Any) -> list[int]:
        search = MCTS(game, rollout=Decisive(**options), solver=Unsolved(), seed=3)
        result = search.search(limit=Limit(simulations=2000))
        return [each.visits for each in result.actions]

    assert visits(TicTacToe(), generic=True) == visits(
        TicTacToe()
    )  # has none of its own
    assert visits(ConnectFour(), generic=True) != visits(ConnectFour())


def test_rollouts_ask_for_what_they_need() -> None:
    with pytest.raises(UsageError, match="Truncated needs a game that has evaluate"):
        MCTS(Nim(), rollout=Truncated())
    with pytest.raises(UsageError, match="Weighted needs a game that has prior"):
        MCTS(TicTacToe(), rollout=Weighted())
