"""`Weighted`: actions are drawn by their prior."""

import numpy as np

from tests.search.trees import SINGLE, search_of


def test_weighted_rollouts_draw_by_the_prior() -> None:
    """First actions of 3,000 rollouts; chi-squared, 8 degrees, false alarm < 1e-6."""
    search = search_of(SINGLE["weighted"], interpreted=True)
    work, counts = search._forest.teams[0].works[0], np.zeros(9)
    state = work.states[0]
    search.game.initial_state(state)
    with np.errstate(over="ignore"):
        for _ in range(3000):
            counts[search.policies.rollout.choose(search.game, state, work, 0)] += 1
    expected = 200.0 * np.array([2, 1, 2, 1, 3, 1, 2, 1, 2])
    assert ((counts - expected) ** 2 / expected).sum() < 43.0
