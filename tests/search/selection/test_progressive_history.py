"""Progressive history by hand, and its table against a recount."""

import math

import numpy as np
import pytest

from playout.search.action_table import ActionTable
from playout.search.selection.progressive_history import ProgressiveHistory
from playout.search.selection.uct import UCT
from tests.search.selection.logged import logged
from tests.search.support import row


def test_progressive_history_by_hand() -> None:
    """n = 10, W = 4: 3 losses; elsewhere the action had the mean 0.5."""
    policy = ProgressiveHistory(c_uct=1.0, history=3.0)
    term = math.sqrt(math.log(100))
    uct = UCT(c_uct=1.0).score(row(10, 4.0), term)
    expected = uct + 3.0 * 1.5 / (3 + 1)
    assert policy.mixed(row(10, 4.0), term, 0.5) == pytest.approx(expected)


def test_history_is_what_a_recount_says() -> None:
    counts, sums = np.zeros((2, 9)), np.zeros((2, 9))
    search, games = logged(ProgressiveHistory)
    for game in games:
        for action, player in game.steps:
            counts[player, action] += 1
            sums[player, action] += game.returns[player]
    table = search._forest.teams[0].works[0].selection_tables
    assert isinstance(table, ActionTable)
    assert (table.counts.reshape(2, 9) == counts).all()
    assert (table.sums.reshape(2, 9) == sums).all()
    search.reset()
    assert not search._forest.teams[0].works[0].selection_tables.counts.any()
