"""MAST and NST: what was good is played again, by tables that are recounted.

Also of `search/action_table.py`.
"""

import math
from typing import Any

import numpy as np
import pytest

from playout import TicTacToe
from playout.search.action_table import ActionTable
from playout.search.rollout.mast_nst import MAST, NST, gram_key
from tests.search.trees import search_of


def test_mast_means_by_hand() -> None:
    table = ActionTable.of_game(TicTacToe())
    work = Steps([(4, 0), (0, 1), (8, 0)], returns=[1.0, -1.0])
    table.learn(work, 3)
    work.returns = [-1.0, 1.0]
    table.learn(work, 2)
    assert table.mean(work, 0, 4, 0.7) == 0.0
    assert table.mean(work, 0, 8, 0.7) == 1.0
    assert table.mean(work, 1, 0, 0.7) == 0.0
    assert table.mean(work, 1, 8, 0.7) == 0.7  # another player's action


class Steps:
    """As much of `Work` as tables read."""

    def __init__(self, steps: list[tuple[int, int]], returns: list[float]) -> None:
        class Step:
            def __init__(self, action: int, mover: int) -> None:
                self.action, self.mover = action, mover

        self.path = [Step(-9, -9), *(Step(*step) for step in steps)]
        self.returns = returns
        self.actions = np.zeros(9, dtype=np.int32)
        self.rollout_tables: Any = None


def test_grams_by_hand() -> None:
    """Two games begin alike; what ends a pair or triple is worth its own mean."""
    policy = NST(gram_visits=1, table_bits=10)
    work = Steps([(4, 0), (0, 1), (8, 0)], returns=[1.0, -1.0])
    work.rollout_tables = policy.tables(TicTacToe())
    with np.errstate(over="ignore"):
        policy.update(None, work, 0, 3)
        work.path[3].action = 2
        work.returns = [-1.0, 1.0]
        policy.update(None, work, 0, 3)
        # after 4, 0: the single, pair and triple of 8 were won, those of 2 were lost
        assert policy.value(work, 2, 0, 8) == 1.0
        assert policy.value(work, 2, 0, 2) == -1.0
        assert policy.value(work, 0, 0, 4) == 0.0
        assert policy.value(work, 2, 0, 7) == 1.0  # never played: as a win
        work.path[2].action = 3  # after another action, only the single is known
        assert policy.value(work, 2, 0, 2) == -1.0
        assert policy.value(work, 2, 0, 4) == 0.0
        assert NST(gram_visits=3).value(work, 2, 0, 8) == 1.0


def test_keys_of_grams_are_all_different() -> None:
    players = 8
    work = Steps([(a, 0) for a in range(9)], returns=[0.0] * players)
    keys = [
        gram_key(work, ply, player, action, length)
        for ply in range(2, 9)
        for player in range(players)
        for action in range(9)
        for length in (1, 2, 3)
    ]
    singles = players * 9
    assert len(set(keys)) == singles + players * 9 * 7 * 2
    assert min(keys) > 0
    assert gram_key(work, 1, 0, 3, 3) == 0  # two actions before are not there yet


@pytest.mark.parametrize(
    "rollout", [MAST(epsilon=0.0), NST(epsilon=0.0, gram_visits=1, table_bits=10)]
)
def test_what_was_good_is_played_again(rollout: Any) -> None:
    """All nine actions are known; 3 and 5 are the best, and drawn equally often.

    400 draws of two; a difference of 5 standard errors: false alarm below 1e-6.
    """
    search = search_of({"rollout": rollout}, interpreted=True)
    work, counts = search._forest.teams[0].works[0], np.zeros(9)
    search.game.initial_state(work.states[0])
    with np.errstate(over="ignore"):
        for action in range(9):
            work.path[1].action, work.path[1].mover = action, 0
            work.returns[0] = 1.0 if action in (3, 5) else -1.0
            rollout.update(None, work, 0, 1)
        for _ in range(400):
            counts[rollout.choose(search.game, work.states[0], work, 0)] += 1
    assert counts[[3, 5]].sum() == 400
    # among equals the first after a random place is taken: 7 of 9 places before 3
    assert abs(counts[3] - 400 * 7 / 9) < 5 * math.sqrt(400 * 7 / 9 * 2 / 9)
