"""`Truncated`: the game's own evaluation after some plies."""

import pytest

from playout import Limit, Unsolved
from playout.search.rollout.truncated import Truncated
from tests.search.trees import search_of


def test_truncated_rollouts_return_what_the_game_says() -> None:
    policies = {"rollout": Truncated(rollout_plies=0), "solver": Unsolved()}
    search = search_of(policies, interpreted=True)
    result = search.search(limit=Limit(simulations=9))
    means = {stats.action: stats.mean for stats in result.actions}
    assert means[4] == pytest.approx(0.1)
    assert means[0] == pytest.approx(2 / 30)
    assert means[1] == pytest.approx(1 / 30)
